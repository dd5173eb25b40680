//! Colored Gauss-Seidel, eight or sixteen rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool: every worker walks the same phases, takes its chunk of each and goes on when all
//! chunks are done. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

use super::convergence::IterationControl;
use super::core::Core;
use super::solver::{Solver, SolverCore};
use super::sweeps::Sweeps;
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::math::F32x8;
use crate::model::Model;
use crate::rows::Schedule;
use crate::state::Particles;
use crate::subsystem::StepContext;
use crate::threads::Worker;

/// The lanes method.
pub struct Lanes {
    core: Core<F32x8>,
    schedule: Schedule,
}

impl Lanes {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A layout hint that is no coloring; threads that the system refuses.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        Self::along(&Plan::new(&model.plan_input())?, model, threads)
    }

    /// Packs the rows in the authored order (method `ordered`): the scalar result, bit for bit.
    ///
    /// # Errors
    /// Threads that the system refuses.
    pub fn ordered(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        Self::along(&Plan::ordered(&model.plan_input())?, model, threads)
    }

    fn along(plan: &Plan, model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let particles = model.particles(plan.permutation.clone());
        let core = Core::packed(model, Sweeps::of(model), plan, None, threads, &[])?;
        let waves = if core.is_rows_alone(model) { model.settings.substeps } else { 1 };
        let schedule = core.schedule(plan, waves);
        Ok((particles, Self { core, schedule }))
    }
}

/// A frame step: what one worker does of it.
fn frame(core: &Core<F32x8>, schedule: &Schedule, worker: &Worker, step: &StepContext<f32>) {
    let clock = &core.clock(worker);
    let mut stop = IterationControl::new(&core.settings, &core.monitor);
    let mut substep = 0;
    while substep < core.settings.substeps {
        let step = &step.at_substep(substep, &core.settings);
        match schedule {
            Schedule::Phases(groups) => {
                core.substep(substep, worker, step, &mut stop, clock, |k| {
                    core.project_rows(worker, groups, &step.positions, k, clock);
                    core.project_subsystems(worker, step, k, clock);
                });
                substep += 1;
            }
            Schedule::Wavefront(waves) => {
                core.waves(waves, worker, step, &mut stop, clock, |tile, k| {
                    core.project_tile(tile, &step.positions, k, clock);
                });
                substep += waves.substeps;
            }
        }
        core.respond(worker, step, clock);
    }
    if worker.is_first() {
        stop.report();
    }
}

impl Solver for Lanes {
    fn step(&mut self, particles: &mut Particles) {
        let schedule = &self.schedule;
        self.core.step(particles, |core, worker, step| {
            frame(core, schedule, worker, step);
        });
    }

    fn core(&self) -> &dyn SolverCore {
        &self.core
    }

    fn core_mut(&mut self) -> &mut dyn SolverCore {
        &mut self.core
    }
}
