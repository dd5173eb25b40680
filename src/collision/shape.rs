//! Shapes in closed form, as many points side by side as `R` has lanes: how far away they are, and where a path enters them.
//!
//! A shape lies in its own frame, about its origin. With a ball of radius r around each point,
//!
//! ```text
//! surface(y)       distance d(y) < 0 inside, outward normal n(y), |n| = 1
//! entry(y0, y1)    the first t in 0..=1 at which d(y0 + t (y1 - y0)) = r, where the path comes from outside
//! ```
//!
//! (S2-05; the capsule after Ericson, *Real-Time Collision Detection*, 2005, section 5.3.7, the box by slabs, 5.3.3.) A box
//! with a ball around each point has round edges; its slabs are those of the sharp box around it, so that a path to an edge
//! is met a little early and never late. The same holds for cylinders and cones. Units: metres. At the center of a sphere or on the axis of a capsule the normal is
//! up.

use super::frustum::{Frustum, NEVER, slab};
use crate::math::{Real, UPRIGHT, Vec3};
use crate::mesh::hull_of;
use crate::state::{self, Body, Part, Pose, Volume};
use std::sync::Arc;

/// A shape of its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// All below the origin, seen along the unit normal.
    Plane {
        /// The side that is free.
        normal: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A box.
    Box {
        /// Half its size along each axis.
        half_size: [f64; 3],
    },
    /// All within `radius` of the segment from -`half` to `half`.
    Capsule {
        /// Half the segment.
        half: [f64; 3],
        /// The radius.
        radius: f64,
    },
    /// A cylinder or a cone.
    Frustum(Frustum),
}

impl Shape {
    /// The shape of a body, where it has a closed form.
    pub fn of_body(shape: &state::Shape) -> Option<Self> {
        match *shape {
            state::Shape::Box(half_size) => Some(Self::Box { half_size }),
            state::Shape::Sphere(radius) => Some(Self::Sphere { radius }),
            state::Shape::Capsule([radius, half]) => {
                Some(Self::Capsule { half: [0.0, half, 0.0], radius })
            }
            _ => Frustum::of_body(shape).map(Self::Frustum),
        }
    }

    /// What fluid makes room for.
    pub(crate) fn volume(&self) -> Volume {
        match *self {
            Self::Plane { normal } => Volume::HalfSpace { normal },
            Self::Box { half_size } => Volume::Box { half: half_size },
            Self::Sphere { radius } => Volume::Ball { half: [0.0; 3], radius },
            Self::Capsule { half, radius } => Volume::Ball { half, radius },
            Self::Frustum(Frustum { ends, radii }) => Volume::Frustum { ends, radii },
        }
    }

    /// Signed distance and outward normal at `y`.
    #[inline(always)]
    pub fn surface<R: Real>(&self, y: Vec3<R>) -> (R, Vec3<R>) {
        match *self {
            Self::Plane { normal } => {
                let normal = Vec3::of(normal);
                (y.dot(normal), normal)
            }
            Self::Sphere { radius } => round(y, radius),
            Self::Capsule { half, radius } => {
                let axis = Vec3::<R>::of(half);
                let along = y.dot(axis).over_positive(axis.dot(axis));
                round(y - axis * along.clamp(R::of(-1.0), R::of(1.0)), radius)
            }
            Self::Box { half_size } => {
                let h = Vec3::<R>::of(half_size);
                let clamp = |y: R, h: R| y.clamp(-h, h);
                let d = y - Vec3::new(clamp(y.x, h.x), clamp(y.y, h.y), clamp(y.z, h.z));
                let length = d.length();
                let outside = d * R::of(1.0).over_positive(length);
                // Inside, the nearest face.
                let depth = Vec3::new(h.x - y.x.abs(), h.y - y.y.abs(), h.z - y.z.abs());
                let least = depth.x.min(depth.y).min(depth.z);
                let sign = |y: R| R::select(y.lt(R::zero()), R::of(-1.0), R::of(1.0));
                let zero = R::zero();
                let x = Vec3::new(sign(y.x), zero, zero);
                let z = Vec3::new(zero, zero, sign(y.z));
                let inside = Vec3::new(zero, sign(y.y), zero);
                let inside = Vec3::select(least.lt(depth.y), z, inside);
                let inside = Vec3::select(depth.x.lt(depth.y.min(depth.z)), x, inside);
                let is_out = zero.lt(length);
                (R::select(is_out, length, -least), Vec3::select(is_out, outside, inside))
            }
            Self::Frustum(frustum) => frustum.surface(y),
        }
    }

