//! What a body looks like, and the solid it is.
//!
//! ```text
//! box      I_x = m (b² + c²) / 3                       half sizes a b c
//! sphere   I = 2/5 m r²
//! capsule  a cylinder of 2 h and two half balls of r, along y
//! cylinder I_y = m r² / 2,     I_x = m (r² / 4 + h² / 3)                   of radius r and height 2 h, along y
//! cone     I_y = 3/10 m r²,    I_x = 3/20 m (r² + h²)
//! ```

use super::solid::{Solid, solid_of_mesh, solid_of_parts};
use crate::error::Flaw;
use crate::math::{hypotenuse, length};
use core::f64::consts::PI;
use std::sync::Arc;

/// Corners (m) and triangles.
pub type Surface = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// The shape of a body, in its own frame, around its center of mass.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box of half sizes (m).
    Box([f64; 3]),
    /// A ball of a radius (m).
    Sphere(f64),
    /// Radius and half height (m) of the cylinder between its half balls; along y.
    Capsule([f64; 2]),
    /// Radius and half height (m) of a cylinder along y.
    Cylinder([f64; 2]),
    /// Radius of its base and half its height (m) of a cone with its tip up along y. Its center of mass lies a quarter of its
    /// height above its base.
    Cone([f64; 2]),
    /// Several shapes in one body. Where they overlap they weigh twice.
    Compound(Arc<Vec<Part>>),
    /// A closed surface: corners (m) and triangles, wound outward. It touches by the convex hull of its corners, of which at most
    /// 64 count.
    Mesh(Arc<Surface>),
    /// Nothing to see or touch: only a mass and an inertia.
    None,
}

/// A shape of a compound, in the frame of the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is; not a compound itself.
    pub shape: Shape,
    /// Where its own center is (m): of a mesh its origin.
    pub position: [f64; 3],
    /// Its own axes, x y z w, of length one.
    pub orientation: [f64; 4],
}

impl Shape {
    /// The word in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Sphere(_) => "sphere",
            Self::Capsule(_) => "capsule",
            Self::Cylinder(_) => "cylinder",
            Self::Cone(_) => "cone",
            Self::Compound(_) => "compound",
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
            Self::Cylinder([r, h]) => {
                let volume = PI * r * r * 2.0 * h;
                let across = volume * (r * r / 4.0 + h * h / 3.0);
                Solid::upright(volume, [across, volume * r * r / 2.0, across])
            }
            Self::Cone([r, h]) => {
                let volume = PI * r * r * 2.0 * h / 3.0;
                let across = volume * 0.15 * (r * r + h * h);
                Solid::upright(volume, [across, volume * 0.3 * r * r, across])
            }
            Self::Compound(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| Some((part.shape.solid()?, part.position, part.orientation)));
                solid_of_parts(&parts.collect::<Option<Vec<_>>>()?)?
            }
            Self::Mesh(mesh) if self.flaw().is_none() => solid_of_mesh(&mesh.0, &mesh.1)?,
            Self::Mesh(_) | Self::None => return None,
        };
        (solid.volume > 0.0).then_some(solid)
    }

    /// Its sizes, which must be positive.
    pub(super) fn sizes(&self) -> &[f64] {
        match self {
            Self::Box(half) => half,
            Self::Sphere(r) => std::slice::from_ref(r),
            Self::Capsule(sizes) | Self::Cylinder(sizes) | Self::Cone(sizes) => sizes,
            Self::Compound(_) | Self::Mesh(_) | Self::None => &[],
        }
    }

    /// What is wrong with the parts of a compound.
    fn flaw_of_parts(parts: &[Part]) -> Option<Flaw> {
        if parts.is_empty() {
            return Some(("parts", 0.0, "there must be at least one"));
        }
        for Part { shape, position, orientation } in parts {
            if let Self::Compound(_) | Self::None = shape {
                return Some(("parts", 0.0, "a part is a shape by itself"));
            }
            let small = shape.sizes().iter().find(|size| size.is_nan() || **size as f32 <= 0.0);
            if let Some(&size) = small {
                return Some(("size", size, "must be positive"));
            }
            if let Some(&v) = position.iter().find(|v| !(**v as f32).is_finite()) {
                return Some(("position", v, "must be finite in f32"));
            }
            if let Some(flaw) = flaw_of_orientation(orientation) {
                return Some(flaw);
            }
        }
        parts.iter().find_map(|part| part.shape.flaw())
    }

    /// What is wrong with a mesh: a corner that is not finite, or a triangle of a corner that is not there; with a part.
    pub(super) fn flaw(&self) -> Option<Flaw> {
        if let Self::Compound(parts) = self {
            return Self::flaw_of_parts(parts);
        }
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
            Self::Box(half) => length(half),
            Self::Sphere(r) => *r,
            Self::Capsule([r, h]) => r + h,
            Self::Cylinder([r, h]) => hypotenuse(*r, *h),
            Self::Cone([r, h]) => hypotenuse(*r, 0.5 * h).max(1.5 * h),
            Self::Compound(parts) => {
                let reach = |part: &Part| length(&part.position) + part.shape.reach();
                parts.iter().map(reach).fold(0.0, f64::max)
            }
            Self::Mesh(mesh) => {
                mesh.0.iter().map(|x| length(&x.map(f64::from))).fold(0.0, f64::max)
            }
            Self::None => 0.0,
        }
    }
}

/// What is wrong with an orientation that is to be a unit quaternion.
pub(super) fn flaw_of_orientation(of: &[f64; 4]) -> Option<Flaw> {
    let length = length(of);
    let is_unit = (length - 1.0).abs() <= 1e-6;
    (!is_unit).then_some(("orientation", length, "must have length 1"))
}
