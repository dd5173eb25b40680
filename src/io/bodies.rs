//! Rigid bodies and joints in scene files.

use super::json::{Node, Object, Wrong};
use super::read_mesh;
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Motor, Shape, Weight};
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

const JOINT_KEYS: [&str; 10] = [
    "kind",
    "bodies",
    "body",
    "particle",
    "anchor",
    "axis",
    "limits",
    "target",
    "motor",
    "compliance",
];

/// Adds one joint of a scene file.
pub(super) fn add_joint(model: &Model, joints: &mut Joints, node: &Node) -> Result<(), Wrong> {
    let keys = node.object(&JOINT_KEYS)?;
    let kind = keys.need("kind")?;
    let word = kind.text()?;
    let found = JointKind::ALL.into_iter().find(|k| k.name() == word);
    let names = JointKind::ALL.into_iter().map(JointKind::name);
    let unknown = || kind.lacks(crate::ModelError::unknown("joint", word, names));
    let found = found.ok_or_else(unknown)?;
    let ends = ends(model, &keys)?;
    let anchor = keys.need("anchor")?.vector()?;
    let target = keys.maybe("target", |n| n.number())?;
    let motor = match (keys.find("motor"), target) {
        (None, None) => None,
        (None, Some(_)) => return Err(node.lacks("a \"target\" stands beside a \"motor\" only")),
        (Some(motor), target) => {
            let missing = || node.lacks("\"target\" is missing");
            let target = target.ok_or_else(missing)?;
            Some(match motor.text()? {
                "position" => Motor::Position(target),
                "velocity" => Motor::Velocity(target),
                unknown => {
                    let known = ["position", "velocity"];
                    let error = crate::ModelError::unknown("motor", unknown, known);
                    return Err(motor.lacks(error));
                }
            })
        }
    };
    let joint = Joint {
        kind: found,
        ends,
        anchor,
        axis: keys.maybe("axis", |n| n.vector())?,
        limits: keys.maybe("limits", |n| n.array(|n| n.number()))?,
        motor,
        compliance: keys
            .maybe("compliance", |n| n.at_least(0.0))?
            .unwrap_or(0.0),
    };
    let added = joints.add(model, joint);
    added.map_err(|error| node.lacks(error))
}

/// `"bodies": [i, j]`, or `"body": i` and `"particle": p`; body -1 is the world.
fn ends(model: &Model, keys: &Object) -> Result<[End; 2], Wrong> {
    let body = |n: &Node| match n.number()? {
        -1.0 => Ok(End::World),
        i if i >= 0.0 && i.fract() == 0.0 && i < model.bodies().len() as f64 => {
            Ok(End::Body(i as u32))
        }
        _ => {
            let count = model.bodies().len();
            Err(n.wrong(format!("must be a body below {count}, or -1 for the world")))
        }
    };
    match (
        keys.find("bodies"),
        keys.find("body"),
        keys.find("particle"),
    ) {
        (Some(pair), None, None) => {
            let mut ends = [End::World; 2];
            let count = pair.each(|i, n| {
                if let Some(end) = ends.get_mut(i) {
                    *end = body(&n)?;
                }
                Ok(())
            })?;
            match count {
                2 => Ok(ends),
                _ => Err(pair.wrong("must be a list of 2")),
            }
        }
        (None, Some(one), Some(particle)) => {
            let count = model.positions().len();
            let index = match count {
                0 => return Err(particle.wrong("there are no particles")),
                count => particle.whole(0, count as u32 - 1)?,
            };
            Ok([body(&one)?, End::Particle(index)])
        }
        _ => Err(keys
            .node()
            .lacks("either \"bodies\", or \"body\" and \"particle\", must be given")),
    }
}
