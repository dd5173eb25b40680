//! Triangle: a point stays at least `h` above a triangle, on the side its normal points to.
//!
//! C = (q - x1)·n - h >= 0 with n = (x2 - x1) × (x3 - x1) normalized (S1-24; Müller et al., *Position Based Dynamics*, 2006,
//! section 4.3, 5.2). The normal turns with the triangle: with m the normal before normalizing, l = |m| and the part
//! t = (q - x1) - n (n·(q - x1)) of the offset that lies in the plane,
//!
//! ```text
//! ∇q = n,   ∇x2 = (x3 - x1) × t / l,   ∇x3 = t × (x2 - x1) / l,   ∇x1 the negative sum
//! ```
//!
//! which leaves no force and no torque (S1-15). Units: metres. The gradient's scale is l. For a point that comes from the
//! other side, name two corners in the other order. A triangle without area has no side: no correction.

use super::{Constraint, Contact, Param, Range, Row, Sense, Source};
use crate::math::{Real, Vec3};

/// C = (q - x1)·n - h >= 0.
#[derive(Clone, Copy, Debug)]
pub struct Triangle;

impl Constraint<4, 1> for Triangle {
    const REGISTERED: bool = true;
    const NAME: &'static str = "triangle";
    const EQUATION: &'static str = "(q - x1) . n - thickness >= 0";
    const PARAMS: [Param; 1] =
        [Param::new("thickness", "m", Range::NOT_NEGATIVE, Source::Required)];
    const SENSE: Sense = Sense::Inequality;

    #[inline(always)]
    fn evaluate<R: Real>([q, x1, x2, x3]: [Vec3<R>; 4], [h]: [R; 1]) -> [Row<R, 4>; 1] {
        let (d, e1, e2) = (q - x1, x2 - x1, x3 - x1);
        let m = e1.cross(e2);
        let mm = m.dot(m);
        let sound = R::zero().lt(mm) & mm.lt(R::huge());
        let l = R::select(sound, mm.sqrt(), R::zero());
        // d = m u + t.
        let u = m.dot(d).over_positive(mm);
        let t = Vec3::select(sound, d - m * u, Vec3::zero());
        let (g2, g3) = (e2.cross(t), t.cross(e1));
        let gq = Vec3::select(sound, m, Vec3::zero());
        [Row { c: R::select(sound, u * l - h, R::zero()), g: [gq, -(gq + g2 + g3), g2, g3], n: l }]
    }
}

impl Contact<4, 1> for Triangle {
    const SIDE: usize = 1;
}
