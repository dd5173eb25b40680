//! An iteration of a block: its multipliers, then its corrections, from its neighbors and their images in walls.

use super::block::Block;
use super::mirrors::Mirrors;
use super::records::{FluidWidth, NOWHERE};
use super::runtime::{FluidRuntime, Neighbors};
use super::sums::{Correction, Density, Neighbor};
use crate::constraints::Particle;
use crate::math::Vec3;
use crate::threads::Cells;

impl<W: FluidWidth> FluidRuntime<W> {
    /// Does `act` with what `near` makes of the records of neighbors of a block at `x`, and beside walls with the images of that, and of the
    /// particles themselves, whose number is `own`; with an image comes what it counts as.
    #[inline(always)]
    pub(super) fn each_near<const ACROSS: bool>(
        &self,
        records: &Cells<W::Record>,
        neighbors: Neighbors<W>,
        (x, own): (Vec3<W>, W),
        near: impl Fn(Vec3<W>, W) -> Neighbor<W>,
        mut act: impl FnMut(Neighbor<W>, Option<W>),
    ) {
        let Some(mut mirrors) = Mirrors::beside(&self.walls, &self.numbers, x) else {
            return W::each_record(
                [records],
                neighbors,
                #[inline(always)]
                |[(other, of)]| act(near(other, of), None),
            );
        };
        W::each_record(
            [records],
            neighbors,
            #[inline(always)]
            |[(other, of)]| {
                let near = near(other, of);
                act(near, None);
                mirrors.each_image::<ACROSS>(&self.numbers, near, other, &mut act);
            },
        );
        mirrors.each_image::<ACROSS>(&self.numbers, near(x, own), x, act);
    }

    /// The multipliers of a block, from how dense its particles lie.
    pub(super) fn find_multiplier(&self, b: usize, neighbors: Neighbors<W>) {
        let mut block = self.blocks.get(b);
        let x = block.x + block.offset;
        let mut sum = Density::new();
        self.each_near::<true>(
            &self.sites,
            neighbors,
            (x, block.w),
            #[inline(always)]
            |other, w| Neighbor::new(&self.numbers, x - other, w),
            #[inline(always)]
            |near, image| sum.add(near, image),
        );
        if block.coming > 0 {
            block.coming -= 1;
            block.total = block.total + block.part;
        }
        let beside = [block.solid, self.surface()];
        block.total = sum.multiplier(&self.numbers, beside, block.w, [block.total, block.left]);
        // What waits or is in quarantine is nowhere, but walls may take it for something: it must not begin with a pressure.
        let here = block.x.x.abs().lt(W::of(NOWHERE));
        block.total = W::select(here, block.total, W::zero());
        block.last = block.total - block.applied;
        block.applied = block.total;
        W::put(&self.shared, self.packets.slots(b), x, block.last);
        let Block { total, applied, last, coming, .. } = block;
        self.blocks.update(b, |of| {
            (of.total, of.applied, of.last, of.coming) = (total, applied, last, coming);
        });
    }

    /// The particles of a block where the multipliers push them.
    pub(super) fn correct<const CORRECT: bool>(
        &self,
        b: usize,
        neighbors: Neighbors<W>,
    ) -> Particle<W> {
        let block = self.blocks.get(b);
        let x = block.x + block.offset;
        let mut sum = Correction(Vec3::zero());
        self.each_near::<false>(
            &self.shared,
            neighbors,
            (x, block.last),
            #[inline(always)]
            |other, l| Neighbor::new(&self.numbers, x - other, block.last + l),
            #[inline(always)]
            |near, image| sum.add::<CORRECT>(&self.numbers, near, image),
        );
        let mut site = Particle::new(block.x, block.w);
        site.correct(sum.finish(block.w));
        site
    }
}
