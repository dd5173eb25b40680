//! `"bodies"` in scene files.

use super::builder::Builder;
use super::form::{Forms, forms, list_forms};
use super::message::{Shown, missing, refused};
use super::place::{Place, SceneError};
use super::values::{
    Categories, Finite, Fraction, NotNegative, Plain, Positive, Rotation, Vector, Whole, filter,
};
use crate::error::ModelError;
use crate::math::{UPRIGHT, length};
use crate::rigid::{Body, Part, Shape, Weight};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// A rigid body. Either `mass` or `density` must be given.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = list_forms::<BodyEntry>)]
pub(super) struct BodyEntry {
    /// What it is.
    shape: String,
    /// The shape's size [m].
    #[schemars(with = "Option<Size>")]
    size: Option<Value>,
    /// The shapes of a compound.
    parts: Option<Vec<PartEntry>>,
    /// Mass [kg].
    mass: Option<Positive>,
    /// Density [kg/m³].
    density: Option<Positive>,
    /// Moments of inertia [Ixx, Iyy, Izz] about its own axes [kg m²]; left out, those of the shape.
    inertia: Option<[Positive; 3]>,
    /// Position of the center of mass [m]; left out, the origin.
    position: Option<Vector>,
    /// A quaternion [x, y, z, w]; left out, not turned.
    orientation: Option<[Finite; 4]>,
    /// Velocity [m/s]; left out, 0.
    velocity: Option<Vector>,
    /// Angular velocity [rad/s]; left out, 0.
    angular_velocity: Option<Vector>,
    /// Whether nothing moves it; left out, false.
    fixed: Option<bool>,
    /// Coefficient of friction µ.
    friction: Option<NotNegative>,
    /// Coefficient of restitution e.
    restitution: Option<Fraction>,
    /// Arm at which it resists rolling [m]: the torque is at most this times the normal force. Two combine as friction does.
    rolling_resistance: Option<NotNegative>,
    /// The same against turning about the normal [m].
    torsional_resistance: Option<NotNegative>,
    /// The categories that it is of, as a sum of powers of two; left out, 1.
    category: Option<Categories>,
    /// The categories that it touches; left out, all.
    mask: Option<Categories>,
    /// Whether it only reports what it overlaps; left out, false.
    sensor: Option<bool>,
}

/// Shapes that a compound may be made of.
const SINGLE: [&str; 6] = ["box", "sphere", "capsule", "cylinder", "cone", "mesh"];

/// A shape of a compound.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct PartEntry {
    /// What it is.
    #[schemars(extend("enum" = SINGLE))]
    shape: String,
    /// The shape's size [m].
    #[schemars(with = "Size")]
    size: Value,
    /// Where its center is in the whole [m]; left out, the origin.
    position: Option<Vector>,
    /// A unit quaternion [x, y, z, w]; left out, not turned.
    orientation: Option<Rotation>,
}

/// Half sizes of a box, radius and half height (along y) of a capsule, a cylinder or a cone, radius of a sphere, or a mesh.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "for the schema")]
enum Size {
    Radius(Positive),
    Box([Positive; 3]),
    Round([Positive; 2]),
    Mesh(MeshSize),
}

/// The size of a mesh.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct MeshSize {
    /// An OBJ, PLY, glTF or TetGen file; the path is relative to the scene file.
    file: String,
    /// What its coordinates are multiplied by; left out, 1.
    scale: Option<Positive>,
    /// The most convex parts by which a hollow mesh touches, for a body that is a mesh; left out, it touches by its convex hull.
    parts: Option<Whole<1, 1024>>,
}

forms! {
    BodyEntry, shape, "shape";
    "box": "A box; `size` is half of it along each axis.", [size], [];
    "sphere": "A ball; `size` is its radius.", [size], [];
    "capsule": "`size` is the radius and half the core, which lies along y.", [size], [];
    "cylinder": "`size` is the radius and half the height, which lies along y.", [size], [];
    "cone": "`size` is the radius of the base and half the height; the tip is up along y, the center of mass at a quarter of the height.", [size], [];
    "compound": "Several shapes in one body.", [parts], [];
    "mesh": "A mesh of a file; it touches with its convex hull, or with convex parts.", [size], [];
    "none": "Nothing that touches; `inertia` must be given.", [], [size];
}

