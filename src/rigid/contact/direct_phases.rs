//! When islands are solved [directly](super::direct).

use super::runtime::{BodyContactsRuntime, State};
use crate::state::Width;
use crate::threads::Worker;

impl<W: Width> BodyContactsRuntime<W> {
    /// A substep begins, and contacts are `others` than before or not.
    pub(super) fn find_direct(&self, worker: &Worker, state: &State<W>, others: bool) {
        if let Some(direct) = &self.direct {
            let manifolds = state.contacts.manifolds.as_slice();
            worker.single(|| direct.write().find(&state.batches, manifolds, others));
        }
    }

    /// After a pass over the positions, or the last one over the velocities.
    pub(super) fn solve_directly(&self, worker: &Worker, state: &State<W>, of_positions: bool) {
        if let Some(direct) = &self.direct {
            let pass = match of_positions {
                true => self.settings.position_pass(false),
                false => self.settings.velocity_pass(false),
            };
            worker.single(|| direct.write().solve(&state.batches, &self.bodies, &pass));
        }
    }
}
