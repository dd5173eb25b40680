//! Bending: two triangles on a common edge keep the angle between them.
//!
//! C = φ - φ0 with φ = arccos(n1·n2), n1 = e × a and n2 = e × b normalized, of the edge e = e1 - e0 and the wings
//! a = w0 - e0 and b = w1 - e0 (S1-23; Müller et al., *Position Based Dynamics*, 2006, eq. 25-29): a flat sheet has φ = π.
//! As n1 × n2 = e (n1·b), the angle is atan2(|e| |n1·b|, n1·n2) before normalizing, finite and exact at flat and folded
//! where arccos is singular (erratum E10). It is unsigned; σ = ±1 is the side the fold lies on. Per wing the gradient is
//!
//! ```text
//! ∇w0 = -σ n1 |e| / |n1|²,   ∇w1 = σ n2 |e| / |n2|²,   ∇e1 = -t0 ∇w0 - t1 ∇w1,   t = (wing·e) / |e|²
//! ```
//!
//! and that of e0 the negative sum, so no force and no torque is left (S1-15): the paper's gradient without its 0/0.
//! Units: radians. A triangle without area has no normal: no correction. An exactly flat or folded pair, whose unsigned
//! angle has no gradient, is taken to lie on the side σ = 1.

use super::{Constraint, Param, Range, Row, Source, ValidationError};
use crate::math::{Real, Vec3};
use std::f64::consts::PI;

/// C = arccos(n1·n2) - φ0.
#[derive(Clone, Copy, Debug)]
pub struct Bending;

impl Constraint<4, 1> for Bending {
    const REGISTERED: bool = true;
    const NAME: &'static str = "bending";
    const EQUATION: &'static str = "arccos(n1 . n2) - angle = 0";
    const PARAMS: [Param; 1] = [Param::new(
        "angle",
        "rad",
        Range {
            least: 0.0,
            most: std::f32::consts::PI as f64, // as rounded: a flat sheet's own angle is allowed
            open: false,
            rule: "must lie in 0..pi",
        },
        Source::Measured,
    )];

    #[inline(always)]
    fn evaluate<R: Real>([e0, e1, w0, w1]: [Vec3<R>; 4], [rest]: [R; 1]) -> [Row<R, 4>; 1] {
        let (zero, one) = (R::zero(), R::of(1.0));
        let (e, a, b) = (e1 - e0, w0 - e0, w1 - e0);
        let (n1, n2) = (e.cross(a), e.cross(b));
        let (ee, nn1, nn2) = (e.dot(e), n1.dot(n1), n2.dot(n2));
        let length = ee.sqrt();
        let side = n1.dot(b);
        // π - φ, which keeps its digits where a sheet is nearly flat: φ itself is rounded to 2e-7.
        let fold = Real::atan2(length * side.abs(), -n1.dot(n2));

        let huge = R::huge();
        let sound = zero.lt(nn1) & zero.lt(nn2) & nn1.lt(huge) & nn2.lt(huge);
        let sign = R::select(side.lt(zero), -length, length);
        let g2 = n1 * R::select(sound, -sign / nn1, zero);
        let g3 = n2 * R::select(sound, sign / nn2, zero);
        let t = R::select(sound, one / ee, zero);
        let g1 = -(g2 * (a.dot(e) * t) + g3 * (b.dot(e) * t));
        [Row {
            c: R::select(sound, (R::of(PI) - rest) - fold, zero),
            g: [-(g1 + g2 + g3), g1, g2, g3],
            n: R::select(sound, one, zero),
        }]
    }

    fn rest(
        [e0, e1, w0, w1]: [Vec3<f64>; 4],
        [angle]: [Option<f64>; 1],
    ) -> Result<[Option<f64>; 1], ValidationError> {
        let e = e1 - e0;
        let (n1, n2) = (e.cross(w0 - e0), e.cross(w1 - e0));
        let measured = Real::atan2(n1.cross(n2).length(), n1.dot(n2));
        Ok([angle.or(Some(measured))])
    }
}
