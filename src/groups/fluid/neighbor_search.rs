//! Who is near whom in a fluid, by the grid's slots, eight candidates at a time.

use super::authored::Fluid;
use crate::collision::candidates::{Candidates, MOST};
use crate::collision::grid::{Grid, Nearby, points8};
use crate::math::{F32x8, Real, Vec3, WIDTH, lane_bits};
use crate::settings::Settings;
use std::ops::Range;

/// The most candidates taken from a range of cells, those around the particle's own slot: where thousands lie in one
/// cell, the time stays bounded.
pub(super) const LONGEST: usize = 2048;

/// How far gravity may move a particle in a substep, in parts of the distance of two, before neighbors are looked for beyond the support.
const FALL: f64 = 0.1;
/// How much farther they are then looked for, times what it falls beyond that, and at most so many distances.
const FARTHER: f64 = 5.0;
const FARTHEST: f64 = 1.0;
/// Beyond the support never farther than this, in radii: 217 stand around one at rest, and a particle has at most 256.
const WIDEST: f64 = 7.5;

/// How far off neighbors are looked for (m). They are found once a substep, after prediction, and the projection then moves
/// particles by about what gravity did, g h². Who comes within the support only then must be known too, or nothing keeps the two apart: small
/// particles, which fall far for their size, boiled for ever.
pub(super) fn reach(fluid: &Fluid, settings: &Settings) -> f64 {
    let (support, radius) = (fluid.support(), fluid.numbers().radius);
    let spacing = 2.0 * radius;
    let farther = (FARTHER * (fluid.fall(settings) - FALL)).clamp(0.0, FARTHEST) * spacing;
    (support + farther).min(support.max(WIDEST * radius))
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
    nearby: Nearby<'a>,
}

impl<'a> Search<'a> {
    /// For neighbors closer than `reach` (m), which must not be more than the grid's.
    pub(super) fn new(grid: &'a Grid, reach: f64) -> Self {
        let square = F32x8::of(reach * reach);
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
