//! Hybrid coloring: few colors, and copies of the particles that would need more (S1-33; Fratarcangeli and Pellacini 2015).
//!
//! Before an iteration a copy lies where its particle does; rows move copies as they would particles; behind the last color
//! the particle goes to the mean of its copies. A copy that only inequalities name counts only while one of them acts: found before the
//! iteration, as in `jacobi`, or at last by its having moved, since one may come to act between colors. With one color that is
//! averaged `jacobi`, with colors enough `lanes`, bit for bit. A row with compliance moves copies and multiplier by the shares
//! that `jacobi` has them take, so that both agree; where each of c copies weighs a c-th of the particle (`split_mass`), they
//! agree by themselves and momentum is kept. Subsystems follow the mean, one after another, as by every method: they move the
//! particles, and copies go with them.

use super::averages::counts_inequalities;
use super::clock::Clock;
use super::convergence::IterationControl;
use super::core::Core;
use super::solver::{Solver, SolverCore};
use super::sweeps::Sweeps;
use crate::coloring::{Copied, Split};
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::math::{F32x8, Vec3};
use crate::model::Model;
use crate::rows::{PhaseGroup, phase_groups};
use crate::state::{Averaging, Gather, Particles, PositionView, RecordView, Store};
use crate::subsystem::StepContext;
use crate::threads::{SharedSlice, Worker};
use std::collections::{BTreeMap, BTreeSet};

/// The hybrid method.
pub struct Hybrid {
    core: Core<F32x8>,
    groups: Vec<PhaseGroup>,
    copied: Vec<Copied>,
    /// How many copies there are of what lies at each slot, as the fourth number.
    copies: Vec<[f32; 4]>,
    /// What that begins with, where inequalities are counted before each iteration.
    counting: Option<Counting>,
}

/// What each slot of rows counts as: a copy that an equality names as one, other copies as none, what has no copies always as one.
struct Counting {
    copies: Vec<(u32, f32)>,
    others: Vec<u32>,
}

impl Counting {
    /// `slots` are those that the rows of each set name.
    fn new(model: &Model, slots: &[Vec<u32>], copied: &[Copied]) -> Self {
        let copies = copied.iter().flat_map(|c| c.slot + 1..=c.slot + c.copies);
        let mut counts: BTreeMap<u32, f32> = copies.map(|copy| (copy, 0.0)).collect();
        let mut others = BTreeSet::new();
        for (set, slots) in model.rows().iter().zip(slots) {
            for &slot in slots {
                match counts.get_mut(&slot) {
                    None => _ = others.insert(slot),
                    Some(count) if !set.is_inequality() => *count = 1.0,
                    Some(_) => {}
                }
            }
        }
        Self { copies: counts.into_iter().collect(), others: others.into_iter().collect() }
    }
}

/// Copies take their shares, and move where they lie.
const IN_PLACE: Averaging = Averaging { omega: 1.0, momentum: 0.0, gather: Gather::InPlace };

impl Hybrid {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A layout hint that is no coloring.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let sweeps = Sweeps::of(model);
        let colors = sweeps.settings.colors;
        let Split { plan, slots, copied } = Split::new(&model.plan_input(), colors)?;
        let slot_count = plan.permutation.slot_count();
        let mut core = Core::packed(model, sweeps, &plan, Some(&slots), threads, &["mean"])?;
        let split_mass = core.settings.split_mass;
        let counts = !copied.is_empty() && !split_mass && counts_inequalities(model);
        let counting = counts.then(|| Counting::new(model, &slots, &copied));
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
        let groups = phase_groups(&plan, &core.batches, core.team.threads());
        if !copied.is_empty() {
            core.colors = colors.min(Split::MOST) as usize;
        }
        let solver = Self { core, groups, copied, copies, counting };
        Ok((particles, solver))
    }
}

/// A frame step under way.
struct HybridStep<'a> {
    core: &'a Core<F32x8>,
    groups: &'a [PhaseGroup],
    copied: &'a [Copied],
    counting: Option<&'a Counting>,
    /// Positions, as rows of copies find them.
    positions: PositionView<'a, f32>,
}

