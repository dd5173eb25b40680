//! A model under way: the particles, the method that moves them, and the time.

mod checkpoint;
mod clock;
mod emission;
mod found;
mod loads;
mod own_state;
mod quarantine;
mod tearing;
mod watch;

pub use quarantine::Breakdown;

use crate::error::ModelError;
use crate::model::{Model, Tearing};
use crate::observe::{Observation, observe, penetration, tangled};
use crate::rows::AnyRows;
use crate::settings::Settings;
use crate::solvers::{Method, Solver, SolverStatistics, prepare};
use crate::state::{IMPULSES, MULTIPLIERS, Particles, REMAINDERS, Saved, Snapshot};
use crate::timers::{PhaseTime, Timers};
use clock::FrameClock;
use quarantine::{QUARANTINE, Quarantine};
use std::cell::Cell;

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
    clock: FrameClock,
    /// What is carried from frame to frame, as it was at the start: what a state made by hand goes on with.
    start: Vec<Saved>,
    /// The model's, once it is asked for.
    fingerprint: Cell<Option<u64>>,
    /// Particles in the user's hand, and the inverse masses that they get back.
    held: Vec<(u32, f32)>,
    quarantine: Quarantine,
    breakdowns: Vec<Breakdown>,
    /// What was authored of the model, where its surfaces may tear.
    tearing: Option<Tearing>,
    /// The times of the subsystems of solvers that tears have replaced.
    spent: Vec<Vec<PhaseTime>>,
}

impl Simulation {
    /// Makes `model` ready for `method` on `threads` threads (zero: the engine chooses).
    ///
    /// # Errors
    /// Settings out of range, or a layout hint that is no coloring; rows that a surface that tears cannot have.
    pub fn new(model: Model, method: Method, threads: usize) -> Result<Self, ModelError> {
        let tearing = Tearing::new(&model)?;
        let (particles, solver) = prepare(&model, method, threads)?;
        let clock = FrameClock::new(model.settings.dt);
        let start = solver.core().save();
        let quarantine = Quarantine::of(model.waiting(None));
        let mut simulation = Self {
            model,
            particles,
            solver,
            method,
            clock,
            start,
            fingerprint: Cell::new(None),
            held: Vec::new(),
            quarantine,
            breakdowns: Vec::new(),
            tearing,
            spent: Vec::new(),
        };
        simulation.hide_quarantine();
        Ok(simulation)
    }

    fn advance(&mut self) {
        self.particles.time = self.time();
        self.solver.step(&mut self.particles);
        self.clock.tick();
    }

