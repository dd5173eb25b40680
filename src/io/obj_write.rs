//! A run's surfaces as a sequence of Wavefront OBJ files, which other programs read.

use super::surfaces::Surface;
use crate::files::{OutputFile, WriteError, create_folder};
use crate::simulation::Simulation;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `frame_0001.obj` and so on: skins in place of what they ride on, else all particles as vertices, with the surfaces;
/// then every body. Each is a group (`g`) of its own.
pub struct ObjSequence {
    folder: PathBuf,
    frames: usize,
    surfaces: Vec<Surface>,
}

impl ObjSequence {
    /// A sequence in a folder, which is made where there is none.
    ///
    /// # Errors
    /// A folder that cannot be made or written to.
    pub fn create(folder: &Path, simulation: &Simulation) -> Result<Self, WriteError> {
        create_folder(folder)?;
        let surfaces = Surface::all(simulation.model());
        Ok(Self { folder: folder.into(), frames: 0, surfaces })
    }

    /// Writes the present state as the next frame (m). Numbers read back to the same f32. Where there are no skins, vertex
    /// i of a file is particle i - 1.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&mut self, simulation: &Simulation) -> Result<(), WriteError> {
        self.frames += 1;
        let path = self.folder.join(format!("frame_{:04}.obj", self.frames));
        let mut out = OutputFile::create(path)?;
        out.attempt(|out| self.write(out, simulation))?;
        out.finish()
    }

    /// Frames written.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    fn write(&self, out: &mut OutputFile, simulation: &Simulation) -> io::Result<()> {
        let state = simulation.visible();
        let mut first = 1;
        for surface in &self.surfaces {
            let vertices = surface.vertices(&state);
            writeln!(out, "g {}", surface.name)?;
            for [x, y, z] in vertices.iter() {
                writeln!(out, "v {x:?} {y:?} {z:?}")?;
            }
            for triangle in surface.triangles_in(&state).iter() {
                let [a, b, c] = triangle.map(|i| i as usize + first);
                writeln!(out, "f {a} {b} {c}")?;
            }
            first += surface.count();
        }
        Ok(())
    }
}
