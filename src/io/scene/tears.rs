//! `"tears"` in scene files, and `"tear"` of meshes.

use super::builder::{Builder, MOST_WAITING};
use super::place::{Place, SceneError};
use super::values::{Index, Plain, Positive, Whole};
use crate::error::ModelError;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Range;

/// A surface that tears where an edge is stretched too far.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TearEntry {
    /// Its triangles, by their particles.
    triangles: Vec<[Index; 3]>,
    /// An edge breaks where it is longer than 1 + strain times its length at rest.
    strain: Positive,
    /// How many times a vertex may be split; left out, as many times as there are vertices.
    copies: Option<Whole<0, MOST_WAITING>>,
}

/// How a mesh tears.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MeshTear {
    /// An edge breaks where it is longer than 1 + strain times its length at rest.
    strain: Positive,
    /// How many times a vertex may be split; left out, as many times as there are vertices.
    copies: Option<Whole<0, MOST_WAITING>>,
}

impl TearEntry {
    /// Adds the surface, which is drawn too.
    pub(super) fn add(&self, to: &mut Builder, place: Place) -> Result<(), SceneError> {
        let count = to.model.positions().len();
        let before = to.model.triangles().len();
        for (i, triangle) in self.triangles.iter().enumerate() {
            let corners = place.particles::<3>(&format!("triangles[{i}]"), triangle, count)?;
            to.model.add_triangles([corners]);
        }
        let triangles = before..to.model.triangles().len();
        let tear = MeshTear { strain: self.strain, copies: self.copies };
        tear.ask(to, place, "copies")?;
        place.accept(tear.add(to, triangles))
    }
}

impl MeshTear {
    /// Counts the copies that are asked for by number; those of all vertices are as many as the surface has.
    pub(super) fn ask(&self, to: &mut Builder, place: Place, key: &str) -> Result<(), SceneError> {
        self.copies.map_or(Ok(()), |copies| to.ask_for(place, key, copies.plain()))
    }

    /// Lets triangles of the model tear.
    pub(super) fn add(self, to: &mut Builder, triangles: Range<usize>) -> Result<(), ModelError> {
        let vertices = || {
            let mut corners = to.model.triangles()[triangles.clone()].concat();
            corners.sort_unstable();
            corners.dedup();
            corners.len()
        };
        let copies = self.copies.map_or_else(vertices, |copies| copies.plain() as usize);
        to.model.add_tear(triangles, self.strain.plain(), copies)
    }
}