impl BodyEntry {
    pub(super) fn add(&self, to: &mut Builder, place: Place) -> Result<(), SceneError> {
        let shape = self.shape(to, place)?;
        let weight = match (self.mass, self.density) {
            (Some(mass), None) => Ok(Weight::Mass(mass.plain())),
            (None, Some(density)) => Ok(Weight::Density(density.plain())),
            (Some(_), Some(_)) => Err("both \"mass\" and \"density\" are given"),
            (None, None) => Err("\"mass\" or \"density\" is missing"),
        };
        let body =
            Body::new(shape, weight.map_err(|what| place.error(what))?, self.inertia.plain());
        let mut body = body.map_err(|(name, value, rule)| {
            let given = match name {
                "mass" => self.mass.is_some(),
                "density" => self.density.is_some(),
                "inertia" => self.inertia.is_some(),
                name => matches!(name, "shape" | "size"),
            };
            match given {
                true => place.at(name, refused(Shown(value), rule)),
                false if name == "inertia" && value == 0.0 => {
                    place.error(format!("{}: {rule}", missing(name)))
                }
                false => place.error(format!("{name} {}", refused(Shown(value), rule))),
            }
        })?;
        if let ("mesh", Some(size)) = (self.shape.as_str(), &self.size) {
            let of: MeshSize = place.read("size", size)?;
            if let Some(most) = of.parts {
                let split = body.split(most.plain() as usize);
                let refuse =
                    |(name, value, rule)| place.at(format!("size.{name}"), refused(value, rule));
                body = split.map_err(refuse)?;
            }
        }
        self.warn_of_inertia(to, place);
        body.position = self.position.plain().unwrap_or_default();
        body.velocity = self.velocity.plain().unwrap_or_default();
        body.angular_velocity = self.angular_velocity.plain().unwrap_or_default();
        if let Some(q) = self.orientation.plain() {
            let length = length(&q);
            if length < 1e-12 {
                let rule = "it has no direction";
                return Err(place.at("orientation", refused("[0, 0, 0, 0]", rule)));
            }
            if (length - 1.0).abs() > 1e-3 {
                let what = format!("{place}.orientation: of length {length}, normalized");
                to.warnings.push(what);
            }
            body.orientation = q.map(|v| v / length);
        }
        body.fixed = self.fixed.unwrap_or(false);
        body.friction = self.friction.plain();
        body.restitution = self.restitution.plain();
        body.rolling_resistance = self.rolling_resistance.plain();
        body.torsional_resistance = self.torsional_resistance.plain();
        body.filter = filter(self.category, self.mask);
        body.sensor = self.sensor.unwrap_or(false);
        place.accept(to.model.add_body(body)).map(|_| ())
    }

    /// Warns of moments that no body has: Ixx + Iyy = Izz + 2 ∫ z² dm, so that none is more than the sum of the others.
    fn warn_of_inertia(&self, to: &mut Builder, place: Place) {
        let Some([x, y, z]) = self.inertia.plain() else {
            return;
        };
        if 2.0 * x.max(y).max(z) > (x + y + z) * (1.0 + 1e-5) {
            let what = "no body has such moments: one is more than the sum of the others";
            to.warnings.push(format!("{place}.inertia: {what}"));
        }
    }

    fn shape(&self, to: &mut Builder, place: Place) -> Result<Shape, SceneError> {
        let form = self.form(place)?;
        match form {
            "none" => Ok(Shape::None),
            "compound" => {
                let parts = place.need("parts", self.parts.as_ref())?;
                let part = |(i, part): (usize, &PartEntry)| {
                    if !SINGLE.contains(&part.shape.as_str()) {
                        let error = ModelError::unknown("shape", &part.shape, SINGLE);
                        return Err(place.at(format!("parts[{i}].shape"), error));
                    }
                    let key = format!("parts[{i}].size");
                    Ok(Part {
                        shape: single_shape(&part.shape, &part.size, (to, place, &key))?,
                        position: part.position.plain().unwrap_or_default(),
                        orientation: part.orientation.plain().unwrap_or(UPRIGHT),
                    })
                };
                let parts: Result<Vec<Part>, _> = parts.iter().enumerate().map(part).collect();
                Ok(Shape::Compound(Arc::new(parts?)))
            }
            form => {
                let size = place.need("size", self.size.as_ref())?;
                single_shape(form, size, (to, place, "size"))
            }
        }
    }
}

/// A shape by its word and its size, which stands under `key`.
fn single_shape(
    form: &str,
    size: &Value,
    (to, place, key): (&mut Builder, Place, &str),
) -> Result<Shape, SceneError> {
    Ok(match form {
        "box" => Shape::Box(place.read::<[Positive; 3]>(key, size)?.plain()),
        "sphere" => Shape::Sphere(place.read::<Positive>(key, size)?.plain()),
        "capsule" => Shape::Capsule(place.read::<[Positive; 2]>(key, size)?.plain()),
        "cylinder" => Shape::Cylinder(place.read::<[Positive; 2]>(key, size)?.plain()),
        "cone" => Shape::Cone(place.read::<[Positive; 2]>(key, size)?.plain()),
        _ => {
            let of: MeshSize = place.read(key, size)?;
            if of.parts.is_some() && key != "size" {
                return Err(
                    place.at(format!("{key}.parts"), "a part of a compound has none itself")
                );
            }
            let scale = of.scale.plain().unwrap_or(1.0);
            let mesh = to.mesh(place, &format!("{key}.file"), &of.file)?;
            let scaled = |x: &[f32; 3]| x.map(|v| (f64::from(v) * scale) as f32);
            let corners = mesh.positions.iter().map(scaled).collect();
            Shape::Mesh(Arc::new((corners, mesh.triangles)))
        }
    })
}
