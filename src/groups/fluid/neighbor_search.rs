//! Who is near whom in a fluid, by the grid's slots, eight candidates at a time.

use crate::collision::candidates::{Candidates, MOST};
use crate::collision::grid::{Grid, Nearby, points8};
use crate::math::{F32x8, Real, Vec3, WIDTH, lane_bits};
use std::ops::Range;

/// The most candidates taken from a range of cells, those around the particle's own slot: where thousands lie in one
/// cell, the time stays bounded.
pub(super) const LONGEST: usize = 2048;

/// What of a range of slots is looked at for the neighbors of `slot`.
pub(super) fn stretch(range: Range<usize>, slot: usize) -> Range<usize> {
    let last = range.end.saturating_sub(LONGEST).max(range.start);
    let first = slot.saturating_sub(LONGEST / 2).clamp(range.start, last);
    first..range.end.min(first + LONGEST)
}

/// A search along the slots of a grid.
pub(super) struct Search<'a> {
    grid: &'a Grid,
    square: F32x8,
    nearby: Nearby<'a>,
}

impl<'a> Search<'a> {
    /// For neighbors closer than `support` (m), which must not be more than the grid's.
    pub(super) fn new(grid: &'a Grid, support: f64) -> Self {
        let square = F32x8::of(support * support);
        Self { grid, square, nearby: grid.nearby() }
    }

    /// The slots near `slot`, in ascending order, itself left out; at most [`MOST`], where at rest a particle has
    /// about 33 within four radii.
    pub(super) fn find(&mut self, slot: usize, found: &mut Candidates) {
        found.end(0);
        let point = self.grid.point_at(slot);
        let x = Vec3::of(point.map(f64::from));
        let (columns, mut len) = (self.grid.columns(), 0);
        for range in self.nearby.of(point).iter() {
            let range = stretch(range, slot);
            for at in range.clone().step_by(WIDTH) {
                let d = points8(columns, at) - x;
                let close = lane_bits(d.dot(d).lt(self.square));
                let within = (1 << (range.end - at).min(WIDTH)) - 1;
                // The slot itself, where it is one of these eight.
                let own = slot.wrapping_sub(at);
                let own = u32::from(own < WIDTH) << (own % WIDTH);
                len = found.write(len, at, close & within & !own);
            }
            if len == MOST {
                break;
            }
        }
        found.end(len);
    }
}
