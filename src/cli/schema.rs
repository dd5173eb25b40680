//! `taut schema`.

use super::Failure;

/// Writes the JSON Schema of scene files to standard output.
pub fn schema() -> Result<(), Failure> {
    say!("{}", taut::io::scene_schema());
    Ok(())
}
