//! Impulse-based dynamic simulation: a predictor-corrector (IBDS; S3-01..S3-07).
//!
//! ```text
//! predict;  iterations x { rows, so that C(x + h (v + h a)) = 0;  subsystems };  velocity
//! iterations x { rows, so that dC/dt = 0:  v += w ∇C Δp };  respond
//! ```
//!
//! The first loop is that of `lanes`, because an impulse moves a predicted position as PBD does (`constraints/impulse.rs`).
//! The second is of the rows, in the same order; both end at the tolerance. Subsystems have no velocity rows: contacts and
//! joints settle velocities when they respond. Generic over the number, so that tests run it in f64.

use super::convergence::{ConvergenceMonitor, IterationControl};
use super::core::{Core, choose_threads, over_all};
use super::row_phases::pack;
#[cfg(test)]
use super::row_phases::{row_phases, scalar_batches};
use super::solver::{Solver, SolverCore};
use crate::coloring::Plan;
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::math::{F32x8, Real, Vec3};
use crate::model::Model;
#[cfg(test)]
use crate::rows::RowElement;
use crate::rows::{Batch, PhaseGroup, phase_groups};
use crate::state::{Column3, ParticleView, Particles, PositionView, Width};
use crate::subsystem::{StepContext, SubsystemWidth};
use crate::threads::{SharedSlice, Team, Worker};

/// The impulse method, as many rows at a time as `W` has lanes.
pub struct Impulse<W: Width = F32x8> {
    core: Core<W>,
    groups: Vec<PhaseGroup>,
    /// What the velocity loop finds out.
    monitor: ConvergenceMonitor,
    /// Their positions: velocities, while rows change them.
    velocities: Particles<W::Element>,
    /// The same as records, where packets gather; empty where they run.
    records: Vec<[W::Element; 4]>,
}

impl Impulse {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A layout hint that is no coloring; threads that the system refuses.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let plan = Plan::new(&model.plan_input())?;
        let threads = choose_threads(model, threads);
        let team = Team::new(threads)?;
        let batches = pack(&plan, model, &team);
        let groups = phase_groups(&plan, &batches, threads);
        Ok(Self::of(model, &plan, batches, groups, team))
    }
}

#[cfg(test)]
impl<E: RowElement + SubsystemWidth> Impulse<E> {
    /// One row at a time, in the same order: the reference.
    ///
    /// # Errors
    /// A layout hint that is no coloring.
    pub fn scalar(model: &Model) -> Result<(Particles<E>, Self), ModelError> {
        let plan = Plan::new(&model.plan_input())?;
        let batches = scalar_batches(model, &plan, plan.rows());
        let phases = row_phases(&plan.spans());
        let groups = vec![PhaseGroup { phases: 0..phases.len(), shared: false }];
        let (particles, mut solver) = Self::of(model, &plan, batches, groups, Team::alone());
        solver.core.phases = phases;
        Ok((particles, solver))
    }
}

impl<W: SubsystemWidth> Impulse<W> {
    fn of(
        model: &Model,
        plan: &Plan,
        batches: Vec<Box<dyn Batch<W::Element>>>,
        groups: Vec<PhaseGroup>,
        team: Team,
    ) -> (Particles<W::Element>, Self) {
        let particles = || model.particles(plan.permutation.clone());
        let core = Core::new(model, plan, batches, team, &["velocity rows"]);
        let solver = Self {
            groups,
            monitor: ConvergenceMonitor::default(),
            velocities: particles(),
            records: vec![[W::Element::zero(); 4]; core.record_count()],
            core,
        };
        (particles(), solver)
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<W::Element>) {
        self.monitor.begin_step();
        let velocities = ParticleView::new(&mut self.velocities);
        let records = SharedSlice::new(&mut self.records);
        let (groups, monitor) = (&self.groups[..], &self.monitor);
        self.core.step(particles, |core, worker, step| {
            let positions = step.positions.summing(velocities, records);
            ImpulseStep { core, groups, monitor, positions }.frame(worker, step);
        });
    }
}

/// A frame step under way.
struct ImpulseStep<'a, W: Width> {
    core: &'a Core<W>,
    groups: &'a [PhaseGroup],
    monitor: &'a ConvergenceMonitor,
    /// Positions, with velocities where sums would be.
    positions: PositionView<'a, W::Element>,
}

impl<W: SubsystemWidth> ImpulseStep<'_, W> {
    /// One worker's share of a frame step.
    fn frame(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let core = self.core;
        let clock = &core.clock(worker);
        let mut stop = IterationControl::new(&core.settings, &core.monitor);
        let mut velocities = IterationControl::of_each(&core.settings, self.monitor);
        for substep in 0..core.settings.substeps {
            let step = &step.at_substep(substep, &core.settings);
            core.substep(substep, worker, step, &mut stop, clock, |k| {
                core.project_rows(worker, self.groups, &step.positions, k == 0, clock);
                core.project_subsystems(worker, step, clock);
            });
            clock.enter(core.extra(0));
            self.velocities(worker, step, &mut velocities);
            core.respond(worker, step, clock);
        }
        if worker.is_first() {
            stop.report();
            velocities.report_velocities(&core.monitor);
        }
    }

    /// dC/dt = 0 of all rows, until the iterations are up or the tolerance is met by h |dC/dt| / |∇C|.
    #[inline(never)] // a frame of its own in profiles
    fn velocities(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        stop: &mut IterationControl,
    ) {
        // Positions are back in the columns; where rows gather they find records of them, not of corrections.
        let (core, positions) = (self.core, &self.positions.stored());
        let h = core.settings.h() as f32;
        let each = |act: &dyn Fn(usize)| {
            over_all::<W>(worker, step, |range| range.step_by(W::LANES).for_each(act));
        };
        let nothing = Particle::new(Vec3::<W>::zero(), W::zero());
        each(&|i| {
            let [x, v] = [Column3::Position, Column3::Velocity].map(|c| step.particles.read(c, i));
            positions.write(i, Particle::new(x, step.particles.inverse_mass(i)));
            positions.replace_sums(i, Particle::new(v, W::zero()));
        });
        stop.begin();
        while let Some(iterations) = stop.passes() {
            for _ in iterations {
                core.each_rows(
                    worker,
                    self.groups,
                    |_| (),
                    |batch, color, units| {
                        let error = batch.push(color, units, positions);
                        self.monitor.note(error * h);
                    },
                );
            }
            if stop.checks_now() {
                worker.single(|| self.monitor.end_check());
                stop.check();
            }
        }
        each(&|i| {
            let v = positions.replace_sums(i, nothing).x;
            step.particles.write(Column3::Velocity, i, v);
        });
    }
}

impl<W: SubsystemWidth<Element = f32>> Solver for Impulse<W> {
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
