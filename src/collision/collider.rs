//! Colliders: solids that no particle moves, as authored.

use super::frustum::{Frustum, turn_of_y};
use super::height_field::triangulate;
use super::mesh::ColliderMesh;
use super::shape::Shape;
use crate::error::{ModelError, checked, direction_flaw};
use crate::math::{UPRIGHT, Vec3, hypotenuse, length};
use crate::state::{CollisionFilter, Motion, Obstacle, Pose, Volume};
use std::sync::Arc;

/// What a collider is.
#[derive(Clone, Debug)]
pub enum Solid {
    /// A shape in closed form.
    Shape(Shape),
    /// Triangles.
    Mesh(Arc<ColliderMesh>),
}

/// A solid that no particle moves.
#[derive(Clone, Debug)]
pub struct Collider {
    solid: Solid,
    pose: Pose<f64>,
    motion: Motion,
    friction: Option<f64>,
    restitution: Option<f64>,
    pub(crate) resistances: [Option<f64>; 2],
    pub(crate) filter: CollisionFilter,
    pub(crate) sensor: bool,
}

impl Collider {
    fn new(solid: Solid, center: [f64; 3], orientation: [f64; 4]) -> Result<Self, ModelError> {
        let finite = |name: &str, values: &[f64]| -> Result<(), ModelError> {
            for &v in values {
                checked(|| format!("collider.{name}"), v, f64::NEG_INFINITY)?;
            }
            Ok(())
        };
        finite("center", &center)?;
        finite("orientation", &orientation)?;
        let length = length(&orientation);
        if (length - 1.0).abs() > 1e-3 {
            let rule = "must be a unit quaternion";
            return Err(ModelError::value("collider.orientation", length, rule));
        }
        Ok(Self {
            solid,
            pose: Pose::new(center, orientation.map(|v| v / length)),
            motion: Motion::default(),
            friction: None,
            restitution: None,
            resistances: [None; 2],
            filter: CollisionFilter::default(),
            sensor: false,
        })
    }

    /// Point and normal of a plane that does not move; nothing else has any.
    pub fn still_plane(&self) -> Option<[[f64; 3]; 2]> {
        let Solid::Shape(Shape::Plane { normal }) = self.solid else {
            return None;
        };
        let Vec3 { x, y, z } = self.pose.center;
        (self.motion == Motion::default()).then_some([[x, y, z], normal])
    }

    /// What fluid makes room for.
    pub(crate) fn obstacle(&self) -> Obstacle {
        let volume = match &self.solid {
            Solid::Shape(shape) => shape.volume(),
            Solid::Mesh(mesh) => Volume::Surface { triangles: mesh.clone(), reach: f64::INFINITY },
        };
        Obstacle { volume, pose: self.pose, motion: self.motion }
    }

    /// All below `point` (m), seen along `normal`.
    ///
    /// # Errors
    /// A number that is not finite, a normal of length zero.
    pub fn plane(point: [f64; 3], normal: [f64; 3]) -> Result<Self, ModelError> {
        let [x, y, z] = normal;
        let length = hypotenuse(hypotenuse(x, y), z);
        if let Some(rule) = direction_flaw(length) {
            return Err(ModelError::value("collider.normal", length, rule));
        }
        let normal = normal.map(|v| v / length);
        Self::new(Solid::Shape(Shape::Plane { normal }), point, UPRIGHT)
    }

