//! A run's surfaces as a sequence of Wavefront OBJ files, which other programs read.

use crate::files::{OutputFile, WriteError, create_folder};
use crate::model::Model;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes `frame_0001.obj` and so on: the skins where there are any, else the surfaces, else every particle as a vertex.
pub struct ObjSequence {
    folder: PathBuf,
    frames: usize,
}

impl ObjSequence {
    /// A sequence in a folder, which is made where there is none.
    ///
    /// # Errors
    /// A folder that cannot be made or written to.
    pub fn create(folder: &Path) -> Result<Self, WriteError> {
        create_folder(folder)?;
        Ok(Self { folder: folder.into(), frames: 0 })
    }

    /// Writes the next frame: the particles of `model` are at `positions` (m), in authored order. Numbers read back to the
    /// same f32. Vertex i of a file without skins is particle i - 1.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&mut self, model: &Model, positions: &[[f32; 3]]) -> Result<(), WriteError> {
        self.frames += 1;
        let mut text = String::new();
        let mut first = 1;
        let mut write = |points: &[[f32; 3]], triangles: &mut dyn Iterator<Item = [u32; 3]>| {
            for [x, y, z] in points {
                writeln!(text, "v {x:?} {y:?} {z:?}").expect("a string takes all");
            }
            for triangle in triangles {
                let [a, b, c] = triangle.map(|i| i as usize + first);
                writeln!(text, "f {a} {b} {c}").expect("a string takes all");
            }
            first += points.len();
        };
        match model.skins().is_empty() {
            true => write(positions, &mut model.triangles().iter().copied()),
            false => {
                for skin in model.skins() {
                    let points = skin.positions(positions);
                    write(&points, &mut skin.triangles().iter().copied());
                }
            }
        }
        let path = self.folder.join(format!("frame_{:04}.obj", self.frames));
        OutputFile::write(path, text.as_bytes())
    }
}
