//! At the end of a substep: what its contacts did, for who asks.

use super::runtime::State;
use crate::state::{BodyContact, ContactEvent, Width};

impl<W: Width> State<W> {
    /// Adds what the contacts of the substep that ends did to those of the frame.
    pub(super) fn report(&mut self) {
        let Self { contacts, batches, events: Some(events), impulses, .. } = self else {
            return;
        };
        let (manifolds, states) = (contacts.manifolds.as_slice(), contacts.states.as_slice());
        impulses.resize(manifolds.len(), [0.0; 4]);
        // What waits beside those that sleep still does what it did last.
        for (i, manifold) in manifolds.iter().enumerate() {
            impulses.set(i, manifold.impulse(states));
        }
        batches.each_packet(0..batches.packets(), |batch, range| batch.impulses(range, impulses));
        events.add(manifolds, impulses.as_slice(), states);
    }

    /// Who touches whom, and what has changed; nothing where nobody asks.
    pub(super) fn reported(&self) -> (Vec<BodyContact>, Vec<ContactEvent>) {
        let events = self.events.as_ref();
        events.map(|events| (events.contacts(), events.changes())).unwrap_or_default()
    }
}