    /// A bin: a floor at height zero between two walls across x and two across z, at the places given (m). It is open above.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn bin(x: [f64; 2], z: [f64; 2]) -> Result<Vec<Self>, ModelError> {
        let planes = [
            ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
            ([x[0], 0.0, 0.0], [1.0, 0.0, 0.0]),
            ([x[1], 0.0, 0.0], [-1.0, 0.0, 0.0]),
            ([0.0, 0.0, z[0]], [0.0, 0.0, 1.0]),
            ([0.0, 0.0, z[1]], [0.0, 0.0, -1.0]),
        ];
        planes.into_iter().map(|(point, normal)| Self::plane(point, normal)).collect()
    }

    /// A ball (m).
    ///
    /// # Errors
    /// A number that is not finite, a radius that is not positive.
    pub fn sphere(center: [f64; 3], radius: f64) -> Result<Self, ModelError> {
        let radius = positive("radius", radius)?;
        Self::new(Solid::Shape(Shape::Sphere { radius }), center, UPRIGHT)
    }

    /// A box by half its sizes (m), turned by the unit quaternion [x, y, z, w].
    ///
    /// # Errors
    /// A number that is not finite, a size that is not positive, a quaternion of another length than 1.
    pub fn cuboid(
        center: [f64; 3],
        half_size: [f64; 3],
        orientation: [f64; 4],
    ) -> Result<Self, ModelError> {
        half_size.into_iter().try_for_each(|size| positive("half_size", size).map(drop))?;
        Self::new(Solid::Shape(Shape::Box { half_size }), center, orientation)
    }

    /// All within `radius` of the segment from `a` to `b` (m).
    ///
    /// # Errors
    /// A number that is not finite, a radius that is not positive. The two ends may be one point.
    pub fn capsule(a: [f64; 3], b: [f64; 3], radius: f64) -> Result<Self, ModelError> {
        let radius = positive("radius", radius)?;
        let half = [0, 1, 2].map(|k| (b[k] - a[k]) / 2.0);
        let center = [0, 1, 2].map(|k| (b[k] + a[k]) / 2.0);
        Self::new(Solid::Shape(Shape::Capsule { half, radius }), center, UPRIGHT)
    }

    /// All within `radius` of the line from `a` to `b` (m) and between them: a cylinder with flat ends.
    ///
    /// # Errors
    /// A number that is not finite, a radius that is not positive, two ends in one point.
    pub fn cylinder(a: [f64; 3], b: [f64; 3], radius: f64) -> Result<Self, ModelError> {
        Self::frustum(a, b, [radius; 2])
    }

    /// A cone of a `radius` around `a` with its tip in `b` (m).
    ///
    /// # Errors
    /// As [`cylinder`](Self::cylinder).
    pub fn cone(a: [f64; 3], b: [f64; 3], radius: f64) -> Result<Self, ModelError> {
        Self::frustum(a, b, [radius, 0.0])
    }

    fn frustum(a: [f64; 3], b: [f64; 3], radii: [f64; 2]) -> Result<Self, ModelError> {
        positive("radius", radii[0])?;
        let [x, y, z] = [0, 1, 2].map(|k| b[k] - a[k]);
        let length = hypotenuse(hypotenuse(x, y), z);
        if !(length as f32 > 0.0 && (length as f32).is_finite()) {
            let rule = "how far it is from a must be positive and finite in f32";
            return Err(ModelError::value("collider.b", length, rule));
        }
        let shape = Shape::Frustum(Frustum { ends: [-0.5 * length, 0.5 * length], radii });
        let center = [0, 1, 2].map(|k| (b[k] + a[k]) / 2.0);
        Self::new(Solid::Shape(shape), center, turn_of_y([x, y, z].map(|v| v / length)))
    }

    /// Ground over a grid in x and z: the middle of the grid at height zero (m), the distances of its points along x and z (m),
    /// and rows along x, from low z to high, of the points' heights (m). It is open below.
    ///
    /// # Errors
    /// Fewer than two rows or points in a row, rows of different lengths; a number that is not finite, a distance that is not positive.
    pub fn height_field(
        center: [f64; 3],
        spacing: [f64; 2],
        heights: &[Vec<f64>],
    ) -> Result<Self, ModelError> {
        for distance in spacing {
            positive("spacing", distance)?;
        }
        let (points, triangles) = triangulate(spacing, heights)?;
        Self::mesh(&points, &triangles, center, UPRIGHT)
    }

    /// Triangles on points about `center` (m), turned by the unit quaternion [x, y, z, w].
    ///
    /// # Errors
    /// As [`ColliderMesh::new`]; a quaternion of another length than 1.
    pub fn mesh(
        points: &[[f64; 3]],
        triangles: &[[u32; 3]],
        center: [f64; 3],
        orientation: [f64; 4],
    ) -> Result<Self, ModelError> {
        let mesh = ColliderMesh::new(points, triangles)?;
        Self::new(Solid::Mesh(Arc::new(mesh)), center, orientation)
    }

    /// How it moves.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The collider, moving.
    ///
    /// # Errors
    /// A velocity that is not finite, or a beginning.
    pub fn moving(mut self, motion: Motion) -> Result<Self, ModelError> {
        let Motion { velocity, angular_velocity, .. } = motion;
        for (name, of) in [("velocity", velocity), ("angular_velocity", angular_velocity)] {
            for v in of {
                checked(|| format!("collider.{name}"), v, f64::NEG_INFINITY)?;
            }
        }
        checked(|| "collider.begins".into(), motion.begins, f64::NEG_INFINITY)?;
        self.motion = motion;
        Ok(self)
    }

    /// The collider, of a material: friction µ and restitution e; what is left out is the particles' own.
    ///
    /// # Errors
    /// A friction below zero, a restitution outside 0..1.
    pub fn of_material(
        mut self,
        friction: Option<f64>,
        restitution: Option<f64>,
    ) -> Result<Self, ModelError> {
        check_material("collider", friction, restitution)?;
        (self.friction, self.restitution) = (friction, restitution);
        Ok(self)
    }

    /// The collider, with arms (m) at which it resists rolling, and turning about the normal: the torque is at most the arm
    /// times the normal force. Bodies feel them, particles do not.
    ///
    /// # Errors
    /// An arm below zero or not finite.
    pub fn resisting(
        mut self,
        rolling: Option<f64>,
        torsional: Option<f64>,
    ) -> Result<Self, ModelError> {
        for (name, arm) in [("rolling", rolling), ("torsional", torsional)] {
            checked(|| format!("collider.{name}_resistance"), arm.unwrap_or(0.0), 0.0)?;
        }
        self.resistances = [rolling, torsional];
        Ok(self)
    }

    /// The collider, touching what `filter` lets it.
    pub fn filtered(self, filter: CollisionFilter) -> Self {
        Self { filter, ..self }
    }

    /// The collider as a sensor: it holds nothing, and reports which bodies overlap it.
    pub fn sensor(self) -> Self {
        Self { sensor: true, ..self }
    }

    /// Friction and restitution, where it has its own.
    pub(crate) fn material(&self) -> [Option<f64>; 2] {
        [self.friction, self.restitution]
    }

    /// What it is.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// Where it is at `time` (s).
    pub fn pose(&self, time: f64) -> Pose<f64> {
        self.pose.moved(&self.motion, time)
    }

    /// Friction and restitution against particles of a material.
    pub fn against(&self, friction: Option<f64>, restitution: Option<f64>) -> [f64; 2] {
        combine([self.friction, friction], [self.restitution, restitution])
    }
}

