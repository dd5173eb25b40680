//! Gauss-Seidel, one row at a time, each from where the one before left the particles (S1-14, S1-27).
//!
//! In authored order this is the reference every speedup is over; in the colored order it is the same loop without the
//! dependency chain. Generic over the number, so that tests run it in f64.

use super::convergence::IterationControl;
use super::core::Core;
use super::rows::ScalarElement;
use super::solver::{Solver, SolverCore};
use super::sweeps::Sweeps;
use crate::coloring::{Permutation, Plan, Span};
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::PhaseGroup;
use crate::state::Particles;
use crate::subsystem::StepContext;
use crate::threads::Worker;

/// The scalar method in one of its two orders.
pub struct Scalar<E: ScalarElement = f32> {
    pub(super) core: Core<E>,
    /// All rows, in their order.
    order: [PhaseGroup; 1],
}

impl<E: ScalarElement> Scalar<E> {
    /// Rows in authored order, particles where the author put them.
    pub fn authored(model: &Model) -> (Particles<E>, Self) {
        let plan = Plan::unordered(Permutation::identity(model.positions().len()));
        let rows = model.rows().iter();
        let rows = rows.map(|set| (0..set.len() as u32).collect()).collect();
        Self::new(model, &plan, rows, model.order())
    }

    /// Rows in the colored order, particles where the lanes have them.
    ///
    /// # Errors
    /// A layout hint that is no coloring.
    pub fn colored(model: &Model) -> Result<(Particles<E>, Self), ModelError> {
        let plan = Plan::new(&model.plan_input())?;
        Ok(Self::new(model, &plan, plan.rows(), &plan.spans()))
    }

    /// Projects `rows[set]` in that order, in runs as `order` says.
    fn new(
        model: &Model,
        plan: &Plan,
        rows: Vec<Vec<u32>>,
        order: &[Span],
    ) -> (Particles<E>, Self) {
        let particles = model.particles(plan.permutation.clone());
        let (core, all) = Core::scalar(model, Sweeps::of(model), plan, rows, order, &[]);
        (particles, Self { core, order: [all] })
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<E>) {
        let order = &self.order;
        self.core.step(particles, |core, worker, step| frame(core, order, worker, step));
    }
}

/// A frame step.
fn frame<E: ScalarElement>(
    core: &Core<E>,
    order: &[PhaseGroup],
    worker: &Worker,
    step: &StepContext<E>,
) {
    let clock = &core.clock(worker);
    let mut stop = IterationControl::new(&core.settings, &core.monitor);
    for substep in 0..core.settings.substeps {
        let step = &step.at_substep(substep, &core.settings);
        core.substep(substep, worker, step, &mut stop, clock, |k| {
            core.project_rows(worker, order, &step.positions, k, clock);
            core.project_subsystems(worker, step, k, clock);
        });
        core.respond(worker, step, clock);
    }
    stop.report();
}

impl Solver for Scalar {
    fn step(&mut self, particles: &mut Particles) {
        self.step(particles);
    }

    fn core(&self) -> &dyn SolverCore {
        &self.core
    }

    fn core_mut(&mut self) -> &mut dyn SolverCore {
        &mut self.core
    }
}