impl HybridStep<'_> {
    /// One worker's share of a frame step.
    fn frame(&self, worker: &Worker, step: &StepContext<f32>) {
        let core = self.core;
        let clock = &core.clock(worker);
        let mut stop = IterationControl::new(&core.settings, &core.monitor);
        for substep in 0..core.settings.substeps {
            let step = &step.at_substep(substep, &core.settings);
            core.substep(substep, worker, step, &mut stop, clock, |k| {
                if k == 0 {
                    self.copy(worker);
                }
                self.count(worker, k, clock);
                core.project_rows(worker, self.groups, &self.positions, k, clock);
                clock.enter(core.extra(0));
                self.mean(worker);
                if !core.subsystems.is_empty() {
                    core.project_subsystems(worker, step, k, clock);
                    self.copy(worker); // a check measures rows on copies
                }
            });
            core.respond(worker, step, clock);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    /// Does `act` with every particle that has copies, on all workers.
    fn each(&self, worker: &Worker, act: impl Fn(&RecordView<f32>, Copied)) {
        // What copies share is affine: corrections will do.
        if let PositionView::Records(records) = self.positions.stored()
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

    /// Finds what each particle is averaged over: how many of its copies rows act on.
    fn count(&self, worker: &Worker, k: usize, clock: &Clock) {
        let Some(Counting { copies, others }) = self.counting else {
            return;
        };
        let positions = &self.positions;
        let set = |slot: u32, n: f32| {
            positions.set_sums([slot].into(), [Particle::<f32>::new(Vec3::zero(), n)]);
        };
        worker.parallel_for(copies.len(), |range| {
            copies[range].iter().for_each(|&(slot, n)| set(slot, n));
        });
        let counting = &positions.with_averaging(IN_PLACE.counting());
        self.core.project_rows(worker, self.groups, counting, k, clock);
        worker.parallel_for(self.copied.len(), |range| {
            for Copied { slot, copies } in &self.copied[range] {
                let copies = slot + 1..=slot + copies;
                let n: f32 = copies.clone().map(|copy| self.counted(copy).min(1.0)).sum();
                copies.for_each(|copy| set(copy, n.max(1.0)));
            }
        });
        worker.parallel_for(others.len(), |range| {
            others[range].iter().for_each(|&slot| set(slot, 1.0));
        });
    }

    /// What corrections to a slot are averaged over.
    fn counted(&self, slot: u32) -> f32 {
        let [Particle { w, .. }]: [Particle<f32>; 1] = self.positions.sums([slot].into());
        w
    }

    /// Particles go to the mean of their copies, and the copies with them.
    fn mean(&self, worker: &Worker) {
        self.each(worker, |records, Copied { slot, copies }| {
            let [particle]: [Particle<f32>; 1] = records.load([slot]);
            let mut sum = Vec3::zero();
            let (mut weight, mut moved): (f32, f32) = (0.0, 0.0);
            for copy in slot + 1..=slot + copies {
                let [Particle { x, w, .. }]: [Particle<f32>; 1] = records.load([copy]);
                sum += x - particle.x;
                weight = w;
                moved += if x.to_array() == particle.x.to_array() { 0.0 } else { 1.0 };
            }
            let count = match self.counting {
                Some(_) => self.counted(slot + 1).max(moved),
                None => copies as f32,
            };
            let x = IN_PLACE.settle(particle.x, sum, count, particle.x);
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
        let (groups, copied, counting) =
            (&self.groups[..], &self.copied[..], self.counting.as_ref());
        self.core.step(particles, |core, worker, step| {
            let average = !copied.is_empty() && !core.settings.split_mass;
            let positions = match average {
                true => {
                    step.positions.map_records(|view| view.summing(copies).with_averaging(IN_PLACE))
                }
                false => step.positions,
            };
            HybridStep { core, groups, copied, counting, positions }.frame(worker, step);
        });
    }

    fn core(&self) -> &dyn SolverCore {
        &self.core
    }

    fn core_mut(&mut self) -> &mut dyn SolverCore {
        &mut self.core
    }
}
