//! Jacobi: every row from the same positions, corrections gathered, then taken together (S1-30, S1-31, S1-32).
//!
//! Rows of a color share no particle, so a color adds its corrections to the sums as it would otherwise move the particles:
//! as many at a time as `W` has lanes, in a fixed order (tile, kind, color), without atomics and without a slot per row. What
//! is made of the sums stands in [`Averaging`]. A tile's slots are settled as soon as its rows are through: rows of later
//! tiles no longer name them, so iterations form a wavefront as those of `lanes` do. Subsystems follow what was settled, one
//! after another, as by every method: they find averages of rows.

use super::averages::{counts, counts_inequalities};
use super::convergence::IterationControl;
use super::core::{Core, over_all};
#[cfg(test)]
use super::rows::ScalarElement;
use super::solver::{Solver, SolverCore};
use super::sweeps::Sweeps;
use crate::coloring::Plan;
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::math::{F32x8, Real, Vec3};
use crate::model::Model;
use crate::rows::Schedule;
use crate::settings::JacobiMode;
use crate::state::{Averaging, Column3, ParticleView, Particles, PositionView, Width};
use crate::subsystem::{StepContext, SubsystemWidth};
use crate::threads::{SharedSlice, Worker};
use std::ops::Range;

/// The Jacobi method, as many rows at a time as `W` has lanes.
pub struct Jacobi<W: Width = F32x8> {
    core: Core<W>,
    schedule: Schedule,
    averaging: Vec<Averaging>,
    /// Whether inequalities that act are counted before each iteration.
    counting: bool,
    /// Whether subsystems move particles after the rows: Chebyshev's factors are not to repeat that, which their multipliers would not know.
    followed: bool,
    /// Positions: the corrections gathered. Previous: the positions one iteration before, or where rows are `followed` how far they moved
    /// particles then. Inverse masses: n_i. Velocities,
    /// their x: what n_i begins with.
    sums: Particles<W::Element>,
    /// Packed records beside the sums, where packets gather; empty where they run.
    sum_records: Vec<[W::Element; 4]>,
}

impl Jacobi {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A layout hint that is no coloring; threads that the system refuses.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let plan = &Plan::new(&model.plan_input())?;
        let core = Core::packed(model, Sweeps::one_way(model), plan, None, threads, &["settle"])?;
        // A count is known when all rows are through: no tile may run ahead.
        let waves = core.is_rows_alone(model) && !counts_inequalities(model);
        Ok(Self::of(model, plan, core, |core| core.schedule(plan, waves.into())))
    }
}

#[cfg(test)]
impl<E: ScalarElement> Jacobi<E> {
    /// One row at a time, in the same order: the reference.
    ///
    /// # Errors
    /// A layout hint that is no coloring.
    pub fn scalar(model: &Model) -> Result<(Particles<E>, Self), ModelError> {
        let plan = &Plan::new(&model.plan_input())?;
        let (rows, order, sweeps) = (plan.rows(), plan.spans(), Sweeps::one_way(model));
        let (core, all) = Core::scalar(model, sweeps, plan, rows, &order, &["settle"]);
        Ok(Self::of(model, plan, core, |_| Schedule::Phases(vec![all])))
    }
}

