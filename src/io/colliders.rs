//! `"colliders"` and `"contacts"` in scene files.

use super::json::{Node, Object, Wrong};
#[cfg(feature = "meshes")]
use super::read_mesh;
use super::scene_mesh::unit_quaternion;
use crate::collision::{Collider, Contacts, Detect, Motion, Order, SelfContact};
use crate::error::ModelError;
use crate::mesh;
use crate::model::Model;
use std::ops::Range;
use std::path::Path;

/// The shapes, each with the keys that are its own.
const SHAPES: [(&str, &[&str]); 5] = [
    ("plane", &["point", "normal"]),
    ("sphere", &["center", "radius"]),
    ("box", &["center", "half_size", "orientation"]),
    ("capsule", &["a", "b", "radius"]),
    ("mesh", &["file", "scale", "rotate", "translate"]),
];

/// The keys every collider may have.
const COMMON: [&str; 5] = [
    "shape",
    "velocity",
    "angular_velocity",
    "friction",
    "restitution",
];

/// Reads one collider; mesh files lie in `folder`.
pub(super) fn read_collider(
    node: &Node,
    folder: &Path,
    warnings: &mut Vec<String>,
) -> Result<Collider, Wrong> {
    let entries = node.entries()?;
    let shape = entries.iter().find(|(key, _)| key == "shape");
    let shape = node.child(shape.ok_or_else(|| node.lacks("\"shape\" is missing"))?);
    let name = shape.text()?;
    let Some((_, own)) = SHAPES.iter().find(|(known, _)| *known == name) else {
        let known = SHAPES.map(|(known, _)| known);
        return Err(shape.lacks(ModelError::unknown("shape", name, known)));
    };
    let keys: Vec<&str> = COMMON.iter().chain(*own).copied().collect();
    let keys = node.object(&keys)?;
    let vector = |key| keys.need(key)?.vector();
    let positive = |key| keys.need(key)?.positive();
    let refuse = |error: ModelError| node.lacks(error);
    let collider = match name {
        "plane" => Collider::plane(vector("point")?, vector("normal")?),
        "sphere" => Collider::sphere(vector("center")?, positive("radius")?),
        "box" => {
            let turned = keys.maybe("orientation", |n| unit_quaternion(n))?;
            let turned = turned.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            Collider::cuboid(vector("center")?, vector("half_size")?, turned)
        }
        "capsule" => Collider::capsule(vector("a")?, vector("b")?, positive("radius")?),
        _ => read_mesh_collider(&keys, folder, warnings)?,
    };
    let motion = Motion {
        velocity: keys.maybe("velocity", |n| n.vector())?.unwrap_or_default(),
        angular_velocity: keys
            .maybe("angular_velocity", |n| n.vector())?
            .unwrap_or_default(),
        ..Motion::default()
    };
    let [friction, restitution] = material(&keys)?;
    let collider = collider.and_then(|c| c.moving(motion));
    let collider = collider.and_then(|c| c.of_material(friction, restitution));
    collider.map_err(refuse)
}

#[cfg(feature = "meshes")]
fn read_mesh_collider(
    keys: &Object,
    folder: &Path,
    warnings: &mut Vec<String>,
) -> Result<Result<Collider, ModelError>, Wrong> {
    let file = keys.need("file")?;
    let mesh = read_mesh(&folder.join(file.text()?)).map_err(|error| file.lacks(error))?;
    let scale = keys.maybe("scale", |n| n.positive())?.unwrap_or(1.0);
    let center = keys.maybe("translate", |n| n.vector())?.unwrap_or_default();
    let turned = keys.maybe("rotate", |n| unit_quaternion(n))?;
    let turned = turned.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let scaled = |x: &[f32; 3]| x.map(|v| scale * f64::from(v));
    let points: Vec<[f64; 3]> = mesh.positions.iter().map(scaled).collect();
    let skin = match mesh.triangles.is_empty() {
        true => mesh::surface_triangles(&mesh.positions, &mesh.tetrahedra),
        false => mesh.triangles,
    };
    warnings.extend(mesh.warnings.iter().map(|w| format!("colliders: {w}")));
    let collider = Collider::mesh(&points, &skin, center, turned);
    if let Ok(crate::collision::Solid::Mesh(mesh)) = collider.as_ref().map(Collider::solid)
        && !mesh.is_closed()
    {
        let name = super::quote(file.text()?.as_bytes());
        warnings.push(format!(
            "colliders: \"{name}\" is not closed and wound outward: a sheet with two sides, without an inside"
        ));
    }
    Ok(collider)
}

