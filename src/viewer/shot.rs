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
}
