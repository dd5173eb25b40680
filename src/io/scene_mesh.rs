//! Meshes in scene files: a file becomes particles; rows and groups hold them together ([`mesh_rows`](super::mesh_rows)).

use super::groups::plastic;
use super::json::{Node, Object, Wrong};
use super::kinds::{strength, strength_under};
use super::mesh_rows::{Hold, MeshRows};
use super::read_mesh;
use crate::error::ModelError;
use crate::materials::{MATERIALS, Material};
use crate::math::Vec3;
use crate::mesh::{lump_masses, surface_triangles, tetrahedron_volumes, triangle_areas};
use crate::model::{Model, Skin};
use crate::rows::Strength;
use std::path::Path;

/// The keys that every form has.
const COMMON: [&str; 8] = [
    "file",
    "as",
    "scale",
    "rotate",
    "translate",
    "mass",
    "pin",
    "visual",
];
/// The keys that only some have.
const OWN: [&str; 9] = [
    "stretch", "bend", "volume", "pressure", "material", "attach", "shape", "yield", "creep",
];

/// What a mesh is held together as.
struct Form {
    name: &'static str,
    /// What it is made of, in the plural; of nothing in particular: whatever the file has.
    elements: Option<&'static str>,
    /// The keys of [`OWN`] that it has.
    own: &'static [&'static str],
}

const FORMS: [Form; 4] = [
    Form {
        name: "cloth",
        elements: Some("triangles"),
        own: &["stretch", "bend", "material", "attach"],
    },
    Form {
        name: "balloon",
        elements: Some("triangles"),
        own: &["stretch", "bend", "material", "pressure"],
    },
    Form {
        name: "soft",
        elements: Some("tetrahedra"),
        own: &["stretch", "volume", "material"],
    },
    Form {
        name: "jelly",
        elements: None,
        own: &["shape", "yield", "creep"],
    },
];

/// Mass of a square metre of surface and of a cubic metre of a solid (kg), where none is given.
const SURFACE_DENSITY: f64 = 0.3;
const SOLID_DENSITY: f64 = 1000.0;

