//! Everything that can be wrong with a file that is read: which file, where in it, the value, and what is wrong with it.

use crate::files::show;
use std::path::PathBuf;

/// The most characters of a value that a message quotes.
const QUOTED: usize = 60;

/// Why a file cannot be read. Messages are one line, free of control characters, and short whatever the file holds.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system does not hand the file out: it is missing, a directory, not permitted.
    #[error("{}: cannot read: {source}", show(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file as a whole is refused.
    #[error("{}: {what}", show(.path))]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A line is refused.
    #[error("{}:{line}: {what}", show(.path))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A value of a scene file is refused.
    #[error("{}: {place}{}{what}", show(.path), if place.is_empty() { "" } else { ": " })]
    Place {
        /// The file.
        path: PathBuf,
        /// Where in it, as `constraints[3].rest_length`.
        place: String,
        /// What is wrong, with the value.
        what: String,
    },
    /// A value is refused.
    #[error("{}:{line}: \"{value}\" {what}", show(.path))]
    Value {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The value as it stands in the file, shortened and escaped.
        value: String,
        /// What is wrong with it.
        what: String,
    },
}

/// The value as a message may print it: at most [`QUOTED`] characters, with everything unprintable escaped.
pub fn quote(value: &[u8]) -> String {
    // A character has at most four bytes, so nothing that is shown lies beyond.
    let start = String::from_utf8_lossy(&value[..value.len().min(4 * QUOTED)]);
    let mut escaped = start.escape_debug();
    let mut shown: String = escaped.by_ref().take(QUOTED).collect();
    if escaped.next().is_some() {
        shown.push('…');
    }
    shown
}
