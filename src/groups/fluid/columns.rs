//! How many layers of particles lie above one another where most do.
//!
//! ```text
//! N = max_c Σ_i (1 - |u_i - u_c|/a) (1 - |v_i - v_c|/a) (2r/a)²,  a = 4r
//! ```
//!
//! with u and v across gravity, c the middles of the cells of a grid of width a, and none farther from c than a. A lattice counts as what it
//! is, however it lies to the grid, and drops as what they would be if spread. By particles, not by height: what bursts or
//! splashes is not deep. Added up in the grid's order, so the bits depend on the positions alone.

use crate::collision::grid::Grid;
use crate::math::length;
use crate::threads::{Worker, lock};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// a, in radii: the support of most fluids.
const WIDTH: f64 = 4.0;
/// Nothing is so far away (m): it waits.
const FAR: f64 = 1e25;

/// Particles sorted by what lies above one another.
pub(super) struct Columns {
    /// Directions of u and v, and that of gravity.
    axes: [[f64; 3]; 2],
    down: [f64; 3],
    width: f64,
    grid: Grid,
    /// The most layers found so far, as bits: numbers above zero have the order of these.
    most: AtomicU64,
    /// The least and the most along gravity (m).
    ends: Mutex<[f64; 2]>,
}

impl Columns {
    /// Of `count` particles of a radius (m) that `gravity` presses; none without.
    pub(super) fn new(
        count: usize,
        radius: f64,
        gravity: [f64; 3],
        threads: usize,
    ) -> Option<Self> {
        let width = WIDTH * radius;
        let grid = || Grid::new(count, width, threads);
        (length(&gravity) > 0.0 && count > 0).then(|| Self {
            axes: across(gravity),
            down: gravity.map(|g| g / length(&gravity)),
            width,
            grid: grid(),
            most: AtomicU64::new(0),
            ends: Mutex::default(),
        })
    }

    /// How high all of `count` particles reach from the lowest (m), given where each is: no column is higher. What waits is not here.
    pub(super) fn height(
        &self,
        worker: &Worker,
        count: usize,
        point: impl Fn(usize) -> [f32; 3],
    ) -> f64 {
        worker.single(|| *lock(&self.ends) = [f64::MAX, f64::MIN]);
        worker.parallel_for(count, |part| {
            let along = part.map(|i| dot(self.down, point(i).map(f64::from)));
            let here = along.filter(|along| along.abs() < FAR);
            let ends = here.fold([f64::MAX, f64::MIN], |[a, b], v| [a.min(v), b.max(v)]);
            let all = &mut *lock(&self.ends);
            *all = [all[0].min(ends[0]), all[1].max(ends[1])];
        });
        let [least, most] = *lock(&self.ends);
        (most - least).max(0.0)
    }

    /// How many layers there are, given where each particle is (m). What waits is too far off to be near the middle of a cell.
    pub(super) fn layers(
        &self,
        worker: &Worker,
        point: impl Fn(usize) -> [f32; 3],
        then: impl Fn(f64),
    ) {
        self.grid.build(worker, |i| {
            let x = point(i).map(f64::from);
            let [u, v] = self.axes.map(|axis| dot(axis, x));
            [u as f32, v as f32, 0.0]
        });
        worker.parallel_for(self.grid.len(), |part| {
            let cell = |i: usize| self.grid.cell(self.grid.point_at(i));
            let firsts = part.filter(|&i| i == 0 || cell(i) != cell(i - 1));
            let most = firsts.map(|i| self.above(self.grid.point_at(i))).fold(0.0, f64::max);
            self.most.fetch_max(most.to_bits(), Ordering::Relaxed);
        });
        worker.single(|| then(f64::from_bits(self.most.swap(0, Ordering::Relaxed))));
    }

    /// How many layers lie around the middle of a point's cell.
    fn above(&self, point: [f32; 3]) -> f64 {
        let middle = self.grid.cell(point).map(|k| (f64::from(k) + 0.5) * self.width);
        let part = |at: usize| {
            let x = self.grid.point_at(at);
            let along = |k: usize| 1.0 - (f64::from(x[k]) - middle[k]).abs() / self.width;
            along(0).max(0.0) * along(1).max(0.0)
        };
        let sum: f64 = self.grid.near(point).iter().flatten().map(part).sum();
        sum * (2.0 / WIDTH).powi(2)
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Two directions of length one across a third, and each other.
fn across(of: [f64; 3]) -> [[f64; 3]; 2] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        let [i, j, k] = [[1, 2], [2, 0], [0, 1]].map(|[p, q]| a[p] * b[q] - a[q] * b[p]);
        let size = length(&[i, j, k]);
        [i / size, j / size, k / size]
    };
    // That axis is farthest from it which it has least of.
    let least = (0..3).fold(0, |least, k| if of[k].abs() < of[least].abs() { k } else { least });
    let u = cross(of, std::array::from_fn(|k| f64::from(u8::from(k == least))));
    [u, cross(of, u)]
}
