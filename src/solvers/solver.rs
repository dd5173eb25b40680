//! What a method made ready for one model is to its user.

use super::convergence::Effort;
use crate::state::Particles;
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

/// A method made ready for one model.
pub trait Solver: Send {
    /// Advances the particles by one frame step dt.
    fn step(&mut self, particles: &mut Particles);
    /// What is known of it.
    fn info(&self) -> &dyn SolverInfo;
    /// The same, to clear its timers.
    fn info_mut(&mut self) -> &mut dyn SolverInfo;
}
