//! Places in a scene file, and what is wrong there.

use super::message::{Shown, missing, refused, sentence};
use super::strict::read;
use super::values::{Index, Plain};
use crate::error::ModelError;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::{self, Display};

/// An error of a scene file: where in the document, and what is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct SceneError {
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
    pub(super) fn error(&self, what: impl Display) -> SceneError {
        SceneError { place: self.to_string(), what: what.to_string() }
    }

    /// An error at one of its keys.
    pub(super) fn at(&self, key: impl Display, what: impl Display) -> SceneError {
        SceneError { place: format!("{self}.{key}"), what: what.to_string() }
    }

    /// A result whose error is one of the entry: of the key that the engine names, or as a whole.
    pub(super) fn accept<T>(&self, result: Result<T, ModelError>) -> Result<T, SceneError> {
        result.map_err(|error| match &error {
            ModelError::Value { place, value, rule } => match self.key_in(place) {
                Some(key) => self.at(key, refused(Shown(*value), rule)),
                None => self.error(error),
            },
            _ => self.error(error),
        })
    }

    /// The key of this entry that the engine calls `collider.radius` or `joints[3].axis`.
    pub(super) fn key_in<'k>(&self, place: &'k str) -> Option<&'k str> {
        let (entry, key) = place.split_once('.')?;
        let (name, _) = entry.split_once('[').unwrap_or((entry, ""));
        self.section.starts_with(name).then_some(key)
    }

    /// The value of a key that must be there.
    pub(super) fn need<T>(&self, key: &str, value: Option<T>) -> Result<T, SceneError> {
        value.ok_or_else(|| self.error(missing(key)))
    }

    /// An index of a list of `count`.
    pub(super) fn index(
        &self,
        key: impl Display,
        index: Index,
        (count, of): (usize, &str),
    ) -> Result<u32, SceneError> {
        let index = index.plain();
        let rule = match count {
            _ if index.fract() == 0.0 && (0.0..count as f64).contains(&index) => {
                return Ok(index as u32);
            }
            0 => format!("there are no {of}"),
            _ => format!("must be a whole number from 0 to {}", count - 1),
        };
        Err(self.at(key, refused(Shown(index), rule)))
    }

    /// Particles, each below `count`; of a list of exactly N.
    pub(super) fn particles<const N: usize>(
        &self,
        key: &str,
        list: &[Index],
        count: usize,
    ) -> Result<[u32; N], SceneError> {
        let list: &[Index; N] = self.exactly(key, list)?;
        let mut found = [0; N];
        for (i, (found, index)) in found.iter_mut().zip(list).enumerate() {
            *found = self.index(format!("{key}[{i}]"), *index, (count, "particles"))?;
        }
        Ok(found)
    }

    /// A list of exactly N.
    pub(super) fn exactly<'l, T, const N: usize>(
        &self,
        key: &str,
        list: &'l [T],
    ) -> Result<&'l [T; N], SceneError> {
        let given = || format!("a list of {}", list.len());
        let wrong = |_| self.at(key, refused(given(), format!("must be a list of {N}")));
        list.try_into().map_err(wrong)
    }

    /// Reads the value of a key, of which only the entry as a whole says what it must be.
    pub(super) fn read<'v, T: Deserialize<'v>>(
        &self,
        key: impl Display,
        value: &'v Value,
    ) -> Result<T, SceneError> {
        read(value).map_err(|(inner, error)| {
            let point = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
            self.at(format!("{key}{point}{inner}"), sentence(&error))
        })
    }
}