/// Friction sqrt(µ1 µ2) and restitution max(e1, e2); where only one side has a value, it counts.
pub(crate) fn combine(friction: [Option<f64>; 2], restitution: [Option<f64>; 2]) -> [f64; 2] {
    let both = |[a, b]: [Option<f64>; 2], of: fn(f64, f64) -> f64| match (a, b) {
        (Some(a), Some(b)) => of(a, b),
        (a, b) => a.or(b).unwrap_or(0.0),
    };
    [both(friction, |a, b| (a * b).sqrt()), both(restitution, f64::max)]
}

fn positive(name: &str, value: f64) -> Result<f64, ModelError> {
    let rounded = value as f32;
    match rounded > 0.0 && rounded.is_finite() {
        true => Ok(value),
        false => Err(ModelError::Value {
            place: format!("collider.{name}"),
            value,
            rule: "must be positive and finite in f32",
        }),
    }
}

/// Refuses a friction below zero and a restitution outside 0..1.
pub(super) fn check_material(
    place: &str,
    friction: Option<f64>,
    restitution: Option<f64>,
) -> Result<(), ModelError> {
    let refuse =
        |name: &str, value, rule| Err(ModelError::value(format!("{place}.{name}"), value, rule));
    match (friction, restitution) {
        (Some(mu), _) if !(mu >= 0.0 && (mu as f32).is_finite()) => {
            refuse("friction", mu, "must not be negative")
        }
        (_, Some(e)) if !(0.0..=1.0).contains(&e) => refuse("restitution", e, "must be in 0..1"),
        _ => Ok(()),
    }
}
