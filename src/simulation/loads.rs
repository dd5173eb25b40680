//! Forces and impulses on what is under way.

use super::Simulation;
use crate::forces::{push_body, push_particle};

impl Simulation {
    /// Replaces the force on a particle (N), which lasts until it is replaced again; zero ends it. What is held or has no
    /// mass to move takes none. A force that is not finite does nothing.
    ///
    /// # Panics
    /// If there is no such particle.
    pub fn set_force(&mut self, particle: u32, force: [f32; 3]) {
        assert!((particle as usize) < self.model.positions().len(), "no such particle");
        if self.model.set_force(particle, force.map(f64::from)).is_ok() {
            let (model, particles) = (&self.model, &mut self.particles);
            model.forces().apply_to_particle(particle, &model.into(), &model.settings, particles);
        }
    }

    /// Replaces the force at the center of mass (N) and the torque (N m) on a body, both in the world, which last until they
    /// are replaced again; others than before wake a body that sleeps. A number that is not finite does nothing.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn set_body_force(&mut self, body: u32, force: [f32; 3], torque: [f32; 3]) {
        assert!((body as usize) < self.model.bodies().len(), "no such body");
        let before = self.model.forces().on_body(body);
        let [force, torque] = [force, torque].map(|v| v.map(f64::from));
        if self.model.set_body_force(body, force, torque).is_ok() && before != [force, torque] {
            let (model, particles) = (&self.model, &mut self.particles);
            model.forces().apply_to_body(body, &model.into(), &model.settings, particles);
            self.solver.core().wake(&mut self.particles, body);
        }
    }

    /// Gives a particle an impulse (N s): its velocity grows by w p at once. One that is not finite does nothing.
    ///
    /// # Panics
    /// If there is no such particle.
    pub fn push(&mut self, particle: u32, impulse: [f32; 3]) {
        if impulse.iter().all(|v| v.is_finite()) {
            push_particle(&mut self.particles, particle, impulse);
        }
    }

    /// Gives a body an impulse (N s) at a point of the world (m), and wakes it where it sleeps: its velocities grow at once.
    /// What is not finite does nothing.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn push_body(&mut self, body: u32, impulse: [f32; 3], at: [f32; 3]) {
        assert!((body as usize) < self.model.bodies().len(), "no such body");
        if impulse.iter().chain(&at).all(|v| v.is_finite()) {
            self.solver.core().wake(&mut self.particles, body);
            push_body(&mut self.particles.bodies, body as usize, impulse, at);
        }
    }
}
