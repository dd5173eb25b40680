//! `.usda` (USD, text): meshes of surfaces and skins, points for particles without a surface, and a transform and a mesh for
//! each body, with a time sample of each frame. Meters, y up, frame 1 after the first step.
//!
//! A USD file has one prim after another, each with all its samples. So frames wait as numbers in a file beside.

use super::form::{Form, Target, refused, write_floats};
use crate::files::{OutputFile, WriteError};
use crate::io::surfaces::{Rides, Surface, bare_particles};
use crate::state::Snapshot;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// Diameter of points, where no contact says what room a particle takes (m).
const WIDTH: f64 = 0.02;

/// Triangles from a frame on.
type Sample = (usize, Vec<[u32; 3]>);

pub(super) struct Usda {
    out: OutputFile,
    waiting: OutputFile,
    frames: usize,
    run: String,
    dt: f64,
    /// Diameter of points (m).
    width: f64,
    surfaces: Vec<Surface>,
    /// Particles that no surface shows.
    bare: Vec<u32>,
    /// Of the surface that may tear, the frames whose triangles are others than before, and these.
    torn: Vec<Sample>,
}

impl Usda {
    pub fn begin(target: &Target) -> Result<Box<dyn Form>, WriteError> {
        let out = OutputFile::create(target.path)?;
        let Some(waiting) = OutputFile::scratch(target.path)? else {
            return Err(refused(target.path, "a .usda recording must be a regular file"));
        };
        let model = target.model;
        let mut surfaces = Surface::all(model);
        surfaces.retain(|surface| !surface.triangles.is_empty());
        let radius =
            model.contacts().map(|contacts| contacts.radius).filter(|radius| *radius > 0.0);
        Ok(Box::new(Self {
            out,
            waiting,
            frames: 0,
            run: target.run.into(),
            dt: model.settings.dt,
            width: radius.map_or(WIDTH, |radius| 2.0 * radius),
            surfaces,
            bare: bare_particles(model),
            torn: Vec::new(),
        }))
    }

    /// The numbers of a frame: vertices of surfaces, poses of bodies, positions of bare particles.
    fn keep(&mut self, state: &Snapshot) -> io::Result<()> {
        for surface in &self.surfaces {
            match surface.rides {
                Rides::Body(body, _) => write_floats(&mut self.waiting, &state.bodies[body])?,
                _ => write_floats(&mut self.waiting, surface.vertices(state).as_flattened())?,
            }
        }
        let mut bare = self.bare.iter().map(|&i| state.positions[i as usize]);
        bare.try_for_each(|position| write_floats(&mut self.waiting, &position))
    }

    fn write(&mut self, hash: &str) -> io::Result<()> {
        let (run, frames, rate) = (quoted(&self.run), self.frames, 1.0 / self.dt);
        write!(
            self.out,
            "#usda 1.0\n(\n    customLayerData = {{\n        string hash = \"{hash}\"\n        string run = {run}\n    }}\n    \
             defaultPrim = \"World\"\n    endTimeCode = {frames}\n    framesPerSecond = {rate:?}\n    metersPerUnit = 1\n    \
             startTimeCode = 1\n    timeCodesPerSecond = {rate:?}\n    upAxis = \"Y\"\n)\n\ndef Xform \"World\"\n{{\n"
        )?;
        let size = self.surfaces.iter().map(size).sum::<usize>() + 3 * self.bare.len();
        let mut frames = Frames { file: self.waiting.read_back()?, count: self.frames, size };
        let (out, mut first) = (&mut self.out, 0);
        for surface in &self.surfaces {
            let range = first..first + self::size(surface);
            first = range.end;
            let torn = if surface.may_tear() { &self.torn[..] } else { &[] };
            write_surface(out, (surface, torn), &mut frames, range)?;
        }
        if !self.bare.is_empty() {
            let width = self.width;
            writeln!(out, "def Points \"points\"\n{{")?;
            writeln!(out, "float[] widths = [{width:?}] (interpolation = \"constant\")")?;
            frames.write(out, "point3f[] points", first..size, vectors)?;
            writeln!(out, "}}")?;
        }
        writeln!(out, "}}")
    }
}

