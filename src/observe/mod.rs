//! The state as numbers: hash, residual, energy, momenta; all in f64 from the f32 state.

mod penetration;
mod tangled;

pub use penetration::penetration;
pub use tangled::tangled;

use crate::math::{FNV, Quat, Vec3, fnv};
use crate::model::Model;
use crate::rigid::Body;
use crate::rows::{AnyRows, Residual};
use crate::state::Snapshot;
use crate::subsystem::Measurement;
use crate::threads::{Team, cores};
use std::borrow::Cow;

/// Rows that are summed up together: sums depend on it, and not on the threads.
const BLOCK: usize = 1 << 16;

/// FNV-1a, 64 bit, over the little-endian bits of every position, then of every body's position and orientation, in
/// authored order (`docs/scene-format.md`, `hash`).
pub fn hash(positions: &[[f32; 3]], bodies: &[[f32; 7]]) -> u64 {
    let values = positions.as_flattened().iter().chain(bodies.as_flattened());
    values.flat_map(|v| v.to_le_bytes()).fold(FNV, fnv)
}

/// What a state amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The state's hash.
    pub hash: u64,
    /// Whether every position, orientation and velocity is finite.
    pub finite: bool,
    /// Root mean square of |C + α/h² λ| / |∇C| over all rows (m).
    pub residual: f64,
    /// The largest of them (m).
    pub residual_max: f64,
    /// Equations of rows, groups, joints and attachments that do not hold and get no correction: without a gradient in f32, or with
    /// one that overflows.
    pub degenerate: usize,
    /// Kinetic, potential and elastic energy (J); kinematic particles, those that wait at an emitter and fixed bodies have none.
    pub energy: f64,
    /// Σ m v (kg m/s).
    pub momentum: [f64; 3],
    /// Σ x × m v about the origin, and Σ I ω of the bodies (kg m²/s).
    pub angular_momentum: [f64; 3],
}

/// The bodies that are not fixed, each with its pose and motion.
fn moving_bodies<'a>(
    state: &'a Snapshot,
    model: &'a Model,
) -> impl Iterator<Item = (&'a Body, &'a [f32; 7], &'a [f32; 6])> {
    let states = state.bodies.iter().zip(&state.body_velocities);
    let bodies = model.bodies().iter().zip(states);
    let moving = bodies.filter(|(body, _)| !body.fixed);
    moving.map(|(body, (pose, motion))| (body, pose, motion))
}

fn three(v: &[f32]) -> Vec3<f64> {
    Vec3::of(std::array::from_fn(|k| f64::from(v[k])))
}

/// Those who observe a model: one alone where its rows are few.
fn team(model: &Model) -> Team {
    let many = model.rows().iter().any(|set| set.len() > BLOCK);
    let team = if many { Team::new(cores()).ok() } else { None };
    team.unwrap_or_else(Team::alone)
}

/// Residual and elastic energy (J) of each block of rows.
fn observe_rows(
    set: &dyn AnyRows,
    positions: &[[f32; 3]],
    lambda: &[f32],
    model: &Model,
    team: &Team,
) -> Vec<(Residual, f64)> {
    let mut blocks = vec![(Residual::default(), 0.0); set.len().div_ceil(BLOCK)];
    team.each(blocks.iter_mut().enumerate(), |(block, (residual, energy))| {
        let rows = block * BLOCK..set.len().min((block + 1) * BLOCK);
        set.add_residual(rows.clone(), positions, lambda, &model.settings, residual);
        *energy = set.elastic_energy(rows, positions, &model.settings);
    });
    blocks
}

/// The largest |C| / |∇C| of all constraints in a state (m, rad), as if none were soft.
pub fn violation(model: &Model, state: &Snapshot) -> f64 {
    let mut sum = Residual::default();
    for set in model.rows() {
        let without = vec![0.0; set.len() * set.equations()];
        set.add_residual(0..set.len(), &state.positions, &without, &model.settings, &mut sum);
    }
    for subsystem in model.subsystems() {
        let of = Measurement { state, lambda: &[], settings: &model.settings };
        subsystem.add_residual(&of, &mut sum);
    }
    sum.largest
}

/// Observes a state; `multipliers` per row set, then per subsystem, in authored order.
pub fn observe(model: &Model, state: &Snapshot, multipliers: &[Vec<f32>]) -> Observation {
    let Snapshot { positions, velocities, .. } = state;
    let mut sum = Residual::default();
    let mut energy = 0.0;
    let team = team(model);
    for (set, lambda) in model.rows().iter().zip(multipliers) {
        for (residual, elastic) in observe_rows(set.as_ref(), positions, lambda, model, &team) {
            sum.add_all(&residual);
            energy += elastic;
        }
    }
    // What waits at an emitter lies at one place, and is not there yet.
    let waiting = model.waiting(Some(state));
    let mut present = Cow::Borrowed(state);
    for &i in waiting.keys() {
        present.to_mut().positions[i as usize] = [f32::NAN; 3];
    }
    let of_subsystems = multipliers.iter().skip(model.rows().len());
    for (subsystem, lambda) in model.subsystems().zip(of_subsystems) {
        let of = Measurement { state, lambda, settings: &model.settings };
        subsystem.add_residual(&Measurement { state: &present, ..of }, &mut sum);
        energy += subsystem.elastic_energy(&of);
    }
    let mut momentum = Vec3::zero();
    let mut angular_momentum = Vec3::zero();
    let gravity = Vec3::of(model.settings.gravity);
    // `spin` and `spun`: ω and I ω about the center, where there is one.
    let mut add = |m: f64, [x, v]: [Vec3<f64>; 2], [spin, spun]: [Vec3<f64>; 2]| {
        energy += m * (0.5 * v.dot(v) - gravity.dot(x)) + 0.5 * spin.dot(spun);
        momentum += v * m;
        angular_momentum += x.cross(v) * m + spun;
    };
    let particles = positions.iter().zip(velocities).zip(model.inverse_masses());
    for (i, ((x, v), &w)) in (0..).zip(particles) {
        if w > 0.0 && !waiting.contains_key(&i) {
            let at = |v: &[f32; 3]| Vec3::of(v.map(f64::from));
            add(1.0 / f64::from(w), [at(x), at(v)], [Vec3::zero(); 2]);
        }
    }
    for (body, pose, motion) in moving_bodies(state, model) {
        let [x, v, omega] = [&pose[..3], &motion[..3], &motion[3..]].map(three);
        let [qx, qy, qz, qw] = std::array::from_fn(|k| f64::from(pose[3 + k]));
        let q = Quat::new(qx, qy, qz, qw).normalized() * Quat::of(body.axes);
        let spin = q.unrotate(omega);
        let [a, b, c] = body.inertia;
        let spun = Vec3::new(a * spin.x, b * spin.y, c * spin.z);
        add(body.mass, [x, v], [omega, q.rotate(spun)]);
    }
    Observation {
        hash: hash(positions, &state.bodies),
        finite: state.finite(),
        residual: (sum.squares / sum.count.max(1) as f64).sqrt(),
        residual_max: sum.largest,
        degenerate: sum.degenerate,
        energy,
        momentum: momentum.to_array(),
        angular_momentum: angular_momentum.to_array(),
    }
}
