//! Strain of a triangle: its two stretches and its shear stay as at rest; three equations, one element.
//!
//! With the columns f_i of the deformation gradient F (see `element`; S = Fᵀ F, S_ij = f_i·f_j):
//!
//! ```text
//! C_0 = |f_0| - 1,  C_1 = |f_1| - 1,  C_2 = f_0·f_1
//! ```
//!
//! (Müller, Chentanez, Kim, Macklin, *Strain Based Dynamics*, 2014: the stretches in their linear form sqrt(S_ii) - 1,
//! which one projection solves; S1-19, S2-08.) Units: C is a pure number. The material axes are the first edge and its
//! normal. The stretches' scale is |f_i|: a column of length zero gets no correction. A rest triangle without area is
//! refused.

use super::{Constraint, Param, Row, ValidationError, element};
use crate::math::{Real, Vec3};

/// |f_i| - 1 and f_0·f_1.
#[derive(Clone, Copy, Debug)]
pub struct StrainTriangle;

impl Constraint<3, 3, 3> for StrainTriangle {
    const REGISTERED: bool = true;
    const NAME: &'static str = "strain_triangle";
    const EQUATION: &'static str = "|f_i| - 1 = 0, f_0 . f_1 = 0";
    const PARAMS: [Param; 3] = [Param::derived("inverse_rest", "1/m"); 3];

    #[inline(always)]
    fn evaluate<R: Real>(x: [Vec3<R>; 3], q: [R; 3]) -> [Row<R, 3>; 3] {
        let one = R::of(1.0);
        let [f0, f1] = element::triangle_columns(x, q);
        let (n0, n1) = (f0.length(), f1.length());
        let row = |c, n, h| Row { c, g: element::triangle_gradient(h, q), n };
        [
            row(n0 - one, n0, [f0, Vec3::zero()]),
            row(n1 - one, n1, [Vec3::zero(), f1]),
            row(f0.dot(f1), one, [f1, f0]),
        ]
    }

    fn rest(x: [Vec3<f64>; 3], _: [Option<f64>; 3]) -> Result<[Option<f64>; 3], ValidationError> {
        element::triangle_inverse(x).map(|q| q.map(Some))
    }
}
