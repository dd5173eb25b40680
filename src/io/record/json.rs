//! `.json`: positions and bodies as text, written as they come.

use super::form::{Form, Target};
use crate::files::{OutputFile, WriteError};
use crate::state::Snapshot;
use std::io::{self, Write};
use std::path::PathBuf;

/// Writes `{"run", "dt", "frames", "bodies", "hash"}` (`docs/scene-format.md`), a frame at a time. The text of the bodies, which
/// stands behind all frames, waits in a file beside.
pub(super) struct Json {
    path: PathBuf,
    out: OutputFile,
    frames: usize,
    /// The bodies' poses, frame by frame, as they will stand behind the frames: the last of them, and those before.
    bodies: Vec<u8>,
    earlier: Option<OutputFile>,
}

/// Text of bodies that is kept in memory (bytes).
const MOST_IN_MEMORY: usize = 1 << 20;

impl Json {
    pub fn begin(target: &Target) -> Result<Box<dyn Form>, WriteError> {
        let mut out = OutputFile::create(target.path)?;
        let (run, dt) = (serde_json::Value::from(target.run), target.model.settings.dt);
        out.attempt(|out| write!(out, "{{\"run\": {run}, \"dt\": {dt:?}, \"frames\": ["))?;
        let path = target.path.into();
        Ok(Box::new(Self { path, out, frames: 0, bodies: Vec::new(), earlier: None }))
    }

    fn add_frame(&mut self, positions: &[[f32; 3]], bodies: &[[f32; 7]]) -> io::Result<()> {
        let separator = if self.frames == 0 { "\n" } else { ",\n" };
        self.frames += 1;
        self.out.write_all(separator.as_bytes())?;
        serde_json::to_writer(&mut self.out, positions)?;
        self.bodies.extend_from_slice(separator.as_bytes());
        serde_json::to_writer(&mut self.bodies, bodies)?;
        if let Some(earlier) = &mut self.earlier {
            earlier.write_all(&self.bodies)?;
            self.bodies.clear();
        }
        Ok(())
    }

    fn end(&mut self, hash: &str) -> io::Result<()> {
        self.out.write_all(b"\n], \"bodies\": [")?;
        if let Some(earlier) = &mut self.earlier {
            io::copy(earlier.read_back()?, &mut self.out)?;
        }
        self.out.write_all(&self.bodies)?;
        write!(self.out, "\n], \"hash\": \"{hash}\"}}\n")
    }
}

impl Form for Json {
    /// Numbers read back to the same f32; what is not finite is `null`.
    fn add(&mut self, state: &Snapshot) -> Result<(), WriteError> {
        if self.bodies.len() > MOST_IN_MEMORY && self.earlier.is_none() {
            self.earlier = OutputFile::scratch(&self.path)?;
        }
        let added = self.add_frame(&state.positions, &state.bodies);
        added.map_err(|source| self.out.failed(source))
    }

    fn finish(mut self: Box<Self>, hash: &str) -> Result<(), WriteError> {
        self.end(hash).map_err(|source| self.out.failed(source))?;
        self.out.finish()
    }
}
