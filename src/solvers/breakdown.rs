//! Which row broke a state: the frame again by `scalar`, one row at a time, until numbers are no longer finite.

use super::core::{Core, RowPhase};
use super::row_sweep::turned;
use super::scalar::Scalar;
use crate::constraints::Particle;
use crate::math::Vec3;
use crate::model::Model;
use crate::state::Snapshot;
use crate::subsystem::{StepContext, StepPhase};
use crate::threads::{Worker, lock};
use std::sync::Mutex;

/// What first makes a number of `state` that is not finite, in authored order: a row by its kind and its place among the rows
/// of that kind and response, or a subsystem; nothing where the particles break by their own motion. What a state carries
/// beside positions and velocities begins anew, so it is a guess where that has grown; `inverse_mass` tells who is held.
pub fn first_to_break(
    model: &Model,
    state: &Snapshot,
    inverse_mass: impl Fn(u32) -> f32,
) -> Option<String> {
    let (mut particles, mut scalar) = Scalar::<f32>::authored(model);
    particles.take(state);
    for i in 0..model.positions().len() as u32 {
        particles.set_inverse_mass(i, inverse_mass(i));
    }
    particles.time = state.time;
    let found = Mutex::new(None);
    scalar.core.step(&mut particles, |core, worker, step| {
        let replay = Replay { core, model, worker, step: *step };
        *lock(&found) = replay.frame();
    });
    found.into_inner().expect("no worker panicked")
}

/// A frame step of `scalar`, watched.
struct Replay<'a> {
    core: &'a Core<f32>,
    model: &'a Model,
    worker: &'a Worker<'a>,
    step: StepContext<'a, f32>,
}

impl Replay<'_> {
    fn frame(&self) -> Option<String> {
        let (core, worker) = (self.core, self.worker);
        let clock = &core.clock(worker);
        for substep in 0..core.settings.substeps {
            let step = &self.step.at_substep(substep, &core.settings);
            core.predict(worker, step, clock);
            core.begin(StepPhase::of_substep(substep), worker, step, clock);
            for k in 0..core.settings.iterations as usize {
                if k > 0 {
                    core.begin(StepPhase::Iteration, worker, step, clock);
                }
                let found = self.rows(k).or_else(|| self.subsystems(step, k));
                if found.is_some() {
                    return found;
                }
            }
            core.update(worker, step, clock);
            core.respond(worker, step, clock);
        }
        None
    }

    /// All rows once: the name of the first that breaks what was finite.
    fn rows(&self, k: usize) -> Option<String> {
        let (phases, back) = (&self.core.phases, self.core.goes_back(k));
        for i in 0..phases.len() {
            let RowPhase { set, color, units } = &phases[turned(i, phases.len(), back)];
            let list = self.model.rows()[*set].row_list();
            for i in 0..units.len() {
                let row = units.start + turned(i, units.len(), back);
                let particles = list.row(row as u32);
                let before = particles.iter().all(|&i| self.is_finite(i));
                let positions = &self.step.positions;
                self.core.batches[*set].project(*color, row..row + 1, k == 0, positions);
                if before && !particles.iter().all(|&i| self.is_finite(i)) {
                    return Some(format!("{} row {row}", self.model.rows()[*set].name()));
                }
            }
        }
        None
    }

    /// All subsystems once: the name of the first that breaks what was finite.
    fn subsystems(&self, step: &StepContext<f32>, k: usize) -> Option<String> {
        let mut before = self.broken();
        for due in self.core.subsystem_order(k) {
            self.core.project_subsystem(due, self.worker, step);
            let now = self.broken();
            if now > before {
                return self.model.subsystems().nth(due.0).map(|authored| authored.name().into());
            }
            before = now;
        }
        None
    }

    /// Whether a particle's position is finite, and the velocity that leads there too.
    fn is_finite(&self, particle: u32) -> bool {
        let [Particle { x, .. }]: [Particle<f32>; 1] = self.step.positions.load([particle]);
        let [previous]: [Vec3<f32>; 1] = self.step.particles.load_previous([particle]);
        finite((x - previous) * (1.0 / self.core.settings.h() as f32))
    }

    /// How many particles and bodies are not finite.
    fn broken(&self) -> usize {
        let particles = 0..self.model.positions().len() as u32;
        let bodies = (0..self.model.bodies().len() as u32).filter(|&i| {
            let body = self.step.bodies.load::<f32>(i);
            !(finite(body.x) && finite(body.q.vector()))
        });
        particles.filter(|&i| !self.is_finite(i)).count() + bodies.count()
    }
}

fn finite(v: Vec3<f32>) -> bool {
    v.to_array().iter().all(|v| v.is_finite())
}
