//! A tree of boxes that move: eight children a node, tested side by side, refitted in each step. What lies together is to have
//! neighboring numbers; the tree itself never changes.

use super::boxes::{Bounds, NOTHING, around_eight};
use crate::math::{F32x8, Real, WIDTH, each, lane_bits, pack, set_lanes, splat, unpack};
use crate::threads::{Cells, Worker};

/// Boxes, eight side by side; behind the last there is nothing.
pub(super) struct Boxes(Cells<Bounds<[f32; WIDTH]>>);

impl Boxes {
    /// `count` boxes of nothing.
    pub(super) fn new(count: usize) -> Self {
        let nothing = each(NOTHING, |corner| each(corner, |v| [v; WIDTH]));
        Self(Cells::new(count.div_ceil(WIDTH), nothing))
    }

    /// How many eights there are.
    pub(super) fn eights(&self) -> usize {
        self.0.len()
    }

    /// Eight boxes.
    #[inline(always)]
    pub(super) fn eight(&self, eight: usize) -> Bounds<F32x8> {
        each(self.0.as_slice()[eight], |corner| each(corner, pack))
    }

    /// Replaces eight boxes.
    #[inline(always)]
    pub(super) fn set(&self, eight: usize, boxes: Bounds<F32x8>) {
        self.0.set(eight, each(boxes, |corner| each(corner, unpack)));
    }

    /// A box.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> Bounds {
        let eight = &self.0.as_slice()[i / WIDTH];
        each([0, 1], |side: usize| each([0, 1, 2], |k: usize| eight[side][k][i % WIDTH]))
    }

    /// Makes these the boxes around every eight of others, all workers together.
    pub(super) fn surround(&self, worker: &Worker, others: &Self) {
        worker.parallel_for(self.eights(), |range| {
            for eight in range {
                let first = eight * WIDTH;
                let mut boxes = each(NOTHING, |corner| each(corner, |v| [v; WIDTH]));
                for of in first..others.eights().min(first + WIDTH) {
                    let around = around_eight(others.eight(of));
                    for side in 0..2 {
                        for k in 0..3 {
                            boxes[side][k][of - first] = around[side][k];
                        }
                    }
                }
                self.0.set(eight, boxes);
            }
        });
    }
}

/// A tree of boxes.
pub(super) struct BoxTree {
    /// The boxes, then the nodes around eight of those before.
    levels: Vec<Boxes>,
}

impl BoxTree {
    /// A tree over `count` boxes.
    pub(super) fn new(count: usize) -> Self {
        let mut levels = vec![Boxes::new(count)];
        while levels[levels.len() - 1].eights() > 1 {
            levels.push(Boxes::new(levels[levels.len() - 1].eights()));
        }
        Self { levels }
    }

    /// The boxes themselves.
    pub(super) fn leaves(&self) -> &Boxes {
        &self.levels[0]
    }

    /// Takes up leaves that have moved, all workers together.
    pub(super) fn refit(&self, worker: &Worker) {
        self.levels.windows(2).for_each(|pair| pair[1].surround(worker, &pair[0]));
    }

    /// Does `act` with every eight leaves of which some meet `bounds`: which eight, and which of them. In their order.
    pub(super) fn meet(&self, bounds: Bounds, mut act: impl FnMut(usize, F32x8)) {
        if self.levels[0].eights() > 0 {
            self.descend(self.levels.len() - 1, 0, bounds, &mut act);
        }
    }

    fn descend(
        &self,
        level: usize,
        eight: usize,
        bounds: Bounds,
        act: &mut impl FnMut(usize, F32x8),
    ) {
        let met = meets(bounds, self.levels[level].eight(eight));
        if level == 0 {
            if lane_bits(met) != 0 {
                act(eight, met);
            }
            return;
        }
        for lane in set_lanes(met) {
            self.descend(level - 1, eight * WIDTH + lane, bounds, act);
        }
    }
}

/// Which of eight boxes meet `bounds`.
#[inline(always)]
pub(super) fn meets([begin, end]: Bounds, [least, most]: Bounds<F32x8>) -> F32x8 {
    let along = |k: usize| least[k].lt(splat(end[k])) & splat(begin[k]).lt(most[k]);
    along(0) & along(1) & along(2)
}
