//! A tree of boxes that move: eight children a node, tested side by side, refitted in each step. What lies together is to have
//! neighboring numbers; the tree itself never changes.

use super::boxes::{Bounds, NOTHING, join};
use crate::math::{F32x8, Real, WIDTH, each, eight, lane_bits, set_lanes, unpack};
use crate::threads::{Cells, Worker};

/// Boxes by columns: least x y z and largest x y z.
pub(super) struct BoxColumns([[Cells<f32>; 3]; 2]);

impl BoxColumns {
    /// `count` boxes of nothing, and up to seven behind them.
    pub(super) fn new(count: usize) -> Self {
        let column = |v| Cells::new(count.next_multiple_of(WIDTH), v);
        Self(NOTHING.map(|corner| corner.map(column)))
    }

    /// Replaces a box.
    pub(super) fn set(&self, i: usize, bounds: Bounds) {
        for (columns, corner) in self.0.iter().zip(bounds) {
            for (column, v) in columns.iter().zip(corner) {
                column.set(i, v);
            }
        }
    }

    /// Replaces up to eight boxes from `first` on.
    pub(super) fn set_some(&self, first: usize, count: usize, boxes: Bounds<F32x8>) {
        for (columns, corner) in self.0.iter().zip(boxes) {
            for (column, lanes) in columns.iter().zip(corner) {
                let lanes = unpack(lanes).into_iter().take(count);
                lanes.enumerate().for_each(|(lane, v)| column.set(first + lane, v));
            }
        }
    }

    /// A box.
    pub(super) fn get(&self, i: usize) -> Bounds {
        each(self.0.each_ref(), |columns| each(columns.each_ref(), |column| column.get(i)))
    }

    /// Eight boxes, from a multiple of eight on.
    #[inline(always)]
    pub(super) fn eight(&self, first: usize) -> [[F32x8; 3]; 2] {
        let lanes = |column: &Cells<f32>| eight(column.as_slice(), first);
        each(self.0.each_ref(), |columns| each(columns.each_ref(), lanes))
    }

    fn len(&self) -> usize {
        self.0[0][0].len()
    }
}

/// A tree of boxes.
pub(super) struct BoxTree {
    /// The boxes, then the nodes around eight of those before.
    levels: Vec<BoxColumns>,
}

impl BoxTree {
    /// A tree over `count` boxes.
    pub(super) fn new(count: usize) -> Self {
        let mut levels = vec![BoxColumns::new(count)];
        while levels[levels.len() - 1].len() > WIDTH {
            levels.push(BoxColumns::new(levels[levels.len() - 1].len() / WIDTH));
        }
        Self { levels }
    }

    /// The boxes themselves.
    pub(super) fn leaves(&self) -> &BoxColumns {
        &self.levels[0]
    }

    /// Takes up leaves that have moved, all workers together.
    pub(super) fn refit(&self, worker: &Worker) {
        for pair in self.levels.windows(2) {
            worker.parallel_for(pair[0].len() / WIDTH, |range| {
                for node in range {
                    let children = node * WIDTH..(node + 1) * WIDTH;
                    let bounds = children.fold(NOTHING, |all, i| join(all, pair[0].get(i)));
                    pair[1].set(node, bounds);
                }
            });
        }
    }

    /// Does `act` with every eight leaves of which some meet `bounds`: the first, and which.
    pub(super) fn meet(&self, bounds: Bounds, mut act: impl FnMut(usize, F32x8)) {
        if self.levels[0].len() > 0 {
            self.descend(self.levels.len() - 1, 0, bounds, &mut act);
        }
    }

    fn descend(
        &self,
        level: usize,
        first: usize,
        bounds: Bounds,
        act: &mut impl FnMut(usize, F32x8),
    ) {
        let met = meets(bounds, self.levels[level].eight(first));
        if level == 0 {
            if lane_bits(met) != 0 {
                act(first, met);
            }
            return;
        }
        for lane in set_lanes(met) {
            self.descend(level - 1, (first + lane) * WIDTH, bounds, act);
        }
    }
}

/// Which of eight boxes meet `bounds`.
#[inline(always)]
pub(super) fn meets([begin, end]: Bounds, [least, most]: [[F32x8; 3]; 2]) -> F32x8 {
    let all = |v: f32| F32x8::of(f64::from(v));
    let along = |k: usize| least[k].lt(all(end[k])) & all(begin[k]).lt(most[k]);
    along(0) & along(1) & along(2)
}
