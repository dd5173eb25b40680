//! How a scene is simulated in the viewer, and how long a step took by each way that was tried.

use crate::settings::ResponseMode;
use crate::solvers::Method;

/// What can be switched while a scene runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setup {
    pub method: Method,
    /// Lanes.
    pub width: Option<u32>,
    /// Zero lets the engine choose.
    pub threads: usize,
    pub response: ResponseMode,
}

/// Times of a step by setups.
#[derive(Default)]
pub(super) struct Rates {
    known: Vec<(Setup, f64)>,
}

impl Rates {
    /// Takes the time of a step (ms).
    pub fn take(&mut self, setup: Setup, ms: f64) {
        match self.known.iter_mut().find(|(known, _)| *known == setup) {
            Some((_, mean)) => *mean = 0.95 * *mean + 0.05 * ms,
            None => self.known.push((setup, ms)),
        }
    }

    /// The mean time of a step (ms), where it is known.
    pub fn of(&self, setup: Setup) -> Option<f64> {
        let found = self.known.iter().find(|(known, _)| *known == setup);
        found.map(|(_, ms)| *ms)
    }
}

/// Real time against simulated time.
#[derive(Default)]
pub(super) struct Pace {
    /// Seconds to be simulated.
    owed: f64,
    passed: f64,
    simulated: f64,
}

/// Time that passed while nothing was shown is not made up for beyond this (s).
const LONGEST: f64 = 0.1;
/// What counts of earlier pictures when the next is drawn.
const MEMORY: f64 = 0.97;

impl Pace {
    /// So much real time has passed (s).
    pub fn pass(&mut self, seconds: f64) {
        let seconds = seconds.clamp(0.0, LONGEST);
        self.owed += seconds;
        self.passed = MEMORY * self.passed + seconds;
        self.simulated *= MEMORY;
    }

    /// Whether a step of `dt` (s) is due; it then counts as done.
    pub fn takes(&mut self, dt: f64) -> bool {
        let is_due = self.owed >= dt;
        if is_due {
            self.owed -= dt;
            self.simulated += dt;
        }
        is_due
    }

    /// Does not make up for what is owed beyond a step of `dt` (s).
    pub fn forget(&mut self, dt: f64) {
        self.owed = self.owed.min(dt);
    }

    /// In words.
    pub fn text(&self) -> String {
        let factor = self.simulated / self.passed.max(1e-9);
        match self.passed > 0.0 && factor < 0.95 {
            true => format!("{factor:.2} x real time"),
            false => "real time".into(),
        }
    }
}
