//! The point of a triangle closest to another point, in f64 (m), and the distance alone, for lanes.

use crate::constraints::{Constraint, Row, Triangle};
use crate::math::{Real, Vec3};

/// Which part of a triangle is closest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Feature {
    /// Its inside.
    Face,
    /// The side from this corner to the next.
    Side(usize),
    /// This corner.
    Corner(usize),
}

/// The point of a triangle closest to `p` (Ericson, *Real-Time Collision Detection*, 2005, section 5.1.5).
pub(crate) fn closest_point(p: Vec3<f64>, [a, b, c]: [Vec3<f64>; 3]) -> (Vec3<f64>, Feature) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Feature::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Feature::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Feature::Side(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Feature::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Feature::Side(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (b + (c - b) * along, Feature::Side(1));
    }
    let all = va + vb + vc;
    (a + ab * (vb / all) + ac * (vc / all), Feature::Face)
}

/// Which lanes of a row of `triangle` have the foot of their point within the triangle, its sides included: gradients are -m
/// times the foot's barycentric coordinates, m along the normal.
#[inline(always)]
pub(super) fn foot_within<R: Real>(row: &Row<R, 4>) -> R::Mask {
    let [m, a, b, c] = row.g;
    let within = |g: Vec3<R>| (R::of(-1e-4) * (row.n * row.n)).lt(-m.dot(g));
    within(a) & within(b) & within(c)
}

/// How far `p` is from a triangle, and its row of `triangle` at thickness zero: the distance from the plane where the foot
/// lies within, else from the nearest side. Of a sliver the nearest side: its normal, in f32, points anywhere.
#[inline(always)]
pub(super) fn distance<R: Real>(p: Vec3<R>, [a, b, c]: [Vec3<R>; 3]) -> (R, Row<R, 4>) {
    let side = |x: Vec3<R>, y: Vec3<R>| {
        let (d, e) = (p - x, y - x);
        let along = e.dot(d).over_positive(e.dot(e));
        let r = d - e * along.clamp(R::zero(), R::of(1.0));
        r.dot(r)
    };
    let nearest = side(a, b).min(side(b, c)).min(side(c, a)).sqrt();
    let [row] = Triangle::evaluate([p, a, b, c], [R::zero()]);
    let (e1, e2) = (b - a, c - a);
    let sliver = R::of(1e-6) * e1.dot(e1) * e2.dot(e2) + R::of(1e-30);
    let flat = sliver.lt(row.n * row.n) & foot_within(&row);
    (R::select(flat, row.c.abs(), nearest), row)
}
