//! When islands are solved [directly](super::direct).

use super::direct_bodies::DirectScene;
use super::manifold::Fill;
use super::runtime::{BodyContactsRuntime, State};
use crate::state::Width;
use crate::subsystem::StepContext;
use crate::threads::Worker;
use std::sync::atomic::Ordering;

impl<W: Width> BodyContactsRuntime<W> {
    /// A substep begins, after contacts were found or not.
    pub(super) fn find_direct(&self, worker: &Worker, state: &State<W>, fill: Option<Fill>) {
        worker.single(|| {
            let manifolds = state.contacts.manifolds.as_slice();
            let changes = [Fill::All, Fill::New].map(|change| fill == Some(change));
            let found =
                self.direct.islands.write().find(&self.bodies, &state.batches, manifolds, changes);
            self.direct
                .any
                .iter()
                .zip(found)
                .for_each(|(any, found)| any.store(found, Ordering::Relaxed));
        });
    }

    /// After a pass over the positions, or the last one over the velocities.
    pub(super) fn solve_directly(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        state: &State<W>,
        of_positions: bool,
    ) {
        if self.direct.any[0].load(Ordering::Relaxed) {
            let pass = match of_positions {
                true => self.settings.position_pass(false),
                false => self.settings.velocity_pass(false),
            };
            // Islands share packets of impulses.
            worker.single(|| self.direct.islands.write().solve(&self.scene(step, state), &pass));
        }
    }

    /// After a warm start.
    pub(super) fn hold_jointed(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        state: &State<W>,
    ) {
        if self.direct.any[1].load(Ordering::Relaxed) {
            let pass = self.settings.position_pass(false);
            worker.single(|| self.direct.islands.write().hold(&self.scene(step, state), &pass));
        }
    }

    fn scene<'a>(
        &'a self,
        step: &'a StepContext<W::Element>,
        state: &'a State<W>,
    ) -> DirectScene<'a, W::Element> {
        DirectScene { batches: &state.batches, bodies: &self.bodies, view: &step.bodies }
    }
}
