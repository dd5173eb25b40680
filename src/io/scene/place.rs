//! Places in a scene file, and what is wrong there.

use super::message::{missing, reword};
use super::strict::read;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::{self, Display};

/// What is wrong, and where in the document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wrong {
    pub(crate) place: String,
    pub(crate) what: String,
}

/// An entry of a section, as `constraints[3]`, or a section as a whole.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) section: &'a str,
    pub(super) index: Option<usize>,
}

impl Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.section)?;
        self.index.map_or(Ok(()), |i| write!(f, "[{i}]"))
    }
}

impl Place<'_> {
    /// An error at the entry as a whole.
    pub(super) fn lacks(&self, what: impl Display) -> Wrong {
        let (place, what) = (self.to_string(), what.to_string());
        Wrong { place, what }
    }

    /// An error at one of its keys.
    pub(super) fn at(&self, key: impl Display, what: impl Display) -> Wrong {
        let (place, what) = (format!("{self}.{key}"), what.to_string());
        Wrong { place, what }
    }

    /// The value of a key that must be there.
    pub(super) fn need<T>(&self, key: &str, value: Option<T>) -> Result<T, Wrong> {
        value.ok_or_else(|| self.lacks(missing(key)))
    }

    /// Reads the value of a key, of which only the entry as a whole says what it must be.
    pub(super) fn read<'v, T: Deserialize<'v>>(
        &self,
        key: impl Display,
        value: &'v Value,
    ) -> Result<T, Wrong> {
        read(value).map_err(|(inner, error)| {
            let point = if inner.is_empty() || inner.starts_with('[') {
                ""
            } else {
                "."
            };
            self.at(format!("{key}{point}{inner}"), reword(&error.to_string()))
        })
    }
}
