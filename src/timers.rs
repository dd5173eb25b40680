//! Phase timers: cheap and always on.

use std::time::{Duration, Instant};

/// Time spent in one phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseTime {
    /// The phase: `predict`, `project distance`, `velocity`.
    pub name: String,
    /// Time since the timers were made or cleared.
    pub time: Duration,
}

/// Whether the standard library has a clock here: for web pages it has none, and panics when asked.
const HAS_CLOCK: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

fn now() -> Option<Instant> {
    HAS_CLOCK.then(Instant::now)
}

/// The phases of a method (S0-01). Without a clock their times are zero.
#[derive(Clone, Debug)]
pub struct Timers {
    phases: Vec<PhaseTime>,
    last: Option<Instant>,
    /// The phase under way, since `last`.
    current: Option<usize>,
}

impl Timers {
    /// Timers for the phases named.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let phase = |name| PhaseTime { name, time: Duration::ZERO };
        Self { phases: names.into_iter().map(phase).collect(), last: now(), current: None }
    }

    /// Begins to measure.
    pub fn start(&mut self) {
        self.last = now();
        self.current = None;
    }

    /// Says which phase begins now. Cheap where it is the one under way.
    #[inline]
    pub fn enter(&mut self, phase: usize) {
        if self.current != Some(phase) {
            self.leave();
            self.current = Some(phase);
        }
    }

    /// Says that no phase is under way any more.
    pub fn leave(&mut self) {
        if let Some(before) = self.current.take() {
            self.lap(before);
        }
    }

    /// Counts the time since the last call to phase `phase`.
    pub fn lap(&mut self, phase: usize) {
        let now = now();
        if let (Some(now), Some(last)) = (now, self.last) {
            self.phases[phase].time += now - last;
        }
        self.last = now;
    }

    /// The times so far.
    pub fn phases(&self) -> &[PhaseTime] {
        &self.phases
    }

    /// Forgets the times so far.
    pub fn clear(&mut self) {
        self.phases.iter_mut().for_each(|p| p.time = Duration::ZERO);
    }
}
