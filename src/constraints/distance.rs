//! Distance: two points stay `d` apart.
//!
//! C = |a - b| - d, with gradients ±(a - b) / |a - b| (S0-06, S0-07, S1-22; Müller et al., *Position Based Dynamics*, 2006,
//! section 3.3). Units: metres. The gradient's scale is the length itself, so one division serves the whole projection;
//! coincident points have no direction and get no correction.

use super::{Constraint, Param, Row, ValidationError};
use crate::math::{Real, Vec3};

/// C = |a - b| - d.
#[derive(Clone, Copy, Debug)]
pub struct Distance;

impl Constraint<2, 1> for Distance {
    const REGISTERED: bool = true;
    const NAME: &'static str = "distance";
    const EQUATION: &'static str = "|a - b| - rest_length = 0";
    const PARAMS: [Param; 1] = [Param::REST_LENGTH];
    const PAIR: bool = true;

    #[inline(always)]
    fn evaluate<R: Real>([a, b]: [Vec3<R>; 2], [d]: [R; 1]) -> [Row<R, 2>; 1] {
        let g = a - b;
        let n = g.length();
        [Row { c: n - d, g: [g, -g], n }]
    }

    fn rest(
        [a, b]: [Vec3<f64>; 2],
        [d]: [Option<f64>; 1],
    ) -> Result<[Option<f64>; 1], ValidationError> {
        Ok([d.or_else(|| Some((a - b).length()))])
    }
}
