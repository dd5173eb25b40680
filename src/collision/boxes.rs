//! Boxes that meet a box, found by the grid of their middles, eight candidates at a time.

use super::grid::{Grid, Ranges};
use crate::math::{F32x8, Real, WIDTH, lanes_below, pack, set_lanes};
use crate::threads::{Cells, Worker};

/// Least and largest coordinates (m).
pub(super) type Bounds = [[f32; 3]; 2];

/// The box of `points`, `more` wider on every side, and their middle.
#[inline(always)]
pub(super) fn around<const N: usize>(points: [[f32; 4]; N], more: f32) -> (Bounds, [f32; 3]) {
    let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    let mut middle = [0.0; 3];
    for point in points {
        for (axis, &v) in point[..3].iter().enumerate() {
            bounds[0][axis] = (v - more).min(bounds[0][axis]);
            bounds[1][axis] = (v + more).max(bounds[1][axis]);
            middle[axis] += v / N as f32;
        }
    }
    (bounds, middle)
}

/// The most boxes that one query looks at, and of which it learns: where a cloth has collapsed into one place, a search ends,
/// and the rest is left for later steps.
const MOST_LOOKED_AT: usize = 1 << 16;
const MOST_MET: usize = 1 << 10;

/// Boxes no larger than a search radius, sorted anew each step.
pub(super) struct Boxes {
    pub(super) grid: Grid,
    middles: Cells<[f32; 3]>,
    boxes: Cells<Bounds>,
    /// Least x y z and largest x y z, in the order of the grid.
    columns: [[Cells<f32>; 3]; 2],
}

impl Boxes {
    /// Room for `count` boxes. A box that meets a query must have its middle within `search_radius` (m) of the query's, axis by axis.
    pub(super) fn new(count: usize, search_radius: f64, threads: usize) -> Self {
        let column = |_| Cells::new(count + WIDTH, 0.0);
        Self {
            grid: Grid::new(count, search_radius, threads),
            middles: Cells::new(count, [0.0; 3]),
            boxes: Cells::new(count, [[0.0; 3]; 2]),
            columns: std::array::from_fn(|_| std::array::from_fn(column)),
        }
    }

    /// Sorts the boxes anew, all workers together; `each` gives a box and its middle.
    pub(super) fn build(&self, worker: &Worker, each: impl Fn(usize) -> (Bounds, [f32; 3])) {
        worker.parallel_for(self.middles.len(), |range| {
            for k in range {
                let (bounds, middle) = each(k);
                self.boxes.set(k, bounds);
                self.middles.set(k, middle);
            }
        });
        self.grid.build(worker, |k| self.middles.get(k));
        worker.parallel_for(self.middles.len(), |range| {
            for at in range {
                let bounds = self.boxes.get(self.grid.order()[at] as usize);
                for (columns, corner) in self.columns.iter().zip(bounds) {
                    for (column, v) in columns.iter().zip(corner) {
                        column.set(at, v);
                    }
                }
            }
        });
    }

    /// The box at an index of the order.
    pub(super) fn at(&self, index: usize) -> Bounds {
        let corner =
            |columns: &[Cells<f32>; 3]| std::array::from_fn(|axis| columns[axis].get(index));
        [corner(&self.columns[0]), corner(&self.columns[1])]
    }

    /// Does `act` with each box in `ranges`, from index `from` on, that meets `bounds`; with about a thousand at most.
    #[inline(always)]
    pub(super) fn meet(
        &self,
        ranges: &Ranges,
        bounds: Bounds,
        from: usize,
        mut act: impl FnMut(u32),
    ) {
        let order = self.grid.order();
        let eight = |column: &Cells<f32>, at: usize| {
            let eight = &column.as_slice()[at..at + WIDTH];
            pack(eight.try_into().expect("eight numbers"))
        };
        let (mut looked_at, mut count) = (0, 0);
        let [least, most] = bounds.map(|corner| corner.map(|v| F32x8::of(f64::from(v))));
        for range in ranges.iter() {
            for at in (range.start.max(from)..range.end).step_by(WIDTH) {
                let mut met = lanes_below(range.end - at);
                for axis in 0..3 {
                    let begins = eight(&self.columns[0][axis], at);
                    let ends = eight(&self.columns[1][axis], at);
                    met = met & begins.lt(most[axis]) & least[axis].lt(ends);
                }
                for lane in set_lanes(met) {
                    act(order[at + lane]);
                    count += 1;
                }
                looked_at += WIDTH;
                if count >= MOST_MET || looked_at >= MOST_LOOKED_AT {
                    return;
                }
            }
        }
    }
}
