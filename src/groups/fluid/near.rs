//! Who is near whom in a fluid, by the grid's places, eight candidates at a time.

use crate::collision::grid::{Grid, Ranges};
use crate::lanes::{F32x8, Real, Vec3, WIDTH, lane_bits, lanes_below};

/// The most neighbors of a particle; at rest it has about 33 within four radii.
pub(super) const MOST_NEAR: usize = 256;
/// The most candidates taken from a range of cells, those around the particle's own place: where thousands lie in one
/// cell, the time stays bounded.
const LONGEST: usize = 2048;

/// A search along the places of a grid.
pub(super) struct Search<'a> {
    grid: &'a Grid,
    square: F32x8,
    /// The cell of the last place, and the places near it.
    last: Option<([i32; 3], Ranges)>,
}

impl<'a> Search<'a> {
    /// For neighbors closer than `reach` (m), which must not be more than the grid's.
    pub(super) fn new(grid: &'a Grid, reach: f64) -> Self {
        let square = F32x8::of(reach * reach);
        Self {
            grid,
            square,
            last: None,
        }
    }

    /// The places near `place`, in ascending order, itself left out; at most [`MOST_NEAR`].
    pub(super) fn find(&mut self, place: usize, found: &mut Vec<u32>) {
        found.clear();
        let point = self.grid.point_at(place);
        let cell = self.grid.cell(point);
        let (_, ranges) = match self.last.take() {
            Some(last) if last.0 == cell => self.last.insert(last),
            _ => self.last.insert((cell, self.grid.near(point))),
        };
        let x = Vec3::of(point.map(f64::from));
        for range in ranges.iter() {
            let first = place.saturating_sub(LONGEST / 2);
            let first = first.clamp(
                range.start,
                range.end.saturating_sub(LONGEST).max(range.start),
            );
            let end = range.end.min(first + LONGEST);
            for at in (first..end).step_by(WIDTH) {
                let d = self.grid.points8(at) - x;
                let close = d.dot(d).lt(self.square) & lanes_below(end - at);
                let mut bits = lane_bits(close);
                if place.wrapping_sub(at) < WIDTH {
                    bits &= !(1 << (place - at));
                }
                while bits != 0 {
                    if found.len() == MOST_NEAR {
                        return;
                    }
                    found.push((at + bits.trailing_zeros() as usize) as u32);
                    bits &= bits - 1;
                }
            }
        }
    }
}
