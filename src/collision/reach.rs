//! What a collider cannot touch in a substep, told without asking it for a contact: exactly what would have none.
//!
//! A contact lies on a particle's path in the collider's own frame, from y0 along d, no farther from the surface than radius,
//! margin and |d|. So there is none where the collider, as it lay when the substep began, was farther from the particle than
//!
//! ```text
//! r + m + 2 |d|       |d| <= |x - x_prev| + |Δc| + |ΔR| |x_prev - c|       c its center, R its turn
//! ```
//!
//! along one axis of the world. A mesh that has an inside looks for what is in there as far as it is found, if that is farther.

use super::boxes::{Bounds, NOTHING, join};
use super::collider::{Collider, Solid};
use super::shape::Shape;
use crate::math::{Real, Vec3, each, hypotenuse};
use crate::state::{Pose, Width};

/// What distances may be wrong by, in parts of the numbers they are computed from.
const ROUNDED: f64 = 4e-6;

/// Where a collider lay when the substep began.
enum Place<R> {
    Box(Bounds<R>),
    /// Below a plane: its normal, and its height along it.
    Below(Vec3<R>, R),
    /// It turns too far to be told.
    Anywhere,
}

/// How far a collider reaches in a substep.
struct Reach<R> {
    place: Place<R>,
    /// What it reaches for what does not move (m), and how much more for each metre that a particle goes.
    still: R,
    moving: R,
}

impl<R: Real> Reach<R> {
    /// Of a collider that goes from one pose to the next, for balls of `radius` that are told of it from `margin` on (m).
    fn new(solid: &Solid, [from, to]: &[Pose<f64>; 2], sizes: [f64; 2]) -> Self {
        let turns = from.columns.iter().zip(to.columns).map(|(a, b)| (b - *a).length());
        let turn: f64 = turns.fold(0.0, hypotenuse);
        let near = sizes[0] + sizes[1];
        let (bounds, near) = match solid {
            Solid::Shape(Shape::Plane { normal }) => {
                let normal = from.turn(Vec3::of(*normal));
                let height: f64 = normal.dot(from.center);
                let place = match turn == 0.0 {
                    true => Place::Below(Vec3::of(normal.to_array()), R::of(height)),
                    false => Place::Anywhere,
                };
                let still = near + 2.0 * (to.center - from.center).length();
                let still = R::of(still + ROUNDED * from.center.length());
                return Self { place, still, moving: R::of(2.0) };
            }
            Solid::Shape(shape) => (own_bounds(shape), near),
            Solid::Mesh(mesh) => (mesh.bounds(), near.max(mesh.depth)),
        };
        let [least, most] = bounds.map(Vec3::from);
        let (middle, half) = (from.world((least + most) * 0.5), (most - least) * 0.5);
        let [a, b, c] = from.columns.map(|column| column.to_array().map(f64::abs));
        let half = each([0, 1, 2], |k| a[k] * half.x + b[k] * half.y + c[k] * half.z);
        let middle = middle.to_array();
        let far = bounds.map(|corner| Vec3::from(corner).length()).into_iter().fold(0.0, f64::max);
        // What lies farther away turns farther: |x_prev - c| is at most √3 times the distance along an axis, and the size.
        let left = 1.0 - 3.5 * turn;
        let way = (to.center - from.center).length() + turn * 2.0 * far;
        let size = from.center.length() + 2.0 * far;
        let corner = |sign: f64| each([0, 1, 2], |k| R::of(middle[k] + sign * half[k]));
        Self {
            place: if left > 0.1 {
                Place::Box([corner(-1.0), corner(1.0)])
            } else {
                Place::Anywhere
            },
            still: R::of((near + 2.0 * way) / left + ROUNDED * size),
            moving: R::of(2.0 / left),
        }
    }

    /// Where what began the substep in a box, and went no farther than `way` (m), certainly has no contact.
    #[inline(always)]
    fn misses(&self, [least, most]: Bounds<R>, way: R) -> R::Mask {
        let gap = match self.place {
            Place::Box([low, high]) => {
                let along = |k: usize| (low[k] - most[k]).max(least[k] - high[k]);
                along(0).max(along(1)).max(along(2))
            }
            Place::Below(n, height) => {
                let along = |n: R, k: usize| (n * least[k]).min(n * most[k]);
                along(n.x, 0) + along(n.y, 1) + along(n.z, 2) - height
            }
            Place::Anywhere => R::of(f64::NEG_INFINITY),
        };
        let far = |k: usize| least[k].abs().max(most[k].abs());
        let rounded = (far(0) + far(1) + far(2)) * R::of(ROUNDED);
        (self.still + self.moving * way + rounded).lt(gap)
    }
}

/// The box around a shape that has an end, in its own frame (m).
fn own_bounds(shape: &Shape) -> [[f64; 3]; 2] {
    let around = |half: [f64; 3]| [half.map(|v| -v), half];
    match *shape {
        Shape::Plane { .. } => around([f64::INFINITY; 3]),
        Shape::Sphere { radius } => around([radius; 3]),
        Shape::Box { half_size } => around(half_size),
        Shape::Capsule { half, radius } => around(half.map(|v| v.abs() + radius)),
        Shape::Frustum(frustum) => {
            let radius = frustum.radii[0].max(frustum.radii[1]);
            let [low, high] = frustum.ends;
            [[-radius, low, -radius], [radius, high, radius]]
        }
    }
}

/// A collider in one substep.
pub(super) struct PlacedCollider<'a, W> {
    pub(super) solid: &'a Solid,
    /// Where it is when the substep begins and ends.
    pub(super) exact: [Pose<f64>; 2],
    pub(super) poses: [Pose<W>; 2],
    reach: Reach<W>,
}

impl<'a, W: Width> PlacedCollider<'a, W> {
    /// Between two times (s), for balls of a radius that are told of it from a margin on (m).
    pub(super) fn new(collider: &'a Collider, times: [f64; 2], sizes: [f64; 2]) -> Self {
        let exact = times.map(|time| collider.pose(time));
        let solid = collider.solid();
        let reach = Reach::new(solid, &exact, sizes);
        Self { solid, exact, poses: exact.map(|pose| pose.round()), reach }
    }

    /// Whether no particle that goes from `previous` to `x` can touch it; those whose `member` is zero are not asked.
    #[inline(always)]
    pub(super) fn misses(&self, [previous, x]: [Vec3<W>; 2], member: W) -> bool {
        let missed = self.reach.misses([previous.to_array(); 2], (x - previous).length());
        W::all(missed | member.lt(W::of(0.5)))
    }
}

/// Lists colliders that something on these paths may touch, in order.
#[inline(always)]
pub(super) fn list_near<W: Width>(
    colliders: &[PlacedCollider<W>],
    paths: impl Iterator<Item = [Vec3<W>; 2]>,
    near: &mut Vec<u32>,
) {
    let mut bounds: Bounds<W> = each(NOTHING, |corner| each(corner, |v| W::of(v.into())));
    let mut way = W::zero();
    for [previous, x] in paths {
        // What is no number touches nothing, and is left out.
        bounds = join(bounds, [previous.to_array(); 2]);
        way = (x - previous).length().max(way);
    }
    near.clear();
    let may_touch = |c: &u32| !W::all(colliders[*c as usize].reach.misses(bounds, way));
    near.extend((0..colliders.len() as u32).filter(may_touch));
}
