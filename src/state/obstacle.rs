//! Solids that something else must make room for.

use super::{Body, Motion, Part, Pose, Shape};

/// A solid in closed form, in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Volume {
    /// All below the origin, seen along the unit normal.
    HalfSpace { normal: [f64; 3] },
    /// A box of half sizes (m).
    Box { half: [f64; 3] },
    /// All within a radius (m) of the segment from -`half` to `half`.
    Ball { half: [f64; 3], radius: f64 },
}

impl Volume {
    /// That of a body's shape; cylinders, cones, meshes and compounds have none.
    fn of(shape: &Shape) -> Option<Self> {
        match *shape {
            Shape::Box(half) => Some(Self::Box { half }),
            Shape::Sphere(radius) => Some(Self::Ball { half: [0.0; 3], radius }),
            Shape::Capsule([radius, half]) => Some(Self::Ball { half: [0.0, half, 0.0], radius }),
            Shape::Cylinder(_) | Shape::Cone(_) => None,
            Shape::Compound(_) | Shape::Mesh(_) | Shape::None => None,
        }
    }

    /// How far it reaches from its origin (m).
    pub(crate) fn reach(&self) -> f64 {
        let length = |v: &[f64; 3]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        match self {
            Self::HalfSpace { .. } => f64::INFINITY,
            Self::Box { half } => length(half),
            Self::Ball { half, radius } => length(half) + radius,
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obstacle {
    pub(crate) volume: Volume,
    pub(crate) pose: Pose<f64>,
    pub(crate) motion: Motion,
}
