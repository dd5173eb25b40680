//! What solvers are made from: slices of the model, and its particles in storage order.

use super::Model;
use crate::collision::Collider;
use crate::coloring::{Permutation, PlanInput, RowList};
use crate::math::Scalar;
use crate::state::{Body, InitialParticles, Particles};
use crate::subsystem::BuildContext;

impl Model {
    /// What the model's coloring is planned from.
    pub(crate) fn plan_input(&self) -> PlanInput<'_> {
        let sets = self.sets.iter();
        PlanInput {
            particles: self.positions.len(),
            sets: sets.map(|set| (set.name(), set.row_list())).collect(),
            order: &self.order,
            layout: self.layout.as_ref(),
            is_followed: self.subsystems().next().is_some(),
        }
    }

    /// The rows of each set.
    pub(crate) fn row_lists(&self) -> Vec<RowList<'_>> {
        self.sets.iter().map(|set| set.row_list()).collect()
    }

    /// What subsystems are made ready from, where particles lie as `permutation` says.
    pub(crate) fn context<'a>(
        &'a self,
        permutation: &'a Permutation,
        threads: usize,
    ) -> BuildContext<'a> {
        BuildContext {
            settings: &self.settings,
            positions: &self.positions,
            inverse_masses: &self.inverse_masses,
            bodies: &self.bodies,
            triangles: &self.triangles,
            joined: self.subsystems().flat_map(|s| s.joined()).collect(),
            walls: self.still_planes(),
            permutation,
            threads,
        }
    }

    /// The colliders that are planes and stand still: a point and the normal of each.
    pub(crate) fn still_planes(&self) -> Vec<[[f64; 3]; 2]> {
        let colliders = self.contacts().map_or(&[][..], |c| &c.colliders);
        colliders.iter().filter_map(Collider::still_plane).collect()
    }

    /// The particles and bodies as they start, stored as `permutation` says.
    pub(crate) fn particles<R: Scalar>(&self, permutation: Permutation) -> Particles<R> {
        let start = InitialParticles {
            positions: &self.positions,
            velocities: &self.velocities,
            inverse_masses: &self.inverse_masses,
        };
        Particles::new(&start, self.bodies.iter().map(Body::initial), permutation)
    }
}