    /// The parameter at which the path from `y` along `d` enters the shape with a ball of radius `r` around it, [`NEVER`]
    /// where it does not.
    #[inline(always)]
    fn enters<R: Real>(&self, y: Vec3<R>, d: Vec3<R>, r: R) -> R {
        match *self {
            Self::Plane { normal } => {
                let normal = Vec3::of(normal);
                let (above, falls) = (y.dot(normal) - r, -d.dot(normal));
                let t = above.over_positive(falls);
                R::select(R::zero().lt(falls), t, R::of(NEVER))
            }
            Self::Sphere { radius } => enters_ball(y, d, R::of(radius) + r),
            Self::Capsule { half, radius } => {
                let (axis, radius) = (Vec3::<R>::of(half), R::of(radius) + r);
                let ends = enters_ball(y - axis, d, radius).min(enters_ball(y + axis, d, radius));
                // The cylinder between: the path across the axis enters a circle.
                let aa = axis.dot(axis);
                let across = |v: Vec3<R>| v - axis * v.dot(axis).over_positive(aa);
                let t = enters_ball(across(y), across(d), radius);
                let along = (y + d * t).dot(axis).abs();
                R::select(along.lt(aa), t.min(ends), ends)
            }
            Self::Box { half_size } => {
                let h = Vec3::<R>::of(half_size);
                let slab = |y: R, d: R, h: R| slab(y, d, [-(h + r), h + r]);
                let (x, y, z) = (slab(y.x, d.x, h.x), slab(y.y, d.y, h.y), slab(y.z, d.z, h.z));
                let enters = x.0.max(y.0).max(z.0);
                let leaves = x.1.min(y.1).min(z.1);
                let meets = enters.lt(leaves) & R::zero().lt(leaves);
                // Within the sharp box but outside the round one: at once.
                R::select(meets, enters.max(R::zero()), R::of(NEVER))
            }
            Self::Frustum(frustum) => frustum.enters(y, d, r),
        }
    }

    /// The contact of a ball of radius `r` that goes from `y0` to `y1`: the point of the surface around the shape, its normal,
    /// and whether it is nearer than `margin` and its way or on it; the normal is zero where it is not.
    ///
    /// From outside it is the entry point of the path, from inside the closest point of the surface (S2-05).
    #[inline(always)]
    pub fn contact<R: Real>(
        &self,
        y0: Vec3<R>,
        y1: Vec3<R>,
        r: R,
        margin: R,
    ) -> (Vec3<R>, Vec3<R>) {
        let (d, zero) = (y1 - y0, R::zero());
        let t = self.enters(y0, d, r);
        let (start, facing) = self.surface(y0);
        let (never, way) = (R::of(NEVER), d.length());
        let inside = start.lt(r);
        let t = R::select(inside, never, t);
        let hit = t.lt(R::of(1.0));
        let at = Vec3::select(hit, y0 + d * t, y1);
        let (distance, normal) = self.surface(at);
        // A plane that the start is below, met a little early at a box's edge: take that of the start, which separates too; of
        // a path that passes by, that where it is nearest to the center. A path that starts on the surface, by rounding
        // within it, is held where it starts.
        let below = ((y0 - at).dot(normal) + (distance - r)).lt(zero);
        let enters = inside & (r - start).lt(way * R::of(0.5)) & d.dot(facing).lt(zero);
        let nearest = (-y0.dot(d)).over_positive(d.dot(d)).clamp(zero, R::of(1.0));
        let passed = Vec3::select(inside | hit, y0, y0 + d * nearest);
        let at = Vec3::select((below & (hit | r.lt(start))) | enters, passed, at);
        let close = (distance - r).lt(margin);
        let (distance, normal) = self.surface(at);
        let point = at - normal * (distance - r);
        // What is fast may be turned aside into the shape: planes that the whole path is above are worth knowing.
        let above = |y: Vec3<R>| (-(way * R::of(1e-6))).lt((y - point).dot(normal));
        let near = (distance - r).lt(margin + way) & above(y0) & above(y1);
        let touches = hit | enters | close | near;
        (point, Vec3::select(touches, normal, Vec3::zero()))
    }

