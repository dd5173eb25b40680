//! Colored Gauss-Seidel, eight rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool: every worker walks the same phases, takes its share of each and goes on when all
//! shares are done. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

use super::convergence::Stop;
use super::core::{Core, choose_threads, sweeps};
use super::row_phases::pack;
use super::solver::{Solver, SolverInfo};
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::math::F32x8;
use crate::model::Model;
use crate::rows::{Band, Schedule, schedule};
use crate::state::Particles;
use crate::subsystem::{StepContext, StepPhase};
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
    /// A layout hint that is no coloring.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        Ok(Self::along(
            &Plan::new(&model.plan_input())?,
            model,
            threads,
        ))
    }

    /// Packs the rows in the authored order (method `ordered`): the scalar result, bit for bit.
    ///
    /// # Errors
    /// None that a valid model can cause.
    pub fn ordered(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        Ok(Self::along(
            &Plan::ordered(&model.plan_input())?,
            model,
            threads,
        ))
    }

    fn along(plan: &Plan, model: &Model, threads: usize) -> (Particles, Self) {
        let particles = model.particles(plan.permutation.clone());
        let threads = choose_threads(model, threads);
        let core = Core::new(model, plan, pack(plan, model), threads, &[]);
        // A wavefront has iterations under way together, so there is no state between them to check.
        let waves = model.settings.tolerance == 0.0;
        let sweeps = sweeps(&model.settings);
        let schedule = schedule(plan, &core.batches, threads, sweeps, waves);
        (particles, Self { core, schedule })
    }
}

/// A frame step: one worker's share of it.
fn frame(core: &Core<F32x8>, schedule: &Schedule, worker: &Worker, step: &StepContext<f32>) {
    let clock = &core.clock(worker);
    let mut stop = Stop::new(&core.settings, &core.gauge);
    for substep in 0..core.settings.substeps {
        let step = &step.at_substep(substep, &core.settings);
        match schedule {
            Schedule::Turns(turns) => {
                core.predict(worker, step, clock);
                core.begin(StepPhase::of_substep(substep), worker, step, clock);
                core.iterate(worker, step, &mut stop, |k| {
                    if k > 0 {
                        core.begin(StepPhase::Iteration, worker, step, clock);
                    }
                    core.project_rows(worker, turns, &step.positions, k == 0, clock);
                    core.project_subsystems(worker, step, clock);
                });
                core.update(worker, step, clock);
            }
            Schedule::Wavefront {
                bands,
                reach,
                group,
            } => {
                let last = sweeps(&core.settings) - 1;
                core.predict_bodies(worker, step);
                worker.wavefront(last + 1, bands.len(), *reach, *group, |sweep, band| {
                    let Band { phases, places } = &bands[band];
                    if sweep == 0 {
                        clock.predict();
                        core.predict_range(places.clone(), step);
                    } else if sweep == last {
                        clock.velocity();
                        core.update_range(places.clone(), step);
                    } else {
                        let first = sweep == 1;
                        core.project_phases(phases.clone(), &step.positions, first, clock);
                    }
                });
                core.finalize_bodies(worker, step);
                stop.all_done();
            }
        }
        core.respond(worker, step);
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

    fn info(&self) -> &dyn SolverInfo {
        &self.core
    }

    fn info_mut(&mut self) -> &mut dyn SolverInfo {
        &mut self.core
    }
}
