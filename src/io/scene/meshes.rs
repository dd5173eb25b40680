//! `"meshes"` in scene files: a file becomes particles; rows and groups hold them together ([`MeshRows`]).

use super::builder::Builder;
use super::form::{Forms, forms, list_forms};
use super::groups::{NOTHING_FLOWS, plastic};
use super::mesh_rows::{Hold, MeshRows};
use super::message::{INVERSE, Shown};
use super::place::{Place, SceneError};
use super::rows::StiffnessEntry;
use super::tears::MeshTear;
use super::values::{Index, Named, NotNegative, Plain, Positive, Rotation, Vector, Whole};
use crate::materials::Material;
use crate::math::{UPRIGHT, Vec3};
use crate::mesh::{Mesh, lump_masses, surface_triangles, tetrahedron_volumes, triangle_areas};
use crate::model::Skin;
use crate::rows::Stiffness;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;

/// A mesh: vertex i of the file is particle i of the mesh, unused vertices too.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = list_forms::<MeshEntry>)]
pub(super) struct MeshEntry {
    /// An OBJ, PLY, glTF or TetGen file (`.node`, its `.ele` beside it); the path is relative to the scene file.
    file: String,
    /// What holds it together.
    r#as: String,
    /// What the file's coordinates are multiplied by; left out, 1.
    scale: Option<Positive>,
    /// A unit quaternion [x, y, z, w]: the mesh is scaled, then rotated, then translated.
    rotate: Option<Rotation>,
    /// Where the mesh is moved to [m].
    translate: Option<Vector>,
    /// How fast it goes at the start, but for its pins [m/s]; left out, 0.
    velocity: Option<Vector>,
    /// Mass of the whole mesh [kg]; left out, 0.3 kg/m² of surface, 1000 kg/m³ of volume, or the material's.
    mass: Option<Positive>,
    /// Vertices that nothing moves.
    #[serde(default)]
    pin: Vec<Index>,
    /// The file of a finer mesh that is drawn in its place and moves with it.
    visual: Option<String>,
    /// How strongly edges keep their length; left out, stiffness 1.
    stretch: Option<StiffnessEntry>,
    /// How strongly edges keep their angle; left out, stiffness 0.1.
    bend: Option<StiffnessEntry>,
    /// How strongly tetrahedra keep their volume; left out, stiffness 1.
    volume: Option<StiffnessEntry>,
    /// How many times its rest volume the surface would enclose; left out, 1.
    pressure: Option<NotNegative>,
    /// A preset in physical units, in place of stiffness.
    material: Option<Named<&'static Material>>,
    /// Tethers to the nearest pin, for particles more than so many edges apart; 0: for every one.
    attach: Option<Whole<0, 1000>>,
    /// How it tears; left out: not at all.
    tear: Option<MeshTear>,
    /// How strongly it keeps its shape; left out, stiffness 0.9.
    shape: Option<StiffnessEntry>,
    /// The strain above which the shape flows; left out, 0.
    r#yield: Option<NotNegative>,
    /// How fast it flows; left out, 0: not at all [1/s].
    creep: Option<NotNegative>,
}

