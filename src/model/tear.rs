//! Surfaces that tear, as authored.

use super::Model;
use super::tearing::Tearing;
use crate::error::ModelError;
use crate::mesh::Tear;
use std::ops::Range;

impl Model {
    /// Says that a range of the model's triangles tears, by at most `copies` splits, for which as many particles are added behind
    /// all others. What holds the surface together (rows, layout, groups) stands before. The length of an edge at rest is that of
    /// a `distance` row along it, else as the vertices lie. A vertex of inverse mass zero is not split.
    ///
    /// # Errors
    /// Triangles that do not exist, have no area, tear already or carry a skin; a strain that is not positive; rows and groups that hold
    /// vertices of the surface together across more than two triangles side by side: they could not tell when to break.
    pub fn add_tear(
        &mut self,
        triangles: Range<usize>,
        strain: f64,
        copies: usize,
    ) -> Result<(), ModelError> {
        let refuse = |key: &str, value, rule| {
            Err(ModelError::value(format!("tears[{}].{key}", self.tears.len()), value, rule))
        };
        let all = self.triangles.len();
        if triangles.end > all {
            return refuse("triangles", triangles.end as f64 - 1.0, "no such triangle");
        }
        if triangles.is_empty() {
            return refuse("triangles", 0.0, "a surface has triangles");
        }
        if !((strain as f32) > 0.0 && (strain as f32).is_finite()) {
            return refuse("strain", strain, "must be positive and finite");
        }
        let [first, ..] = self.triangles[triangles.start];
        let at = self.positions[first as usize].map(f64::from);
        let count = self.positions.len();
        for _ in 0..copies {
            if let Err(refused) = self.add_particle(at, [0.0; 3], 0.0) {
                self.truncate_particles(count);
                return Err(refused);
            }
        }
        let copies = count as u32..self.positions.len() as u32;
        let corners = self.triangles[triangles.clone()].to_vec();
        self.tears.push(Tear { triangles, corners, strain, copies: copies.clone() });
        if let Err(refused) = Tearing::new(self) {
            self.tears.pop();
            self.truncate_particles(count);
            return Err(refused);
        }
        if let Some(layout) = &mut self.layout {
            layout.permutation = layout.permutation.extended(copies.len());
        }
        Ok(())
    }

    fn truncate_particles(&mut self, count: usize) {
        self.positions.truncate(count);
        self.velocities.truncate(count);
        self.inverse_masses.truncate(count);
    }

    /// The surfaces that tear.
    pub fn tears(&self) -> &[Tear] {
        &self.tears
    }

    /// The vertices and copies that corners of the present triangles are, and the vertices that they were authored as; only
    /// those that differ.
    pub fn copies(&self) -> impl Iterator<Item = [u32; 2]> {
        let present = |tear: &Tear| self.triangles[tear.triangles.clone()].as_flattened();
        let pairs = self.tears.iter().flat_map(move |tear| {
            present(tear).iter().zip(tear.corners.as_flattened()).map(|(now, of)| [*now, *of])
        });
        pairs.filter(|[now, of]| now != of)
    }

    /// All particles but those that are to become copies.
    pub(crate) fn authored_particles(&self) -> impl Iterator<Item = u32> {
        let is_copy = |i: &u32| self.tears.iter().any(|tear| tear.copies.contains(i));
        (0..self.positions.len() as u32).filter(move |i| !is_copy(i))
    }
}
