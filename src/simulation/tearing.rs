//! Surfaces that tear while they are simulated: between frames, so that a step knows nothing of it.

use super::Simulation;
use crate::error::CheckpointError;
use crate::solvers::prepare;
use crate::state::{MULTIPLIERS, Snapshot};
use std::mem::{replace, swap};

impl Simulation {
    /// Splits what is stretched too far, before the next frame. A copy starts where its vertex is, as fast, and with the part of
    /// its mass that belongs to its triangles: both momenta stay what they are. If the system refuses threads, all stays whole.
    pub(super) fn tear(&mut self) {
        let Some(tearing) = &self.tearing else {
            return;
        };
        let (positions, particles) = (self.particles.positions(), &self.particles);
        // What is held, in the hand too, is not split.
        let may_split = |i: u32| particles.inverse_mass(i) > 0.0;
        let torn = tearing.tear(self.model.triangles(), &positions, &may_split);
        let Some((triangles, copies)) = torn else {
            return;
        };
        let rows = tearing.origins().to_vec();
        let remainders: Vec<_> = copies.iter().map(|[of, _]| particles.remainders(*of)).collect();
        let mut state = self.snapshot();
        if self.take_triangles(&triangles).is_err() {
            return;
        }
        state.triangles = triangles;
        for [of, copy] in copies.iter().map(|pair| pair.map(|i| i as usize)) {
            state.positions[copy] = state.positions[of];
            state.velocities[copy] = state.velocities[of];
        }
        self.carry_multipliers(&rows, &mut state);
        self.take(&state).expect("a state of this model");
        for ([_, copy], rests) in copies.into_iter().zip(remainders) {
            rests.into_iter().for_each(|rests| self.particles.set_remainders(copy, rests));
        }
    }

    /// Rows go on with the multipliers of those that they were: `before`, of each set the authored rows that they were made of.
    fn carry_multipliers(&self, before: &[Vec<u32>], state: &mut Snapshot) {
        let now = self.tearing.iter().flat_map(|tearing| tearing.origins());
        let sets = self.model.rows().iter().zip(now.zip(before));
        for ((set, (now, before)), saved) in sets.zip(&mut state.carried[1..]) {
            let equations = set.equations();
            let old = saved.numbers(MULTIPLIERS, before.len() * equations);
            let old = old.expect("the multipliers of these rows");
            let mut new = Vec::with_capacity(now.len() * equations);
            for row in now {
                let at = before.partition_point(|of| of < row) * equations;
                new.extend_from_slice(&old[at..at + equations]);
            }
            saved.drop_section(MULTIPLIERS);
            saved.put_numbers(MULTIPLIERS, &new);
        }
    }

    /// Goes on with triangles of these corners, and the rows that they hold; particles are where they start. Nothing is done
    /// where they have these corners already; of none, all are whole.
    ///
    /// # Errors
    /// Corners that cannot be what became of the authored ones, threads that the system refuses; then nothing has changed.
    pub(super) fn take_triangles(&mut self, triangles: &[[u32; 3]]) -> Result<(), CheckpointError> {
        let misfit = || CheckpointError::Section("triangles".into());
        let Some(tearing) = &self.tearing else {
            return if triangles.is_empty() { Ok(()) } else { Err(misfit()) };
        };
        let triangles = if triangles.is_empty() { tearing.untorn() } else { triangles };
        if triangles == self.model.triangles() {
            return Ok(());
        }
        if !tearing.fits(triangles) {
            return Err(misfit());
        }
        let (triangles, before) = (triangles.to_vec(), self.model.triangles().to_vec());
        let (method, threads) = (self.method, self.threads());
        let spent = self.subsystem_statistics().into_iter().map(|found| found.times).collect();
        self.fingerprint(); // that of the model as authored
        let Self { model, tearing, .. } = self;
        tearing.iter_mut().for_each(|tearing| tearing.take(model, &triangles));
        match prepare(model, method, threads) {
            Ok((particles, solver)) => {
                self.particles = particles;
                let mut before = replace(&mut self.solver, solver);
                // Times are of the whole run.
                swap(before.core_mut().timers(), self.solver.core_mut().timers());
                self.spent = spent;
                Ok(())
            }
            Err(_) => {
                tearing.iter_mut().for_each(|tearing| tearing.take(model, &before));
                Err(misfit())
            }
        }
    }
}
