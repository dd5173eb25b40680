//! At the end of a substep: what its contacts did, for who asks.

use super::runtime::{BodyContactsRuntime, State};
use crate::state::{BodyContact, ContactEvent, Width};
use crate::subsystem::SubsystemStatistics;

impl<W: Width> BodyContactsRuntime<W> {
    /// What it did.
    pub(super) fn told(&self) -> SubsystemStatistics {
        let search = self.particles.as_ref().map(|p| p.search.read());
        let particles = search.map_or(0, |search| search.found.len());
        let state = self.state.read();
        let mut counts = state.contacts.counts(particles);
        counts.extend(state.sleep.as_ref().map(|sleep| ("islands", sleep.islands())));
        let (contacts, events) = state.reported();
        let clock = self.clock.as_ref().map(|clock| clock.lock().expect("no worker panicked"));
        let times = clock.map(|clock| clock.phases().to_vec());
        SubsystemStatistics {
            contacts,
            events,
            counts,
            times: times.unwrap_or_default(),
            ..SubsystemStatistics::default()
        }
    }
}

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
