//! Tether: two points come no further apart than `d`; a rope, or a long-range attachment.
//!
//! C = d - |a - b| >= 0, with gradients ∓(a - b) / |a - b| (S1-04, S1-22; Kim et al., *Long Range Attachments*, 2012).
//! Units: metres. The gradient's scale is the length, as of `distance`; coincident points get no correction.

use super::{Constraint, Param, Row, Sense, ValidationError};
use crate::math::{Real, Vec3};

/// C = d - |a - b| >= 0.
#[derive(Clone, Copy, Debug)]
pub struct Tether;

impl Constraint<2, 1> for Tether {
    const REGISTERED: bool = true;
    const NAME: &'static str = "tether";
    const EQUATION: &'static str = "rest_length - |a - b| >= 0";
    const PARAMS: [Param; 1] = [Param::REST_LENGTH];
    const PAIR: bool = true;
    const SENSE: Sense = Sense::Inequality;

    #[inline(always)]
    fn evaluate<R: Real>([a, b]: [Vec3<R>; 2], [d]: [R; 1]) -> [Row<R, 2>; 1] {
        let g = b - a;
        let n = g.length();
        [Row { c: d - n, g: [g, -g], n }]
    }

    fn rest(
        [a, b]: [Vec3<f64>; 2],
        [d]: [Option<f64>; 1],
    ) -> Result<[Option<f64>; 1], ValidationError> {
        Ok([d.or_else(|| Some((a - b).length()))])
    }
}
