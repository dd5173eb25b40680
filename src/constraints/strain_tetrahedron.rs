//! Strain of a tetrahedron: its three stretches and three shears stay as at rest; six equations, one element.
//!
//! With the columns f_i of the deformation gradient F (see `element`; S = Fᵀ F, S_ij = f_i·f_j):
//!
//! ```text
//! C_i = |f_i| - 1 for i = 0, 1, 2;   C_3 = f_0·f_1,  C_4 = f_0·f_2,  C_5 = f_1·f_2
//! ```
//!
//! (Müller, Chentanez, Kim, Macklin, *Strain Based Dynamics*, 2014: the stretches in their linear form sqrt(S_ii) - 1,
//! which one projection solves; S1-19, S2-08.) Units: C is a pure number. The material axes are the first edge, its
//! normal in the first triangle and the normal of both. Strain does not see inversion: beside it stands `volume`. The
//! stretches' scale is |f_i|: a column of length zero gets no correction. A rest tetrahedron without volume is refused.

use super::{Constraint, Param, Row, ValidationError, element};
use crate::math::{Real, Vec3};

/// |f_i| - 1 and f_i·f_j.
#[derive(Clone, Copy, Debug)]
pub struct StrainTetrahedron;

impl Constraint<4, 6, 6> for StrainTetrahedron {
    const REGISTERED: bool = true;
    const NAME: &'static str = "strain_tetrahedron";
    const EQUATION: &'static str = "|f_i| - 1 = 0, f_i . f_j = 0";
    const PARAMS: [Param; 6] = [Param::derived("inverse_rest", "1/m"); 6];

    #[inline(always)]
    fn evaluate<R: Real>(x: [Vec3<R>; 4], q: [R; 6]) -> [Row<R, 4>; 6] {
        let (zero, one) = (Vec3::zero(), R::of(1.0));
        let [f0, f1, f2] = element::tetrahedron_columns(x, q);
        let [n0, n1, n2] = [f0, f1, f2].map(Vec3::length);
        let row = |c, n, h| Row { c, g: element::tetrahedron_gradient(h, q), n };
        [
            row(n0 - one, n0, [f0, zero, zero]),
            row(n1 - one, n1, [zero, f1, zero]),
            row(n2 - one, n2, [zero, zero, f2]),
            row(f0.dot(f1), one, [f1, f0, zero]),
            row(f0.dot(f2), one, [f2, zero, f0]),
            row(f1.dot(f2), one, [zero, f2, f1]),
        ]
    }

    fn rest(x: [Vec3<f64>; 4], _: [Option<f64>; 6]) -> Result<[Option<f64>; 6], ValidationError> {
        element::tetrahedron_inverse(x).map(|q| q.map(Some))
    }
}
