//! Cylinders and cones: what is round about its y axis between two flat ends.
//!
//! Distances are exact. Manifolds of flat ends, rims and sides of cones come from a hull of [`AROUND`] corners at each end, which
//! is spun about the axis, pair by pair, until a corner lies where the other is: so nothing rolls over facets.

use super::hull::Hull;
use super::manifold::Point;
use crate::collision::Shape;
use crate::math::{Quat, Real, Vec3};

/// How far sideways a direction must lean for the hull to be spun there: its sine.
const LEANS: f32 = 0.05;
/// How far a cylinder's axis may lean from across a normal for it to lie on its side: the sine.
const ON_SIDE: f32 = 0.02;

/// A cylinder or a cone.
#[derive(Clone, Debug)]
pub(super) struct Frustum {
    /// With its ends at `ends` and their radii.
    pub(super) shape: Shape,
    pub(super) hull: Hull,
    pub(super) reach: f32,
    /// Half the upright box about the origin.
    pub(super) half: Point,
    /// How far the hull lies within the shape at most (m).
    pub(super) sag: f32,
    /// Half the axis and the radius of a cylinder.
    pub(super) core: Option<(Point, f32)>,
}

impl Frustum {
    /// With ends at `ends` along y, of `radii`, of which one may be zero; none where it is too thin in f32.
    pub(super) fn new(ends: [f64; 2], radii: [f64; 2]) -> Option<Self> {
        let hull = Hull::of_frustum(ends, radii)?;
        let widest = radii[0].max(radii[1]) as f32;
        let far = |k: usize| ends[k].hypot(radii[k]) as f32;
        let tall = ends[0].abs().max(ends[1].abs()) as f32;
        let is_cylinder = radii[0] == radii[1] && ends[0] == -ends[1];
        Some(Self {
            shape: Shape::Frustum { ends, radii },
            // 1 - cos of half a segment, and a little more.
            sag: widest * 0.02,
            reach: far(0).max(far(1)),
            half: Vec3::new(widest, tall, widest),
            core: is_cylinder.then_some((Vec3::new(0.0, tall, 0.0), widest)),
            hull,
        })
    }

    /// The core and radius of a cylinder that lies on its side, seen along `n` in its own frame.
    pub(super) fn on_side(&self, n: Point) -> Option<(Point, f32)> {
        self.core.filter(|_| n.y.abs() < ON_SIDE)
    }

    /// The turn about y that takes a corner of each end as far as can be towards `d`; none where `d` hardly leans sideways.
    pub(super) fn facing(&self, d: Point) -> Quat<f32> {
        let sideways = (d.x * d.x + d.z * d.z).sqrt();
        if sideways <= LEANS * d.length() {
            return Quat::identity();
        }
        let (cosine, sine) = (d.x / sideways, -d.z / sideways);
        let w = ((1.0 + cosine) * 0.5).max(0.0).sqrt();
        let y = if w > 1e-3 { sine / (2.0 * w) } else { 1.0 };
        Quat::new(0.0, y, 0.0, w).normalized()
    }

    /// Distance and outward normal of the surface at `y`.
    pub(super) fn surface<R: Real>(&self, y: Vec3<R>) -> (R, Vec3<R>) {
        self.shape.surface(y)
    }
}
