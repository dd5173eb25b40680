//! Who is near whom in a fluid, by the grid's slots, eight candidates at a time.

use crate::collision::grid::{Grid, Ranges, points8};
use crate::math::{F32x8, Real, Vec3, WIDTH, lane_bits};
use std::ops::Range;

/// The most neighbors of a particle; at rest it has about 33 within four radii.
pub(super) const MOST_NEAR: usize = 256;
/// The most candidates taken from a range of cells, those around the particle's own slot: where thousands lie in one
/// cell, the time stays bounded.
pub(super) const LONGEST: usize = 2048;

/// The lanes of every set of eight bits, ascending; what follows them is of no account. (As `u8` the table is a quarter, and
/// widening what is read costs a fifth of the search.)
const LANES: [[u32; WIDTH]; 256] = {
    let mut all = [[0; WIDTH]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < WIDTH {
            if bits >> lane & 1 == 1 {
                all[bits][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    all
};

/// The slots found near a particle.
pub(super) struct Found {
    /// Eight are written at a time, however few are meant.
    list: [u32; MOST_NEAR + WIDTH],
    len: usize,
}

impl Default for Found {
    fn default() -> Self {
        let list = [0; MOST_NEAR + WIDTH];
        Self { list, len: 0 }
    }
}

impl Found {
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn list(&self) -> &[u32] {
        &self.list[..self.len]
    }

    /// Adds `at` + k for every bit k behind `len`, without a branch: which bits are set cannot be foretold. Returns the length.
    #[inline(always)]
    fn add(&mut self, len: usize, at: usize, bits: u32) -> usize {
        let lanes = LANES[bits as usize % LANES.len()];
        let free = &mut self.list[len..len + WIDTH];
        for (free, lane) in free.iter_mut().zip(lanes) {
            *free = at as u32 + lane;
        }
        (len + bits.count_ones() as usize).min(MOST_NEAR)
    }
}

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
    /// The cell of the last slot, and the slots near it.
    last: Option<([i32; 3], Ranges)>,
}

impl<'a> Search<'a> {
    /// For neighbors closer than `support` (m), which must not be more than the grid's.
    pub(super) fn new(grid: &'a Grid, support: f64) -> Self {
        let square = F32x8::of(support * support);
        Self { grid, square, last: None }
    }

    /// The slots near `slot`, in ascending order, itself left out; at most [`MOST_NEAR`].
    pub(super) fn find(&mut self, slot: usize, found: &mut Found) {
        found.len = 0;
        let point = self.grid.point_at(slot);
        let cell = self.grid.cell(point);
        if self.last.as_ref().is_none_or(|(last, _)| *last != cell) {
            self.last = Some((cell, self.grid.near(point)));
        }
        let Some((_, ranges)) = &self.last else {
            return;
        };
        let x = Vec3::of(point.map(f64::from));
        let (columns, mut len) = (self.grid.columns(), 0);
        for range in ranges.iter() {
            let range = stretch(range, slot);
            for at in range.clone().step_by(WIDTH) {
                let d = points8(columns, at) - x;
                let close = lane_bits(d.dot(d).lt(self.square));
                let within = (1 << (range.end - at).min(WIDTH)) - 1;
                // The slot itself, where it is one of these eight.
                let own = slot.wrapping_sub(at);
                let own = u32::from(own < WIDTH) << (own % WIDTH);
                len = found.add(len, at, close & within & !own);
            }
            if len == MOST_NEAR {
                break;
            }
        }
        found.len = len;
    }
}
