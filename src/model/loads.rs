//! Forces on a model's particles and bodies.

use super::Model;
use crate::error::ModelError;
use crate::forces::Forces;

impl Model {
    /// Replaces the force on a particle (N), which lasts; a particle of inverse mass zero takes none.
    ///
    /// # Errors
    /// A particle that does not exist, a force that is not finite in f32.
    pub fn set_force(&mut self, particle: u32, force: [f64; 3]) -> Result<(), ModelError> {
        self.forces.set_particle((particle, self.positions.len()), force)
    }

    /// Replaces the force at the center of mass (N) and the torque (N m) on a body, both in the world, which last; a fixed
    /// body takes none.
    ///
    /// # Errors
    /// A body that does not exist, a number that is not finite in f32.
    pub fn set_body_force(
        &mut self,
        body: u32,
        force: [f64; 3],
        torque: [f64; 3],
    ) -> Result<(), ModelError> {
        self.forces.set_body((body, self.bodies.len()), [force, torque])
    }

    /// Replaces all forces.
    pub(crate) fn replace_forces(&mut self, forces: Forces) {
        self.forces = forces;
    }

    /// The forces on particles and bodies.
    pub fn forces(&self) -> &Forces {
        &self.forces
    }
}
