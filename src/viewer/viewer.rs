//! The interactive viewer without its window: keys and pointer go in, pixels come out (S0-11, S0-12, S1-02).
//!
//! `examples/viewer.rs` opens the window and reads the clock; all that a key does is here, and tested without a display.

use super::film::NOTHING;
use super::hand::{Hand, Pointer};
use super::hud;
use super::keys::{Action, help};
use super::overlay::Overlay;
use super::stage::{Stage, bounds_of};
use crate::error::ModelError;
use crate::io::{Opened, Run, RunError};
use crate::render::{Bounds, Camera, Canvas, Font};
use crate::scenes::SCENES;
use crate::settings::Settings;
use crate::simulation::Simulation;
use crate::solvers::Method;
use crate::state::Snapshot;
use crate::threads::cores;
use crate::timers::PhaseTime;

/// What simulation and drawing took, as the window's clock says, each for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// One frame step (ms).
    pub step: f64,
    /// One picture (ms).
    pub draw: f64,
}

/// Steps between two looks at the phase timers.
const PHASE_STEPS: u32 = 15;
/// Frames and projections that a scene's motion is looked ahead for, to place the camera.
const AHEAD: (u64, u64) = (150, 40_000_000);

/// The state of a viewer.
pub struct Viewer {
    pub(super) opened: Opened,
    start: Snapshot,
    bounds: Bounds,
    stage: Stage,
    pub(super) camera: Camera,
    /// Whether nobody has moved the camera yet: then it follows the window's shape.
    pub(super) framed: bool,
    pub(super) size: [usize; 2],
    /// Threads asked for; zero lets the engine choose.
    threads: usize,
    paused: bool,
    single: bool,
    help: bool,
    quit: bool,
    message: String,
    pub(super) hand: Option<Hand>,
    pub(super) pointer: Pointer,
    phases: Vec<PhaseTime>,
    steps: u32,
}

impl Viewer {
    /// A viewer of a run.
    ///
    /// # Errors
    /// As [`Run::open`].
    pub fn open(run: &Run) -> Result<Self, RunError> {
        let mut opened = run.open(&[])?;
        let bounds = look_ahead(&mut opened.simulation);
        let stage = Stage::new(opened.simulation.model(), Overlay::Plain, bounds);
        let stage = stage.map_err(|error| RunError::Model {
            run: run.to_string(),
            error,
        })?;
        Ok(Self {
            start: opened.simulation.snapshot(),
            threads: run.threads.unwrap_or(0),
            message: opened.warnings.join("; "),
            opened,
            bounds,
            stage,
            camera: Camera::default(),
            framed: true,
            size: [0, 0],
            paused: false,
            single: false,
            help: false,
            quit: false,
            hand: None,
            pointer: Pointer::default(),
            phases: Vec::new(),
            steps: 0,
        })
    }

    /// Whether the window should close.
    pub fn quits(&self) -> bool {
        self.quit
    }

    /// Whether time stands still.
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// The simulation as it is.
    pub fn simulation(&self) -> &Simulation {
        &self.opened.simulation
    }

    /// The run in full.
    pub fn run(&self) -> &Run {
        &self.opened.run
    }

    /// What the colors tell.
    pub fn overlay(&self) -> Overlay {
        self.stage.overlay()
    }

    /// The camera as it is.
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// The particle in the hand.
    pub fn held(&self) -> Option<u32> {
        self.hand.map(|hand| hand.particle)
    }

    /// Does what a key asks for. What cannot be done is said in the picture.
    pub fn act(&mut self, action: Action) {
        let done = match action {
            Action::NextScene => self.next_scene().map_err(|error| error.to_string()),
            Action::NextMethod => self.next_method().map_err(|error| error.to_string()),
            Action::MoreThreads => self.change_threads(1),
            Action::FewerThreads => self.change_threads(-1),
            Action::MoreIterations => self.set(|s| s.iterations = s.iterations.saturating_add(1)),
            Action::FewerIterations => self.set(|s| s.iterations = s.iterations.saturating_sub(1)),
            Action::MoreSubsteps => self.set(|s| s.substeps = s.substeps.saturating_add(1)),
            Action::FewerSubsteps => self.set(|s| s.substeps = (s.substeps - 1).max(1)),
            Action::NextOverlay => self.next_overlay().map_err(|error| error.to_string()),
            _ => {
                self.turn(action);
                Ok(())
            }
        };
        self.message = done.err().unwrap_or_default();
    }

