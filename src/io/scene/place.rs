//! Places in a scene file, and what is wrong there: the words of all refusals.

use super::strict::read;
use crate::error::list;
use crate::io::quote;
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

/// A value that is refused.
pub(super) fn refused(value: impl Display, rule: impl Display) -> String {
    format!("{value} is not allowed ({rule})")
}

/// A key that is left out.
pub(super) fn missing(key: &str) -> String {
    format!("\"{key}\" is missing")
}

/// serde's sentence for a key left out in the words of the other messages.
pub(super) fn reword(message: &str) -> String {
    let key = message.strip_prefix("missing field `");
    let key = key.and_then(|key| key.strip_suffix('`'));
    key.map_or_else(|| message.into(), missing)
}

/// A key that no object there has, and those it may have.
pub(super) fn unknown_key<'a>(key: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let key = quote(key.as_bytes());
    format!("unknown key \"{key}\"; known: {}", list(&key, known))
}

/// A number as a message shows it.
pub(super) struct Shown(pub(super) f64);

impl Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            v if v.abs() >= 1e16 || (v != 0.0 && v.abs() < 1e-6) => write!(f, "{v:e}"),
            v => write!(f, "{v}"),
        }
    }
}

/// A text as a message shows it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", quote(text.as_bytes()))
}
