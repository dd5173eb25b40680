//! A uniform grid over points, as a counting sort: who lies within a search radius of a point is found in a few contiguous ranges.
//!
//! ```text
//! cell = floor(x / search_radius),  bucket = (cell - least)·(1, a, b) mod buckets
//! ```
//!
//! (Teschner et al., *Optimized Spatial Hashing for Collision Detection of Deformable Objects*, 2003; the sort as in Green,
//! *Particle Simulation using CUDA*, 2010.) Where the box around all points has no more cells than there are buckets, a and b
//! are its width and its layer, and no two cells share a bucket; else they are large primes. Either way the three cells along x
//! are neighbors in memory, so the 27 cells around a point are at most nine ranges. Ranges that meet are joined, so that none
//! is visited twice, whatever cells share a bucket.
//!
//! The sort is stable, so its outcome depends on the points alone, not on the threads. Cells are computed in f64 and held
//! within 2^29 of the origin, beyond which all share a cell; a point that is not finite lies somewhere and is near nothing.
//! Memory is fixed when the grid is made: `4 x (7 + threads x buckets / points)` bytes a point, about 48 on two threads.

use crate::math::{F32x8, Vec3, WIDTH, eight};
use crate::threads::{Cells, Worker};
use std::ops::Range;

/// Cells lie within this of the origin, along each axis.
const FARTHEST: f64 = (1 << 29) as f64;
/// Strides where cells are hashed (Teschner et al., section 3).
const PRIMES: [u32; 2] = [19_349_663, 83_492_791];

/// Points sorted by cell.
pub struct Grid {
    inverse: f64,
    buckets: usize,
    chunks: usize,
    /// Where the box of all cells begins, and the strides along y and z.
    layout: Cells<Layout>,
    /// Least and largest cell of each chunk of points.
    bounds: Cells<[[i32; 3]; 2]>,
    cells: Cells<[i32; 3]>,
    /// For each chunk and bucket: how many points, then where its next one goes.
    counts: Cells<u32>,
    /// Points before each chunk of buckets.
    before: Cells<u32>,
    starts: Cells<u32>,
    order: Cells<u32>,
    columns: [Cells<f32>; 3],
}

#[derive(Clone, Copy)]
struct Layout {
    least: [i32; 3],
    strides: [u32; 2],
}

