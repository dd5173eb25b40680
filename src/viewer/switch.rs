//! What is switched while a scene runs: method, lanes, threads, response and settings.

use super::interactive::{Viewer, after};
use super::setup::{Rates, Setup};
use crate::error::ModelError;
use crate::settings::{ResponseMode, Settings};
use crate::solvers::Method;
use crate::threads::cores;

impl Viewer {
    pub(super) fn switch_to(&mut self, setup: Setup) -> Result<(), String> {
        let settings = Settings { width: setup.width, response: setup.response, ..self.settings() };
        if setup.threads != self.setup().threads {
            self.threads = setup.threads;
        }
        self.rebuild(settings, setup.method)
    }

    pub(super) fn next_response(&mut self) -> Result<(), String> {
        let response = after(&ResponseMode::ALL, self.settings().response);
        let settings = Settings { response, ..self.settings() };
        self.rebuild(settings, self.simulation().method())
    }

    pub(super) fn next_width(&mut self) -> Result<(), String> {
        let width = Some(if self.simulation().width() == 8 { 16 } else { 8 });
        let settings = Settings { width, ..self.settings() };
        self.rebuild(settings, self.simulation().method())
    }

    /// The next of all methods that run this scene.
    pub(super) fn next_method(&mut self) -> Result<(), String> {
        let mut method = self.simulation().method();
        for _ in Method::ALL {
            method = after(&Method::ALL, method);
            if self.rebuild(self.settings(), method).is_ok() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn change_threads(&mut self, by: isize) -> Result<(), String> {
        let method = self.simulation().method();
        if !method.threaded() {
            return Err(format!("{} runs on one thread", method.name()));
        }
        let threads = self.simulation().threads().saturating_add_signed(by);
        self.threads = threads.clamp(1, 2 * cores());
        self.rebuild(self.settings(), method)
    }

    pub(super) fn change(
        &mut self,
        which: fn(&mut Settings) -> &mut u32,
        by: i32,
    ) -> Result<(), String> {
        let mut settings = self.settings();
        let number = which(&mut settings);
        *number = number.saturating_add_signed(by);
        settings.substeps = settings.substeps.max(1);
        self.rates = Rates::default();
        self.rebuild(settings, self.simulation().method())
    }

    pub(super) fn settings(&self) -> Settings {
        self.simulation().model().settings.clone()
    }

    /// How the scene is simulated.
    pub(super) fn setup(&self) -> Setup {
        let settings = &self.simulation().model().settings;
        let width = self.simulation().width() as u32;
        Setup {
            method: self.simulation().method(),
            // A method without lanes has another.
            width: settings.width.or([8, 16].contains(&width).then_some(width)),
            threads: self.simulation().threads(),
            response: settings.response,
        }
    }

    /// The solver anew, from the whole present state.
    pub(super) fn rebuild(&mut self, settings: Settings, method: Method) -> Result<(), String> {
        let threads = if method.threaded() { self.threads } else { 1 };
        let rebuilt = self.opened.simulation.rebuild(settings, method, threads);
        rebuilt.map_err(|error: ModelError| error.to_string())?;
        let named = (method.threaded() && threads > 0).then_some(threads);
        self.opened.run = self.opened.run.with(method, named);
        self.phases.clear();
        self.steps = 0;
        Ok(())
    }
}
