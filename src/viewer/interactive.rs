//! The interactive viewer without its window: keys and pointer go in, pixels come out (S0-11, S0-12, S1-02).
//!
//! `examples/viewer.rs` opens the window and reads the clock; all that a key does is here, and tested without a display.

use super::bounds::{EMPTY, bounds_of, with_colliders};
use super::hand::{Hand, Pointer};
use super::hud::{self, Cost};
use super::keys::{Action, action, help};
use super::overlay::Overlay;
use super::stage::Stage;
use crate::error::ModelError;
use crate::io::{Opened, Run, RunError};
use crate::render::{Bounds, Canvas, text_size};
use crate::scenes;
use crate::settings::Settings;
use crate::simulation::Simulation;
use crate::solvers::Method;
use crate::state::Snapshot;
use crate::threads::cores;
use crate::timers::PhaseTime;

/// Steps between two readings of the phase timers.
const PHASE_STEPS: u32 = 15;
/// Frames and projections that a scene is simulated ahead for, to place the camera.
const AHEAD: (u64, u64) = (150, 40_000_000);

/// The state of a viewer.
pub struct Viewer {
    opened: Opened,
    start: Snapshot,
    bounds: Bounds,
    stage: Stage,
    pub(super) hand: Hand,
    /// Threads asked for; zero lets the engine choose.
    threads: usize,
    pub(super) paused: bool,
    single: bool,
    help: bool,
    quit: bool,
    message: String,
    phases: Vec<PhaseTime>,
    /// The deepest overlap when the phases were last looked at (m).
    penetration: Option<f64>,
    steps: u32,
}

impl Viewer {
    /// A viewer of a run.
    ///
    /// # Errors
    /// As [`Run::open`].
    pub fn open(run: &Run) -> Result<Self, RunError> {
        Self::with(run, Overlay::Plain)
    }

    fn with(run: &Run, overlay: Overlay) -> Result<Self, RunError> {
        let mut opened = run.open(&[])?;
        let bounds = look_ahead(&mut opened.simulation);
        let model = opened.simulation.model();
        let stage = Stage::painted(model, overlay, bounds, opened.run.look().1);
        let stage = stage.map_err(|error| RunError::Model { run: run.to_string(), error })?;
        Ok(Self {
            start: opened.simulation.snapshot(),
            threads: run.threads.unwrap_or(0),
            message: opened.warnings.join("; "),
            opened,
            bounds,
            stage,
            hand: Hand::default(),
            paused: false,
            single: false,
            help: false,
            quit: false,
            phases: Vec::new(),
            penetration: None,
            steps: 0,
        })
    }

    /// Whether the window should close.
    pub fn quits(&self) -> bool {
        self.quit
    }

    /// The simulation as it is.
    pub fn simulation(&self) -> &Simulation {
        &self.opened.simulation
    }

    /// The run in full.
    pub fn run(&self) -> &Run {
        &self.opened.run
    }

    pub(super) fn overlay(&self) -> Overlay {
        self.stage.overlay()
    }

    /// Does what the key of that name is for (the names are minifb's); `again` says that it was held down. What cannot be
    /// done is said in the picture.
    pub fn press(&mut self, key: &str, again: bool) {
        if let Some(action) = action(key, again) {
            self.message = self.act(action).err().unwrap_or_default();
        }
    }

    /// Moves what the mouse moves: a particle, or the camera.
    pub fn point(&mut self, pointer: Pointer) {
        self.hand.point(pointer, &mut self.opened.simulation);
    }

