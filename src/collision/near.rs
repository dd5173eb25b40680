//! All pairs of points within a distance of each other, found by the grid eight candidates at a time.
//!
//! Pairs come in the order of the grid's places, so they do not depend on the threads. A point is paired with at most
//! [`MOST_NEAR`] others that stand behind it: where thousands lie in one place, memory stays bounded and the rest is left for
//! later steps.

use super::grid::{Grid, Ranges};
use crate::lanes::{F32x8, Real, Vec3, WIDTH, lane_bits, lanes_below};
use crate::parallel::Team;
use std::sync::Mutex;

/// The most pairs that begin with one point; balls of one size touch twelve others at most.
pub const MOST_NEAR: usize = 64;
/// Places searched at a time by one thread.
const CHUNK: usize = 256;

/// What is made of pairs of points, found anew each step.
#[derive(Default)]
pub struct NearPairs {
    chunks: Vec<Mutex<Vec<[u32; 2]>>>,
    pairs: Vec<[u32; 2]>,
}

impl NearPairs {
    /// What was last found.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Finds all pairs of the grid's points closer than `distance`, which the grid's reach must not be below; `make` says what
    /// is kept of a pair.
    pub fn find(
        &mut self,
        team: &Team,
        grid: &Grid,
        distance: f32,
        make: impl Fn(u32, u32) -> Option<[u32; 2]> + Sync,
    ) {
        let order = grid.order();
        let query = |i: usize| (order[i], grid.point_at(i), i + 1);
        self.search(team, grid, distance, grid.len(), query, make);
    }

    /// The same for each of `count` other points and the grid's points.
    pub fn find_from(
        &mut self,
        team: &Team,
        grid: &Grid,
        distance: f32,
        (count, point): (usize, impl Fn(usize) -> [f32; 3] + Sync),
        make: impl Fn(u32, u32) -> Option<[u32; 2]> + Sync,
    ) {
        let query = |i: usize| (i as u32, point(i), 0);
        self.search(team, grid, distance, count, query, make);
    }

    /// `query` says who asks, from where, and from which place of the grid on.
    fn search(
        &mut self,
        team: &Team,
        grid: &Grid,
        distance: f32,
        count: usize,
        query: impl Fn(usize) -> (u32, [f32; 3], usize) + Sync,
        make: impl Fn(u32, u32) -> Option<[u32; 2]> + Sync,
    ) {
        let chunks = count.div_ceil(CHUNK);
        self.chunks.resize_with(chunks, Mutex::default);
        let of_chunks = &self.chunks;
        let square = F32x8::of(f64::from(distance) * f64::from(distance));
        team.run(|worker| {
            worker.share(chunks, |part| {
                for chunk in part {
                    let mut pairs = of_chunks[chunk].lock().expect("no worker panicked");
                    pairs.clear();
                    let mut cell = None;
                    let mut ranges = Ranges::none();
                    for i in chunk * CHUNK..(chunk * CHUNK + CHUNK).min(count) {
                        let (who, point, from) = query(i);
                        if cell != Some(grid.cell(point)) {
                            cell = Some(grid.cell(point));
                            ranges = grid.near(point);
                        }
                        meet(grid, &ranges, point, from, square, &mut pairs, |other| {
                            make(who, other)
                        });
                    }
                }
            });
        });
        self.pairs.clear();
        for chunk in &mut self.chunks {
            let found = chunk.get_mut().expect("no worker panicked");
            self.pairs.extend_from_slice(found);
        }
    }
}

/// Adds what `make` keeps of the points within a squared distance of `point`, from place `from` of the grid on.
#[inline(always)]
fn meet(
    grid: &Grid,
    ranges: &Ranges,
    point: [f32; 3],
    from: usize,
    square: F32x8,
    pairs: &mut Vec<[u32; 2]>,
    make: impl Fn(u32) -> Option<[u32; 2]>,
) {
    let order = grid.order();
    let x = Vec3::of(point.map(f64::from));
    let most = pairs.len() + MOST_NEAR;
    for range in ranges.iter() {
        for at in (range.start.max(from)..range.end).step_by(WIDTH) {
            let d = grid.points8(at) - x;
            let close = d.dot(d).lt(square) & lanes_below(range.end - at);
            let mut bits = lane_bits(close);
            while bits != 0 {
                let other = order[at + bits.trailing_zeros() as usize];
                bits &= bits - 1;
                if pairs.len() < most {
                    pairs.extend(make(other));
                }
            }
        }
        if pairs.len() == most {
            break;
        }
    }
}
