//! When islands are solved [directly](super::direct).

use super::manifold::Fill;
use super::runtime::{BodyContactsRuntime, State};
use crate::state::Width;
use crate::threads::Worker;
use std::sync::atomic::Ordering;

impl<W: Width> BodyContactsRuntime<W> {
    /// A substep begins, after contacts were found or not.
    pub(super) fn find_direct(&self, worker: &Worker, state: &State<W>, fill: Option<Fill>) {
        worker.single(|| {
            let manifolds = state.contacts.manifolds.as_slice();
            let changes = [Fill::All, Fill::New].map(|change| fill == Some(change));
            let any = self.direct.islands.write().find(&state.batches, manifolds, changes);
            self.direct.any.store(any, Ordering::Relaxed);
        });
    }

    /// After a pass over the positions, or the last one over the velocities.
    pub(super) fn solve_directly(&self, worker: &Worker, state: &State<W>, of_positions: bool) {
        if self.direct.any.load(Ordering::Relaxed) {
            let pass = match of_positions {
                true => self.settings.position_pass(false),
                false => self.settings.velocity_pass(false),
            };
            worker.single(|| {
                self.direct.islands.write().solve(&state.batches, &self.bodies, &pass);
            });
        }
    }
}
