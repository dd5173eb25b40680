//! `.pc2` (point cache): the vertices that `--obj` writes, frame by frame, for Blender's modifier Mesh Cache.
//!
//! ```text
//! 12 bytes  "POINTCACHE2" and a zero      i32  version 1      i32  vertices of a frame
//! f32  first frame: 1                     f32  frames from sample to sample: 1      i32  frames
//! then x y z of each vertex of each frame, f32 (m); all little endian
//! ```

use super::form::{Form, Target, refused, write_floats};
use crate::files::{OutputFile, WriteError};
use crate::io::surfaces::Surface;
use crate::state::Snapshot;
use std::io::Write;

pub(super) struct Pc2 {
    out: OutputFile,
    surfaces: Vec<Surface>,
    vertices: i32,
    announced: i32,
    frames: i32,
}

impl Pc2 {
    pub fn begin(target: &Target) -> Result<Box<dyn Form>, WriteError> {
        let surfaces = Surface::all(target.model);
        let vertices = surfaces.iter().map(Surface::count).sum::<usize>();
        let (Ok(vertices), Ok(announced)) = (vertices.try_into(), target.frames.try_into()) else {
            return Err(refused(target.path, "a .pc2 file counts to 2 147 483 647"));
        };
        let mut out = OutputFile::create(target.path)?;
        out.attempt(|out| out.write_all(&header(vertices, announced)))?;
        Ok(Box::new(Self { out, surfaces, vertices, announced, frames: 0 }))
    }
}

fn header(vertices: i32, frames: i32) -> Vec<u8> {
    let mut header = b"POINTCACHE2\0".to_vec();
    let numbers = [1_i32.to_le_bytes(), vertices.to_le_bytes(), 1_f32.to_le_bytes()];
    header.extend(numbers.concat());
    header.extend([1_f32.to_le_bytes(), frames.to_le_bytes()].concat());
    header
}

impl Form for Pc2 {
    fn add(&mut self, state: &Snapshot) -> Result<(), WriteError> {
        self.frames += 1;
        for surface in &self.surfaces {
            let vertices = surface.vertices(state);
            self.out.attempt(|out| write_floats(out, vertices.as_flattened()))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &str) -> Result<(), WriteError> {
        if self.frames != self.announced {
            let header = header(self.vertices, self.frames);
            self.out.attempt(|out| out.rewrite_start(&header))?;
        }
        self.out.finish()
    }
}
