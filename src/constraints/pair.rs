//! Pair: two points stay at least `r` apart, such as the centers of two balls.
//!
//! C = |a - b| - r >= 0, with gradients ±(a - b) / |a - b| (S1-04, S1-19; Macklin et al., *Unified Particle Physics*, 2014,
//! section 4). Units: metres. The gradient's scale is the length, as of `distance`; coincident points have no direction
//! to part in and get no correction.

use super::{Constraint, Contact, Param, Range, Row, Sense, Source};
use crate::math::{Real, Vec3};

/// C = |a - b| - r >= 0.
#[derive(Clone, Copy, Debug)]
pub struct Pair;

impl Constraint<2, 1> for Pair {
    const REGISTERED: bool = true;
    const NAME: &'static str = "pair";
    const EQUATION: &'static str = "|a - b| - radius >= 0";
    const PARAMS: [Param; 1] = [Param::new("radius", "m", Range::NOT_NEGATIVE, Source::Required)];
    const SENSE: Sense = Sense::Inequality;
    const PAIR: bool = true;

    #[inline(always)]
    fn evaluate<R: Real>([a, b]: [Vec3<R>; 2], [r]: [R; 1]) -> [Row<R, 2>; 1] {
        let g = a - b;
        let n = g.length();
        [Row { c: n - r, g: [g, -g], n }]
    }
}

impl Contact<2, 1> for Pair {
    const SIDE: usize = 1;
    const SHARES: Option<[f64; 2]> = Some([1.0, -1.0]);
}
