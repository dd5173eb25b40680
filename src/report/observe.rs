//! The state as numbers: hash, residual, energy, momenta; all in f64 from the f32 state.

use crate::model::{Model, Residual};

/// FNV-1a, 64 bit, over the little-endian bits of every position in authored order (`SCENE_FORMAT.md`, `hash`).
pub fn hash(positions: &[[f32; 3]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in positions
        .as_flattened()
        .iter()
        .flat_map(|v| v.to_le_bytes())
    {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// What a state amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The state's hash.
    pub hash: u64,
    /// Whether every position and velocity is finite.
    pub finite: bool,
    /// Root mean square of |C + α/h² λ| / |∇C| over all rows (m).
    pub residual: f64,
    /// The largest of them (m).
    pub residual_max: f64,
    /// Kinetic, potential and elastic energy (J); kinematic particles have none.
    pub energy: f64,
    /// Σ m v (kg m/s).
    pub momentum: [f64; 3],
    /// Σ x × m v about the origin (kg m²/s).
    pub angular_momentum: [f64; 3],
}

/// A state in authored order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Simulated time (s).
    pub time: f64,
    /// Positions (m).
    pub positions: Vec<[f32; 3]>,
    /// Velocities (m/s).
    pub velocities: Vec<[f32; 3]>,
}

impl Snapshot {
    /// Whether every position and velocity is finite.
    pub fn finite(&self) -> bool {
        let finite = |values: &[[f32; 3]]| values.as_flattened().iter().all(|v| v.is_finite());
        finite(&self.positions) && finite(&self.velocities)
    }
}

/// Observes a state; `multipliers` per row set, then per part, in authored order.
pub fn observe(model: &Model, state: &Snapshot, multipliers: &[Vec<f32>]) -> Observation {
    let Snapshot {
        positions,
        velocities,
        ..
    } = state;
    let mut sum = Residual::default();
    let mut energy = 0.0;
    for (set, lambda) in model.rows().iter().zip(multipliers) {
        set.add_residual(positions, lambda, &model.settings, &mut sum);
        energy += set.elastic_energy(positions, &model.settings);
    }
    let of_parts = multipliers.iter().skip(model.rows().len());
    for (part, lambda) in model.parts().zip(of_parts) {
        part.add_residual(state, lambda, &model.settings, &mut sum);
        energy += part.elastic_energy(state, &model.settings);
    }
    let mut momentum = [0.0; 3];
    let mut angular_momentum = [0.0; 3];
    let gravity = model.settings.gravity;
    for ((x, v), &w) in positions.iter().zip(velocities).zip(model.inverse_masses()) {
        if w > 0.0 {
            let m = 1.0 / f64::from(w);
            let (x, v) = (x.map(f64::from), v.map(f64::from));
            for axis in 0..3 {
                energy += m * (0.5 * v[axis] * v[axis] - gravity[axis] * x[axis]);
                momentum[axis] += m * v[axis];
                let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
                angular_momentum[axis] += m * (x[b] * v[c] - x[c] * v[b]);
            }
        }
    }
    Observation {
        hash: hash(positions),
        finite: state.finite(),
        residual: (sum.squares / sum.count.max(1) as f64).sqrt(),
        residual_max: sum.largest,
        energy,
        momentum,
        angular_momentum,
    }
}
