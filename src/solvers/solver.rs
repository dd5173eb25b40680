//! What a method made ready for one model is to its user.

use super::convergence::Effort;
use super::core::Core;
use crate::state::{Particles, Width};
use crate::subsystem::SubsystemStatistics;
use crate::timers::Timers;

/// What is known of a method's rows, workers and last step.
pub trait SolverInfo {
    /// The multipliers after the last iteration, per row set, then per subsystem, in authored order.
    fn multipliers(&self) -> Vec<Vec<f32>>;
    /// What each subsystem did, in authored order.
    fn statistics(&self) -> Vec<SubsystemStatistics>;
    /// Threads used.
    fn threads(&self) -> usize;
    /// Colors of all kinds together; zero in authored order.
    fn colors(&self) -> usize;
    /// Bytes of the rows as this method keeps them.
    fn row_bytes(&self) -> usize;
    /// Time per phase since the last [`Timers::clear`].
    fn timers(&mut self) -> &mut Timers;
    /// What the last step took.
    fn effort(&self) -> Effort;
}

impl<W: Width> SolverInfo for Core<W> {
    fn multipliers(&self) -> Vec<Vec<f32>> {
        let of_rows = self.batches.iter().map(|batch| batch.multipliers());
        let others = self.subsystems.iter().map(|s| s.multipliers());
        of_rows.chain(others).collect()
    }

    fn statistics(&self) -> Vec<SubsystemStatistics> {
        self.subsystems.iter().map(|s| s.statistics()).collect()
    }

    fn threads(&self) -> usize {
        self.team.threads()
    }

    fn colors(&self) -> usize {
        self.colors
    }

    fn row_bytes(&self) -> usize {
        self.batches.iter().map(|batch| batch.bytes()).sum()
    }

    fn timers(&mut self) -> &mut Timers {
        self.timers.get_mut().expect("no worker panicked")
    }

    fn effort(&self) -> Effort {
        self.gauge.effort()
    }
}

/// A method made ready for one model.
pub trait Solver: Send {
    /// Advances the particles by one frame step dt.
    fn step(&mut self, particles: &mut Particles);
    /// What is known of it.
    fn info(&self) -> &dyn SolverInfo;
    /// The same, to clear its timers.
    fn info_mut(&mut self) -> &mut dyn SolverInfo;
}
