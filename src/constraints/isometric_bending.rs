//! Isometric bending: two triangles on a common edge keep their mean curvature, that of a flat sheet being zero.
//!
//! C = ½ Σ Q_ij x_i·x_j with Q = 3 / (A0 + A1) k kᵀ and k made of the cotangents c of the rest triangles' angles at the edge
//! e0 e1 (Bergou et al., *A Quadratic Bending Model for Inextensible Surfaces*, 2006; Bender, Müller, Macklin, *A Survey
//! on Position Based Dynamics*, 2017, section 5.2.2; S1-23):
//!
//! ```text
//! k = (c03 + c04, c01 + c02, -c01 - c03, -c02 - c04)   01, 02: at e0 towards w0, w1;   03, 04: at e1 towards w0, w1
//! ```
//!
//! Q has rank one, so C = ½ |v|² with v = Σ κ_i x_i and κ = k sqrt(3 / (A0 + A1)), and ∇_i C = κ_i v: positive
//! semi-definite as it stands, and three numbers to keep (Σ κ = 0). Measured from e0, so that a far origin costs nothing.
//! Units: C is a pure number, its compliance 1/(N m). A rest triangle without area has no cotangents and is refused; a
//! flat sheet has v = 0 and gets no correction.

use super::{Constraint, Param, Row, ValidationError, element};
use crate::math::{Real, Vec3};

/// C = ½ Σ Q_ij x_i·x_j.
#[derive(Clone, Copy, Debug)]
pub struct IsometricBending;

impl Constraint<4, 3> for IsometricBending {
    const REGISTERED: bool = true;
    const NAME: &'static str = "isometric_bending";
    const EQUATION: &'static str = "1/2 sum Q_ij x_i . x_j = 0";
    const PARAMS: [Param; 3] = [Param::derived("kappa", "1/m"); 3];

    #[inline(always)]
    fn evaluate<R: Real>([e0, e1, w0, w1]: [Vec3<R>; 4], k: [R; 3]) -> [Row<R, 4>; 1] {
        let v = (e1 - e0) * k[0] + (w0 - e0) * k[1] + (w1 - e0) * k[2];
        [Row {
            c: v.dot(v) * R::of(0.5),
            g: [v * -(k[0] + k[1] + k[2]), v * k[0], v * k[1], v * k[2]],
            n: R::of(1.0),
        }]
    }

    fn rest(
        [e0, e1, w0, w1]: [Vec3<f64>; 4],
        _: [Option<f64>; 3],
    ) -> Result<[Option<f64>; 3], ValidationError> {
        let a0 = element::rest_area([e0, e1, w0])?;
        let a1 = element::rest_area([e0, e1, w1])?;
        let cotangent = |u: Vec3<f64>, v: Vec3<f64>| u.dot(v) / u.cross(v).length();
        let e = e1 - e0;
        let (c01, c02) = (cotangent(e, w0 - e0), cotangent(e, w1 - e0));
        let (c03, c04) = (cotangent(-e, w0 - e1), cotangent(-e, w1 - e1));
        let scale = (3.0 / (a0 + a1)).sqrt();
        Ok([c01 + c02, -c01 - c03, -c02 - c04].map(|k| Some(k * scale)))
    }
}
