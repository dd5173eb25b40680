//! Stopping: the iterations of a substep end when the largest residual is below a tolerance (S2-06, S3-02).
//!
//! A check evaluates every row once, with a root and a division more than projecting it, and costs two to three iterations
//! (`cloth:64` on one thread: 0.05 ms against 0.02 by `lanes`, 0.9 against 0.3 by `scalar`). So checks lie ever farther apart:
//! after 1, 2, 3, 4, 6, 9, 13, .. iterations, unless the settings ask for one after each (`check_every`). Fixed iterations check nothing. (Skipping single rows with C ≈ 0 does not pay: eight rows
//! share a packet, and finding out costs nearly all of projecting.) Groups, joints, attachments, fluids and contacts are measured as
//! rows are; a state that is not finite meets no tolerance.

use crate::settings::Settings;
use crate::threads::lock;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// What the last step took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverStatistics {
    /// Iterations, the most of a substep.
    pub iterations: u32,
    /// Iterations of the velocity loop, the most of a substep; of method `impulse` only.
    pub velocity_iterations: Option<u32>,
    /// The largest error that the last iteration checked met (m); none where nothing was checked.
    pub error: Option<f64>,
}

/// What the workers of a step find out together.
#[derive(Default)]
pub struct ConvergenceMonitor {
    /// Bits of the largest error of the check under way; errors are not negative, so their bits are in their order.
    largest: AtomicU32,
    /// The errors of this step's checks. Workers may read them late, so none is taken back within the step.
    seen: Mutex<Vec<f32>>,
    statistics: Mutex<SolverStatistics>,
}

impl ConvergenceMonitor {
    /// Counts an error (m) to the check under way.
    pub fn note(&self, error: f32) {
        self.largest.fetch_max(error.abs().to_bits(), Ordering::Relaxed);
    }

    /// Ends a check: to be called once, when all its errors are noted, before anyone goes on.
    pub fn end_check(&self) {
        let largest = f32::from_bits(self.largest.swap(0, Ordering::Relaxed));
        lock(&self.seen).push(largest);
    }

    /// Forgets the last step: to be called before workers make their [`IterationControl`]s.
    pub fn begin_step(&self) {
        lock(&self.seen).clear();
        *lock(&self.statistics) = SolverStatistics::default();
    }

    /// What the last step took.
    pub fn statistics(&self) -> SolverStatistics {
        *lock(&self.statistics)
    }
}

/// One worker's way through the iterations of a step.
pub struct IterationControl<'a> {
    monitor: &'a ConvergenceMonitor,
    tolerance: f64,
    every: bool,
    most: u32,
    /// Iterations done in this substep.
    done: u32,
    reached: bool,
    /// Checks done in this step.
    checks: usize,
    statistics: SolverStatistics,
}

impl<'a> IterationControl<'a> {
    /// A worker's way, at the beginning of a step.
    pub fn new(settings: &Settings, monitor: &'a ConvergenceMonitor) -> Self {
        Self {
            monitor,
            tolerance: settings.tolerance,
            every: settings.check_every,
            most: settings.iterations,
            done: 0,
            reached: false,
            checks: 0,
            statistics: SolverStatistics::default(),
        }
    }

    /// The same, checked after each iteration.
    pub fn of_each(settings: &Settings, monitor: &'a ConvergenceMonitor) -> Self {
        Self { every: true, ..Self::new(settings, monitor) }
    }

    /// Begins a substep.
    pub fn begin(&mut self) {
        (self.done, self.reached) = (0, false);
    }

    /// The iterations to do until the next check; none when they are up, or the tolerance is met.
    pub fn passes(&mut self) -> Option<Range<usize>> {
        if self.reached || self.done == self.most {
            self.statistics.iterations = self.statistics.iterations.max(self.done);
            return None;
        }
        let first = self.done;
        self.done = match self.checks_now() {
            false => self.most,
            true if self.every => first + 1,
            true => first.saturating_add((first / 2).max(1)).min(self.most),
        };
        Some(first as usize..self.done as usize)
    }

    /// Whether these iterations end with a check.
    pub fn checks_now(&self) -> bool {
        self.tolerance > 0.0
    }

    /// Reads the check that has ended.
    pub fn check(&mut self) {
        let seen = lock(&self.monitor.seen);
        let error = f64::from(seen[self.checks]);
        self.checks += 1;
        self.reached = error < self.tolerance;
        self.statistics.error = Some(error);
    }

    /// Says that a substep's iterations were done without a check.
    pub fn all_done(&mut self) {
        self.statistics.iterations = self.most;
    }

    /// Counts what was done to the step: to be called by one worker.
    pub fn report(self) {
        let mut all = lock(&self.monitor.statistics);
        all.iterations = all.iterations.max(self.statistics.iterations);
        all.error = self.statistics.error.or(all.error);
    }

    /// Counts what a velocity loop took to the step that `monitor` watches: to be called by one worker.
    pub fn report_velocities(self, monitor: &ConvergenceMonitor) {
        let mut all = lock(&monitor.statistics);
        all.velocity_iterations = Some(self.statistics.iterations);
    }
}
