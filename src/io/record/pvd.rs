//! `.pvd` (ParaView): a list of the frames' times, and a `.vtu` file of each in the folder of the same name without extension.
//!
//! A `.vtu` file is an unstructured grid: every particle is a point, then every corner of every body (m). Triangles of surfaces
//! and bodies are cells, and each particle that has no triangle is a cell of its own. Points have a `velocity` (m/s) and the
//! number of their `body`, -1 of particles. Numbers stand behind the XML as raw little-endian bytes. (`vtkio` would bring an
//! XML parser and serde's derive for what is a screen of code.)

use super::form::{Form, Target};
use crate::files::{OutputFile, WriteError, create_folder, escape};
use crate::io::surfaces::{Rides, Surface, bare_particles};
use crate::math::Vec3;
use crate::state::Snapshot;
use std::io::{self, Write};
use std::path::PathBuf;

/// Numbers of VTK's cell types.
const VERTEX: u8 = 1;
const TRIANGLE: u8 = 5;

/// What a list begins with.
const HEAD: &[u8] = br#"<?xml version="1.0"?>
<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">
<Collection>
"#;

pub(super) struct Pvd {
    out: OutputFile,
    folder: PathBuf,
    /// The folder's name in the list.
    name: String,
    frames: usize,
    surfaces: Vec<Surface>,
    /// Particles that no surface shows.
    bare: Vec<u32>,
    cells: Cells,
}

/// The cells of a frame, and of every one where nothing tears.
struct Cells {
    /// The points of each, one after another.
    points: Vec<i32>,
    /// Where the points of each end.
    ends: Vec<i32>,
    types: Vec<u8>,
}

impl Pvd {
    pub fn begin(target: &Target) -> Result<Box<dyn Form>, WriteError> {
        let mut out = OutputFile::create(target.path)?;
        let folder = target.path.with_extension("");
        create_folder(&folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        out.attempt(|out| out.write_all(HEAD))?;
        let model = target.model;
        let mut surfaces = vec![Surface::particles(model)];
        surfaces.extend(Surface::bodies(model));
        let bare = bare_particles(model);
        let cells = Cells::of(&surfaces, &bare, &Snapshot::default());
        Ok(Box::new(Self { out, folder, name, frames: 0, surfaces, bare, cells }))
    }

    fn list(&mut self, state: &Snapshot) -> io::Result<()> {
        let (time, name, frame) = (state.time, escape(&self.name), self.frames);
        writeln!(
            self.out,
            "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{name}/frame_{frame:04}.vtu\"/>"
        )
    }
}

impl Form for Pvd {
    fn add(&mut self, state: &Snapshot) -> Result<(), WriteError> {
        self.frames += 1;
        let mut file =
            OutputFile::create(self.folder.join(format!("frame_{:04}.vtu", self.frames)))?;
        if !state.triangles.is_empty() {
            self.cells = Cells::of(&self.surfaces, &self.bare, state);
        }
        let arrays = arrays(&self.surfaces, &self.cells, state);
        let cells = self.cells.types.len();
        file.attempt(|file| write_grid(file, &arrays, cells))?;
        file.finish()?;
        self.list(state).map_err(|source| self.out.failed(source))
    }

    fn finish(mut self: Box<Self>, _: &str) -> Result<(), WriteError> {
        self.out.attempt(|out| out.write_all(b"</Collection>\n</VTKFile>\n"))?;
        self.out.finish()
    }
}

impl Cells {
    fn of(surfaces: &[Surface], bare: &[u32], state: &Snapshot) -> Self {
        let mut cells = Self { points: Vec::new(), ends: Vec::new(), types: Vec::new() };
        let mut first = 0;
        for surface in surfaces {
            for triangle in surface.triangles_in(state).iter() {
                cells.add(TRIANGLE, &triangle.map(|i| i as i32 + first));
            }
            first += surface.count() as i32;
        }
        bare.iter().for_each(|&i| cells.add(VERTEX, &[i as i32]));
        cells
    }

    fn add(&mut self, kind: u8, points: &[i32]) {
        self.points.extend(points);
        self.ends.push(self.points.len() as i32);
        self.types.push(kind);
    }
}

/// The numbers of a grid.
struct Array {
    /// The element of the file that it stands in.
    place: &'static str,
    /// Type, name and numbers of a point.
    attributes: &'static str,
    bytes: Vec<u8>,
}

fn arrays(surfaces: &[Surface], cells: &Cells, state: &Snapshot) -> [Array; 6] {
    let (mut points, mut velocities, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    for surface in surfaces {
        let vertices = surface.vertices(state);
        match &surface.rides {
            Rides::Body(body, _) => {
                let velocity = |point| velocity_of(state, *body, point);
                velocities.extend(vertices.iter().map(velocity));
                bodies.extend(vec![*body as i32; vertices.len()]);
            }
            Rides::Particles(_) | Rides::Skin(_) => {
                velocities.extend_from_slice(&state.velocities);
                bodies.extend(vec![-1; vertices.len()]);
            }
        }
        points.extend_from_slice(&vertices);
    }
    let floats = |v: &[[f32; 3]]| v.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
    let integers = |v: &[i32]| v.iter().flat_map(|v| v.to_le_bytes()).collect();
    let array = |place, attributes, bytes| Array { place, attributes, bytes };
    [
        array(
            "PointData",
            r#"type="Float32" Name="velocity" NumberOfComponents="3""#,
            floats(&velocities),
        ),
        array("PointData", r#"type="Int32" Name="body""#, integers(&bodies)),
        array(
            "Points",
            r#"type="Float32" Name="position" NumberOfComponents="3""#,
            floats(&points),
        ),
        array("Cells", r#"type="Int32" Name="connectivity""#, integers(&cells.points)),
        array("Cells", r#"type="Int32" Name="offsets""#, integers(&cells.ends)),
        array("Cells", r#"type="UInt8" Name="types""#, cells.types.clone()),
    ]
}

/// The velocity (m/s) of a point (m) that a body carries.
fn velocity_of(state: &Snapshot, body: usize, point: &[f32; 3]) -> [f32; 3] {
    let ([x, y, z, ..], [vx, vy, vz, wx, wy, wz]) =
        (state.bodies[body], state.body_velocities[body]);
    let arm = Vec3::from(*point) - Vec3::new(x, y, z);
    (Vec3::new(vx, vy, vz) + Vec3::new(wx, wy, wz).cross(arm)).to_array()
}

fn write_grid(out: &mut impl Write, arrays: &[Array], cells: usize) -> io::Result<()> {
    let points = arrays[2].bytes.len() / 12;
    out.write_all(b"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n")?;
    writeln!(
        out,
        "<UnstructuredGrid><Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">"
    )?;
    let mut offset = 0;
    for (i, Array { place, attributes, bytes }) in arrays.iter().enumerate() {
        if i == 0 || arrays[i - 1].place != *place {
            writeln!(out, "<{place}>")?;
        }
        writeln!(out, "<DataArray {attributes} format=\"appended\" offset=\"{offset}\"/>")?;
        if arrays.get(i + 1).is_none_or(|next| next.place != *place) {
            writeln!(out, "</{place}>")?;
        }
        offset += 8 + bytes.len();
    }
    out.write_all(b"</Piece></UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_")?;
    for Array { bytes, .. } in arrays {
        out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        out.write_all(bytes)?;
    }
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}
