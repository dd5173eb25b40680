//! Hybrid coloring: few colors, and copies of the particles that would need more (S1-33; Fratarcangeli and Pellacini 2015).
//!
//! Before an iteration a copy lies where its particle does; rows move copies as they would particles; behind the last color
//! the particle goes to the mean of its copies. With one color that is averaged `jacobi` (but for inequalities that hold, which
//! `jacobi` does not count), with colors enough `lanes`, bit for bit. A row with compliance moves copies and multiplier by the shares that `jacobi` has them take, so that both agree;
//! where each of c copies weighs a c-th of the particle (`split_mass`), they agree by themselves and momentum is kept.

use super::convergence::IterationControl;
use super::core::{Core, choose_threads, passes};
use super::solver::{Solver, SolverInfo};
use crate::coloring::{Copied, RowList, Split};
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::math::{F32x8, Vec3};
use crate::model::Model;
use crate::rows::{PhaseGroup, Schedule, schedule};
use crate::state::{Averaging, Gather, Particles, PositionView, RecordView};
use crate::subsystem::StepContext;
use crate::threads::{SharedSlice, Team, Worker};

/// The hybrid method.
pub struct Hybrid {
    core: Core<F32x8>,
    groups: Vec<PhaseGroup>,
    copied: Vec<Copied>,
    /// How many copies there are of what lies at each slot, as the fourth number.
    copies: Vec<[f32; 4]>,
}

/// Copies take their shares, and move where they lie.
const IN_PLACE: Averaging = Averaging { omega: 1.0, momentum: 0.0, gather: Gather::InPlace };

impl Hybrid {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A layout hint that is no coloring.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let settings = &model.settings;
        let Split { plan, slots, copied } = Split::new(&model.plan_input(), settings.colors)?;
        let slot_count = plan.permutation.slot_count();
        let sets = model.rows().iter().zip(&plan.colorings).zip(&slots);
        let pack = sets.map(|((set, coloring), particles)| {
            let arity = set.row_list().arity;
            let slots = RowList { particles, arity };
            set.pack_at(coloring, slots, slot_count, plan.structured, settings)
        });
        let batches: Vec<_> = pack.collect();
        let mut copies = vec![[0.0, 0.0, 0.0, 1.0]; if copied.is_empty() { 0 } else { slot_count }];
        let mut movable = vec![false; slot_count];
        for (i, &w) in (0..).zip(model.inverse_masses()) {
            movable[plan.permutation.storage(i) as usize] = w > 0.0;
        }
        for Copied { slot, copies: n } in &copied {
            for copy in slot + 1..=slot + n {
                let counts = movable[*slot as usize]; // as `averages::counts` has it
                copies[copy as usize][3] = if counts { *n as f32 } else { 1.0 };
            }
        }
        let particles = model.particles(plan.permutation.clone());
        let threads = choose_threads(model, threads);
        let schedule = schedule(&plan, &batches, threads, passes(settings), false);
        let Schedule::Phases(groups) = schedule else {
            unreachable!("no waves were allowed");
        };
        let mut core = Core::new(model, &plan, batches, Team::new(threads)?, &["mean"]);
        if !copied.is_empty() {
            core.colors = core.settings.colors as usize;
        }
        let solver = Self { core, groups, copied, copies };
        Ok((particles, solver))
    }
}

/// A frame step under way.
struct HybridStep<'a> {
    core: &'a Core<F32x8>,
    groups: &'a [PhaseGroup],
    copied: &'a [Copied],
    step: StepContext<'a, f32>,
}

impl HybridStep<'_> {
    /// One worker's share of a frame step.
    fn frame(&self, worker: &Worker) {
        let (core, step) = (self.core, &self.step);
        let clock = &core.clock(worker);
        let mut stop = IterationControl::new(&core.settings, &core.monitor);
        for _ in 0..core.settings.substeps {
            core.predict(worker, step, clock);
            self.copy(worker);
            core.iterate(worker, step, &mut stop, |k| {
                core.project_rows(worker, self.groups, &step.positions, k == 0, clock);
                clock.enter(core.extra(0));
                self.mean(worker);
            });
            core.update(worker, step, clock);
            core.respond(worker, step, clock);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    /// Does `act` with every particle that has copies, on all workers.
    fn each(&self, worker: &Worker, act: impl Fn(&RecordView<f32>, Copied)) {
        // What copies share is affine: corrections will do.
        if let PositionView::Records(records) = self.step.positions.stored()
            && !self.copied.is_empty()
        {
            worker.parallel_for(self.copied.len(), |range| {
                self.copied[range].iter().for_each(|&c| act(&records, c));
            });
        }
    }

    /// Copies lie where their particles do.
    fn copy(&self, worker: &Worker) {
        self.each(worker, |records, Copied { slot, copies }| {
            let [mut particle]: [Particle<f32>; 1] = records.load([slot]);
            if self.core.settings.split_mass {
                particle.w *= copies as f32;
            }
            for copy in slot + 1..=slot + copies {
                records.copy_base(slot, copy);
                records.store([copy], [particle]);
            }
        });
    }

    /// Particles go to the mean of their copies, and the copies with them.
    fn mean(&self, worker: &Worker) {
        self.each(worker, |records, Copied { slot, copies }| {
            let [particle]: [Particle<f32>; 1] = records.load([slot]);
            let mut sum = Vec3::zero();
            let mut weight: f32 = 0.0;
            for copy in slot + 1..=slot + copies {
                let [Particle { x, w, .. }]: [Particle<f32>; 1] = records.load([copy]);
                sum += x - particle.x;
                weight = w;
            }
            let x = IN_PLACE.settle(particle.x, sum, copies as f32, particle.x);
            records.store([slot], [Particle { x, ..particle }]);
            for copy in slot + 1..=slot + copies {
                records.store([copy], [Particle::new(x, weight)]);
            }
        });
    }
}

impl Solver for Hybrid {
    fn step(&mut self, particles: &mut Particles) {
        let copies = SharedSlice::new(&mut self.copies);
        let (groups, copied) = (&self.groups[..], &self.copied[..]);
        self.core.step(particles, |core, worker, step| {
            let average = !copied.is_empty() && !core.settings.split_mass;
            let positions = match average {
                true => {
                    step.positions.map_records(|view| view.summing(copies).with_averaging(IN_PLACE))
                }
                false => step.positions,
            };
            let step =
                HybridStep { core, groups, copied, step: StepContext { positions, ..*step } };
            step.frame(worker);
        });
    }

    fn info(&self) -> &dyn SolverInfo {
        &self.core
    }

    fn info_mut(&mut self) -> &mut dyn SolverInfo {
        &mut self.core
    }
}
