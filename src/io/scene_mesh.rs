//! Meshes in scene files: a file becomes particles, and rows that hold them together.

use super::json::{Node, Wrong};
use super::kinds::strength_under;
use super::{lump_masses, read_mesh, survey_surface, triangle_areas, unique_edges};
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::lanes::Vec3;
use crate::model::Model;
use std::path::Path;

/// Rows that wait until the authored ones are in.
pub(super) type Rows = Box<dyn FnOnce(&mut Model) -> Result<(), ModelError>>;

const KEYS: [&str; 9] = [
    "file",
    "as",
    "scale",
    "rotate",
    "translate",
    "mass",
    "pin",
    "stretch",
    "bend",
];
const FORMS: [&str; 1] = ["cloth"];
/// Mass of a square metre of surface (kg) where none is given.
const SURFACE_DENSITY: f64 = 0.3;

/// Adds the particles of mesh `index`; returns what adds its rows.
pub(super) fn add_mesh(
    model: &mut Model,
    node: &Node,
    folder: &Path,
    index: usize,
    warnings: &mut Vec<String>,
) -> Result<Rows, Wrong> {
    let keys = node.object(&KEYS)?;
    let form = keys.need("as")?;
    if !FORMS.contains(&form.text()?) {
        let error = ModelError::unknown("form", form.text()?, FORMS);
        return Err(form.lacks(error));
    }
    let file = keys.need("file")?;
    let mesh = read_mesh(&folder.join(file.text()?)).map_err(|error| file.lacks(error))?;
    warnings.extend(
        mesh.warnings
            .iter()
            .map(|w| format!("meshes[{index}]: {w}")),
    );
    let move_point = placement(&keys)?;

    let positions: Vec<[f32; 3]> = mesh
        .positions
        .iter()
        .map(|x| move_point(x.map(f64::from)).map(|v| v as f32))
        .collect();
    if mesh.triangles.is_empty() {
        return Err(file.lacks("a cloth needs triangles, and the file has none"));
    }
    let areas = triangle_areas(&positions, &mesh.triangles);
    let area: f64 = areas.iter().sum();
    let mass = keys.maybe("mass", |n| n.positive())?;
    let density = mass.map_or(SURFACE_DENSITY, |mass| mass / area);
    let masses = lump_masses(positions.len(), &mesh.triangles, &areas, density);

    let first = model.positions().len() as u32;
    for (x, m) in positions.iter().zip(masses) {
        // A vertex without mass belongs to no triangle of any area: it stays where it is.
        let w = if m > 0.0 { 1.0 / m } else { 0.0 };
        let added = model.add_particle(x.map(f64::from), [0.0; 3], w);
        added.map_err(|error| node.lacks(error))?;
    }
    if let Some(pins) = keys.find("pin") {
        let most = positions.len() as u32 - 1;
        pins.each(|_, vertex| {
            let particle = first + vertex.whole(0, most)?;
            let pinned = model.set_inverse_mass(particle, 0.0);
            pinned.map_err(|error| vertex.lacks(error))
        })?;
    }
    let stretch = strength_under(&keys, "stretch", 1.0)?;
    if let Some(bend) = keys.find("bend") {
        strength_under(&keys, "bend", 0.1)?;
        warnings.push(format!("meshes[{index}]: {} is not used yet", bend.path()));
    }
    let surface = survey_surface(&mesh.triangles);
    if surface.non_manifold > 0 {
        let count = surface.non_manifold;
        warnings.push(format!(
            "meshes[{index}]: {count} edges of three or more triangles"
        ));
    }
    let offset = |t: [u32; 3]| t.map(|i| i + first);
    model.add_triangles(mesh.triangles.iter().copied().map(offset));
    Ok(Box::new(move |model| {
        for [a, b] in unique_edges(&mesh.triangles) {
            model.add(Distance, [a + first, b + first], [None], stretch)?;
        }
        Ok(())
    }))
}

/// Scaled, then rotated, then translated, in f64.
fn placement(keys: &super::json::Object) -> Result<impl Fn([f64; 3]) -> [f64; 3] + use<>, Wrong> {
    let scale = keys.maybe("scale", |n| n.positive())?.unwrap_or(1.0);
    let translate = keys.maybe("translate", |n| n.vector())?.unwrap_or_default();
    let rotate = keys.maybe("rotate", |n| {
        let q: [f64; 4] = n.array(|v| v.number())?;
        let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
        match (length - 1.0).abs() < 1e-3 {
            true => Ok(q.map(|v| v / length)),
            false => Err(n.wrong("must be a unit quaternion [x, y, z, w]")),
        }
    })?;
    let [x, y, z, w] = rotate.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    Ok(move |p: [f64; 3]| {
        // v + 2 u × (u × v + w v)
        let (u, v) = (Vec3::new(x, y, z), Vec3::of(p) * scale);
        let turned = v + u.cross(u.cross(v) + v * w) * 2.0;
        let moved = turned + Vec3::of(translate);
        [moved.x, moved.y, moved.z]
    })
}
