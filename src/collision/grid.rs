//! A uniform grid over points, as a counting sort: who lies within a reach of a point is found in a few contiguous ranges.
//!
//! ```text
//! cell = floor(x / reach),  slot = (cell - least)·(1, a, b) mod slots
//! ```
//!
//! (Teschner et al., *Optimized Spatial Hashing for Collision Detection of Deformable Objects*, 2003; the sort as in Green,
//! *Particle Simulation using CUDA*, 2010.) Where the box around all points has no more cells than there are slots, a and b
//! are its width and its layer, and no two cells share a slot; else they are large primes. Either way the three cells along x
//! are neighbors in memory, so the 27 cells around a point are at most nine ranges. Ranges that meet are joined, so that none
//! is visited twice, whatever cells share a slot.
//!
//! The sort is stable, so its outcome depends on the points alone, not on the threads. Cells are computed in f64 and held
//! within 2^29 of the origin, beyond which all share a cell; a point that is not finite lies somewhere and is near nothing.
//! Memory is fixed when the grid is made: `4 x (7 + threads x slots / points)` bytes a point, about 48 on two threads.

use crate::math::{F32x8, Vec3, WIDTH, pack};
use crate::threads::{Cells, Worker};
use std::ops::Range;

/// Cells lie within this of the origin, along each axis.
const FARTHEST: f64 = (1 << 29) as f64;
/// Strides where cells are hashed (Teschner et al., section 3).
const PRIMES: [u32; 2] = [19_349_663, 83_492_791];

/// Points sorted by cell.
pub struct Grid {
    inverse: f64,
    slots: usize,
    chunks: usize,
    /// Where the box of all cells begins, and the strides along y and z.
    place: Cells<Placement>,
    /// Least and largest cell of each chunk of points.
    bounds: Cells<[[i32; 3]; 2]>,
    cells: Cells<[i32; 3]>,
    /// For each chunk and slot: how many points, then where its next one goes.
    counts: Cells<u32>,
    /// Points before each chunk of slots.
    before: Cells<u32>,
    starts: Cells<u32>,
    order: Cells<u32>,
    columns: [Cells<f32>; 3],
}

#[derive(Clone, Copy)]
struct Placement {
    least: [i32; 3],
    strides: [u32; 2],
}

