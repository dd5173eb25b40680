//! Cylinders and cones: a frustum about the y axis, in closed form.
//!
//! With ρ² = x² + z² it is the trapezoid between the two ends and the line from one rim to the other, turned about the axis:
//!
//! ```text
//! R(y) = r0 + k (y - y0)     k = (r1 - r0) / (y1 - y0)     s(ρ, y) = (ρ - R(y)) / sqrt(1 + k²)
//! ```
//!
//! A path meets the side where |ρ(t)|² = R(y(t))². ρ(t) - R(t) is convex, so the path is within the side for one interval of t.

use crate::math::{Quat, Real, Vec3};
use crate::state;

/// Far beyond any path's parameter.
pub(super) const NEVER: f64 = 1e30;

/// A cylinder, a cone or what is between, about the y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    /// The heights of its lower and its upper end (m).
    pub ends: [f64; 2],
    /// The radii there (m); one of them may be zero.
    pub radii: [f64; 2],
}

impl Frustum {
    /// What a body of that shape is about its center of mass, if it is a cylinder or a cone.
    pub fn of_body(shape: &state::Shape) -> Option<Self> {
        match *shape {
            state::Shape::Cylinder([r, h]) => Some(Self { ends: [-h, h], radii: [r, r] }),
            state::Shape::Cone([r, h]) => Some(Self { ends: [-0.5 * h, 1.5 * h], radii: [r, 0.0] }),
            _ => None,
        }
    }

    /// dR/dy and the length of the side's normal (1, -dR/dy).
    pub(crate) fn slope(&self) -> (f64, f64) {
        let k = (self.radii[1] - self.radii[0]) / (self.ends[1] - self.ends[0]);
        (k, (1.0 + k * k).sqrt())
    }

    /// Signed distance and outward normal at `y`.
    #[inline(always)]
    pub(super) fn surface<R: Real>(&self, y: Vec3<R>) -> (R, Vec3<R>) {
        let (zero, one) = (R::zero(), R::of(1.0));
        let ([low, high], [r0, r1]) = (self.ends.map(R::of), self.radii.map(R::of));
        let (k, length) = self.slope();
        let (k, unit) = (R::of(k), R::of(1.0 / length));
        let rho = (y.x * y.x + y.z * y.z).sqrt();
        let below = low - y.y;
        let above = y.y - high;
        let beside = (rho - r0 - k * (y.y - low)) * unit;
        // From the lower rim to the upper, in parts of the way.
        let (dr, dy) = (self.radii[1] - self.radii[0], self.ends[1] - self.ends[0]);
        let square = dr * dr + dy * dy;
        let t = (rho - r0) * R::of(dr / square) + (y.y - low) * R::of(dy / square);
        let rim = |a: R, b: R| R::select(t.lt(R::of(0.5)), a, b);
        let (out, up) = (rho - rim(r0, r1), y.y - rim(low, high));
        let far = (out * out + up * up).sqrt();
        let by = one.over_positive(far);
        // (distance, normal's part along ρ, along y): of the side, the ends, the rims.
        let side = (beside, unit, -k * unit);
        let choose = |m: R::Mask, (d, r, y): (R, R, R), (e, q, z): (R, R, R)| {
            (R::select(m, d, e), R::select(m, r, q), R::select(m, y, z))
        };
        let (lower, upper) = ((below, zero, -one), (above, zero, one));
        let deepest = choose(beside.lt(below), lower, side);
        let deepest = choose(deepest.0.lt(above), upper, deepest);
        let is_beside = zero.lt(beside) & zero.lt(t) & t.lt(one);
        let nearest = choose(is_beside, side, (far, out * by, up * by));
        // On the axis an end without a radius still has one direction.
        let within = |r: R| (rho - r).lt(R::of(1e-30));
        let nearest = choose(zero.lt(below) & within(r0), lower, nearest);
        let nearest = choose(zero.lt(above) & within(r1), upper, nearest);
        let (distance, along, up) = choose(zero.lt(deepest.0), nearest, deepest);
        let by = along.over_positive(rho);
        let x = R::select(zero.lt(rho), y.x * by, along);
        (distance, Vec3::new(x, up, y.z * by))
    }

    /// Where the path from `y` along `d` enters the frustum moved outward by `r` all around.
    #[inline(always)]
    pub(super) fn enters<R: Real>(&self, y: Vec3<R>, d: Vec3<R>, r: R) -> R {
        let (zero, never) = (R::zero(), R::of(NEVER));
        let [low, high] = self.ends.map(R::of);
        let (slope, length) = self.slope();
        let k = R::of(slope);
        let radius = R::of(self.radii[0]) + k * (y.y - low) + r * R::of(length);
        let grows = k * d.y;
        // a t² + 2 b t + c = 0
        let a = d.x * d.x + d.z * d.z - grows * grows;
        let b = y.x * d.x + y.z * d.z - grows * radius;
        let c = y.x * y.x + y.z * y.z - radius * radius;
        let tiny = R::of(1e-30);
        let still = (a.abs() + b.abs()).lt(tiny);
        let a = R::select(a.abs().lt(tiny), tiny, a);
        let discriminant = b * b - a * c;
        let root = discriminant.max(zero).sqrt();
        // Each root without cancellation.
        let nears = b.lt(zero);
        let first = R::select(nears, c.over_positive(root - b), (-b - root) / a);
        let second = R::select(nears, (root - b) / a, -c.over_positive(root + b));
        // Steeper than the side it enters or leaves for good.
        let steep = a.lt(zero);
        let (widens, narrows) = (steep & zero.lt(grows), steep & grows.lt(zero));
        let first = R::select(narrows, -never, first);
        let second = R::select(widens, never, second);
        let misses = discriminant.lt(zero);
        let within = R::select(c.lt(zero), -never, never);
        let first = R::select(misses, never, R::select(still, within, first));
        let second = R::select(still, -within, second);
        let (enters, leaves) = slab(y.y, d.y, [low - r, high + r]);
        let (enters, leaves) = (enters.max(first), leaves.min(second));
        let meets = enters.lt(leaves) & zero.lt(leaves);
        R::select(meets, enters.max(zero), never)
    }
}

/// Where the path from `y` along `d` comes between two heights, and where it leaves.
#[inline(always)]
pub(super) fn slab<R: Real>(y: R, d: R, [low, high]: [R; 2]) -> (R, R) {
    let still = d.abs().lt(R::of(1e-30));
    let step = R::select(still, R::of(1.0), d);
    let (a, b) = ((low - y) / step, (high - y) / step);
    let never = R::of(NEVER);
    let free = R::select(low.lt(y) & y.lt(high), -never, never);
    (R::select(still, free, a.min(b)), R::select(still, never, a.max(b)))
}

/// The shortest turn, x y z w, of y to a unit vector.
pub(super) fn turn_of_y([x, y, z]: [f64; 3]) -> [f64; 4] {
    let turn = match y > -1.0 + 1e-12 {
        true => Quat::new(z, 0.0, -x, 1.0 + y).normalized(),
        false => Quat::new(1.0, 0.0, 0.0, 0.0),
    };
    turn.to_array()
}
