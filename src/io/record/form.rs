//! What every form of recording offers and is begun with.

use crate::files::WriteError;
use crate::model::Model;
use crate::state::Snapshot;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// What a recording is begun with.
pub(super) struct Target<'a> {
    pub path: &'a Path,
    /// The name of the run.
    pub run: &'a str,
    pub model: &'a Model,
    /// Frames that are to come; a run that is ended early has fewer.
    pub frames: u64,
}

/// A recording under way. Dropped before it is finished, it leaves nothing under its name.
pub(super) trait Form {
    /// Adds the state after a step.
    fn add(&mut self, state: &Snapshot) -> Result<(), WriteError>;

    /// Completes the file; `hash` is that of the last state.
    fn finish(self: Box<Self>, hash: &str) -> Result<(), WriteError>;
}

/// The refusal of a recording.
pub(super) fn refused(path: &Path, what: impl Into<String>) -> WriteError {
    WriteError { path: path.into(), source: io::Error::new(ErrorKind::InvalidInput, what.into()) }
}

/// Writes numbers as little-endian bytes.
pub(super) fn write_floats(out: &mut impl Write, values: &[f32]) -> io::Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
