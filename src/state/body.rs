//! A body as authored, checked before it enters a model.

use super::shape::{Part, Shape, Surface, flaw_of_orientation};
use crate::error::{Flaw, check_numbers};
use crate::math::{Quat, UPRIGHT, Vec3};
use crate::state::{CollisionFilter, InitialBody, Resistance};
use std::sync::Arc;

/// How heavy a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// Its mass (kg).
    Mass(f64),
    /// What it is made of (kg/m³).
    Density(f64),
}

/// A rigid body as authored.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its shape, around the center of mass.
    pub shape: Shape,
    /// kg.
    pub mass: f64,
    /// Principal moments (kg m²).
    pub inertia: [f64; 3],
    /// The principal axes, as a turn x y z w of the body's own axes; other than none for meshes and compounds only.
    pub axes: [f64; 4],
    /// Where its center of mass is (m).
    pub position: [f64; 3],
    /// Its own axes in the world, x y z w, of length one.
    pub orientation: [f64; 4],
    /// m/s.
    pub velocity: [f64; 3],
    /// rad/s, in the world.
    pub angular_velocity: [f64; 3],
    /// Whether nothing moves it; it keeps its own velocities.
    pub fixed: bool,
    /// µ of its surface, where it has one.
    pub friction: Option<f64>,
    /// e of its surface, where it has one.
    pub restitution: Option<f64>,
    /// The arm at which what it carries resists rolling, where its surface has one (m): the torque is at most this times the
    /// normal force.
    pub rolling_resistance: Option<f64>,
    /// The same against turning about the normal (m).
    pub torsional_resistance: Option<f64>,
    /// What it may touch.
    pub filter: CollisionFilter,
    /// Whether it only reports what it overlaps.
    pub sensor: bool,
}

/// Refuses what is not positive and finite in f32.
fn positive(name: &'static str, v: f64) -> Result<f64, Flaw> {
    match v as f32 {
        f if !f.is_finite() => Err((name, v, "must be finite in f32")),
        f if f <= 0.0 => Err((name, v, "must be positive")),
        _ => Ok(v),
    }
}

/// Refuses what has no sound inverse in f32.
fn check_resistance(mass: f64, inertia: [f64; 3]) -> Result<(), Flaw> {
    let rule = "its inverse must be finite in f32";
    for (name, value) in inertia.map(|i| ("inertia", i)).into_iter().chain([("mass", mass)]) {
        positive(name, value)?;
        positive(name, 1.0 / value).map_err(|_| (name, value, rule))?;
    }
    Ok(())
}

impl Weight {
    /// The mass of a shape of that volume (kg).
    fn mass(self, volume: Option<f64>) -> Result<f64, Flaw> {
        match self {
            Self::Mass(mass) => positive("mass", mass),
            Self::Density(density) => {
                let volume = volume.ok_or(("density", density, "the shape has no volume"))?;
                positive("density", density)?;
                positive("mass", density * volume)
            }
        }
    }
}

impl Body {
    /// A body at rest in the origin; `inertia` in place of the shape's own where given.
    ///
    /// # Errors
    /// As a name, a value and what is allowed: a size, mass, density or inertia that is not positive and finite; a surface
    /// that is open or wound inward; no inertia where the shape has none.
    pub fn new(shape: Shape, weight: Weight, inertia: Option<[f64; 3]>) -> Result<Self, Flaw> {
        shape.sizes().iter().try_for_each(|size| positive("size", *size).map(drop))?;
        if let Some(flaw) = shape.flaw() {
            return Err(flaw);
        }
        let solid = shape.solid();
        let mass = weight.mass(solid.map(|solid| solid.volume))?;
        let own = solid.map(|solid| solid.inertia.map(|i| i * mass / solid.volume));
        let missing = match shape {
            Shape::Mesh(_) => "the surface is open or encloses nothing: it has no inertia",
            _ => "the shape has no inertia: it must be given",
        };
        let moments = inertia.or(own).ok_or(("inertia", 0.0, missing))?;
        check_resistance(mass, moments)?;
        // A given inertia is about the body's own axes.
        let axes = solid.filter(|_| inertia.is_none()).map(|solid| solid.axes);
        let shape = match (shape, solid) {
            (Shape::Mesh(mesh), Some(solid)) => {
                let center = solid.center.map(|c| c as f32);
                let shift = |x: &[f32; 3]| std::array::from_fn(|k| x[k] - center[k]);
                let corners = mesh.0.iter().map(shift).collect();
                Shape::Mesh(Arc::new((corners, mesh.1.clone())))
            }
            // Parts with a given inertia lie about the center of mass as they stand.
            (Shape::Compound(parts), Some(solid)) if inertia.is_none() => {
                let shifted = parts.iter().map(|part| Part {
                    position: std::array::from_fn(|k| part.position[k] - solid.center[k]),
                    ..part.clone()
                });
                Shape::Compound(Arc::new(shifted.collect()))
            }
            (shape, _) => shape,
        };
        Ok(Self {
            shape,
            mass,
            inertia: moments,
            axes: axes.unwrap_or(UPRIGHT),
            position: [0.0; 3],
            orientation: UPRIGHT,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            fixed: false,
            friction: None,
            restitution: None,
            rolling_resistance: None,
            torsional_resistance: None,
            filter: CollisionFilter::default(),
            sensor: false,
        })
    }

