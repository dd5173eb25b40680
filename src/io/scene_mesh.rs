//! Meshes in scene files: a file becomes particles, and rows that hold them together.

use super::json::{Node, Wrong};
use super::kinds::strength_under;
use super::{
    lump_masses, read_mesh, surface_triangles, survey_surface, tetrahedron_volumes, triangle_areas,
    unique_edges,
};
use crate::constraints::{Bending, Distance, Volume};
use crate::error::ModelError;
use crate::lanes::Vec3;
use crate::model::Model;
use std::path::Path;

/// Rows that wait until the authored ones are in.
pub(super) type Rows = Box<dyn FnOnce(&mut Model) -> Result<(), ModelError>>;

const KEYS: [&str; 10] = [
    "file",
    "as",
    "scale",
    "rotate",
    "translate",
    "mass",
    "pin",
    "stretch",
    "bend",
    "volume",
];

/// What a mesh is held together as: by its name, its elements and the rows beside its edges.
struct Form {
    name: &'static str,
    /// What it is made of, in the plural.
    elements: &'static str,
    /// The key of the strength that other forms do not have.
    own: &'static str,
    /// That strength's stiffness where it is left out.
    stiffness: f64,
    /// Mass of a square or cubic metre (kg) where none is given.
    density: f64,
}

const FORMS: [Form; 2] = [
    Form {
        name: "cloth",
        elements: "triangles",
        own: "bend",
        stiffness: 0.1,
        density: 0.3,
    },
    Form {
        name: "soft",
        elements: "tetrahedra",
        own: "volume",
        stiffness: 1.0,
        density: 1000.0,
    },
];

/// Adds the particles of mesh `index`; returns what adds its rows.
pub(super) fn add_mesh(
    model: &mut Model,
    node: &Node,
    folder: &Path,
    index: usize,
    warnings: &mut Vec<String>,
) -> Result<Rows, Wrong> {
    let keys = node.object(&KEYS)?;
    let named = keys.need("as")?;
    let name = named.text()?;
    let form = FORMS.iter().find(|form| form.name == name);
    let form = form.ok_or_else(|| {
        named.lacks(ModelError::unknown(
            "form",
            name,
            FORMS.map(|form| form.name),
        ))
    })?;
    for other in FORMS.iter().filter(|other| other.own != form.own) {
        if let Some(strength) = keys.find(other.own) {
            return Err(strength.lacks(format!("\"{name}\" has no {}", other.own)));
        }
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
    let stretch = strength_under(&keys, "stretch", 1.0)?;
    let own = strength_under(&keys, form.own, form.stiffness)?;

    let solid = form.own == "volume";
    let count = if solid {
        mesh.tetrahedra.len()
    } else {
        mesh.triangles.len()
    };
    if count == 0 {
        let elements = form.elements;
        return Err(file.lacks(format!(
            "\"{name}\" needs {elements}, and the file has none"
        )));
    }
    let mass = keys.maybe("mass", |n| n.positive())?;
    let masses = match solid {
        true => {
            let volumes = tetrahedron_volumes(&positions, &mesh.tetrahedra);
            masses(form, mass, &positions, &mesh.tetrahedra, &volumes)
        }
        false => {
            let areas = triangle_areas(&positions, &mesh.triangles);
            masses(form, mass, &positions, &mesh.triangles, &areas)
        }
    };
    let first = model.positions().len() as u32;
    for (x, m) in positions.iter().zip(masses) {
        // A vertex without mass belongs to no element of any size: it stays where it is.
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
    let skin = match solid {
        true => surface_triangles(&positions, &mesh.tetrahedra),
        false => mesh.triangles.clone(),
    };
    model.add_triangles(skin.into_iter().map(|t| t.map(|i| i + first)));
    Ok(Box::new(move |model| {
        let edges = match solid {
            true => unique_edges(&mesh.tetrahedra),
            false => unique_edges(&mesh.triangles),
        };
        for edge in edges {
            model.add(Distance, edge.map(|i| i + first), [None], stretch)?;
        }
        if solid {
            for tetrahedron in mesh.tetrahedra {
                model.add(Volume, tetrahedron.map(|i| i + first), [None], own)?;
            }
        } else {
            for hinge in survey_surface(&mesh.triangles).interior {
                model.add(Bending, hinge.map(|i| i + first), [None], own)?;
            }
        }
        Ok(())
    }))
}

/// The mass of each vertex (kg): of the whole mesh as given, or by the form's density.
fn masses<const N: usize>(
    form: &Form,
    mass: Option<f64>,
    positions: &[[f32; 3]],
    elements: &[[u32; N]],
    measures: &[f64],
) -> Vec<f64> {
    let size: f64 = measures.iter().map(|measure| measure.abs()).sum();
    let density = mass.map_or(form.density, |mass| mass / size);
    lump_masses(positions.len(), elements, measures, density)
}

/// Scaled, then rotated, then translated, in f64.
fn placement(keys: &super::json::Object) -> Result<impl Fn([f64; 3]) -> [f64; 3] + use<>, Wrong> {
    let scale = keys.maybe("scale", |n| n.positive())?.unwrap_or(1.0);
    let translate = keys.maybe("translate", |n| n.vector())?.unwrap_or_default();
    let rotate = keys.maybe("rotate", |n| unit_quaternion(&n))?;
    let [x, y, z, w] = rotate.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    Ok(move |p: [f64; 3]| {
        // v + 2 u × (u × v + w v)
        let (u, v) = (Vec3::new(x, y, z), Vec3::of(p) * scale);
        let turned = v + u.cross(u.cross(v) + v * w) * 2.0;
        let moved = turned + Vec3::of(translate);
        [moved.x, moved.y, moved.z]
    })
}

/// A unit quaternion [x, y, z, w].
pub(super) fn unit_quaternion(node: &Node) -> Result<[f64; 4], Wrong> {
    let q: [f64; 4] = node.array(|v| v.number())?;
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    match (length - 1.0).abs() < 1e-3 {
        true => Ok(q.map(|v| v / length)),
        false => Err(node.wrong("must be a unit quaternion [x, y, z, w]")),
    }
}
