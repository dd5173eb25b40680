//! Edge against edge: two segments stay at least `h` apart.
//!
//! C = |p - q| - h >= 0, p = a + s (b - a) and q = c + t (d - c) the closest points of the two segments, clamped to them
//! (Ericson, *Real-Time Collision Detection*, 2005, section 5.1.9; S1-04, S1-24). At the closest points the distance does
//! not change with s and t to first order, nor where they are clamped, so with r = p - q
//!
//! ```text
//! ∇a = (1 - s) r / |r|,   ∇b = s r / |r|,   ∇c = (t - 1) r / |r|,   ∇d = -t r / |r|
//! ```
//!
//! is the whole gradient. Units: metres. The gradient's scale is |r|. Parallel segments have many closest pairs, of which
//! one is taken; segments that cross have no direction to part in and get no correction.

use super::{Constraint, Contact, Param, Range, Row, Sense, Source};
use crate::math::{Real, Vec3};

/// C = |p - q| - h >= 0.
#[derive(Clone, Copy, Debug)]
pub struct EdgeEdge;

impl Constraint<4, 1> for EdgeEdge {
    const REGISTERED: bool = true;
    const NAME: &'static str = "edge_edge";
    const EQUATION: &'static str = "|p - q| - thickness >= 0, p on ab and q on cd closest";
    const PARAMS: [Param; 1] =
        [Param::new("thickness", "m", Range::NOT_NEGATIVE, Source::Required)];
    const SENSE: Sense = Sense::Inequality;

    #[inline(always)]
    fn evaluate<R: Real>([a, b, c, d]: [Vec3<R>; 4], [h]: [R; 1]) -> [Row<R, 4>; 1] {
        let (u, v, w) = (b - a, d - c, a - c);
        let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
        let (uw, vw) = (u.dot(w), v.dot(w));
        let unit = |numerator: R, denominator: R| {
            let ratio = numerator.over_positive(denominator);
            ratio.clamp(R::zero(), R::of(1.0))
        };
        // The lines' closest s, then t on the segment for that s, then s again for that t: exact wherever t was clamped,
        // and where parallel lines leave the first s to rounding.
        let s = unit(uv * vw - uw * vv, uu * vv - uv * uv);
        let t = unit(uv * s + vw, vv);
        let s = unit(uv * t - uw, uu);
        let r = w + u * s - v * t;
        let n = r.length();
        let (p, q) = (r * s, r * t);
        [Row { c: n - h, g: [r - p, p, q - r, -q], n }]
    }
}

impl Contact<4, 1> for EdgeEdge {
    const SIDE: usize = 2;
}