    /// This body elsewhere: position (m) and orientation x y z w.
    pub fn at(mut self, position: [f64; 3], orientation: [f64; 4]) -> Self {
        (self.position, self.orientation) = (position, orientation);
        self
    }

    /// This body, a hollow mesh, touching by at most so many convex parts in place of its convex hull. Mass and inertia stay those
    /// of the mesh; what is drawn is what touches.
    ///
    /// # Errors
    /// As those of [`new`](Self::new): no parts, or more than 1024; a build without the feature `decompose`.
    pub fn split(mut self, most: usize) -> Result<Self, Flaw> {
        let flaw = |rule| Err(("parts", most as f64, rule));
        if !(1..=1024).contains(&most) {
            return flaw("must be between 1 and 1024");
        }
        let Shape::Mesh(mesh) = &self.shape else { return flaw("only a mesh can be split") };
        let parts = convex_parts(mesh, most)?;
        if parts.is_empty() {
            return flaw("the mesh is flat: it has no convex parts");
        }
        let part = |surface| Part {
            shape: Shape::Mesh(Arc::new(surface)),
            position: [0.0; 3],
            orientation: UPRIGHT,
        };
        self.shape = Shape::Compound(Arc::new(parts.into_iter().map(part).collect()));
        Ok(self)
    }

    /// What of it a model refuses.
    pub(crate) fn flaw(&self) -> Option<Flaw> {
        let least = f64::NEG_INFINITY;
        let checks = [
            ("position", &self.position[..], least),
            ("velocity", &self.velocity, least),
            ("angular_velocity", &self.angular_velocity, least),
            ("friction", self.friction.as_slice(), 0.0),
            ("restitution", self.restitution.as_slice(), 0.0),
            ("rolling_resistance", self.rolling_resistance.as_slice(), 0.0),
            ("torsional_resistance", self.torsional_resistance.as_slice(), 0.0),
            ("orientation", &self.orientation, least),
            ("axes", &self.axes, least),
        ];
        let checks = checks.into_iter();
        let sizes = || self.shape.sizes().iter().map(|size| positive("size", *size));
        let flaw = checks
            .map(|(name, values, least)| check_numbers(name, values, least))
            .chain([check_resistance(self.mass, self.inertia)])
            .find_map(Result::err)
            .or_else(|| sizes().find_map(Result::err))
            .or_else(|| self.shape.flaw());
        if flaw.is_some() {
            return flaw;
        }
        if let Some(e) = self.restitution.filter(|e| *e > 1.0) {
            return Some(("restitution", e, "must be in 0..1"));
        }
        let of_axes = || flaw_of_orientation(&self.axes).map(|(_, v, rule)| ("axes", v, rule));
        flaw_of_orientation(&self.orientation).or_else(of_axes)
    }

    /// The principal axes in the world.
    pub fn principal(&self) -> Quat<f64> {
        Quat::of(self.orientation) * Quat::of(self.axes)
    }

    /// How it resists: zeros where it is fixed.
    pub(crate) fn resistance(&self) -> Resistance {
        match self.fixed {
            true => Resistance::default(),
            false => Resistance::new(self.mass, self.inertia),
        }
    }

    /// How it starts.
    pub(crate) fn initial(&self) -> InitialBody {
        InitialBody {
            position: self.position,
            principal: self.principal(),
            axes: self.axes,
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            resistance: self.resistance(),
        }
    }

    /// A point of the world in the principal frame (m).
    pub fn to_local(&self, point: [f64; 3]) -> Vec3<f64> {
        let arm = Vec3::of(point) - Vec3::of(self.position);
        self.principal().unrotate(arm)
    }
}

#[cfg(feature = "decompose")]
fn convex_parts(mesh: &Surface, most: usize) -> Result<Vec<Surface>, Flaw> {
    Ok(crate::mesh::convex_parts(mesh, most))
}

#[cfg(not(feature = "decompose"))]
fn convex_parts(_: &Surface, most: usize) -> Result<Vec<Surface>, Flaw> {
    Err(("parts", most as f64, "needs a build with `--features decompose`"))
}
