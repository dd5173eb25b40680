//! What a method made ready for one model is to its user.

use super::convergence::SolverStatistics;
use super::core::Core;
use crate::error::CheckpointError;
use crate::state::{BodyView, MULTIPLIERS, Particles, Saved};
use crate::subsystem::{SubsystemStatistics, SubsystemWidth};
use crate::timers::Timers;

/// A method's rows, subsystems and workers, whichever method it is.
pub trait SolverCore {
    /// Wakes a body that sleeps, with all that sleep with it; it has its mass back.
    fn wake(&self, particles: &mut Particles, body: u32);
    /// The multipliers after the last iteration, per row set, then per subsystem, in authored order.
    fn multipliers(&self) -> Vec<Vec<f32>>;
    /// What each subsystem did, in authored order.
    fn subsystem_statistics(&self) -> Vec<SubsystemStatistics>;
    /// Threads used.
    fn threads(&self) -> usize;
    /// Lanes that most rows are computed in: 1, 8 or 16.
    fn width(&self) -> usize;
    /// Colors of all kinds together; zero in authored order.
    fn colors(&self) -> usize;
    /// Bytes of the rows as this method keeps them.
    fn row_bytes(&self) -> usize;
    /// Time per phase since the last [`Timers::clear`].
    fn timers(&mut self) -> &mut Timers;
    /// Where the code of subsystems' phases begins: names as `project joints`, and addresses.
    #[cfg(all(feature = "cli", unix))]
    fn entries(&self) -> Vec<(String, usize)>;
    /// What the last step took.
    fn statistics(&self) -> SolverStatistics;
    /// What each row set, then each subsystem carries from one frame to the next, in authored order.
    fn save(&self) -> Vec<Saved>;
    /// Takes up what [`save`](SolverCore::save) gave of this model, by any method.
    ///
    /// # Errors
    /// What does not fit the model.
    fn load(&mut self, from: &[Saved]) -> Result<(), CheckpointError>;
}

impl<W: SubsystemWidth<Element = f32>> SolverCore for Core<W> {
    fn wake(&self, particles: &mut Particles, body: u32) {
        let bodies = BodyView::new(&mut particles.bodies, &self.body_records);
        self.subsystems.iter().for_each(|subsystem| subsystem.wake(body, &bodies));
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        let of_rows = self.batches.iter().map(|batch| batch.multipliers());
        let others = self.subsystems.iter().map(|s| s.multipliers());
        of_rows.chain(others).collect()
    }

    fn subsystem_statistics(&self) -> Vec<SubsystemStatistics> {
        self.subsystems.iter().map(|s| s.statistics()).collect()
    }

    fn width(&self) -> usize {
        let of_rows = self.batches.iter().map(|batch| batch.lanes());
        let others = self.subsystems.iter().map(|s| s.lanes());
        of_rows.chain(others).fold(W::LANES, usize::max)
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

    #[cfg(all(feature = "cli", unix))]
    fn entries(&self) -> Vec<(String, usize)> {
        let entries = self.subsystems.iter().zip(&self.names).flat_map(|(subsystem, name)| {
            let phases = ["search", "project", "respond"].map(|phase| format!("{phase} {name}"));
            phases.into_iter().zip(subsystem.entries())
        });
        entries.collect()
    }

    fn statistics(&self) -> SolverStatistics {
        self.monitor.statistics()
    }

    fn save(&self) -> Vec<Saved> {
        let of_rows = self.batches.iter().map(|batch| {
            let mut saved = Saved::default();
            saved.put_numbers(MULTIPLIERS, &batch.multipliers());
            saved
        });
        of_rows.chain(self.subsystems.iter().map(|subsystem| subsystem.save())).collect()
    }

    fn load(&mut self, from: &[Saved]) -> Result<(), CheckpointError> {
        let fits = from.len() == self.batches.len() + self.subsystems.len();
        let (rows, others) = from
            .split_at_checked(self.batches.len())
            .filter(|_| fits)
            .ok_or_else(|| CheckpointError::Section("row sets and subsystems".into()))?;
        for (batch, saved) in self.batches.iter().zip(rows) {
            batch.set_multipliers(&saved.numbers(MULTIPLIERS, batch.multipliers().len())?);
        }
        for (subsystem, saved) in self.subsystems.iter().zip(others) {
            subsystem.load(saved)?;
        }
        Ok(())
    }
}

/// A method made ready for one model.
pub(crate) trait Solver: Send {
    /// Advances the particles by one frame step dt.
    fn step(&mut self, particles: &mut Particles);
    /// Its rows, subsystems and workers.
    fn core(&self) -> &dyn SolverCore;
    /// The same, to change.
    fn core_mut(&mut self) -> &mut dyn SolverCore;
}