    /// What brings a ball of radius `r` that went from `y0` to `y1` back to no deeper than it began: from outside to the plane
    /// where its path enters, else straight out. Nothing where it is deeper by less than `slack`.
    #[inline(always)]
    pub fn way_out<R: Real>(&self, y0: Vec3<R>, y1: Vec3<R>, r: R, slack: R) -> Vec3<R> {
        let (d, zero) = (y1 - y0, R::zero());
        let ((start, _), (end, out)) = (self.surface(y0), self.surface(y1));
        let deeper = (r - end) - (r - start).max(zero);
        let t = self.enters(y0, d, r);
        let at = y0 + d * t;
        let (distance, normal) = self.surface(at);
        let below = (at - y1).dot(normal) - (distance - r);
        let enters = r.lt(start) & t.lt(R::of(1.0)) & deeper.lt(below);
        let way = Vec3::select(enters, normal * below, out * deeper);
        Vec3::select(slack.lt(deeper), way, Vec3::zero())
    }
}

/// Distance and normal of a ball's surface.
#[inline(always)]
fn round<R: Real>(d: Vec3<R>, radius: f64) -> (R, Vec3<R>) {
    let length = d.length();
    let up = Vec3::of([0.0, 1.0, 0.0]);
    let out = d * R::of(1.0).over_positive(length);
    (length - R::of(radius), Vec3::select(R::zero().lt(length), out, up))
}

/// Where a path enters a ball about the origin, coming from outside: |y + t d|² = r².
#[inline(always)]
fn enters_ball<R: Real>(y: Vec3<R>, d: Vec3<R>, r: R) -> R {
    let (a, b, c) = (d.dot(d), y.dot(d), y.dot(y) - r * r);
    let discriminant = b * b - a * c;
    // c / (-b + sqrt) is the smaller root without cancellation.
    let below = -b + discriminant.max(R::zero()).sqrt();
    let t = c.max(R::zero()).over_positive(below);
    let meets = b.lt(R::zero()) & R::of(-1e-30).lt(discriminant);
    R::select(meets, t, R::of(NEVER))
}

/// What fluid makes room for of a body, each with where it lies in the body's own frame.
pub(crate) fn volumes_of(body: &Body) -> Vec<(Volume, Pose<f64>)> {
    let placed = |shape: &state::Shape, position, orientation| {
        Some((volume_of(shape)?, Pose::new(position, orientation)))
    };
    match &body.shape {
        state::Shape::Compound(parts) => {
            let part = |part: &Part| placed(&part.shape, part.position, part.orientation);
            parts.iter().filter_map(part).collect()
        }
        shape => placed(shape, [0.0; 3], UPRIGHT).into_iter().collect(),
    }
}

/// That of a shape; a mesh touches by its hull, and compounds have none of their own.
fn volume_of(shape: &state::Shape) -> Option<Volume> {
    let state::Shape::Mesh(mesh) = shape else {
        return Shape::of_body(shape).map(|shape| shape.volume());
    };
    let convex = hull_of(mesh.0.iter().copied())?;
    let triangles = convex.triangles().map(|t| t.map(|i| convex.corners[i as usize]));
    let triangles: Vec<_> = triangles.collect();
    Some(Volume::Surface { triangles: Arc::new(triangles), reach: shape.reach() })
}

/// A contact in the world: the point, the normal (zero: none), and how far the surface there has moved since the substep began; and how
/// far the ball was from it then.
pub(super) type WorldContact<R> = ([Vec3<R>; 3], R);

/// The contact of a closed form.
#[inline(always)]
pub(super) fn contact<R: Real>(
    shape: &Shape,
    [from, to]: &[Pose<R>; 2],
    [previous, x]: [Vec3<R>; 2],
    [radius, margin]: [R; 2],
) -> WorldContact<R> {
    let start = from.local(previous);
    let (point, normal) = shape.contact(start, to.local(x), radius, margin);
    let out = to.world(point);
    let (distance, _) = shape.surface(start);
    ([out, to.turn(normal), out - from.world(point)], distance - radius)
}

/// [`Shape::way_out`] in the world.
#[inline(always)]
pub(super) fn way_out<R: Real>(
    shape: &Shape,
    [from, to]: &[Pose<R>; 2],
    [previous, x]: [Vec3<R>; 2],
    [radius, slack]: [R; 2],
) -> Vec3<R> {
    to.turn(shape.way_out(from.local(previous), to.local(x), radius, slack))
}
