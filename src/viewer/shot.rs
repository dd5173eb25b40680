//! What is drawn of a simulation at one time.

use crate::simulation::Simulation;
use crate::state::Snapshot;

/// A state, and what it does not say of what is seen.
pub(super) struct Shot {
    pub state: Snapshot,
    /// Joints that have broken, by their places among the joints of the model, in order.
    pub broken: Vec<u32>,
}

impl Shot {
    /// The present state.
    pub fn of(simulation: &Simulation) -> Self {
        let mut broken = simulation.broken_joints();
        broken.sort_unstable();
        Self { state: simulation.visible(), broken }
    }

    /// How much moves: the sum of v² over particles and bodies (m²/s²).
    pub fn motion(&self) -> f64 {
        let square = |v: &[f32]| v.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>();
        let of_bodies = self.state.body_velocities.iter().map(|v| square(&v[..3]));
        square(self.state.velocities.as_flattened()) + of_bodies.sum::<f64>()
    }
}
