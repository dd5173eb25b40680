//! At the end of a substep: what its contacts did, for who asks.

use super::approach::Approach;
use super::events::Pose;
use super::manifold::Relative;
use super::narrow_phase::NarrowPhase;
use super::runtime::{BodyContactsRuntime, State};
use crate::math::{Quat, Scalar, Vec3};
use crate::state::{BodyContact, BodyView, ContactEvent, MovingBody, Width};
use crate::subsystem::SubsystemStatistics;
use crate::threads::lock;

impl<W: Width> BodyContactsRuntime<W> {
    /// What it did.
    pub(super) fn told(&self) -> SubsystemStatistics {
        let search = self.particles.as_ref().map(|p| p.search.read());
        let particles = search.map_or(0, |search| search.found.len());
        let state = self.state.read();
        let mut counts = state.contacts.counts(particles);
        counts.extend(state.sleep.as_ref().map(|sleep| ("islands", sleep.islands())));
        let (contacts, events) = state.reported();
        let clock = self.clock.as_ref().map(lock);
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

impl NarrowPhase {
    /// Whether two convex instances touch on a straight way from where they were last looked at to where they stand `now`: points that
    /// were found where turning might bring them near lie beside those that meet.
    fn meet_on_their_way(&self, pair: [u32; 2], now: impl Fn(u32) -> Pose) -> bool {
        let [a, b] = pair.map(|i| &self.instances[i as usize].geometry);
        let [from, to] = pair.map(|i| &self.states.as_slice()[i as usize]);
        let [of_a, of_b] = [now(pair[0]).0 - from.x, now(pair[1]).0 - to.x];
        let way = from.q.unrotate(of_b - of_a);
        let at = Relative::new((from.x, from.q), (to.x, to.q));
        let approach = Approach::new(way, 0.0, a.reach().min(b.reach()));
        approach.is_some_and(|approach| approach.first_touch([a, b], &at).is_some())
    }
}

impl<W: Width> State<W> {
    /// Adds what the contacts of the substep that ends did to those of the frame.
    pub(super) fn report(&mut self, bodies: &BodyView<W::Element>) {
        let Self { contacts, batches, events: Some(events), impulses, motions, colliders, .. } =
            self
        else {
            return;
        };
        let (manifolds, states) = (contacts.manifolds.as_slice(), contacts.states.as_slice());
        impulses.resize(manifolds.len(), [0.0; 4]);
        // What waits beside those that sleep still does what it did last.
        for (i, manifold) in manifolds.iter().enumerate() {
            impulses.set(i, manifold.impulse(states));
        }
        batches.each_packet(0..batches.packets(), |batch, range| batch.impulses(range, impulses));
        let count = (motions.len() - colliders.len()) as u32;
        let now = |i: u32| match i < count {
            true => {
                let MovingBody { x, q, .. } = bodies.load::<W::Element>(i);
                let (x, q) = (x.to_array().map(Scalar::to_f32), q.to_array().map(Scalar::to_f32));
                (Vec3::from(x), Quat::from(q))
            }
            false => motions[i as usize].to,
        };
        let reach = |i: u32| contacts.instances[i as usize].geometry.reach();
        events.add(manifolds, impulses.as_slice(), states, |manifold| {
            let [a, b] = manifold.pair.map(reach);
            manifold.comes_through(states, now, a.min(b))
                || contacts.meet_on_their_way(manifold.pair, now)
        });
    }

    /// Who touches whom, and what has changed; nothing where nobody asks.
    pub(super) fn reported(&self) -> (Vec<BodyContact>, Vec<ContactEvent>) {
        let events = self.events.as_ref();
        events.map(|events| (events.contacts(), events.changes())).unwrap_or_default()
    }
}