impl<W: SubsystemWidth> Jacobi<W> {
    /// `schedule` is asked when rows have what they remember, which counts among their bytes.
    fn of(
        model: &Model,
        plan: &Plan,
        mut core: Core<W>,
        schedule: impl FnOnce(&Core<W>) -> Schedule,
    ) -> (Particles<W::Element>, Self) {
        if model.settings.jacobi == JacobiMode::Chebyshev {
            core.batches.iter_mut().for_each(|batch| batch.remember());
        }
        let particles = model.particles(plan.permutation.clone());
        let mut sums: Particles<W::Element> = model.particles(plan.permutation.clone());
        sums.carried = None;
        let (zero, one) = (W::Element::zero(), W::Element::of(1.0));
        let slot_count = sums.slot_count();
        (0..slot_count).for_each(|slot| sums.position.write(slot, [zero; 3]));
        sums.inverse_mass.as_mut_slice().fill(one);
        for (i, n) in (0..).zip(counts(model)) {
            sums.set_inverse_mass(i, W::Element::of(f64::from(n)));
        }
        for slot in 0..slot_count {
            let n = sums.inverse_mass.as_slice()[slot];
            sums.velocity.write(slot, [n, zero, zero]);
        }
        let n = sums.inverse_mass.as_slice();
        let sum_records = match plan.structured && W::LANES > 1 {
            true => Vec::new(),
            false => n.iter().map(|&n| [zero, zero, zero, n]).collect(),
        };
        let solver = Self {
            schedule: schedule(&core),
            counting: counts_inequalities(model),
            followed: model.subsystems().next().is_some(),
            averaging: Averaging::jacobi(&core.settings),
            sums,
            sum_records,
            core,
        };
        (particles, solver)
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<W::Element>) {
        let sums = ParticleView::new(&mut self.sums);
        let records = SharedSlice::new(&mut self.sum_records);
        let (schedule, averaging) = (&self.schedule, &self.averaging[..]);
        let (counting, followed) = (self.counting, self.followed);
        self.core.step(particles, |core, worker, step| {
            let positions = step.positions.summing(sums, records);
            let jacobi = JacobiStep { core, averaging, counting, followed, sums, positions };
            jacobi.frame(worker, schedule, step);
        });
    }
}

/// A frame step under way.
struct JacobiStep<'a, W: Width> {
    core: &'a Core<W>,
    averaging: &'a [Averaging],
    counting: bool,
    followed: bool,
    sums: ParticleView<'a, W::Element>,
    /// Positions, with the sums beside them.
    positions: PositionView<'a, W::Element>,
}

impl<W: SubsystemWidth> JacobiStep<'_, W> {
    /// One worker's share of a frame step.
    fn frame(&self, worker: &Worker, schedule: &Schedule, step: &StepContext<W::Element>) {
        let core = self.core;
        let clock = &core.clock(worker);
        let mut stop = IterationControl::new(&core.settings, &core.monitor);
        for substep in 0..core.settings.substeps {
            let step = &step.at_substep(substep, &core.settings);
            match schedule {
                Schedule::Phases(groups) => {
                    core.substep(substep, worker, step, &mut stop, clock, |k| {
                        let how = self.averaging(k);
                        if self.counting {
                            let positions = &self.positions.with_averaging(how.counting());
                            core.project_rows(worker, groups, positions, k, clock);
                        }
                        let positions = &self.positions.with_averaging(how);
                        core.project_rows(worker, groups, positions, k, clock);
                        clock.enter(core.extra(0));
                        over_all::<W>(worker, step, |range| self.settle(range, how, step));
                        core.project_subsystems(worker, step, k, clock);
                    });
                }
                Schedule::Wavefront(waves) => {
                    core.waves(waves, worker, step, &mut stop, clock, |tile, k| {
                        let how = self.averaging(k);
                        let positions = &self.positions.with_averaging(how);
                        core.project_tile(tile, positions, k, clock);
                        clock.enter(core.extra(0));
                        self.settle(tile.slots.clone(), how, step);
                    });
                }
            }
            core.respond(worker, step, clock);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    fn averaging(&self, k: usize) -> Averaging {
        self.averaging[k.min(self.averaging.len() - 1)]
    }

    /// Moves particles by what was gathered for them.
    #[inline(never)] // a frame of its own in profiles
    fn settle(&self, range: Range<usize>, how: Averaging, step: &StepContext<W::Element>) {
        // An average of corrections leads where that of positions does.
        let (particles, stored) = (&step.particles, self.positions.stored());
        for i in range.step_by(W::LANES) {
            let Vec3 { x: count, .. } = self.sums.read::<W>(Column3::Velocity, i);
            let begin = Particle::new(Vec3::zero(), count);
            let x: Vec3<W> = stored.read(i);
            let Particle { x: sum, w, .. } = stored.replace_sums(i, begin);
            let n = w.max(W::of(1.0));
            let before = self.sums.read::<W>(Column3::Previous, i);
            let before = if self.followed { x - before } else { before };
            let next = how.settle(x, sum, n, before);
            if self.averaging.len() > 1 {
                let kept = if self.followed { next - x } else { x };
                self.sums.write(Column3::Previous, i, kept);
            }
            stored.write(i, Particle::new(next, particles.inverse_mass(i)));
        }
    }
}

impl<W: SubsystemWidth<Element = f32>> Solver for Jacobi<W> {
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
