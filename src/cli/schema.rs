//! `taut schema`.

use super::output::{Failure, say};

/// Writes the JSON Schema of scene files to standard output.
pub fn schema() -> Result<(), Failure> {
    say!("{}", crate::io::scene_schema());
    Ok(())
}
