//! A model under way: the particles, the method that moves them, and the time.

use crate::error::ModelError;
use crate::model::{AnyRows, Model};
use crate::particles::Particles;
use crate::report::{Observation, Snapshot, Timers, observe};
use crate::solvers::{Method, Solver, prepare};

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
    steps: u64,
}

impl Simulation {
    /// Makes `model` ready for `method` on `threads` threads (zero: the engine chooses).
    ///
    /// # Errors
    /// Settings out of range, or a structure hint that is no coloring.
    pub fn new(model: Model, method: Method, threads: usize) -> Result<Self, ModelError> {
        let (particles, solver) = prepare(&model, method, threads)?;
        Ok(Self {
            model,
            particles,
            solver,
            method,
            steps: 0,
        })
    }

    /// Advances by one frame step dt. Never panics on data: what is not finite is counted by [`observe`](Self::observe).
    pub fn step(&mut self) {
        self.solver.step(&mut self.particles);
        self.steps += 1;
    }

    /// Positions in authored order (m).
    pub fn positions(&self) -> Vec<[f32; 3]> {
        self.particles.positions()
    }

    /// Velocities in authored order (m/s).
    pub fn velocities(&self) -> Vec<[f32; 3]> {
        self.particles.velocities()
    }

    /// The simulated time (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.model.settings.dt
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
        self.solver.threads()
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
            rows: self.solver.row_bytes(),
            particles: self.particles.places() * 16,
            moved: slots * (16 + 12),
        }
    }

    /// Colors of all kinds together; zero in authored order.
    pub fn colors(&self) -> usize {
        self.solver.colors()
    }

    /// Time per phase.
    pub fn timers(&mut self) -> &mut Timers {
        self.solver.timers()
    }

    /// The present state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            time: self.time(),
            positions: self.positions(),
            velocities: self.velocities(),
        }
    }

    /// Residual, energy, momenta and hash of the present state, in f64.
    pub fn observe(&self) -> Observation {
        observe(&self.model, &self.snapshot(), &self.solver.multipliers())
    }
}