    fn act(&mut self, action: Action) -> Result<(), String> {
        match action {
            Action::Pause => self.paused = !self.paused,
            Action::Step => (self.single, self.paused) = (true, true),
            Action::Reset => {
                self.hand.let_go(&mut self.opened.simulation);
                self.opened.simulation.restore(&self.start);
            }
            Action::Frame => self.hand.frame(self.bounds),
            Action::Help => self.help = !self.help,
            Action::Quit => self.quit = true,
            Action::NextScene => return self.next_scene().map_err(|error| error.to_string()),
            Action::NextMethod => {
                let method = after(&Method::ALL, self.simulation().method());
                return self.rebuild(self.settings(), method);
            }
            Action::MoreThreads => return self.change_threads(1),
            Action::FewerThreads => return self.change_threads(-1),
            Action::MoreIterations => return self.change(|s| &mut s.iterations, 1),
            Action::FewerIterations => return self.change(|s| &mut s.iterations, -1),
            Action::MoreSubsteps => return self.change(|s| &mut s.substeps, 1),
            Action::FewerSubsteps => return self.change(|s| &mut s.substeps, -1),
            Action::NextOverlay => {
                let overlay = after(&Overlay::ALL, self.overlay());
                let model = self.simulation().model();
                let stage = Stage::painted(model, overlay, self.bounds, self.run().look().1);
                self.stage = stage.map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    fn next_scene(&mut self) -> Result<(), RunError> {
        let name = self.run().scene_name();
        let mut scenes = scenes::all().chain(scenes::all());
        scenes.find(|scene| scene.name == name);
        let next = scenes.next().or(scenes::all().next());
        let run: Run = next.map_or("", |scene| scene.name).parse()?;
        let method = self.simulation().method();
        let threads = (self.threads > 0 && method.threaded()).then_some(self.threads);
        let next = Self::with(&run.with(method, threads), self.overlay())?;
        *self = Self {
            hand: self.hand.over(next.bounds),
            paused: self.paused,
            help: self.help,
            threads: self.threads,
            ..next
        };
        Ok(())
    }

    fn change_threads(&mut self, by: isize) -> Result<(), String> {
        let method = self.simulation().method();
        if !method.threaded() {
            return Err(format!("{} runs on one thread", method.name()));
        }
        let threads = self.simulation().threads().saturating_add_signed(by);
        self.threads = threads.clamp(1, 2 * cores());
        self.rebuild(self.settings(), method)
    }

    fn change(&mut self, which: fn(&mut Settings) -> &mut u32, by: i32) -> Result<(), String> {
        let mut settings = self.settings();
        let number = which(&mut settings);
        *number = number.saturating_add_signed(by);
        settings.substeps = settings.substeps.max(1);
        self.rebuild(settings, self.simulation().method())
    }

    fn settings(&self) -> Settings {
        self.simulation().model().settings.clone()
    }

    /// The solver anew, from the present positions and velocities.
    fn rebuild(&mut self, settings: Settings, method: Method) -> Result<(), String> {
        let threads = if method.threaded() { self.threads } else { 1 };
        let rebuilt = self.opened.simulation.rebuild(settings, method, threads);
        rebuilt.map_err(|error: ModelError| error.to_string())?;
        let named = (method.threaded() && threads > 0).then_some(threads);
        self.opened.run = self.opened.run.with(method, named);
        self.phases.clear();
        self.steps = 0;
        Ok(())
    }

    /// One frame step, unless time stands still; says whether there was one.
    pub fn advance(&mut self) -> bool {
        if self.paused && !std::mem::take(&mut self.single) {
            return false;
        }
        self.opened.simulation.step();
        self.steps += 1;
        if self.steps >= PHASE_STEPS || self.phases.is_empty() {
            let timers = self.opened.simulation.timers();
            self.phases = timers.phases().to_vec();
            timers.clear();
            self.penetration = self.opened.simulation.penetration();
            let steps = std::mem::take(&mut self.steps);
            self.phases.retain(|phase| !phase.time.is_zero());
            self.phases.iter_mut().for_each(|phase| phase.time /= steps);
        }
        true
    }

    /// Draws the scene alone.
    pub fn draw_bare(&mut self, canvas: &mut Canvas) {
        self.hand.resize([canvas.width(), canvas.height()], self.bounds);
        let state = self.opened.simulation.visible();
        self.stage.include(&state);
        self.stage.draw(&state, &self.hand.camera, canvas);
    }

    /// Draws everything; `cost` is the time that steps and pictures took lately.
    pub fn draw(&mut self, canvas: &mut Canvas, cost: Cost) {
        self.draw_bare(canvas);
        let size = [canvas.width(), canvas.height()];
        let paused = if self.paused { "paused, " } else { "" };
        let figures = hud::figures(self.run(), self.simulation(), cost, self.penetration);
        let text = format!("{figures}\ncolors  {}\n{paused}H: keys", self.overlay().name());
        let below = canvas.panel([8, 8], &text);
        hud::bars(canvas, below + 4, &self.phases);
        hud::legend(canvas, &self.stage);
        if self.help {
            let text = help();
            let [width, height] = text_size(&text).map(|s| s + 16);
            let corner = [size[0] as i32 - width, size[1] as i32 - height].map(|s| s / 2);
            canvas.panel(corner, &text);
        }
        if !self.message.is_empty() {
            canvas.panel([8, size[1] as i32 - 40], &self.message);
        }
    }
}

/// The one of `all` after `one`, in a circle.
fn after<T: Copy + PartialEq>(all: &[T], one: T) -> T {
    let at = all.iter().position(|&other| other == one);
    all[at.map_or(0, |at| (at + 1) % all.len())]
}

/// The box around the scene's motion from now on, as far as it is quickly known; the simulation stays where it is.
fn look_ahead(simulation: &mut Simulation) -> Bounds {
    let start = simulation.snapshot();
    let model = simulation.model();
    let settings = &model.settings;
    let projections = model.constraint_count() as u64 + model.positions().len() as u64;
    let step = projections * u64::from(settings.iterations) * u64::from(settings.substeps);
    let frames = (AHEAD.1 / step.max(1)).clamp(1, AHEAD.0);
    let mut bounds = bounds_of(model, &start);
    for _ in 0..frames {
        simulation.step();
        let now = bounds_of(simulation.model(), &simulation.visible());
        bounds = bounds.map(|bounds| now.map_or(bounds, |now| bounds.and(now)));
    }
    simulation.restore(&start);
    simulation.timers().clear();
    with_colliders(simulation.model(), bounds.unwrap_or(EMPTY), [start.time; 2])
}
