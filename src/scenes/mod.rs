//! The catalogue: scenes by name, each built to any size and checked against physics. No scene names a method.

mod cloth;
mod rope;

use crate::error::ModelError;
use crate::model::Model;

/// A scene of the catalogue.
#[derive(Clone, Copy)]
pub struct Scene {
    /// The word on the command line.
    pub name: &'static str,
    /// One line for `taut list`.
    pub about: &'static str,
    /// The size where none is given.
    pub size: usize,
    /// The least and the largest size.
    pub sizes: (usize, usize),
    /// Builds the model.
    pub build: fn(size: usize) -> Result<Model, ModelError>,
    /// Says what is wrong with a state of the model (positions in authored order), if anything.
    pub check: fn(&Model, &[[f32; 3]]) -> Result<(), String>,
}

/// All scenes, in the order of `taut list`.
pub const SCENES: &[Scene] = &[cloth::CLOTH, rope::ROPE];

impl Scene {
    /// The scene of that name.
    ///
    /// # Errors
    /// An unknown name, listing the known ones.
    pub fn find(name: &str) -> Result<&'static Scene, ModelError> {
        let found = SCENES.iter().find(|scene| scene.name == name);
        found.ok_or_else(|| ModelError::unknown("scene", name, SCENES.iter().map(|s| s.name)))
    }

    /// Builds the scene at a size, or at its own.
    ///
    /// # Errors
    /// A size out of range.
    pub fn model(&self, size: Option<usize>) -> Result<Model, ModelError> {
        let size = size.unwrap_or(self.size);
        if size < self.sizes.0 || size > self.sizes.1 {
            return Err(ModelError::Value {
                place: format!(
                    "{}: size (from {} to {})",
                    self.name, self.sizes.0, self.sizes.1
                ),
                value: size as f64,
                rule: "out of range",
            });
        }
        (self.build)(size)
    }
}

/// Fails where a coordinate is not finite.
fn finite(positions: &[[f32; 3]]) -> Result<(), String> {
    match positions
        .iter()
        .position(|x| x.iter().any(|v| !v.is_finite()))
    {
        Some(i) => Err(format!("particle {i} is at {:?}", positions[i])),
        None => Ok(()),
    }
}

/// Fails where a pinned particle has moved.
fn pins_held(model: &Model, positions: &[[f32; 3]]) -> Result<(), String> {
    let pinned = |&i: &usize| model.inverse_masses()[i] == 0.0 && model.velocities()[i] == [0.0; 3];
    let moved = |&i: &usize| positions[i] != model.positions()[i];
    match (0..positions.len()).filter(pinned).find(moved) {
        Some(i) => Err(format!("pinned particle {i} moved to {:?}", positions[i])),
        None => Ok(()),
    }
}
