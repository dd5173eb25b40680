//! `"colliders"` in scene files.

use super::builder::Builder;
use super::form::{Forms, forms, list_forms};
use super::place::{Place, SceneError};
use super::values::{
    Categories, Finite, Fraction, NotNegative, Plain, Positive, Rotation, Vector, filter,
};
use crate::collision::{Collider, Motion};
use crate::error::ModelError;
use crate::math::UPRIGHT;
use schemars::JsonSchema;
use serde::Deserialize;

/// Something solid that no particle moves.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = list_forms::<ColliderEntry>)]
pub(super) struct ColliderEntry {
    /// What it is.
    shape: String,
    /// A point of the plane [m].
    point: Option<Vector>,
    /// The plane's normal, of any length; particles stay on its side.
    normal: Option<Vector>,
    /// The center [m].
    center: Option<Vector>,
    /// The radius [m].
    radius: Option<Positive>,
    /// Half the size along each axis of its own [m].
    half_size: Option<Vector>,
    /// A unit quaternion [x, y, z, w]; left out, not turned.
    orientation: Option<Rotation>,
    /// Distances of the points along x and z [m].
    spacing: Option<[Positive; 2]>,
    /// Rows along x, from low z to high, of the heights of the points [m].
    heights: Option<Vec<Vec<Finite>>>,
    /// One end of the core or the axis [m].
    a: Option<Vector>,
    /// The other end of the core or the axis [m].
    b: Option<Vector>,
    /// An OBJ, PLY, glTF or TetGen file; the path is relative to the scene file.
    file: Option<String>,
    /// What the file's coordinates are multiplied by; left out, 1.
    scale: Option<Positive>,
    /// A unit quaternion [x, y, z, w]: the mesh is scaled, then rotated, then translated.
    rotate: Option<Rotation>,
    /// Where the mesh is moved to [m].
    translate: Option<Vector>,
    /// Velocity [m/s].
    velocity: Option<Vector>,
    /// Angular velocity about its center [rad/s].
    angular_velocity: Option<Vector>,
    /// Coefficient of friction µ; left out, that of what touches it.
    friction: Option<NotNegative>,
    /// Coefficient of restitution e; left out, that of what touches it.
    restitution: Option<Fraction>,
    /// Arm at which it resists rolling of bodies [m]: the torque is at most this times the normal force. Two combine as friction does.
    rolling_resistance: Option<NotNegative>,
    /// The same against turning about the normal [m].
    torsional_resistance: Option<NotNegative>,
    /// The categories that it is of, as a sum of powers of two; left out, 1.
    category: Option<Categories>,
    /// The categories that it touches; left out, all.
    mask: Option<Categories>,
    /// Whether it only reports which bodies overlap it; left out, false.
    sensor: Option<bool>,
}

forms! {
    ColliderEntry, shape, "shape";
    "plane": "A half space.", [point normal], [];
    "sphere": "A ball.", [center radius], [];
    "box": "A box.", [center half_size], [orientation];
    "capsule": "All within a radius of a segment.", [a b radius], [];
    "cylinder": "All within a radius of the line from a to b, with flat ends.", [a b radius], [];
    "cone": "A cone of a radius around a, with its tip in b.", [a b radius], [];
    "height-field": "Ground over a grid in x and z; the center is the grid's middle at height zero.", [spacing heights], [center];
    "mesh": "Triangles of a file.", [file], [scale rotate translate];
}

impl ColliderEntry {
    pub(super) fn collider(&self, to: &mut Builder, place: Place) -> Result<Collider, SceneError> {
        let form = self.form(place)?;
        let vector = |key, value: Option<Vector>| Ok(place.need(key, value)?.plain());
        let radius = || Ok(place.need("radius", self.radius)?.plain());
        let center = || vector("center", self.center);
        let collider = match form {
            "plane" => {
                Collider::plane(vector("point", self.point)?, vector("normal", self.normal)?)
            }
            "sphere" => Collider::sphere(center()?, radius()?),
            "box" => {
                let half_size = vector("half_size", self.half_size)?;
                Collider::cuboid(center()?, half_size, turned(self.orientation))
            }
            "capsule" => Collider::capsule(vector("a", self.a)?, vector("b", self.b)?, radius()?),
            "cylinder" => Collider::cylinder(vector("a", self.a)?, vector("b", self.b)?, radius()?),
            "cone" => Collider::cone(vector("a", self.a)?, vector("b", self.b)?, radius()?),
            "height-field" => {
                let spacing = place.need("spacing", self.spacing)?.plain();
                let rows = place.need("heights", self.heights.as_ref())?.iter();
                let heights: Vec<Vec<f64>> =
                    rows.map(|row| row.iter().map(|v| v.plain()).collect()).collect();
                Collider::height_field(self.center.plain().unwrap_or_default(), spacing, &heights)
            }
            _ => self.mesh(to, place)?,
        };
        let motion = Motion {
            velocity: self.velocity.plain().unwrap_or_default(),
            angular_velocity: self.angular_velocity.plain().unwrap_or_default(),
            ..Motion::default()
        };
        let (friction, restitution) = (self.friction.plain(), self.restitution.plain());
        let collider = collider.and_then(|c| c.moving(motion));
        let collider = collider.and_then(|c| c.of_material(friction, restitution));
        let arms = (self.rolling_resistance.plain(), self.torsional_resistance.plain());
        let collider = collider.and_then(|c| c.resisting(arms.0, arms.1));
        let collider = place.accept(collider)?.filtered(filter(self.category, self.mask));
        Ok(if self.sensor == Some(true) { collider.sensor() } else { collider })
    }

    fn mesh(
        &self,
        to: &mut Builder,
        place: Place,
    ) -> Result<Result<Collider, ModelError>, SceneError> {
        let file = place.need("file", self.file.as_ref())?;
        let mesh = to.mesh(place, "file", file)?;
        let scale = self.scale.plain().unwrap_or(1.0);
        let center = self.translate.plain().unwrap_or_default();
        let scaled = |x: &[f32; 3]| x.map(|v| scale * f64::from(v));
        let points: Vec<[f64; 3]> = mesh.positions.iter().map(scaled).collect();
        let skin = match mesh.triangles.is_empty() {
            true => crate::mesh::surface_triangles(&mesh.positions, &mesh.tetrahedra),
            false => mesh.triangles,
        };
        let collider = Collider::mesh(&points, &skin, center, turned(self.rotate));
        if let Ok(crate::collision::Solid::Mesh(mesh)) = collider.as_ref().map(Collider::solid)
            && !mesh.is_closed()
        {
            let name = crate::io::quote(file.as_bytes());
            to.warnings.push(format!(
                "{place}: \"{name}\" is not closed and wound outward: a sheet with two sides, without an inside"
            ));
        }
        Ok(collider)
    }
}

/// No rotation where none is given.
fn turned(rotation: Option<Rotation>) -> [f64; 4] {
    rotation.plain().unwrap_or(UPRIGHT)
}
