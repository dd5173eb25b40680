//! What a fluid does to velocities: it smooths them, draws neighbors together, and gives eddies back.

use super::block::Block;
use super::records::FluidWidth;
use super::runtime::{FluidRuntime, Neighbors};
use super::sums::{Eddy, Flow};
use super::walls::drag;
use crate::constraints::Particle;
use crate::math::Vec3;
use crate::state::Column3;
use crate::subsystem::StepContext;
use crate::threads::Worker;

impl<W: FluidWidth> FluidRuntime<W> {
    /// Changes the velocities in the columns, all workers together.
    pub(super) fn change_velocities(&self, worker: &Worker, step: &StepContext<W::Element>) {
        worker.parallel_for(self.blocks.len(), |part| {
            for b in part {
                let stored = self.stored.get(b);
                let [v] = step.particles.load_velocities([stored]);
                let x = step.particles.gather(Column3::Position, stored);
                let Particle { x, w, .. } = self.only_live(b, Particle::new(x, v.w));
                let Particle { x: v, .. } = self.only_live(b, v);
                self.blocks.update(b, |block| (block.x, block.w, block.v) = (x, w, v));
                W::put(&self.sites, self.packets.slots(b), x, w);
                self.put_velocities(b);
            }
        });
        for sweep in 0..self.sweeps {
            if sweep > 0 {
                worker.parallel_for(self.blocks.len(), |part| {
                    part.for_each(|b| self.put_velocities(b));
                });
            }
            self.packets.parallel_for(worker, |b, neighbors| match (self.swirls, self.coheres) {
                _ if self.mixes() => self.flow_mixed(b, neighbors),
                (true, true) => self.flow::<true, true>(b, neighbors),
                (true, false) => self.flow::<true, false>(b, neighbors),
                (false, true) => self.flow::<false, true>(b, neighbors),
                (false, false) => self.flow::<false, false>(b, neighbors),
            });
        }
        self.packets.parallel_for(worker, |b, neighbors| {
            let Block { v, w, .. } = self.blocks.get(b);
            let x = match self.swirls {
                true => self.swirl(b, neighbors),
                false => v,
            };
            self.each_live(
                b,
                Particle::new(x, w),
                |slots, v| step.particles.store_velocities([slots], [v]),
                |slot, v| step.particles.store_velocities([slot], [v]),
            );
        });
    }

    fn put_velocities(&self, b: usize) {
        let Block { v, w, .. } = self.blocks.get(b);
        W::put(&self.velocities, self.packets.slots(b), v, w);
    }

    /// Viscosity and cohesion: velocities of a block; and its vorticity where it is asked for.
    fn flow<const SWIRL: bool, const PULL: bool>(&self, b: usize, neighbors: Neighbors<W>) {
        let mut block = self.blocks.get(b);
        let mut sum = Flow::new();
        W::each_record(
            [&self.sites, &self.velocities],
            neighbors,
            #[inline(always)]
            |[(x, _), (v, w)]| {
                let ways = [block.x - x, v - block.v];
                sum.add::<SWIRL, PULL>(&self.numbers, ways, [block.w, w]);
            },
        );
        block.vorticity = sum.vorticity(&self.numbers);
        let dragged = match self.drags {
            true => drag(&self.walls, &self.numbers, [block.x, block.v], self.numbers.drag),
            false => Vec3::zero(),
        };
        block.v += sum.viscous(&self.numbers) - dragged;
        if PULL {
            block.v += sum.cohesive(&self.numbers, block.w);
        }
        let slots = self.packets.slots(b);
        W::put(&self.shared, slots, block.x, block.vorticity.length());
        self.blocks.update(b, |of| (of.v, of.vorticity) = (block.v, block.vorticity));
    }

    /// The same where several fluids meet.
    fn flow_mixed(&self, b: usize, neighbors: Neighbors<W>) {
        let (mut block, slots) = (self.blocks.get(b), self.packets.slots(b));
        let (mut own, mut sum) = (Vec3::zero(), Flow::new());
        W::each_record([&self.kinds], &[slots], |[(kind, _)]| own = kind);
        W::each_record(
            [&self.sites, &self.velocities, &self.kinds],
            neighbors,
            #[inline(always)]
            |[(x, _), (v, w), (other, _)]| {
                let ways = [block.x - x, v - block.v];
                sum.add_mixed(&self.numbers, ways, [block.w, w], [own, other]);
            },
        );
        block.vorticity = sum.vorticity(&self.numbers);
        let dragged = drag(&self.walls, &self.numbers, [block.x, block.v], own.y);
        block.v += sum.mixed(block.w) - dragged;
        W::put(&self.shared, slots, block.x, block.vorticity.length());
        self.blocks.update(b, |of| (of.v, of.vorticity) = (block.v, block.vorticity));
    }

    fn swirl(&self, b: usize, neighbors: Neighbors<W>) -> Vec3<W> {
        let block = self.blocks.get(b);
        let size = block.vorticity.length();
        let mut sum = Eddy::new();
        W::each_record(
            [&self.shared],
            neighbors,
            #[inline(always)]
            |[(x, other)]| sum.add(&self.numbers, block.x - x, other - size),
        );
        let swirled = block.v + sum.confine(&self.numbers, block.vorticity);
        Vec3::select(W::zero().lt(block.w), swirled, block.v)
    }
}