impl Form for Usda {
    fn add(&mut self, state: &Snapshot) -> Result<(), WriteError> {
        self.frames += 1;
        if let Some(surface) = self.surfaces.iter().find(|surface| surface.may_tear()) {
            let now = surface.triangles_in(state);
            if self.torn.last().is_none_or(|(_, before)| *before != *now) {
                self.torn.push((self.frames, now.into_owned()));
            }
        }
        self.keep(state).map_err(|source| self.waiting.failed(source))
    }

    fn finish(mut self: Box<Self>, hash: &str) -> Result<(), WriteError> {
        self.write(hash).map_err(|source| self.out.failed(source))?;
        self.out.finish()
    }
}

/// Numbers of a surface in a frame: a pose, or three for each vertex.
fn size(surface: &Surface) -> usize {
    match &surface.rides {
        Rides::Body(..) => 7,
        _ => 3 * surface.count(),
    }
}

fn write_surface(
    out: &mut impl Write,
    (surface, torn): (&Surface, &[Sample]),
    frames: &mut Frames,
    range: Range<usize>,
) -> io::Result<()> {
    let mesh = |out: &mut _, name: &str| write_mesh(out, name, &surface.triangles, torn);
    let Rides::Body(_, corners) = &surface.rides else {
        mesh(out, &surface.name)?;
        frames.write(out, "point3f[] points", range, vectors)?;
        return writeln!(out, "}}");
    };
    writeln!(out, "def Xform \"{}\"\n{{", surface.name)?;
    let middle = range.start + 3;
    frames.write(out, "double3 xformOp:translate", range.start..middle, vector)?;
    frames.write(out, "quatf xformOp:orient", middle..range.end, orientation)?;
    writeln!(out, "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]")?;
    mesh(out, "shape")?;
    writeln!(out, "point3f[] points = {}\n}}\n}}", vectors(corners.as_flattened()))
}

/// A mesh up to its points; of one that tears the triangles from these frames on.
fn write_mesh(
    out: &mut impl Write,
    name: &str,
    triangles: &[[u32; 3]],
    torn: &[Sample],
) -> io::Result<()> {
    let list = |values: &mut dyn Iterator<Item = u32>| {
        let values: Vec<String> = values.map(|value| value.to_string()).collect();
        values.join(", ")
    };
    let corners = |triangles: &[[u32; 3]]| list(&mut triangles.as_flattened().iter().copied());
    let counts = list(&mut triangles.iter().map(|_| 3));
    writeln!(out, "def Mesh \"{name}\"\n{{\nint[] faceVertexCounts = [{counts}]")?;
    if torn.is_empty() {
        writeln!(out, "int[] faceVertexIndices = [{}]", corners(triangles))?;
    } else {
        writeln!(out, "int[] faceVertexIndices.timeSamples = {{")?;
        for (frame, triangles) in torn {
            writeln!(out, "{frame}: [{}],", corners(triangles))?;
        }
        writeln!(out, "}}")?;
    }
    writeln!(out, "uniform token subdivisionScheme = \"none\"")
}

/// Frames of so many numbers each.
struct Frames<'a> {
    file: &'a mut File,
    count: usize,
    size: usize,
}

impl Frames<'_> {
    /// Writes an attribute with a time sample of each frame: the numbers at `range` in it, as `text`.
    fn write(
        &mut self,
        out: &mut impl Write,
        attribute: &str,
        range: Range<usize>,
        text: fn(&[f32]) -> String,
    ) -> io::Result<()> {
        writeln!(out, "{attribute}.timeSamples = {{")?;
        let mut bytes = vec![0; 4 * range.len()];
        for frame in 0..self.count {
            let at = 4 * (frame * self.size + range.start);
            self.file.seek(SeekFrom::Start(at as u64))?;
            self.file.read_exact(&mut bytes)?;
            let values = bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four));
            writeln!(out, "{}: {},", frame + 1, text(&values.collect::<Vec<_>>()))?;
        }
        writeln!(out, "}}")
    }
}

/// Reads back to the same f32.
fn number(value: f32) -> String {
    format!("{value:?}").to_lowercase() // nan, as inf
}

fn vector(values: &[f32]) -> String {
    let values: Vec<String> = values.iter().copied().map(number).collect();
    format!("({})", values.join(", "))
}

fn vectors(values: &[f32]) -> String {
    let values: Vec<String> = values.chunks(3).map(vector).collect();
    format!("[{}]", values.join(", "))
}

/// The real part is first in USD.
fn orientation(values: &[f32]) -> String {
    vector(&[values[3], values[0], values[1], values[2]])
}

/// Text in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