    /// Actions that cannot fail.
    fn turn(&mut self, action: Action) {
        match action {
            Action::Pause => self.paused = !self.paused,
            Action::Step => (self.single, self.paused) = (true, true),
            Action::Reset => self.reset(),
            Action::Frame => self.frame(),
            Action::Help => self.help = !self.help,
            Action::Quit => self.quit = true,
            _ => {}
        }
    }

    fn reset(&mut self) {
        self.let_go();
        self.opened.simulation.restore(&self.start);
    }

    fn next_scene(&mut self) -> Result<(), RunError> {
        let at = SCENES
            .iter()
            .position(|s| s.name == self.run().scene_name());
        let scene = &SCENES[at.map_or(0, |at| (at + 1) % SCENES.len())];
        let run: Run = scene.name.parse()?;
        let method = self.opened.simulation.method();
        let threads = (self.threads > 0 && method.threaded()).then_some(self.threads);
        let overlay = self.overlay();
        *self = Self {
            size: self.size,
            pointer: self.pointer,
            paused: self.paused,
            help: self.help,
            threads: self.threads,
            ..Self::open(&run.with(method, threads))?
        };
        self.frame();
        let shown = self.set_overlay(overlay);
        shown.map_err(|error| RunError::Model {
            run: run.to_string(),
            error,
        })
    }

    fn next_method(&mut self) -> Result<(), ModelError> {
        let at = Method::ALL
            .iter()
            .position(|&m| m == self.opened.simulation.method());
        let next = Method::ALL[at.map_or(0, |at| (at + 1) % Method::ALL.len())];
        self.rebuild(self.settings(), next)
    }

    fn change_threads(&mut self, by: isize) -> Result<(), String> {
        let method = self.opened.simulation.method();
        if !method.threaded() {
            return Err(format!("{} runs on one thread", method.name()));
        }
        let threads = self.opened.simulation.threads().saturating_add_signed(by);
        self.threads = threads.clamp(1, 2 * cores());
        let rebuilt = self.rebuild(self.settings(), method);
        rebuilt.map_err(|error| error.to_string())
    }

    fn set(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), String> {
        let mut settings = self.settings();
        change(&mut settings);
        let rebuilt = self.rebuild(settings, self.opened.simulation.method());
        rebuilt.map_err(|error| error.to_string())
    }

    fn settings(&self) -> Settings {
        self.opened.simulation.model().settings.clone()
    }

    /// The solver anew, from the present positions and velocities.
    fn rebuild(&mut self, settings: Settings, method: Method) -> Result<(), ModelError> {
        let threads = if method.threaded() { self.threads } else { 1 };
        self.opened.simulation.rebuild(settings, method, threads)?;
        let named = (method.threaded() && threads > 0).then_some(threads);
        self.opened.run = self.opened.run.with(method, named);
        self.phases.clear();
        self.steps = 0;
        Ok(())
    }

    fn next_overlay(&mut self) -> Result<(), ModelError> {
        self.set_overlay(self.overlay().next())
    }

    fn set_overlay(&mut self, overlay: Overlay) -> Result<(), ModelError> {
        self.stage = Stage::new(self.opened.simulation.model(), overlay, self.bounds)?;
        Ok(())
    }

    fn frame(&mut self) {
        let [width, height] = self.size;
        self.camera = Camera::default().frame(self.bounds, width, height);
        self.framed = true;
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
            let steps = std::mem::take(&mut self.steps);
            self.phases.iter_mut().for_each(|phase| phase.time /= steps);
        }
        true
    }

    /// Draws everything; `cost` is what steps and pictures have taken lately.
    pub fn draw(&mut self, canvas: &mut Canvas, cost: Cost) {
        let size = [canvas.width(), canvas.height()];
        if self.size != size {
            self.size = size;
            if self.framed {
                self.frame();
            }
        }
        let state = self.opened.simulation.snapshot();
        self.stage.include(&state);
        self.stage.draw(&state, &self.camera, canvas);
        let below = canvas.panel([8, 8], &hud::figures(self, cost));
        hud::bars(canvas, below + 4, &self.phases);
        hud::legend(canvas, &self.stage);
        if self.help {
            let text = help();
            let [width, height] = Font::Small.size(&text).map(|s| s + 16);
            let corner = [size[0] as i32 - width, size[1] as i32 - height].map(|s| s / 2);
            canvas.panel(corner, &text);
        }
        if !self.message.is_empty() {
            canvas.panel([8, size[1] as i32 - 40], &self.message);
        }
    }
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
        let now = bounds_of(simulation.model(), &simulation.snapshot());
        bounds = bounds.map(|bounds| now.map_or(bounds, |now| bounds.and(now)));
    }
    simulation.restore(&start);
    simulation.timers().clear();
    bounds.unwrap_or(NOTHING)
}