impl Grid {
    /// A grid for `count` points whose neighbors within `reach` (m) are asked for, built by `threads` threads.
    pub fn new(count: usize, reach: f64, threads: usize) -> Self {
        let slots = (2 * count).next_power_of_two().max(16);
        let chunks = threads.max(1);
        Self {
            inverse: 1.0 / reach,
            slots,
            chunks,
            place: Cells::new(
                1,
                Placement {
                    least: [0; 3],
                    strides: PRIMES,
                },
            ),
            bounds: Cells::new(chunks, [[0; 3]; 2]),
            cells: Cells::new(count, [0; 3]),
            counts: Cells::new(chunks * slots, 0),
            before: Cells::new(chunks, 0),
            starts: Cells::new(slots + 1, 0),
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
        let (count, slots, chunks) = (self.len(), self.slots, self.chunks);
        let part = |len: usize, chunk: usize| len * chunk / chunks..len * (chunk + 1) / chunks;
        let each = |work: &dyn Fn(usize)| worker.share(chunks, |part| part.for_each(work));
        each(&|chunk| {
            let mut bounds = [[i32::MAX; 3], [i32::MIN; 3]];
            for i in part(count, chunk) {
                let cell = self.cell(point(i));
                for axis in 0..3 {
                    bounds[0][axis] = bounds[0][axis].min(cell[axis]);
                    bounds[1][axis] = bounds[1][axis].max(cell[axis]);
                }
                self.cells.set(i, cell);
            }
            self.bounds.set(chunk, bounds);
        });
        worker.alone(|| self.place.set(0, self.choose_placement()));
        each(&|chunk| {
            let counts = chunk * slots;
            (counts..counts + slots).for_each(|at| self.counts.set(at, 0));
            for i in part(count, chunk) {
                let at = counts + self.slot(self.cells.get(i));
                self.counts.set(at, self.counts.get(at) + 1);
            }
        });
        let of_slot = |slot: usize| (0..chunks).map(move |chunk| chunk * slots + slot);
        each(&|chunk| {
            let all = part(slots, chunk).flat_map(of_slot);
            self.before
                .set(chunk, all.map(|at| self.counts.get(at)).sum());
        });
        worker.alone(|| {
            let mut sum = 0;
            for chunk in 0..chunks {
                let points = self.before.get(chunk);
                self.before.set(chunk, sum);
                sum += points;
            }
            self.starts.set(slots, sum);
        });
        each(&|chunk| {
            let mut next = self.before.get(chunk);
            for slot in part(slots, chunk) {
                self.starts.set(slot, next);
                for at in of_slot(slot) {
                    let points = self.counts.get(at);
                    self.counts.set(at, next);
                    next += points;
                }
            }
        });
        each(&|chunk| {
            for i in part(count, chunk) {
                let at = chunk * slots + self.slot(self.cells.get(i));
                let place = self.counts.get(at);
                self.counts.set(at, place + 1);
                self.order.set(place as usize, i as u32);
                for (column, x) in self.columns.iter().zip(point(i)) {
                    column.set(place as usize, x);
                }
            }
        });
    }

    /// Dense where the box of all cells fits the slots, else hashed.
    fn choose_placement(&self) -> Placement {
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
            return self.place.get(0);
        }
        let size = |axis: usize| (i64::from(most[axis]) - i64::from(least[axis]) + 1) as u128;
        let (x, y, z) = (size(0), size(1), size(2));
        let strides = match x * y * z <= self.slots as u128 {
            true => [x as u32, (x * y) as u32],
            false => PRIMES,
        };
        Placement { least, strides }
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

    /// Modulo the slots: arithmetic modulo 2^32 is exact there, as their number is a power of two.
    #[inline(always)]
    fn slot(&self, cell: [i32; 3]) -> usize {
        let Placement { least, strides } = self.place.get(0);
        let along = |axis: usize| cell[axis].wrapping_sub(least[axis]) as u32;
        let slot = along(0)
            .wrapping_add(along(1).wrapping_mul(strides[0]))
            .wrapping_add(along(2).wrapping_mul(strides[1]));
        slot as usize & (self.slots - 1)
    }

    /// Where the points in the 27 cells around `point` stand in [`order`](Self::order): all within reach are among them.
    pub fn near(&self, point: [f32; 3]) -> Ranges {
        let [x, y, z] = self.cell(point);
        let mut ranges = Ranges::none();
        for dz in -1..=1 {
            for dy in -1..=1 {
                let first = self.slot([x - 1, y + dy, z + dz]);
                let end = first + 3;
                let start = |slot: usize| self.starts.get(slot);
                if end <= self.slots {
                    ranges.add(start(first), start(end));
                } else {
                    ranges.add(start(first), start(self.slots));
                    ranges.add(start(0), start(end - self.slots));
                }
            }
        }
        ranges.join();
        ranges
    }

    /// The same for one point after another: looked up anew only where the cell changes.
    pub fn nearby(&self) -> Nearby<'_> {
        Nearby {
            grid: self,
            cell: None,
            ranges: Ranges::none(),
        }
    }

    /// The points sorted by cell: which point stands at each place; those of a cell in their own order.
    pub fn order(&self) -> &[u32] {
        self.order.as_slice()
    }

    /// The point at a place of the order (m).
    #[inline(always)]
    pub fn point_at(&self, place: usize) -> [f32; 3] {
        [
            self.columns[0].get(place),
            self.columns[1].get(place),
            self.columns[2].get(place),
        ]
    }

    /// The points at eight places of the order (m); those beyond the last are zero.
    #[inline(always)]
    pub fn points8(&self, place: usize) -> Vec3<F32x8> {
        points8(self.columns(), place)
    }

    /// The points in the order, an axis each, and eight zeros behind them.
    #[inline(always)]
    pub fn columns(&self) -> [&[f32]; 3] {
        let [x, y, z] = &self.columns;
        [x.as_slice(), y.as_slice(), z.as_slice()]
    }
}

/// The points at eight places of [`columns`](Grid::columns).
#[inline(always)]
pub fn points8(columns: [&[f32]; 3], place: usize) -> Vec3<F32x8> {
    let eight = |column: &[f32]| {
        let eight = &column[place..place + WIDTH];
        pack(eight.try_into().expect("eight numbers"))
    };
    let [x, y, z] = columns;
    Vec3::new(eight(x), eight(y), eight(z))
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

/// Nine rows of three cells, each of which may go round the end of the slots.
const MOST_RANGES: usize = 18;

/// Places of a grid's order: ascending ranges that do not touch each other.
#[derive(Clone, Debug)]
pub struct Ranges {
    list: [[u32; 2]; MOST_RANGES],
    len: usize,
}

impl Ranges {
    fn none() -> Self {
        Self {
            list: [[0; 2]; MOST_RANGES],
            len: 0,
        }
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
