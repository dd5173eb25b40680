//! Solids that something else must make room for.

use super::{Body, Motion, Part, Pose, Shape};
use crate::math::{Vec3, hypotenuse, length};
use crate::mesh::{Exact, MOST_HULL_CORNERS, convex_hull};
use std::fmt;
use std::sync::Arc;

/// Triangles (m), wound outward, found by where they are.
pub(crate) trait NearTriangles: fmt::Debug + Send + Sync {
    /// Does `act` with all that may be closer to `x` than `reach` (m), in the same order each time.
    fn near(&self, x: Vec3<f64>, reach: f64, act: &mut dyn FnMut([Vec3<f64>; 3]));
}

/// A few triangles, all of which are near.
impl NearTriangles for Vec<[Vec3<f64>; 3]> {
    fn near(&self, _: Vec3<f64>, _: f64, act: &mut dyn FnMut([Vec3<f64>; 3])) {
        self.iter().for_each(|triangle| act(*triangle));
    }
}

/// The triangles of the hull by which a mesh touches.
fn hull(mesh: &super::Surface) -> Option<Vec<[Vec3<f64>; 3]>> {
    let points: Vec<Exact> = mesh.0.iter().map(|x| Vec3::of(x.map(f64::from))).collect();
    let convex = convex_hull(&points, MOST_HULL_CORNERS)?;
    let corner = |i: u32| convex.corners[i as usize];
    Some(convex.triangles().map(|triangle| triangle.map(corner)).collect())
}

/// A solid in its own frame.
#[derive(Clone, Debug)]
pub(crate) enum Volume {
    /// All below the origin, seen along the unit normal.
    HalfSpace { normal: [f64; 3] },
    /// A box of half sizes (m).
    Box { half: [f64; 3] },
    /// All within a radius (m) of the segment from -`half` to `half`.
    Ball { half: [f64; 3], radius: f64 },
    /// A cylinder or a cone about the y axis, between two heights (m), with the radii there (m).
    Frustum { ends: [f64; 2], radii: [f64; 2] },
    /// What lies beyond triangles, within a distance (m) of the origin.
    Surface { triangles: Arc<dyn NearTriangles>, reach: f64 },
}

impl Volume {
    /// That of a body's shape; compounds have none of their own.
    fn of(shape: &Shape) -> Option<Self> {
        match *shape {
            Shape::Box(half) => Some(Self::Box { half }),
            Shape::Sphere(radius) => Some(Self::Ball { half: [0.0; 3], radius }),
            Shape::Capsule([radius, half]) => Some(Self::Ball { half: [0.0, half, 0.0], radius }),
            Shape::Cylinder([r, h]) => Some(Self::Frustum { ends: [-h, h], radii: [r; 2] }),
            Shape::Cone([r, h]) => {
                Some(Self::Frustum { ends: [-0.5 * h, 1.5 * h], radii: [r, 0.0] })
            }
            Shape::Mesh(ref mesh) => {
                let triangles = Arc::new(hull(mesh)?);
                Some(Self::Surface { triangles, reach: shape.reach() })
            }
            Shape::Compound(_) | Shape::None => None,
        }
    }

    /// How far it reaches from its origin (m).
    pub(crate) fn reach(&self) -> f64 {
        match self {
            Self::HalfSpace { .. } => f64::INFINITY,
            Self::Box { half } => length(half),
            Self::Ball { half, radius } => length(half) + radius,
            Self::Frustum { ends, radii } => {
                let rim = |k: usize| hypotenuse(ends[k], radii[k]);
                rim(0).max(rim(1))
            }
            Self::Surface { reach, .. } => *reach,
        }
    }

    /// Those of a body, each with where it lies in the body's own frame.
    pub(crate) fn of_body(body: &Body) -> Vec<(Self, Pose<f64>)> {
        let placed = |shape: &Shape, position, orientation| {
            Self::of(shape).map(|volume| (volume, Pose::new(position, orientation)))
        };
        match &body.shape {
            Shape::Compound(parts) => {
                let part = |part: &Part| placed(&part.shape, part.position, part.orientation);
                parts.iter().filter_map(part).collect()
            }
            shape => placed(shape, [0.0; 3], [0.0, 0.0, 0.0, 1.0]).into_iter().collect(),
        }
    }
}

/// A solid that nothing but its own motion moves.
#[derive(Clone, Debug)]
pub(crate) struct Obstacle {
    pub(crate) volume: Volume,
    pub(crate) pose: Pose<f64>,
    pub(crate) motion: Motion,
}
