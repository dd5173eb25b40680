//! What every method made ready for a model does.

use super::convergence::Effort;
use crate::state::Particles;
use crate::subsystem::SubsystemStatistics;
use crate::timers::Timers;

/// A method made ready for one model.
pub trait Solver: Send {
    /// Advances the particles by one frame step dt.
    fn step(&mut self, particles: &mut Particles);
    /// The multipliers after the last iteration, per row set, in authored order.
    fn multipliers(&self) -> Vec<Vec<f32>>;
    /// What each part did, in authored order.
    fn statistics(&self) -> Vec<SubsystemStatistics> {
        Vec::new()
    }
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

/// What a [`Solver`] with a field `core` tells of it.
macro_rules! told_by_core {
    () => {
        fn multipliers(&self) -> Vec<Vec<f32>> {
            self.core.multipliers()
        }

        fn statistics(&self) -> Vec<crate::subsystem::SubsystemStatistics> {
            let all = self.core.subsystems.iter();
            all.map(|subsystem| subsystem.statistics()).collect()
        }

        fn threads(&self) -> usize {
            self.core.team.threads()
        }

        fn colors(&self) -> usize {
            self.core.colors
        }

        fn row_bytes(&self) -> usize {
            self.core.batches.iter().map(|batch| batch.bytes()).sum()
        }

        fn timers(&mut self) -> &mut crate::timers::Timers {
            self.core.timers.get_mut().expect("no worker panicked")
        }

        fn effort(&self) -> super::convergence::Effort {
            self.core.gauge.effort()
        }
    };
}
pub(super) use told_by_core;