#[cfg(not(feature = "meshes"))]
fn read_mesh_collider(
    keys: &Object,
    _: &Path,
    _: &mut Vec<String>,
) -> Result<Result<Collider, ModelError>, Wrong> {
    let what = "this build has no mesh colliders (feature \"meshes\")";
    Err(keys.need("file")?.lacks(what))
}

fn material(keys: &Object) -> Result<[Option<f64>; 2], Wrong> {
    let friction = keys.maybe("friction", |n| n.at_least(0.0))?;
    let restitution = keys.maybe("restitution", |n| match n.number()? {
        e if (0.0..=1.0).contains(&e) => Ok(e),
        _ => Err(n.wrong("must be in 0..1")),
    })?;
    Ok([friction, restitution])
}

/// Reads the contacts; `meshes` are the triangles of each mesh among the model's.
pub(super) fn read_contacts(
    node: &Node,
    model: &Model,
    meshes: &[Range<usize>],
    warnings: &mut Vec<String>,
) -> Result<Contacts, Wrong> {
    let keys = node.object(&[
        "particles",
        "radius",
        "friction",
        "restitution",
        "pairs",
        "self",
        "detect",
        "margin",
        "max_speed",
        "order",
        "sleep",
    ])?;
    let count = model.positions().len();
    let particles = keys.maybe("particles", |n| match n.text() {
        Ok("all") => Ok(None),
        _ if count == 0 => Err(n.wrong("there are no particles")),
        _ => Ok(Some(n.list(|i| i.whole(0, count as u32 - 1))?)),
    })?;
    let [friction, restitution] = material(&keys)?;
    let detect = keys.maybe("detect", |n| {
        let word = n.text()?;
        let found = Detect::ALL.into_iter().find(|d| d.name() == word);
        let names = Detect::ALL.map(Detect::name);
        found.ok_or_else(|| n.lacks(ModelError::unknown("detect", word, names)))
    })?;
    let order = keys.maybe("order", |n| {
        let word = n.text()?;
        let found = Order::ALL.into_iter().find(|order| order.name() == word);
        let names = Order::ALL.map(Order::name);
        found.ok_or_else(|| n.lacks(ModelError::unknown("order", word, names)))
    })?;
    let mut cloths = Vec::new();
    if let Some(list) = keys.find("self") {
        list.each(|_, cloth| {
            let keys = cloth.object(&["mesh", "thickness"])?;
            let mesh = keys.need("mesh")?;
            if meshes.is_empty() {
                return Err(mesh.wrong("there are no meshes"));
            }
            let range = meshes[mesh.whole(0, meshes.len() as u32 - 1)? as usize].clone();
            let thickness = keys.need("thickness")?;
            let cloth = SelfContact {
                triangles: model.triangles()[range].to_vec(),
                thickness: thickness.positive()?,
            };
            let edge = mean_edge(model, &cloth.triangles);
            if cloth.thickness > edge {
                warnings.push(format!(
                    "contacts: thickness {} is more than the mean edge, {edge:.3} m: what is closer at rest keeps its rest distance",
                    cloth.thickness
                ));
            }
            cloths.push(cloth);
            Ok(())
        })?;
    }
    Ok(Contacts {
        particles: particles.flatten(),
        radius: keys.maybe("radius", |n| n.at_least(0.0))?.unwrap_or(0.0),
        friction,
        restitution,
        pairs: keys.maybe("pairs", |n| n.boolean())?.unwrap_or(false),
        cloths,
        detect: detect.unwrap_or_default(),
        margin: keys.maybe("margin", |n| n.at_least(0.0))?,
        max_speed: keys.maybe("max_speed", |n| n.positive())?,
        order: order.unwrap_or_default(),
        sleep: keys.maybe("sleep", |n| n.at_least(0.0))?,
        ..Contacts::default()
    })
}

fn mean_edge(model: &Model, triangles: &[[u32; 3]]) -> f64 {
    let edges = mesh::unique_edges(triangles);
    let length = |&[a, b]: &[u32; 2]| {
        let [a, b] = [a, b].map(|i| glam::Vec3::from(model.positions()[i as usize]));
        f64::from(a.distance(b))
    };
    edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64
}
