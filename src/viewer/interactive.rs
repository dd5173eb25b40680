//! The interactive viewer without its window: keys, pointer and time go in, pixels come out (S0-11, S0-12, S1-02).
//!
//! `taut view` opens the window and reads the clock; all that a key or a click does is here, and tested without a display.

use super::bounds::{bounds_of, first_bounds, widened};
use super::hand::{Hand, Pointer};
use super::hud::{self, Cost};
use super::keys::{Action, action, help};
use super::menu::{self, Choice, Menu};
use super::overlay::Overlay;
use super::setup::{Pace, Rates};
use super::shot::Shot;
use super::stage::Stage;
use crate::render::{Bounds, Canvas, text_size};
use crate::runs::{Opened, Run, RunError};
use crate::simulation::Simulation;
use crate::state::Snapshot;
use crate::timers::PhaseTime;

/// Steps between two readings of the phase timers.
const PHASE_STEPS: u32 = 15;
/// Pictures a second that steps leave time for.
const PICTURES: f64 = 33.0;

/// The state of a viewer.
pub struct Viewer {
    pub(super) opened: Opened,
    start: Snapshot,
    /// Around all that was seen, as far as [`limits`](Self::limits).
    pub(super) bounds: Bounds,
    limits: Bounds,
    stage: Stage,
    pub(super) hand: Hand,
    /// Whether the button that is down was pressed on the menu.
    is_clicking: bool,
    pub(super) menu: Menu,
    /// Columns of figures and bars at the left.
    pub(super) left: i32,
    pub(super) rates: Rates,
    pace: Pace,
    /// Threads asked for; zero lets the engine choose.
    pub(super) threads: usize,
    pub(super) paused: bool,
    single: bool,
    help: bool,
    quit: bool,
    message: String,
    pub(super) phases: Vec<PhaseTime>,
    /// The deepest overlap when the phases were last looked at (m).
    penetration: Option<f64>,
    pub(super) steps: u32,
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
        let bounds = first_bounds(&mut opened.simulation);
        let model = opened.simulation.model();
        let stage = Stage::painted(model, overlay, bounds, opened.run.look().1);
        let stage = stage.map_err(|error| RunError::Model { run: run.to_string(), error })?;
        let hand = Hand::above(stage.ground.height);
        Ok(Self {
            start: opened.simulation.snapshot(),
            threads: run.threads.unwrap_or(0),
            message: opened.warnings.join("; "),
            opened,
            bounds,
            limits: widened(bounds),
            stage,
            hand,
            is_clicking: false,
            menu: Menu::default(),
            left: 0,
            rates: Rates::default(),
            pace: Pace::default(),
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

    /// Takes the mouse's next moment: it clicks on the menu, or moves a particle, a body or the camera.
    pub fn point(&mut self, mut pointer: Pointer) {
        let is_pressed = pointer.left && !self.hand.pointer().left && !self.is_clicking;
        if is_pressed && self.menu.covers(pointer.at) {
            self.is_clicking = true;
            if let Some(choice) = self.menu.hit(pointer.at).cloned() {
                self.message = self.choose(choice).err().unwrap_or_default();
            }
        }
        self.is_clicking &= pointer.left;
        pointer.left &= !self.is_clicking;
        self.hand.point(pointer, &mut self.opened.simulation);
    }

    fn choose(&mut self, choice: Choice) -> Result<(), String> {
        match choice {
            Choice::Scene(name) => self.go_to(name).map_err(|error| error.to_string()),
            Choice::Setup(setup) => self.switch_to(setup),
        }
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
            Action::NextScene => {
                let name = menu::next_scene(&self.run().scene_name());
                return self.go_to(name).map_err(|error| error.to_string());
            }
            Action::NextMethod => return self.next_method(),
            Action::NextResponse => return self.next_response(),
            Action::NextWidth => return self.next_width(),
            Action::MoreThreads => return self.change_threads(1),
            Action::FewerThreads => return self.change_threads(-1),
            Action::MoreIterations => return self.change(|s| &mut s.iterations, 1),
            Action::FewerIterations => return self.change(|s| &mut s.iterations, -1),
            Action::MoreSubsteps => return self.change(|s| &mut s.substeps, 1),
            Action::FewerSubsteps => return self.change(|s| &mut s.substeps, -1),
            Action::NextOverlay => {
                return self.show(after(&Overlay::ALL, self.overlay()));
            }
        }
        Ok(())
    }

    fn show(&mut self, overlay: Overlay) -> Result<(), String> {
        let model = self.simulation().model();
        let stage = Stage::painted(model, overlay, self.bounds, self.run().look().1);
        self.stage = stage.map_err(|error| error.to_string())?;
        Ok(())
    }

    fn go_to(&mut self, scene: &str) -> Result<(), RunError> {
        let run: Run = scene.parse()?;
        let method = self.simulation().method();
        let threads = (self.threads > 0 && method.threaded()).then_some(self.threads);
        let next = Self::with(&run.with(method, threads), self.overlay());
        // A method that does not run the scene gives way.
        let next = next.or_else(|_| Self::with(&run, self.overlay()))?;
        *self = Self {
            hand: self.hand.over(next.bounds, next.stage.ground.height),
            is_clicking: self.is_clicking,
            paused: self.paused,
            help: self.help,
            threads: self.threads,
            ..next
        };
        Ok(())
    }

    /// As many steps as `passed` seconds of real time ask for; fewer where they leave no time for pictures. `now` reads a clock
    /// (s), and `cost` takes the time of a step.
    pub fn keep_up(&mut self, passed: f64, cost: &mut Cost, now: &mut dyn FnMut() -> f64) {
        let dt = self.simulation().model().settings.dt;
        if self.paused {
            self.advance();
            self.pace = Pace::default();
            return;
        }
        self.pace.pass(passed);
        let (begun, room) = (now(), 1.0 / PICTURES - 1e-3 * cost.draw);
        let mut before = begun;
        while self.pace.takes(dt) {
            self.advance();
            let after = now();
            let ms = 1e3 * (after - before);
            cost.step = Cost::smoothed(cost.step, ms);
            self.rates.take(self.setup(), ms);
            before = after;
            if after - begun + 1e-3 * cost.step > room {
                self.pace.forget(dt);
                break;
            }
        }
    }

    /// One frame step, unless time stands still; says whether there was one.
    pub fn advance(&mut self) -> bool {
        if self.paused && !std::mem::take(&mut self.single) {
            return false;
        }
        self.hand.pull(&mut self.opened.simulation);
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
        let whole = [canvas.width() as i32, canvas.height() as i32];
        self.draw_within(canvas, [[0, 0], whole]);
    }

    /// Draws the scene, in the middle of what is `free` of panels: the first and last column and row.
    fn draw_within(&mut self, canvas: &mut Canvas, free: [[i32; 2]; 2]) {
        let shot = Shot::of(&self.opened.simulation);
        let model = self.opened.simulation.model();
        if let Some(now) = bounds_of(model, &shot.state, &self.stage.joints) {
            self.bounds = self.bounds.and(now.within(self.limits));
        }
        self.hand.follow([canvas.width(), canvas.height()], free, self.bounds);
        if self.stage.torn.as_ref().is_some_and(|torn| torn.differs(&shot.state))
            && let Err(what) = self.show(self.overlay())
        {
            self.message = what;
        }
        self.stage.include(&shot.state);
        self.stage.draw_shot(&shot, &self.hand.camera, canvas);
    }

    /// Draws everything; `cost` is the time that steps and pictures took lately.
    pub fn draw(&mut self, canvas: &mut Canvas, cost: Cost) {
        let size = [canvas.width(), canvas.height()];
        let pace = if self.paused { "paused".into() } else { self.pace.text() };
        let figures = hud::figures(self.run(), self.simulation(), cost, self.penetration);
        let text = format!("{figures}\n{pace}\ncolors  {}\nH: keys", self.overlay().name());
        let scene = self.run().scene_name();
        self.menu = Menu::of(size, &scene, self.setup(), self.stage.team.threads(), &self.rates);
        // Figures change; what they were shown in stays.
        self.left = self.left.max(hud::columns(&text));
        self.draw_within(canvas, self.menu.free(size, self.left));
        let below = canvas.panel([8, 8], &text);
        self.menu.draw(canvas);
        let bottom = self.menu.lower_left(size[1]);
        hud::bars(canvas, [below + 4, bottom], &self.phases);
        hud::legend(canvas, &self.stage, 1);
        if self.help {
            let text = help();
            let [width, height] = text_size(&text).map(|s| s + 16);
            let corner = [size[0] as i32 - width, size[1] as i32 - height].map(|s| s / 2);
            canvas.panel(corner, &text);
        }
        if !self.message.is_empty() {
            canvas.panel([8, bottom - 40], &self.message);
        }
    }
}

/// The one of `all` after `one`, in a circle.
pub(super) fn after<T: Copy + PartialEq>(all: &[T], one: T) -> T {
    let at = all.iter().position(|&other| other == one);
    all[at.map_or(0, |at| (at + 1) % all.len())]
}
