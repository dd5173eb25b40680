//! Plane: a point stays on the side of a fixed plane that its normal points to.
//!
//! C = (a - p)·n >= 0 with |n| = 1, and gradient n (S1-04, S1-24, S2-05; Müller et al., *Position Based Dynamics*, 2006,
//! section 3.4). Units: metres. The plane does not move, so this is the one kind that does not keep the momentum; the
//! normal is normalized once, and one of length zero is refused.

use super::{Constraint, Contact, Param, Row, Sense, ValidationError};
use crate::math::{Real, Vec3, hypotenuse};

/// C = (a - p)·n >= 0.
#[derive(Clone, Copy, Debug)]
pub struct Plane;

impl Constraint<1, 6> for Plane {
    const REGISTERED: bool = true;
    const NAME: &'static str = "plane";
    const EQUATION: &'static str = "(a - point) . normal >= 0";
    const PARAMS: [Param; 6] = [
        Param::component("point", "m", 0),
        Param::component("point", "m", 1),
        Param::component("point", "m", 2),
        Param::component("normal", "1", 0),
        Param::component("normal", "1", 1),
        Param::component("normal", "1", 2),
    ];
    const SENSE: Sense = Sense::Inequality;

    #[inline(always)]
    fn evaluate<R: Real>([a]: [Vec3<R>; 1], [px, py, pz, nx, ny, nz]: [R; 6]) -> [Row<R, 1>; 1] {
        let normal = Vec3::new(nx, ny, nz);
        [Row { c: (a - Vec3::new(px, py, pz)).dot(normal), g: [normal], n: R::of(1.0) }]
    }

    /// The normal, made a unit vector.
    fn rest(
        _: [Vec3<f64>; 1],
        mut given: [Option<f64>; 6],
    ) -> Result<[Option<f64>; 6], ValidationError> {
        if let [.., Some(x), Some(y), Some(z)] = given {
            let length = hypotenuse(hypotenuse(x, y), z);
            if length <= 0.0 {
                return Err(ValidationError {
                    name: "length of normal",
                    value: length,
                    rule: "must not be zero",
                });
            }
            for (out, v) in given[3..].iter_mut().zip([x, y, z]) {
                *out = Some(v / length);
            }
        }
        Ok(given)
    }
}

impl Contact<1, 6> for Plane {
    const SIDE: usize = 1;
    const SHARES: Option<[f64; 1]> = Some([1.0]);
}