impl Grid {
    /// A grid for `count` points whose neighbors within `search_radius` (m) are asked for, built by `threads` threads.
    pub fn new(count: usize, search_radius: f64, threads: usize) -> Self {
        let buckets = (2 * count).next_power_of_two().max(16);
        let chunks = threads.max(1);
        Self {
            inverse: 1.0 / search_radius,
            buckets,
            chunks,
            layout: Cells::new(1, Layout { least: [0; 3], strides: PRIMES }),
            bounds: Cells::new(chunks, [[0; 3]; 2]),
            cells: Cells::new(count, [0; 3]),
            counts: Cells::new(chunks * buckets, 0),
            before: Cells::new(chunks, 0),
            starts: Cells::new(buckets + 1, 0),
            order: Cells::new(count, 0),
            columns: std::array::from_fn(|_| Cells::new(count + WIDTH, 0.0)),
        }
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sorts the points anew, all workers together; `point` gives each (m).
    pub fn build(&self, worker: &Worker, point: impl Fn(usize) -> [f32; 3]) {
        let (count, buckets, chunks) = (self.len(), self.buckets, self.chunks);
        let each = |work: &dyn Fn(usize)| worker.parallel_for(chunks, |range| range.for_each(work));
        each(&|chunk| {
            let mut bounds = [[i32::MAX; 3], [i32::MIN; 3]];
            for i in self.range_of(count, chunk) {
                let cell = self.cell(point(i));
                for axis in 0..3 {
                    bounds[0][axis] = bounds[0][axis].min(cell[axis]);
                    bounds[1][axis] = bounds[1][axis].max(cell[axis]);
                }
                self.cells.set(i, cell);
            }
            self.bounds.set(chunk, bounds);
        });
        worker.single(|| self.layout.set(0, self.choose_layout()));
        each(&|chunk| {
            let counts = chunk * buckets;
            (counts..counts + buckets).for_each(|at| self.counts.set(at, 0));
            for i in self.range_of(count, chunk) {
                let at = counts + self.bucket(self.cells.get(i));
                self.counts.set(at, self.counts.get(at) + 1);
            }
        });
        self.sum_counts(worker);
        each(&|chunk| {
            for i in self.range_of(count, chunk) {
                let at = chunk * buckets + self.bucket(self.cells.get(i));
                let index = self.counts.get(at);
                self.counts.set(at, index + 1);
                self.order.set(index as usize, i as u32);
                for (column, x) in self.columns.iter().zip(point(i)) {
                    column.set(index as usize, x);
                }
            }
        });
    }

    /// A chunk's share of `len`.
    fn range_of(&self, len: usize, chunk: usize) -> Range<usize> {
        len * chunk / self.chunks..len * (chunk + 1) / self.chunks
    }

    /// From how many points each chunk has in each bucket, where each bucket and each chunk's points in it begin.
    fn sum_counts(&self, worker: &Worker) {
        let (buckets, chunks) = (self.buckets, self.chunks);
        let of_bucket = |bucket: usize| (0..chunks).map(move |chunk| chunk * buckets + bucket);
        worker.parallel_for(chunks, |range| {
            for chunk in range {
                let all = self.range_of(buckets, chunk).flat_map(of_bucket);
                let sum = all.map(|at| self.counts.get(at)).sum();
                self.before.set(chunk, sum);
            }
        });
        worker.single(|| {
            let mut sum = 0;
            for chunk in 0..chunks {
                let points = self.before.get(chunk);
                self.before.set(chunk, sum);
                sum += points;
            }
            self.starts.set(buckets, sum);
        });
        worker.parallel_for(chunks, |range| {
            for chunk in range {
                let mut next = self.before.get(chunk);
                for bucket in self.range_of(buckets, chunk) {
                    self.starts.set(bucket, next);
                    for at in of_bucket(bucket) {
                        let points = self.counts.get(at);
                        self.counts.set(at, next);
                        next += points;
                    }
                }
            }
        });
    }

    /// Dense where the box of all cells fits the buckets, else hashed.
    fn choose_layout(&self) -> Layout {
        let mut bounds = self.bounds.get(0);
        for chunk in 1..self.chunks {
            let [least, most] = self.bounds.get(chunk);
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(least[axis]);
                bounds[1][axis] = bounds[1][axis].max(most[axis]);
            }
        }
        let [least, most] = bounds;
        if self.is_empty() {
            return self.layout.get(0);
        }
        let size = |axis: usize| (i64::from(most[axis]) - i64::from(least[axis]) + 1) as u128;
        let (x, y, z) = (size(0), size(1), size(2));
        let strides = match x * y * z <= self.buckets as u128 {
            true => [x as u32, (x * y) as u32],
            false => PRIMES,
        };
        Layout { least, strides }
    }

    /// The cell of a point: points of one cell share their [`near`](Self::near).
    #[inline(always)]
    pub fn cell(&self, point: [f32; 3]) -> [i32; 3] {
        let along = |x: f32| {
            let x = (f64::from(x) * self.inverse).clamp(-FARTHEST, FARTHEST);
            // floor, without the library call that a build without SSE4 would make of it; not a number becomes 0.
            let whole = x as i32;
            whole - i32::from(x < f64::from(whole))
        };
        [along(point[0]), along(point[1]), along(point[2])]
    }

    /// Modulo the buckets: arithmetic modulo 2^32 is exact there, as their number is a power of two.
    #[inline(always)]
    fn bucket(&self, cell: [i32; 3]) -> usize {
        let Layout { least, strides } = self.layout.get(0);
        let along = |axis: usize| cell[axis].wrapping_sub(least[axis]) as u32;
        let bucket = along(0)
            .wrapping_add(along(1).wrapping_mul(strides[0]))
            .wrapping_add(along(2).wrapping_mul(strides[1]));
        bucket as usize & (self.buckets - 1)
    }

