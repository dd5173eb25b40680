//! `.npy` (NumPy): the particles' positions, frames x particles x 3, f32, little endian (m).

use super::form::{Form, Target, refused, write_floats};
use crate::files::{OutputFile, WriteError};
use crate::state::Snapshot;
use std::io::Write;

/// Bytes before the numbers: a multiple of 64, with room for any shape.
const HEADER: usize = 128;

pub(super) struct Npy {
    out: OutputFile,
    particles: usize,
    announced: u64,
    frames: u64,
}

impl Npy {
    pub fn begin(target: &Target) -> Result<Box<dyn Form>, WriteError> {
        let particles = target.model.positions().len();
        if particles == 0 {
            let what = "the scene has no particle, and .npy holds nothing else";
            return Err(refused(target.path, what));
        }
        let mut out = OutputFile::create(target.path)?;
        out.attempt(|out| out.write_all(&header(target.frames, particles)))?;
        Ok(Box::new(Self { out, particles, announced: target.frames, frames: 0 }))
    }
}

/// Version 1.0: a magic word, the length of what follows, and a Python dictionary, padded with spaces.
fn header(frames: u64, particles: usize) -> Vec<u8> {
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((HEADER as u16 - 10).to_le_bytes());
    let shape = format!("({frames}, {particles}, 3)");
    let dictionary = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    header.extend(dictionary.bytes());
    header.resize(HEADER - 1, b' ');
    header.push(b'\n');
    header
}

impl Form for Npy {
    fn add(&mut self, state: &Snapshot) -> Result<(), WriteError> {
        self.frames += 1;
        self.out.attempt(|out| write_floats(out, state.positions.as_flattened()))
    }

    fn finish(mut self: Box<Self>, _: &str) -> Result<(), WriteError> {
        if self.frames != self.announced {
            let header = header(self.frames, self.particles);
            self.out.attempt(|out| out.rewrite_start(&header))?;
        }
        self.out.finish()
    }
}
