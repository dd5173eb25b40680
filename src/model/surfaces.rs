//! What a model shows: triangles of its particles, and finer surfaces that ride on them.

use super::{Model, Skin};
use std::ops::Range;

impl Model {
    /// Adds triangles of a surface: they are drawn, and wind acts on them.
    ///
    /// # Panics
    /// If a triangle names a particle that does not exist.
    pub fn add_triangles(&mut self, triangles: impl IntoIterator<Item = [u32; 3]>) {
        let first = self.triangles.len();
        self.triangles.extend(triangles);
        let known = |i: &u32| (*i as usize) < self.positions.len();
        assert!(
            self.triangles[first..].as_flattened().iter().all(known),
            "a triangle of unknown particles"
        );
    }

    /// The surfaces to draw, authored indices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Adds a finer surface that is drawn in place of a range of the [`triangles`](Self::triangles).
    pub fn add_skin(&mut self, skin: Skin, instead: Range<usize>) {
        self.skins.push(skin);
        self.hidden.push(instead);
    }

    /// The finer surfaces.
    pub fn skins(&self) -> &[Skin] {
        &self.skins
    }

    /// The triangles that no skin is drawn in place of.
    pub fn bare_triangles(&self) -> Vec<[u32; 3]> {
        self.bare_places().into_iter().map(|i| self.triangles[i]).collect()
    }

    /// Their places among the triangles.
    pub fn bare_places(&self) -> Vec<usize> {
        let bare = |i: &usize| !self.hidden.iter().any(|range| range.contains(i));
        (0..self.triangles.len()).filter(bare).collect()
    }
}
