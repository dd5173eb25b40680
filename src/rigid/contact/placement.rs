//! How instances stand when a substep begins: bodies, and what no contact moves.

use super::instance::InstanceState;
use super::kinematic::KinematicMotion;
use super::runtime::{BodyContactsRuntime, State};
use super::solver_bodies::SolverBodies;
use crate::math::{Quat, Scalar, Vec3};
use crate::state::{BodyView, MovingBody, Width};
use crate::threads::Worker;

impl<W: Width> BodyContactsRuntime<W> {
    /// Takes how all instances stand.
    pub(super) fn look(&self, worker: &Worker) {
        let instances = || self.state.read().contacts.instances.len();
        worker.parallel_for_len(instances, |range| {
            let state = &*self.state.read();
            state.contacts.look(range, |i| state.instance(i, &self.bodies, self.settings.h));
        });
    }
}

impl<W: Width> State<W> {
    /// Lets bodies touch whose joints have broken; whether any have.
    pub(super) fn part(&mut self) -> bool {
        let Self { joined, contacts, sleep, .. } = self;
        let any = joined.has_changed();
        if any {
            contacts.cache.joined = joined.bodies();
            // Boxes and pairs are searched anew.
            contacts.cache.searched = false;
            contacts.changed = true;
            sleep.iter_mut().for_each(|sleep| sleep.joined = joined.together());
        }
        any
    }

    /// Where what no contact moves begins and ends the substep.
    pub(super) fn place_fixed(
        &mut self,
        solver_bodies: &SolverBodies<W::Element>,
        bodies: &BodyView<W::Element>,
        [time, h]: [f64; 2],
    ) {
        let first = self.motions.len() - self.colliders.len();
        for i in (0..first).filter(|i| self.contacts.is_resting(*i as u32)) {
            let InstanceState { x, q, .. } = solver_bodies.state(i);
            let end: MovingBody<W::Element> = bodies.load(i as u32);
            let (to, turn) = (end.x.to_array(), end.q.to_array());
            let single = |v: W::Element| v.to_f32();
            self.motions[i].follow(KinematicMotion {
                from: (x, q),
                to: (Vec3::from(to.map(single)), Quat::from(turn.map(single))),
                still: false,
            });
        }
        for (motion, collider) in self.motions[first..].iter_mut().zip(&self.colliders) {
            motion.follow(KinematicMotion::of_collider(collider, time, h));
        }
    }

    /// How an instance stands: bodies come first, then colliders.
    fn instance(&self, i: usize, bodies: &SolverBodies<W::Element>, h: f64) -> InstanceState {
        match i < self.motions.len() - self.colliders.len() {
            true => bodies.state(i),
            false => self.motions[i].state(h as f32),
        }
    }
}
