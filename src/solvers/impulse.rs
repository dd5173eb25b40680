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
use super::core::{Core, over_all, passes};
#[cfg(test)]
use super::rows::ScalarElement;
use super::solver::{Solver, SolverCore};
use super::sweeps::Sweeps;
use crate::coloring::Plan;
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::math::{F32x8, Real, Vec3};
use crate::model::Model;
use crate::rows::{Batch, Schedule, Tile, Wavefront};
use crate::state::{Column3, ParticleView, Particles, PositionView, Width};
use crate::subsystem::{StepContext, SubsystemWidth};
use crate::threads::{SharedSlice, Worker};
use std::ops::Range;

/// The impulse method, as many rows at a time as `W` has lanes.
pub struct Impulse<W: Width = F32x8> {
    core: Core<W>,
    schedule: Schedule,
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
        let plan = &Plan::new(&model.plan_input())?;
        let (sweeps, extras) = (Sweeps::one_way(model), ["velocity rows"]);
        let core = Core::packed(model, sweeps, plan, None, threads, &extras)?;
        let schedule = core.schedule(plan, core.is_rows_alone(model).into());
        Ok(Self::of(model, plan, core, schedule))
    }
}

#[cfg(test)]
impl<E: ScalarElement> Impulse<E> {
    /// One row at a time, in the same order: the reference.
    ///
    /// # Errors
    /// A layout hint that is no coloring.
    pub fn scalar(model: &Model) -> Result<(Particles<E>, Self), ModelError> {
        let plan = &Plan::new(&model.plan_input())?;
        let (rows, order, sweeps) = (plan.rows(), plan.spans(), Sweeps::one_way(model));
        let (core, all) = Core::scalar(model, sweeps, plan, rows, &order, &["velocity rows"]);
        Ok(Self::of(model, plan, core, Schedule::Phases(vec![all])))
    }
}

impl<W: SubsystemWidth> Impulse<W> {
    fn of(
        model: &Model,
        plan: &Plan,
        core: Core<W>,
        schedule: Schedule,
    ) -> (Particles<W::Element>, Self) {
        let particles = || model.particles(plan.permutation.clone());
        let solver = Self {
            schedule,
            monitor: ConvergenceMonitor::default(),
            velocities: particles(),
            records: vec![[W::Element::zero(); 4]; core.records.len()],
            core,
        };
        (particles(), solver)
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<W::Element>) {
        self.monitor.begin_step();
        let velocities = ParticleView::new(&mut self.velocities);
        let records = SharedSlice::new(&mut self.records);
        let (schedule, monitor) = (&self.schedule, &self.monitor);
        self.core.step(particles, |core, worker, step| {
            let positions = step.positions.summing(velocities, records);
            ImpulseStep { core, monitor, positions }.frame(worker, schedule, step);
        });
    }
}

/// A frame step under way.
struct ImpulseStep<'a, W: Width> {
    core: &'a Core<W>,
    monitor: &'a ConvergenceMonitor,
    /// Positions, with velocities where sums would be.
    positions: PositionView<'a, W::Element>,
}

impl<W: SubsystemWidth> ImpulseStep<'_, W> {
    /// One worker's share of a frame step.
    fn frame(&self, worker: &Worker, schedule: &Schedule, step: &StepContext<W::Element>) {
        let core = self.core;
        let clock = &core.clock(worker);
        let mut stop = IterationControl::new(&core.settings, &core.monitor);
        let mut velocities = IterationControl::of_each(&core.settings, self.monitor);
        for substep in 0..core.settings.substeps {
            let step = &step.at_substep(substep, &core.settings);
            match schedule {
                Schedule::Phases(groups) => {
                    core.substep(substep, worker, step, &mut stop, clock, |k| {
                        core.project_rows(worker, groups, &step.positions, k, clock);
                        core.project_subsystems(worker, step, k, clock);
                    });
                }
                Schedule::Wavefront(waves) => {
                    core.waves(waves, worker, step, &mut stop, clock, |tile, k| {
                        core.project_tile(tile, &step.positions, k, clock);
                    });
                }
            }
            clock.enter(core.extra(0));
            self.velocities(worker, schedule, step, &mut velocities);
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
        schedule: &Schedule,
        step: &StepContext<W::Element>,
        stop: &mut IterationControl,
    ) {
        let groups = match schedule {
            Schedule::Phases(groups) => groups,
            Schedule::Wavefront(Wavefront { tiles, tiling, block, .. }) => {
                let last = passes(&self.core.settings) - 1;
                worker.wavefront(tiling, last + 1, *block, |pass, tile| {
                    let Tile { phases, slots } = &tiles[tile];
                    match pass {
                        0 => self.begin_velocities(slots.clone(), step),
                        _ if pass == last => self.end_velocities(slots.clone(), step),
                        _ => self.core.each_phase(phases.clone(), false, |_| (), self.push()),
                    }
                });
                return stop.all_done();
            }
        };
        over_all::<W>(worker, step, |range| self.begin_velocities(range, step));
        stop.begin();
        while let Some(iterations) = stop.passes() {
            for _ in iterations {
                self.core.each_rows(worker, groups, false, |_| (), self.push());
            }
            if stop.checks_now() {
                worker.single(|| self.monitor.end_check());
                stop.check();
            }
        }
        over_all::<W>(worker, step, |range| self.end_velocities(range, step));
    }

    /// Puts velocities where rows find them. Positions are back in the columns; where rows gather they find records of them, not
    /// of corrections.
    fn begin_velocities(&self, slots: Range<usize>, step: &StepContext<W::Element>) {
        let positions = self.positions.stored();
        for i in slots.step_by(W::LANES) {
            let [x, v] = [Column3::Position, Column3::Velocity].map(|c| step.particles.read(c, i));
            positions.write(i, Particle::new(x, step.particles.inverse_mass(i)));
            positions.replace_sums::<W>(i, Particle::new(v, W::zero()));
        }
    }

    /// Changes the velocities of some rows of a color.
    fn push(&self) -> impl Fn(&dyn Batch<W::Element>, usize, Range<usize>) {
        let positions = self.positions.stored();
        let h = self.core.settings.h() as f32;
        move |batch, color, units| self.monitor.note(batch.push(color, units, &positions) * h)
    }

    /// Takes velocities back.
    fn end_velocities(&self, slots: Range<usize>, step: &StepContext<W::Element>) {
        let nothing = Particle::new(Vec3::<W>::zero(), W::zero());
        for i in slots.step_by(W::LANES) {
            let v = self.positions.replace_sums(i, nothing).x;
            step.particles.write(Column3::Velocity, i, v);
        }
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
