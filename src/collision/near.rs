//! All pairs of points within a distance of each other, found by the grid eight candidates at a time.
//!
//! Pairs come in the order of the grid's places, so they do not depend on the threads. A point is paired with at most
//! [`MOST_NEAR`] others that stand behind it: where thousands lie in one place, memory stays bounded and the rest is left for
//! later steps.

use super::finds::Finds;
use super::grid::{Grid, Ranges};
use crate::math::{F32x8, Real, Vec3, WIDTH, lane_bits, lanes_below};
use crate::threads::Team;

/// The most pairs that begin with one point; balls of one size touch twelve others at most.
pub const MOST_NEAR: usize = 64;

/// What is made of pairs of points, found anew each step.
#[derive(Default)]
pub struct NearPairs(Finds<[u32; 2]>);

impl NearPairs {
    /// What was last found.
    pub fn pairs(&self) -> &[[u32; 2]] {
        self.0.all()
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
        let square = F32x8::of(f64::from(distance) * f64::from(distance));
        self.0.find(team, grid.len(), |part, pairs| {
            let mut nearby = grid.nearby();
            for i in part {
                let point = grid.point_at(i);
                let keep = |other| make(order[i], other);
                meet(grid, nearby.of(point), point, i + 1, square, pairs, keep);
            }
        });
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
