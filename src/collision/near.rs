//! All pairs of points within a distance of each other, found by the grid eight candidates at a time.
//!
//! Pairs come in the order of the grid's places, so they do not depend on the threads. A point is paired with at most
//! [`MOST_NEAR`] others that stand behind it: where thousands lie in one place, memory stays bounded and the rest is left for
//! later steps.

use super::grid::Grid;
use crate::lanes::{F32x8, Real, Vec3, WIDTH, lane_bits, lanes_below};
use crate::parallel::Team;
use std::sync::Mutex;

/// The most pairs that begin with one point; balls of one size touch twelve others at most.
pub const MOST_NEAR: usize = 64;
/// Places searched at a time by one thread.
const CHUNK: usize = 256;

/// Pairs of points, found anew each step.
#[derive(Default)]
pub struct NearPairs {
    chunks: Vec<Mutex<Vec<[u32; 2]>>>,
    pairs: Vec<[u32; 2]>,
}

impl NearPairs {
    /// The pairs last found, as points of the grid.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Finds all pairs of the grid's points closer than `distance`, which the grid's reach must not be below, and for which
    /// `keep` holds.
    pub fn find(
        &mut self,
        team: &Team,
        grid: &Grid,
        distance: f32,
        keep: impl Fn(u32, u32) -> bool + Sync,
    ) {
        let chunks = grid.len().div_ceil(CHUNK);
        self.chunks.resize_with(chunks, Mutex::default);
        let of_chunks = &self.chunks;
        team.run(|worker| {
            worker.share(chunks, |part| {
                for chunk in part {
                    let mut pairs = of_chunks[chunk].lock().expect("no worker panicked");
                    pairs.clear();
                    find_in_chunk(grid, chunk, distance, &keep, &mut pairs);
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

fn find_in_chunk(
    grid: &Grid,
    chunk: usize,
    distance: f32,
    keep: &impl Fn(u32, u32) -> bool,
    pairs: &mut Vec<[u32; 2]>,
) {
    let places = chunk * CHUNK..(chunk * CHUNK + CHUNK).min(grid.len());
    let order = grid.order();
    let square = F32x8::of(f64::from(distance) * f64::from(distance));
    let mut cell = grid.cell_at(places.start);
    let mut ranges = grid.near(grid.point_at(places.start));
    for i in places {
        let point = grid.point_at(i);
        if grid.cell_at(i) != cell {
            (cell, ranges) = (grid.cell_at(i), grid.near(point));
        }
        let x = Vec3::of(point.map(f64::from));
        let most = pairs.len() + MOST_NEAR;
        for range in ranges.iter() {
            for at in (range.start.max(i + 1)..range.end).step_by(WIDTH) {
                let d = grid.points8(at) - x;
                let close = d.dot(d).lt(square) & lanes_below(range.end - at);
                let mut bits = lane_bits(close);
                while bits != 0 {
                    let pair = [order[i], order[at + bits.trailing_zeros() as usize]];
                    bits &= bits - 1;
                    if pairs.len() < most && keep(pair[0], pair[1]) {
                        pairs.push(pair);
                    }
                }
            }
            if pairs.len() == most {
                break;
            }
        }
    }
}
