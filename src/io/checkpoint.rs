//! Checkpoint files: a run's whole state, written whole or not at all.

use super::ReadError;
use crate::error::CheckpointError;
use crate::files::{OutputFile, WriteError};
use crate::state::Checkpoint;
use std::fs::File;
use std::io::{BufReader, Error};
use std::path::Path;

/// Writes a checkpoint to a file, which then has it even after a power failure.
///
/// # Errors
/// A file that cannot be written; what was there before is there still.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), WriteError> {
    let mut file = OutputFile::create(path)?;
    match checkpoint.write(&mut file) {
        Ok(()) => file.finish_durably(),
        Err(CheckpointError::Io(source)) => Err(file.failed(source)),
        Err(other) => Err(file.failed(Error::other(other))),
    }
}

/// Reads a checkpoint.
///
/// # Errors
/// A file that cannot be read, or that is no whole checkpoint of this version.
pub fn read_checkpoint(path: &Path) -> Result<Checkpoint, ReadError> {
    let failed = |source| ReadError::Io { path: path.into(), source };
    let file = File::open(path).map_err(failed)?;
    Checkpoint::read(&mut BufReader::new(file)).map_err(|error| match error {
        CheckpointError::Io(source) => failed(source),
        other => ReadError::File { path: path.into(), what: other.to_string() },
    })
}
