//! A scene of the catalogue.

use crate::error::ModelError;
use crate::model::Model;
use crate::state::Snapshot;

/// What a scene is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To be watched.
    Watched,
    /// To be watched by a camera that goes along with the first body.
    Followed,
    /// To show a limit of the methods that the sources name.
    Limit,
    /// To be timed: one kind of row alone, rows that defaults do not hold together, or a scene of the records.
    Timed,
}

impl Role {
    /// The word in `taut list --json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Watched | Self::Followed => "watched",
            Self::Limit => "limit",
            Self::Timed => "timed",
        }
    }
}

/// A scene of the catalogue.
#[derive(Clone, Copy)]
pub struct Scene {
    /// The word on the command line.
    pub name: &'static str,
    /// What it is there for.
    pub role: Role,
    /// One line for `taut list`.
    pub about: &'static str,
    /// The size where none is given.
    pub size: usize,
    /// The least and the largest size.
    pub sizes: (usize, usize),
    /// How long it is shown (s).
    pub seconds: f64,
    /// Color of what has none of its own.
    pub color: u32,
    /// Builds the model.
    pub build: fn(size: usize) -> Result<Model, ModelError>,
    /// Says what is wrong with a state of the model, if anything.
    pub check: fn(&Model, &Snapshot) -> Result<(), String>,
}

impl Scene {
    /// Builds the scene at a size, or at its own.
    ///
    /// # Errors
    /// A size out of range.
    pub fn model(&self, size: Option<usize>) -> Result<Model, ModelError> {
        let size = size.unwrap_or(self.size);
        let (least, most) = self.sizes;
        if !(least..=most).contains(&size) {
            let place = format!("{}: size (from {least} to {most})", self.name);
            return Err(ModelError::value(place, size as f64, "out of range"));
        }
        (self.build)(size)
    }
}