/// Adds the particles of mesh `index`; returns what adds its rows and groups.
pub(super) fn add_mesh(
    model: &mut Model,
    node: &Node,
    folder: &Path,
    index: usize,
    warnings: &mut Vec<String>,
) -> Result<MeshRows, Wrong> {
    let known: Vec<&str> = COMMON.into_iter().chain(OWN).collect();
    let keys = node.object(&known)?;
    let named = keys.need("as")?;
    let name = named.text()?;
    let form = FORMS.iter().find(|form| form.name == name);
    let unknown = || ModelError::unknown("form", name, FORMS.map(|form| form.name));
    let form = form.ok_or_else(|| named.lacks(unknown()))?;
    for other in OWN.iter().filter(|key| !form.own.contains(key)) {
        if let Some(value) = keys.find(other) {
            return Err(value.lacks(format!("\"{name}\" has no {other}")));
        }
    }
    let file = keys.need("file")?;
    let mesh = read_mesh(&folder.join(file.text()?)).map_err(|error| file.lacks(error))?;
    let said = mesh.warnings.iter();
    warnings.extend(said.map(|w| format!("meshes[{index}]: {w}")));
    let move_point = placement(&keys)?;
    let moved = |x: &[f32; 3]| move_point(x.map(f64::from)).map(|v| v as f32);
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(moved).collect();

    let solid = match form.elements {
        Some(elements) => elements == "tetrahedra",
        None => !mesh.tetrahedra.is_empty(),
    };
    let count = match solid {
        true => mesh.tetrahedra.len(),
        false => mesh.triangles.len(),
    };
    if count == 0 {
        let elements = form.elements.unwrap_or("triangles or tetrahedra");
        return Err(file.lacks(format!(
            "\"{name}\" needs {elements}, and the file has none"
        )));
    }
    let material = material(&keys)?;
    let mass = keys.maybe("mass", |n| n.positive())?;
    let masses = match solid {
        true => {
            let volumes = tetrahedron_volumes(&positions, &mesh.tetrahedra);
            let density = material.map_or(SOLID_DENSITY, |m| m.density);
            masses(density, mass, &positions, &mesh.tetrahedra, &volumes)
        }
        false => {
            let areas = triangle_areas(&positions, &mesh.triangles);
            let density = material.map_or(SURFACE_DENSITY, Material::sheet_density);
            masses(density, mass, &positions, &mesh.triangles, &areas)
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
    let before = model.triangles().len();
    model.add_triangles(skin.iter().map(|t| t.map(|i| i + first)));
    if let Some(visual) = keys.find("visual") {
        let path = folder.join(visual.text()?);
        let fine = read_mesh(&path).map_err(|error| visual.lacks(error))?;
        let points: Vec<[f32; 3]> = fine.positions.iter().map(moved).collect();
        let moved_on = |t: &[u32; 4]| t.map(|i| i + first);
        let solids: Vec<[u32; 4]> = mesh.tetrahedra.iter().map(moved_on).collect();
        let shell = model.triangles()[before..].to_vec();
        let bound = Skin::bind(model.positions(), &solids, &shell, &points, &fine.triangles);
        let nothing = || visual.lacks("the mesh has nothing of any size to carry it");
        model.add_skin(bound.ok_or_else(nothing)?, before..model.triangles().len());
    }
    let hold = hold(form, &keys, material)?;
    Ok(MeshRows { mesh, first, hold })
}

/// How strongly a mesh is held together, and by what.
fn hold(form: &Form, keys: &Object, material: Option<&'static Material>) -> Result<Hold, Wrong> {
    let stretch = strength_under(keys, "stretch", 1.0)?;
    let bend = strength_under(keys, "bend", 0.1)?;
    Ok(match form.name {
        "soft" => match material {
            Some(material) => Hold::Flesh(*material),
            None => Hold::Soft {
                stretch,
                volume: strength_under(keys, "volume", 1.0)?,
            },
        },
        "jelly" => Hold::Jelly {
            shape: match keys.find("shape") {
                None => Strength::Stiffness(0.9),
                Some(node) => strength(&node.object(&["stiffness", "compliance", "damping"])?)?,
            },
            plastic: plastic(keys)?,
        },
        _ => Hold::Sheet {
            stretch,
            bend,
            material: material.copied(),
            attach: keys
                .maybe("attach", |n| n.whole(0, 1000))?
                .map(|n| n as usize),
            pressure: match form.name {
                "balloon" => Some(keys.maybe("pressure", |n| n.at_least(0.0))?.unwrap_or(1.0)),
                _ => None,
            },
        },
    })
}

/// The preset named, where there is one; it stands in place of strengths.
fn material(keys: &Object) -> Result<Option<&'static Material>, Wrong> {
    let Some(node) = keys.find("material") else {
        return Ok(None);
    };
    for key in ["stretch", "bend", "volume"] {
        if let Some(strength) = keys.find(key) {
            return Err(strength.lacks("it follows from the material"));
        }
    }
    let name = node.text()?;
    let known = MATERIALS.map(|material| material.name);
    let unknown = || node.lacks(ModelError::unknown("material", name, known));
    Material::find(name).ok_or_else(unknown).map(Some)
}

/// The mass of each vertex (kg): of the whole mesh as given, or by density.
fn masses<const N: usize>(
    density: f64,
    mass: Option<f64>,
    positions: &[[f32; 3]],
    elements: &[[u32; N]],
    measures: &[f64],
) -> Vec<f64> {
    let size: f64 = measures.iter().map(|measure| measure.abs()).sum();
    let density = mass.map_or(density, |mass| mass / size);
    lump_masses(positions.len(), elements, measures, density)
}

/// Scaled, then rotated, then translated, in f64.
fn placement(keys: &Object) -> Result<impl Fn([f64; 3]) -> [f64; 3] + use<>, Wrong> {
    let scale = keys.maybe("scale", |n| n.positive())?.unwrap_or(1.0);
    let translate = keys.maybe("translate", |n| n.vector())?.unwrap_or_default();
    let rotate = keys.maybe("rotate", |n| unit_quaternion(n))?;
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