    /// Goes on with other settings, by another method or on other threads (zero: the engine chooses) from the present state, all
    /// of it: contacts, who sleeps, rest shapes and what is held too. Gives what could not be carried over, which depends on
    /// the settings alone: `multipliers` and `contact impulses` are those of a substep of a certain length and of a response,
    /// and begin at zero where either changes; `remainders` are those of carried precision; what is in `quarantine` is free where
    /// `nonfinite` changes. A simulation that a breakdown ended goes on. (What the last step took and the timers are no part of the state.)
    ///
    /// # Errors
    /// As [`new`](Self::new); then nothing has changed.
    pub fn rebuild(
        &mut self,
        settings: Settings,
        method: Method,
        threads: usize,
    ) -> Result<Vec<&'static str>, ModelError> {
        let mut state = self.snapshot();
        let before = std::mem::replace(&mut self.model.settings, settings);
        match prepare(&self.model, method, threads) {
            Ok((particles, solver)) => {
                (self.particles, self.solver, self.method) = (particles, solver, method);
                self.spent.clear();
                let now = &self.model.settings;
                let same = before.h() == now.h() && before.response == now.response;
                let falls_elsewhere = before.gravity != now.gravity;
                let mut dropped = match same {
                    true => Vec::new(),
                    false => state.drop_sections(&[MULTIPLIERS, IMPULSES]),
                };
                if before.nonfinite != now.nonfinite {
                    dropped.extend(state.drop_sections(&[QUARANTINE]));
                }
                if !self.model.is_carried() {
                    dropped.extend(state.drop_sections(&[REMAINDERS]));
                }
                self.restore(&state);
                if falls_elsewhere {
                    let bodies = 0..self.model.bodies().len() as u32;
                    bodies.for_each(|body| self.solver.core().wake(&mut self.particles, body));
                }
                Ok(dropped)
            }
            Err(error) => {
                self.model.settings = before;
                Err(error)
            }
        }
    }

    /// Goes back to a state of this model, all of it: what follows has the bits that followed it, and what was in quarantine
    /// is there again.
    /// A state that was put together by hand has only what it says; contacts, rest shapes and who sleeps are then as at the
    /// start, and nothing is in quarantine.
    ///
    /// # Panics
    /// If the state is of another model.
    pub fn restore(&mut self, state: &Snapshot) {
        self.take(state).expect("a state of this model");
    }

    /// Takes a particle in the hand: it stands still and is moved by [`drag`](Self::drag) alone (S1-02). What a drive leads or an
    /// emitter keeps goes on with that.
    ///
    /// # Panics
    /// If there is no such particle.
    pub fn grab(&mut self, particle: u32) {
        if self.held.iter().all(|(held, _)| *held != particle) {
            self.held.push((particle, self.particles.inverse_mass(particle)));
        }
        let x = self.particles.position(particle);
        self.particles.set_inverse_mass(particle, 0.0);
        self.particles.set(particle, x, [0.0; 3]);
    }

    /// Moves a particle in the hand to a point (m); one that is not held, or a point that is not finite, does nothing.
    pub fn drag(&mut self, particle: u32, to: [f32; 3]) {
        let held = self.held.iter().any(|(held, _)| *held == particle);
        if held && to.iter().all(|v| v.is_finite()) {
            self.particles.set(particle, to, [0.0; 3]);
        }
    }

    /// Lets a particle go: it has its mass back, and starts from rest.
    pub fn release(&mut self, particle: u32) {
        let at = self.held.iter().position(|(held, _)| *held == particle);
        if let Some(at) = at {
            let (_, inverse_mass) = self.held.swap_remove(at);
            self.particles.set_inverse_mass(particle, inverse_mass);
        }
    }

    /// Positions in authored order (m).
    pub fn positions(&self) -> Vec<[f32; 3]> {
        let mut positions = self.particles.positions();
        self.quarantine.show_positions(&mut positions);
        positions
    }

    /// Position (m) and orientation x y z w of every rigid body, in authored order.
    pub fn bodies(&self) -> Vec<[f32; 7]> {
        let mut bodies = self.particles.bodies.poses();
        self.quarantine.show_bodies(&mut bodies);
        bodies
    }

    /// Velocities in authored order (m/s).
    pub fn velocities(&self) -> Vec<[f32; 3]> {
        let mut velocities = self.particles.velocities();
        self.quarantine.show_velocities(&mut velocities);
        velocities
    }

    /// The simulated time (s).
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Frames stepped since the start.
    pub fn frame(&self) -> u64 {
        self.clock.frame
    }

    /// The model: as authored, but for what has torn.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The method in use.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Lanes that most rows are computed in: 1, 8 or 16.
    pub fn width(&self) -> usize {
        self.solver.core().width()
    }

    /// The number of threads in use.
    pub fn threads(&self) -> usize {
        self.solver.core().threads()
    }

    /// Bytes in use by an iteration.
    pub fn footprint(&self) -> Footprint {
        let slots = |set: &dyn AnyRows| set.row_list().particles.len();
        let slots: usize = self.model.rows().iter().map(|set| slots(set.as_ref())).sum();
        Footprint {
            rows: self.solver.core().row_bytes(),
            particles: self.particles.slot_count() * 16,
            moved: slots * (16 + 12),
        }
    }

    /// Colors of all kinds together; zero in authored order.
    pub fn colors(&self) -> usize {
        self.solver.core().colors()
    }

    /// What the last step took: iterations, and the error left.
    pub fn statistics(&self) -> SolverStatistics {
        self.solver.core().statistics()
    }

    /// Where the code of subsystems' phases begins: names as `project joints`, and addresses.
    #[cfg(all(feature = "cli", unix))]
    #[doc(hidden)]
    pub fn entries(&self) -> Vec<(String, usize)> {
        self.solver.core().entries()
    }

    /// Time per phase.
    pub fn timers(&mut self) -> &mut Timers {
        self.solver.core_mut().timers()
    }

    /// The present state, all of it.
    pub fn snapshot(&self) -> Snapshot {
        let mut carried = vec![self.save_own()];
        carried.extend(self.solver.core().save());
        Snapshot { carried, ..self.visible() }
    }

    /// What can be seen of the present state: enough to draw and to measure it, not to go back to it.
    pub fn visible(&self) -> Snapshot {
        let mut body_velocities = self.particles.bodies.motions();
        self.quarantine.show_motions(&mut body_velocities);
        Snapshot {
            time: self.time(),
            frame: self.clock.frame,
            positions: self.positions(),
            velocities: self.velocities(),
            bodies: self.bodies(),
            body_velocities,
            triangles: match self.tearing {
                Some(_) => self.model.triangles().to_vec(),
                None => Vec::new(),
            },
            carried: Vec::new(),
        }
    }

    /// The depth of the deepest overlap (m), zero where nothing overlaps; of a model without contacts nothing. A lower bound,
    /// from the state alone: corners, balls and particles are held against colliders and bodies in closed form.
    pub fn penetration(&self) -> Option<f64> {
        penetration(&self.model, &self.visible())
    }

    /// How many pairs of an edge and a triangle of cloths in contact with themselves pass through each other; of a model without
    /// such a cloth nothing.
    pub fn tangled(&self) -> Option<usize> {
        tangled(&self.model, &self.visible())
    }

    /// Residual, energy, momenta and hash of the present state, in f64.
    pub fn observe(&self) -> Observation {
        observe(&self.model, &self.visible(), &self.solver.core().multipliers())
    }
}
