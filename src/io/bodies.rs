//! Rigid bodies in scene files.

use super::json::{Node, Object, Wrong};
use super::read_mesh;
use crate::model::Model;
use crate::rigid::{Body, Shape, Weight};
use std::path::Path;
use std::sync::Arc;

const KEYS: [&str; 12] = [
    "shape",
    "size",
    "mass",
    "density",
    "inertia",
    "position",
    "orientation",
    "velocity",
    "angular_velocity",
    "fixed",
    "friction",
    "restitution",
];
/// The shapes, as listed where one is not known.
const SHAPES: [&str; 5] = ["box", "sphere", "capsule", "mesh", "none"];

/// Adds one body of a scene file, which lies in `folder`.
pub(super) fn add_body(
    model: &mut Model,
    node: &Node,
    folder: &Path,
    warnings: &mut Vec<String>,
) -> Result<(), Wrong> {
    let keys = node.object(&KEYS)?;
    let shape = shape(&keys, folder, warnings)?;
    let mass = keys.maybe("mass", |n| n.positive())?;
    let density = keys.maybe("density", |n| n.positive())?;
    let weight = match (mass, density) {
        (Some(_), Some(_)) => return Err(node.lacks("both \"mass\" and \"density\" are given")),
        (Some(mass), None) => Weight::Mass(mass),
        (None, Some(density)) => Weight::Density(density),
        (None, None) => return Err(node.lacks("\"mass\" or \"density\" is missing")),
    };
    let inertia = keys.maybe("inertia", |n| n.array(|n| n.positive()))?;
    let place = |(name, value, rule): (&str, f64, &str)| match keys.find(name) {
        Some(given) => given.lacks(format!("{value} is not allowed ({rule})")),
        None => node.lacks(format!("{name} {value} is not allowed ({rule})")),
    };
    let mut body = Body::new(shape, weight, inertia).map_err(place)?;
    let vector = |key| {
        keys.maybe(key, |n| n.vector())
            .map(Option::unwrap_or_default)
    };
    body.position = vector("position")?;
    body.velocity = vector("velocity")?;
    body.angular_velocity = vector("angular_velocity")?;
    if let Some(given) = keys.find("orientation") {
        let q: [f64; 4] = given.array(|n| n.number())?;
        let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length < 1e-12 {
            return Err(given.lacks("[0, 0, 0, 0] is not allowed (it has no direction)"));
        }
        if (length - 1.0).abs() > 1e-3 {
            let i = model.bodies().len();
            let what = format!("bodies[{i}].orientation: of length {length}, normalized");
            warnings.push(what);
        }
        body.orientation = q.map(|v| v / length);
    }
    body.fixed = keys.maybe("fixed", |n| n.truth())?.unwrap_or(false);
    body.friction = keys.maybe("friction", |n| n.at_least(0.0))?;
    body.restitution = keys.maybe("restitution", |n| n.at_least(0.0))?;
    let added = model.add_body(body);
    added.map(|_| ()).map_err(|error| node.lacks(error))
}

fn shape(keys: &Object, folder: &Path, warnings: &mut Vec<String>) -> Result<Shape, Wrong> {
    let word = keys.need("shape")?;
    let size = || keys.need("size");
    Ok(match word.text()? {
        "box" => Shape::Box(size()?.array(|n| n.positive())?),
        "sphere" => Shape::Sphere(size()?.positive()?),
        "capsule" => Shape::Capsule(size()?.array(|n| n.positive())?),
        "none" => Shape::None,
        "mesh" => {
            let size = size()?;
            let of = size.object(&["file", "scale"])?;
            let file = of.need("file")?;
            let scale = of.maybe("scale", |n| n.positive())?.unwrap_or(1.0);
            let mesh = read_mesh(&folder.join(file.text()?)).map_err(|e| file.lacks(e))?;
            warnings.extend(mesh.warnings);
            let scaled = |x: &[f32; 3]| x.map(|v| (f64::from(v) * scale) as f32);
            let corners = mesh.positions.iter().map(scaled).collect();
            Shape::Mesh(Arc::new((corners, mesh.triangles)))
        }
        unknown => {
            let known = SHAPES.into_iter();
            let error = crate::ModelError::unknown("shape", unknown, known);
            return Err(word.lacks(error));
        }
    })
}
