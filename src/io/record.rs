//! Recordings: every frame's positions as JSON, written as they come.

use super::ReadError;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes `{"run", "dt", "frames", "bodies", "hash"}` (`docs/scene-format.md`), a frame at a time; only the text of the bodies is
/// kept in memory.
pub struct Recorder {
    path: PathBuf,
    out: BufWriter<File>,
    frames: usize,
    /// The bodies' poses, frame by frame, as they will stand behind the frames.
    bodies: Vec<u8>,
}

impl Recorder {
    /// Begins a recording of `run`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn create(path: &Path, run: &str, dt: f64) -> Result<Self, ReadError> {
        let failed = |source| ReadError::Io {
            path: path.into(),
            source,
        };
        let mut out = BufWriter::new(File::create(path).map_err(failed)?);
        let run = serde_json::Value::from(run);
        write!(out, "{{\"run\": {run}, \"dt\": {dt:?}, \"frames\": [").map_err(failed)?;
        Ok(Self {
            path: path.into(),
            out,
            frames: 0,
            bodies: Vec::new(),
        })
    }

    /// Adds positions and bodies after a step, authored order. Numbers read back to the same f32; what is not finite is
    /// `null`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&mut self, positions: &[[f32; 3]], bodies: &[[f32; 7]]) -> Result<(), ReadError> {
        let separator = if self.frames == 0 { "\n" } else { ",\n" };
        self.frames += 1;
        let written = self.out.write_all(separator.as_bytes());
        self.bodies.extend_from_slice(separator.as_bytes());
        written
            .and_then(|()| serde_json::to_writer(&mut self.out, positions).map_err(Into::into))
            .and_then(|()| serde_json::to_writer(&mut self.bodies, bodies).map_err(Into::into))
            .map_err(|source| self.failed(source))
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(mut self, hash: &str) -> Result<(), ReadError> {
        let end = format!("\n], \"hash\": \"{hash}\"}}\n");
        let parts: [&[u8]; 3] = [b"\n], \"bodies\": [", &self.bodies, end.as_bytes()];
        let written = parts
            .into_iter()
            .try_for_each(|part| self.out.write_all(part))
            .and_then(|()| self.out.flush());
        written.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: std::io::Error) -> ReadError {
        ReadError::Io {
            path: self.path.clone(),
            source,
        }
    }
}
