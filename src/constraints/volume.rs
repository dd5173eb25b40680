//! Volume: a tetrahedron keeps its signed volume.
//!
//! C = (b - a)·((c - a) × (d - a)) / 6 - V0, with the gradient of b (c - a) × (d - a) / 6, those of c and d in turn and
//! that of a the negative sum (S1-19, S2-08; Bender, Müller, Macklin, *A Survey on Position Based Dynamics*, 2017,
//! section 5.3). The 1/6 belongs to the gradient too: without it λ and the compliance are off by it. Units: m³; a
//! compliance is in m³/N·m². The gradient's scale is 6. A tetrahedron shrunk to a line has no gradient and gets no
//! correction; an inverted one is turned back, as the volume is signed.

use super::{Constraint, Param, Range, Row, Source, ValidationError};
use crate::math::{Real, Vec3};

/// C = (b - a)·((c - a) × (d - a)) / 6 - V0.
#[derive(Clone, Copy, Debug)]
pub struct Volume;

impl Constraint<4, 1> for Volume {
    const REGISTERED: bool = true;
    const NAME: &'static str = "volume";
    const EQUATION: &'static str = "(b - a) . ((c - a) x (d - a)) / 6 - rest_volume = 0";
    const PARAMS: [Param; 1] = [Param::new("rest_volume", "m^3", Range::ANY, Source::Measured)];

    #[inline(always)]
    fn evaluate<R: Real>([a, b, c, d]: [Vec3<R>; 4], [rest]: [R; 1]) -> [Row<R, 4>; 1] {
        let (b, c, d) = (b - a, c - a, d - a);
        let (gb, gc, gd) = (c.cross(d), d.cross(b), b.cross(c));
        let volume = b.dot(gb) * R::of(1.0 / 6.0);
        [Row {
            c: (volume - rest).finite_or_zero(),
            g: [-(gb + gc + gd), gb, gc, gd],
            n: R::of(6.0),
        }]
    }

    fn rest(
        [a, b, c, d]: [Vec3<f64>; 4],
        [volume]: [Option<f64>; 1],
    ) -> Result<[Option<f64>; 1], ValidationError> {
        let measured = (b - a).dot((c - a).cross(d - a)) / 6.0;
        Ok([volume.or(Some(measured))])
    }
}
