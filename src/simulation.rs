//! A model under way: the particles, the method that moves them, and the time.

use crate::error::ModelError;
use crate::model::Model;
use crate::observe::{Observation, observe};
use crate::rows::AnyRows;
use crate::settings::Settings;
use crate::solvers::Effort;
use crate::solvers::{Method, Solver, prepare};
use crate::state::Particles;
use crate::state::Snapshot;
use crate::subsystem::SubsystemStatistics;
use crate::timers::Timers;

/// Bytes in use by one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Rows and multipliers, as the method keeps them.
    pub rows: usize,
    /// Positions and inverse masses.
    pub particles: usize,
    /// Particle state loaded (x y z w) and stored (x y z) by all projections.
    pub moved: usize,
}

/// A running simulation. Everything that goes in or comes out is in authored order.
pub struct Simulation {
    model: Model,
    particles: Particles,
    solver: Box<dyn Solver>,
    method: Method,
    /// The time when the frame step last changed (s), and steps since.
    began: f64,
    steps: u64,
    held: Vec<Held>,
}

/// A particle in the user's hand.
#[derive(Clone, Copy, Debug)]
struct Held {
    particle: u32,
    inverse_mass: f32,
}

impl Simulation {
    /// Makes `model` ready for `method` on `threads` threads (zero: the engine chooses).
    ///
    /// # Errors
    /// Settings out of range, or a layout hint that is no coloring.
    pub fn new(model: Model, method: Method, threads: usize) -> Result<Self, ModelError> {
        let (particles, solver) = prepare(&model, method, threads)?;
        Ok(Self {
            model,
            particles,
            solver,
            method,
            began: 0.0,
            steps: 0,
            held: Vec::new(),
        })
    }

    /// Advances by one frame step dt. Never panics on data: what is not finite is counted by [`observe`](Self::observe).
    pub fn step(&mut self) {
        self.particles.time = self.time();
        self.solver.step(&mut self.particles);
        self.steps += 1;
    }

    /// Goes on with other settings, by another method or on other threads (zero: the engine chooses) from the present
    /// positions, velocities and time; what is held stays held.
    ///
    /// # Errors
    /// As [`new`](Self::new); then nothing has changed.
    pub fn rebuild(
        &mut self,
        settings: Settings,
        method: Method,
        threads: usize,
    ) -> Result<(), ModelError> {
        let state = self.snapshot();
        let before = std::mem::replace(&mut self.model.settings, settings);
        match prepare(&self.model, method, threads) {
            Ok((particles, solver)) => {
                (self.particles, self.solver, self.method) = (particles, solver, method);
                self.restore(&state);
                for held in &self.held {
                    self.particles.set_inverse_mass(held.particle, 0.0);
                }
                Ok(())
            }
            Err(error) => {
                self.model.settings = before;
                Err(error)
            }
        }
    }

    /// Takes positions, velocities and time from a state of this model.
    ///
    /// # Panics
    /// If the state is of another number of particles or bodies.
    pub fn restore(&mut self, state: &Snapshot) {
        let count = self.model.positions().len();
        assert_eq!(state.positions.len(), count, "a state of another model");
        for (i, (&x, &v)) in (0..).zip(state.positions.iter().zip(&state.velocities)) {
            self.particles.set(i, x, v);
        }
        let bodies = state.bodies.iter().zip(&state.body_velocities);
        assert_eq!(
            bodies.len(),
            self.model.bodies().len(),
            "a state of another model"
        );
        for (i, (&pose, &motion)) in bodies.enumerate() {
            self.particles.bodies.set(i, pose, motion);
        }
        (self.began, self.steps) = (state.time, 0);
    }

    /// Takes a particle in the hand: it stands still and is moved by [`drag`](Self::drag) alone (S1-02).
    ///
    /// # Panics
    /// If there is no such particle.
    pub fn grab(&mut self, particle: u32) {
        if self.held.iter().all(|held| held.particle != particle) {
            self.held.push(Held {
                particle,
                inverse_mass: self.particles.inverse_mass(particle),
            });
        }
        let x = self.particles.position(particle);
        self.particles.set_inverse_mass(particle, 0.0);
        self.particles.set(particle, x, [0.0; 3]);
    }

    /// Moves a particle in the hand to a point (m); one that is not held, or a point that is not finite, does nothing.
    pub fn drag(&mut self, particle: u32, to: [f32; 3]) {
        let held = self.held.iter().any(|held| held.particle == particle);
        if held && to.iter().all(|v| v.is_finite()) {
            self.particles.set(particle, to, [0.0; 3]);
        }
    }

    /// Lets a particle go: it has its mass back, and starts from rest.
    pub fn release(&mut self, particle: u32) {
        let at = self.held.iter().position(|held| held.particle == particle);
        if let Some(at) = at {
            let held = self.held.swap_remove(at);
            self.particles.set_inverse_mass(particle, held.inverse_mass);
        }
    }

    /// Positions in authored order (m).
    pub fn positions(&self) -> Vec<[f32; 3]> {
        self.particles.positions()
    }

    /// Position (m) and orientation x y z w of every rigid body, in authored order.
    pub fn bodies(&self) -> Vec<[f32; 7]> {
        self.particles.bodies.poses()
    }

    /// Velocities in authored order (m/s).
    pub fn velocities(&self) -> Vec<[f32; 3]> {
        self.particles.velocities()
    }

    /// The simulated time (s).
    pub fn time(&self) -> f64 {
        self.began + self.steps as f64 * self.model.settings.dt
    }

    /// The model as authored.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The method in use.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The number of threads in use.
    pub fn threads(&self) -> usize {
        self.solver.info().threads()
    }

    /// Bytes in use by an iteration.
    pub fn footprint(&self) -> Footprint {
        let slots = |set: &dyn AnyRows| set.row_list().particles.len();
        let slots: usize = self
            .model
            .rows()
            .iter()
            .map(|set| slots(set.as_ref()))
            .sum();
        Footprint {
            rows: self.solver.info().row_bytes(),
            particles: self.particles.places() * 16,
            moved: slots * (16 + 12),
        }
    }

    /// Colors of all kinds together; zero in authored order.
    pub fn colors(&self) -> usize {
        self.solver.info().colors()
    }

    /// What each part did, in authored order.
    pub fn statistics(&self) -> Vec<SubsystemStatistics> {
        self.solver.info().statistics()
    }

    /// What the last step took: iterations, and the error left.
    pub fn effort(&self) -> Effort {
        self.solver.info().effort()
    }

    /// Time per phase.
    pub fn timers(&mut self) -> &mut Timers {
        self.solver.info_mut().timers()
    }

    /// The present state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            time: self.time(),
            positions: self.positions(),
            velocities: self.velocities(),
            bodies: self.particles.bodies.poses(),
            body_velocities: self.particles.bodies.motions(),
        }
    }

    /// Residual, energy, momenta and hash of the present state, in f64.
    pub fn observe(&self) -> Observation {
        observe(
            &self.model,
            &self.snapshot(),
            &self.solver.info().multipliers(),
        )
    }
}
