//! Solids that something else must make room for.

use super::{Motion, Pose};
use crate::math::{Vec3, hypotenuse, length};
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
}

/// A solid that nothing but its own motion moves.
#[derive(Clone, Debug)]
pub(crate) struct Obstacle {
    pub(crate) volume: Volume,
    pub(crate) pose: Pose<f64>,
    pub(crate) motion: Motion,
}
