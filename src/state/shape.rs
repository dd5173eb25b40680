//! What a body looks like, and the solid it is.
//!
//! ```text
//! box      I_x = m (b² + c²) / 3                       half sizes a b c
//! sphere   I = 2/5 m r²
//! capsule  a cylinder of 2 h and two half balls of r, along y
//! ```

use super::solid::{Solid, solid_of_mesh};
use core::f64::consts::PI;
use std::sync::Arc;

/// Corners (m) and triangles.
pub type Surface = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// What is wrong with a body: which number, its value, and what is allowed.
pub(crate) type Flaw = (&'static str, f64, &'static str);

/// The shape of a body, in its own frame, around its center of mass.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box of half sizes (m).
    Box([f64; 3]),
    /// A ball of a radius (m).
    Sphere(f64),
    /// Radius and half height (m) of the cylinder between its half balls; along y.
    Capsule([f64; 2]),
    /// A closed surface: corners (m) and triangles, wound outward. It touches by the convex hull of its corners, of which at most
    /// 64 count.
    Mesh(Arc<Surface>),
    /// Nothing to see or touch: only a mass and an inertia.
    None,
}

impl Shape {
    /// The word in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Sphere(_) => "sphere",
            Self::Capsule(_) => "capsule",
            Self::Mesh(_) => "mesh",
            Self::None => "none",
        }
    }

    /// Volume, center and inertia for a density of one; of a shape that encloses nothing, nothing.
    pub fn solid(&self) -> Option<Solid> {
        let solid = match self {
            Self::Box([a, b, c]) => {
                let volume = 8.0 * a * b * c;
                let pair = |p: &f64, q: &f64| volume * (p * p + q * q) / 3.0;
                Solid::upright(volume, [pair(b, c), pair(c, a), pair(a, b)])
            }
            Self::Sphere(r) => {
                let volume = 4.0 / 3.0 * PI * r * r * r;
                Solid::upright(volume, [0.4 * volume * r * r; 3])
            }
            Self::Capsule([r, h]) => {
                let (tube, ball) = (PI * r * r * 2.0 * h, 4.0 / 3.0 * PI * r * r * r);
                let along = tube * r * r / 2.0 + ball * 0.4 * r * r;
                // A half ball's center lies 3/8 r from its flat face.
                let halves = 0.4 * r * r + h * h + 0.75 * h * r;
                let across = tube * (r * r / 4.0 + h * h / 3.0) + ball * halves;
                Solid::upright(tube + ball, [across, along, across])
            }
            Self::Mesh(mesh) if self.flaw().is_none() => solid_of_mesh(&mesh.0, &mesh.1)?,
            Self::Mesh(_) | Self::None => return None,
        };
        (solid.volume > 0.0).then_some(solid)
    }

    /// What is wrong with a mesh: a corner that is not finite, or a triangle of a corner that is not there.
    pub(super) fn flaw(&self) -> Option<Flaw> {
        let Self::Mesh(mesh) = self else { return None };
        let (corners, triangles) = &**mesh;
        let broken = corners.as_flattened().iter().find(|v| !v.is_finite());
        if let Some(&v) = broken {
            return Some(("mesh corner", v.into(), "must be finite in f32"));
        }
        let beyond = triangles.as_flattened().iter().find(|&&i| i as usize >= corners.len());
        beyond.map(|&i| ("mesh triangle", i.into(), "there is no such corner"))
    }

    /// The farthest that the shape reaches from its center (m).
    pub fn reach(&self) -> f64 {
        match self {
            Self::Box(half) => half.iter().map(|a| a * a).sum::<f64>().sqrt(),
            Self::Sphere(r) => *r,
            Self::Capsule([r, h]) => r + h,
            Self::Mesh(mesh) => {
                let length = |x: &[f32; 3]| x.iter().map(|v| f64::from(v * v)).sum::<f64>().sqrt();
                mesh.0.iter().map(length).fold(0.0, f64::max)
            }
            Self::None => 0.0,
        }
    }
}