forms! {
    MeshEntry, r#as, "form";
    "cloth": "A surface of edges and hinges.", [], [stretch bend material attach tear];
    "balloon": "A closed surface under pressure.", [], [stretch bend material pressure];
    "soft": "Tetrahedra that keep edges and volume.", [], [stretch volume material];
    "jelly": "Clusters that keep their shape; open surfaces too.", [], [shape r#yield creep];
}

/// Mass of a square metre of surface and of a cubic metre of a solid (kg), where none is given.
const SURFACE_DENSITY: f64 = 0.3;
const SOLID_DENSITY: f64 = 1000.0;

impl MeshEntry {
    /// Adds the mesh's particles; returns what adds its rows and groups.
    pub(super) fn add(&self, to: &mut Builder, place: Place) -> Result<MeshRows, SceneError> {
        let form = self.form(place)?;
        let mesh = to.mesh(place, "file", &self.file)?;
        let move_point = self.placement();
        let moved = |x: &[f32; 3]| move_point(x.map(f64::from)).map(|v| v as f32);
        let positions: Vec<[f32; 3]> = mesh.positions.iter().map(moved).collect();
        let (elements, solid) = match form {
            "jelly" => ("triangles or tetrahedra", !mesh.tetrahedra.is_empty()),
            "soft" => ("tetrahedra", true),
            _ => ("triangles", false),
        };
        if (solid && mesh.tetrahedra.is_empty()) || (!solid && mesh.triangles.is_empty()) {
            let what = format!("\"{form}\" needs {elements}, and the file has none");
            return Err(place.at("file", what));
        }
        let hold = self.hold(form, place)?;
        self.warn_of_idle_keys(to, place);
        let first = to.model.positions().len() as u32;
        let mut masses = self.masses(&mesh, &positions, solid, place)?;
        for (i, pin) in self.pin.iter().enumerate() {
            let vertices = (positions.len(), "vertices");
            masses[place.index(format!("pin[{i}]"), *pin, vertices)? as usize] = 0.0;
        }
        self.add_particles(to, place, &positions, &masses)?;
        let skin = match solid {
            true => surface_triangles(&positions, &mesh.tetrahedra),
            false => mesh.triangles.clone(),
        };
        let before = to.model.triangles().len();
        to.model.add_triangles(skin.iter().map(|t| t.map(|i| i + first)));
        let shell = before..to.model.triangles().len();
        to.triangles.push(shell.clone());
        if let Some(visual) = &self.visual {
            let fine = to.mesh(place, "visual", visual)?;
            let points: Vec<[f32; 3]> = fine.positions.iter().map(moved).collect();
            let moved_on = |t: &[u32; 4]| t.map(|i| i + first);
            let solids: Vec<[u32; 4]> = mesh.tetrahedra.iter().map(moved_on).collect();
            let triangles = &to.model.triangles()[shell.clone()];
            let at = to.model.positions();
            let bound = Skin::bind(at, &solids, triangles, &points, &fine.triangles);
            let nothing = || place.at("visual", "the mesh has nothing of any size to carry it");
            to.model.add_skin(bound.ok_or_else(nothing)?, shell);
        }
        Ok(MeshRows { mesh, first, hold })
    }

    /// Adds a particle for each vertex.
    fn add_particles(
        &self,
        to: &mut Builder,
        place: Place,
        positions: &[[f32; 3]],
        masses: &[f64],
    ) -> Result<(), SceneError> {
        let velocity = self.velocity.plain().unwrap_or_default();
        for (i, (x, &m)) in positions.iter().zip(masses).enumerate() {
            // A pin stays where it is, and so does a vertex without mass: it belongs to no element of any size.
            let (v, w) = if m > 0.0 { (velocity, 1.0 / m) } else { ([0.0; 3], 0.0) };
            if !(w as f32).is_finite() {
                let mass = Shown(m);
                return Err(place.error(format!("vertex {i} weighs {mass} kg: {INVERSE}")));
            }
            place.accept(to.model.add_particle(x.map(f64::from), v, w))?;
        }
        Ok(())
    }

    /// Lets the mesh tear, where it does; `triangles` are its own.
    pub(super) fn add_tear(
        &self,
        to: &mut Builder,
        place: Place,
        triangles: Range<usize>,
    ) -> Result<(), SceneError> {
        match self.tear {
            Some(_) if self.attach.is_some() => {
                Err(place.at("tear", "\"attach\" would hold what has torn off"))
            }
            Some(tear) => {
                tear.ask(to, place, "tear.copies")?;
                tear.add(to, triangles).map_err(|error| place.at("tear", error))
            }
            None => Ok(()),
        }
    }

    /// Warns of keys that do nothing without another.
    fn warn_of_idle_keys(&self, to: &mut Builder, place: Place) {
        if self.attach.is_some() && self.pin.is_empty() {
            let what = "without a \"pin\" there is nothing to attach to";
            to.warnings.push(format!("{place}.attach: {what}"));
        }
        if self.r#yield.is_some() && self.creep.is_none() {
            to.warnings.push(format!("{place}.yield: {NOTHING_FLOWS}"));
        }
    }

    /// How strongly the mesh is held together, and by what.
    fn hold(&self, form: &str, place: Place) -> Result<Hold, SceneError> {
        let material = self.material.plain();
        let stiffness = [
            ("stretch", self.stretch, 1.0),
            ("bend", self.bend, 0.1),
            ("volume", self.volume, 1.0),
            ("shape", self.shape, 0.9),
        ];
        let mut read = [Stiffness::Factor(1.0); 4];
        for (read, (key, given, usual)) in read.iter_mut().zip(stiffness) {
            *read = match given {
                Some(_) if material.is_some() => {
                    return Err(place.at(key, "it follows from the material"));
                }
                Some(given) => {
                    let read = given.read(|what| place.at(key, what))?;
                    read.unwrap_or(Stiffness::Factor(1.0))
                }
                None => Stiffness::Factor(usual),
            };
        }
        let [stretch, bend, volume, shape] = read;
        Ok(match (form, material) {
            ("soft", Some(material)) => Hold::Flesh(*material),
            ("soft", None) => Hold::Soft { stretch, volume },
            ("jelly", _) => Hold::Jelly { shape, plastic: plastic(self.r#yield, self.creep) },
            _ => Hold::Sheet {
                stretch,
                bend,
                material: material.copied(),
                attach: self.attach.plain().map(|n| n as usize),
                pressure: (form == "balloon").then(|| self.pressure.plain().unwrap_or(1.0)),
            },
        })
    }

    /// The mass of each vertex (kg): of the whole mesh as given, or by density.
    fn masses(
        &self,
        mesh: &Mesh,
        positions: &[[f32; 3]],
        solid: bool,
        place: Place,
    ) -> Result<Vec<f64>, SceneError> {
        let material = self.material.plain();
        if solid {
            let volumes = tetrahedron_volumes(positions, &mesh.tetrahedra);
            let density = material.map_or(SOLID_DENSITY, |m| m.density);
            self.lump(density, positions.len(), &mesh.tetrahedra, &volumes, place)
        } else {
            let areas = triangle_areas(positions, &mesh.triangles);
            let density = material.map_or(SURFACE_DENSITY, Material::sheet_density);
            self.lump(density, positions.len(), &mesh.triangles, &areas, place)
        }
    }

    fn lump<const N: usize>(
        &self,
        density: f64,
        count: usize,
        elements: &[[u32; N]],
        measures: &[f64],
        place: Place,
    ) -> Result<Vec<f64>, SceneError> {
        let size: f64 = measures.iter().map(|measure| measure.abs()).sum();
        if self.mass.is_some() && size == 0.0 {
            return Err(place.at("mass", "nothing in the file has a size to share it by"));
        }
        let density = self.mass.map_or(density, |mass| mass.plain() / size);
        Ok(lump_masses(count, elements, measures, density))
    }

    /// Scaled, then rotated, then translated, in f64.
    fn placement(&self) -> impl Fn([f64; 3]) -> [f64; 3] + use<> {
        let scale = self.scale.plain().unwrap_or(1.0);
        let translate = self.translate.plain().unwrap_or_default();
        let [x, y, z, w] = self.rotate.plain().unwrap_or(UPRIGHT);
        move |p: [f64; 3]| {
            // v + 2 u × (u × v + w v)
            let (u, v) = (Vec3::new(x, y, z), Vec3::of(p) * scale);
            let turned = v + u.cross(u.cross(v) + v * w) * 2.0;
            let moved = turned + Vec3::of(translate);
            [moved.x, moved.y, moved.z]
        }
    }
}