    /// Where the points in the 27 cells around `point` stand in [`order`](Self::order): all within the search radius are among them.
    pub fn near(&self, point: [f32; 3]) -> Ranges {
        let [x, y, z] = self.cell(point);
        let mut ranges = Ranges::none();
        for dz in -1..=1 {
            for dy in -1..=1 {
                let first = self.bucket([x - 1, y + dy, z + dz]);
                let end = first + 3;
                let start = |bucket: usize| self.starts.get(bucket);
                if end <= self.buckets {
                    ranges.add(start(first), start(end));
                } else {
                    ranges.add(start(first), start(self.buckets));
                    ranges.add(start(0), start(end - self.buckets));
                }
            }
        }
        ranges.join();
        ranges
    }

    /// The same for one point after another: looked up anew only where the cell changes.
    pub fn nearby(&self) -> Nearby<'_> {
        Nearby { grid: self, cell: None, ranges: Ranges::none() }
    }

    /// The points sorted by cell: which point stands at each; those of a cell in their own order.
    pub fn order(&self) -> &[u32] {
        self.order.as_slice()
    }

    /// The point at an index of the order (m).
    #[inline(always)]
    pub fn point_at(&self, index: usize) -> [f32; 3] {
        [self.columns[0].get(index), self.columns[1].get(index), self.columns[2].get(index)]
    }

    /// The points from an index on, eight of the order (m); those beyond the last are zero.
    #[inline(always)]
    pub fn points8(&self, index: usize) -> Vec3<F32x8> {
        points8(self.columns(), index)
    }

    /// The points in the order, an axis each, and eight zeros behind them.
    #[inline(always)]
    pub fn columns(&self) -> [&[f32]; 3] {
        let [x, y, z] = &self.columns;
        [x.as_slice(), y.as_slice(), z.as_slice()]
    }
}

/// The points from an index on, eight of [`columns`](Grid::columns).
#[inline(always)]
pub fn points8(columns: [&[f32]; 3], index: usize) -> Vec3<F32x8> {
    let [x, y, z] = columns;
    Vec3::new(eight(x, index), eight(y, index), eight(z, index))
}

/// [`Grid::near`], remembered for the next point of the cell.
pub struct Nearby<'a> {
    grid: &'a Grid,
    cell: Option<[i32; 3]>,
    ranges: Ranges,
}

impl Nearby<'_> {
    /// Where the points in the 27 cells around `point` stand in the order.
    #[inline(always)]
    pub fn of(&mut self, point: [f32; 3]) -> &Ranges {
        let cell = Some(self.grid.cell(point));
        if self.cell != cell {
            self.cell = cell;
            self.ranges = self.grid.near(point);
        }
        &self.ranges
    }
}

/// Nine rows of three cells, each of which may go round the end of the buckets.
const MAX_RANGES: usize = 18;

/// Places of a grid's order: ascending ranges that do not touch each other.
#[derive(Clone, Debug)]
pub struct Ranges {
    list: [[u32; 2]; MAX_RANGES],
    len: usize,
}

impl Ranges {
    fn none() -> Self {
        Self { list: [[0; 2]; MAX_RANGES], len: 0 }
    }

    /// The ranges.
    pub fn iter(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let ranges = self.list[..self.len].iter();
        ranges.map(|&[start, end]| start as usize..end as usize)
    }

    fn add(&mut self, start: u32, end: u32) {
        if start < end {
            self.list[self.len] = [start, end];
            self.len += 1;
        }
    }

    fn join(&mut self) {
        let mut len = 0;
        self.list[..self.len].sort_unstable();
        for i in 0..self.len {
            let [start, end] = self.list[i];
            if len > 0 && start <= self.list[len - 1][1] {
                let last = &mut self.list[len - 1][1];
                *last = end.max(*last);
            } else {
                self.list[len] = [start, end];
                len += 1;
            }
        }
        self.len = len;
    }
}
