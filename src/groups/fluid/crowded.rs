//! A fluid that begins too dense: what may stay of it in a substep ([`excess`](super::excess)).

use super::excess::{AT_REST, Excess, HEAP};
use super::records::{FluidWidth, NOWHERE};
use super::runtime::{FluidRuntime, Neighbors};
use super::sums::{Density, Neighbor};
use crate::constraints::Particle;
use crate::math::{Real, Scalar};
use crate::state::largest_lane;
use crate::subsystem::StepContext;
use crate::threads::Worker;

impl<W: FluidWidth> FluidRuntime<W> {
    /// Takes up what is too dense, where a run begins; gives blocks what may stay of it in this substep. Blocks know whose they are.
    pub(super) fn allow_excess(&self, worker: &Worker, step: &StepContext<W::Element>, h: f64) {
        if step.time == 0.0 {
            self.survey_excess(worker, step);
        }
        let left = Excess::time_left(step.time + h);
        if left == 0.0 {
            return;
        }
        worker.parallel_for(self.blocks.len(), |part| {
            for b in part {
                let owners = self.owners.get(b);
                let of = |lane: usize| self.excess.of(W::slot(owners, lane), left);
                self.blocks
                    .update(b, |block| block.left = W::collect(|lane| W::Element::of(of(lane))));
            }
        });
    }

    fn survey_excess(&self, worker: &Worker, step: &StepContext<W::Element>) {
        // Where they were before the first substep moved them: at 1/60 s that alone is 3 % too dense at a floor.
        worker.parallel_for(self.blocks.len(), |part| {
            for b in part {
                let stored = self.stored.get(b);
                let [Particle { w, .. }] = step.positions.load([stored]);
                let site = Particle::new(step.positions.previous(stored), w);
                let Particle { x, w, .. } = self.only_live(b, site);
                self.blocks.update(b, |block| {
                    (block.x, block.w) = (x, w);
                    W::put(&self.sites, self.packets.slots(b), x + block.offset, w);
                });
            }
        });
        self.packets.parallel_for(worker, |b, neighbors| {
            let (c, _) = self.constraint(b, neighbors);
            // What waits is nowhere, and all of it in one place.
            let here = self.blocks.get(b).x.x.abs().lt(W::of(NOWHERE));
            let c = W::select(here, c, W::zero());
            let owners = self.owners.get(b);
            for lane in 0..self.live(b) {
                let c = c.lane(lane).to_f32();
                let excess = if c > 0.0 && c < HEAP { c } else { 0.0 };
                self.excess.shares.set(W::slot(owners, lane) as usize, excess);
            }
        });
        worker.single(|| {
            let all = &self.excess.shares;
            let dense = (0..all.len()).any(|i| f64::from(all.get(i)) > AT_REST);
            let q = |c: f32| if dense { Excess::of_start(f64::from(c)) as f32 } else { 0.0 };
            (0..all.len()).for_each(|i| all.set(i, q(all.get(i))));
        });
    }

    /// C of a block, and Σ |∇_k C|² in units of (steepness/h)².
    fn constraint(&self, b: usize, neighbors: Neighbors<W>) -> (W, W) {
        let block = self.blocks.get(b);
        let (x, one, mut sum) = (block.x + block.offset, W::of(1.0), Density::new());
        let near = |other, _| Neighbor::new(&self.numbers, x - other, one);
        let add = |near, image| sum.add(near, image);
        self.each_near::<true>(&self.sites, neighbors, (x, one), near, add);
        sum.constraint(&self.numbers, [block.solid, self.surface()], one)
    }

    /// The largest C / |∇C| of a block where C is more than may stay (m).
    pub(super) fn error(&self, b: usize, neighbors: Neighbors<W>) -> f32 {
        let (c, square) = self.constraint(b, neighbors);
        let c = c - self.blocks.get(b).left;
        let gradient = self.numbers.steepness * self.numbers.inverse * square.sqrt();
        let error = W::select(W::zero().lt(gradient), c.over_positive(gradient), c);
        let error = W::select(c.lt(W::zero()), W::zero(), error.or_infinite());
        largest_lane(W::select(W::lanes_below(self.live(b)), error, W::zero()))
    }
}
