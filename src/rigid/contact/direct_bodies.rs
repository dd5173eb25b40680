//! The bodies of an island that is solved [directly](super::direct), and the joints that hold some of them together: an impulse on one
//! moves them all, so M⁻¹ is P M⁻¹ ([`held_joints`](super::held_joints)). A leg then carries its table.

use super::batches::ContactBatches;
use super::body_pair::SolverBody;
use super::held_joints::{Allowed, HeldJoints, HeldRows};
use super::pass::PassParameters;
use super::solver_bodies::SolverBodies;
use crate::math::Vec3;
use crate::state::{BodyView, OneLane};

/// The most that closing joints turns a body in a pass (rad).
const MOST_TURN: f64 = 0.5;

/// All contacts and bodies, of which an island has some.
pub(super) struct DirectScene<'a, E: OneLane> {
    pub(super) batches: &'a ContactBatches<E>,
    pub(super) bodies: &'a SolverBodies<E>,
    pub(super) view: &'a BodyView<'a, E>,
}

/// The bodies. All but the components is room that a solve fills.
#[derive(Default)]
pub(super) struct IslandBodies {
    /// The components of joints among them.
    components: Vec<u32>,
    rows: HeldRows,
    /// Their numbers, sorted, and as they are.
    numbers: Vec<u32>,
    bodies: Vec<SolverBody<f64>>,
    /// How impulses move them.
    moved: Vec<SolverBody<f64>>,
    /// What each hangs together with: the first of that; and whether by joints.
    wholes: Vec<usize>,
    is_held: Vec<bool>,
    /// How all move for each velocity of one that contacts touch and joints hold, and where in that each begins.
    allowed: Vec<Allowed>,
    places: Vec<usize>,
    pushed: Vec<(usize, [[f64; 3]; 2])>,
}

impl IslandBodies {
    /// Of these components of joints from now on.
    pub(super) fn take_components(&mut self, components: impl Iterator<Item = u32>) {
        self.components.clear();
        self.components.extend(components);
    }

    /// What hangs together.
    pub(super) fn held(&self, joints: &HeldJoints) -> impl Iterator<Item = u32> {
        self.components.iter().flat_map(|c| joints.components[*c as usize].bodies.iter().copied())
    }

    pub(super) fn is_jointed(&self) -> bool {
        !self.components.is_empty()
    }

    /// Takes those of contacts, and all that hang together with them.
    pub(super) fn load<E: OneLane>(
        &mut self,
        scene: &DirectScene<E>,
        joints: &HeldJoints,
        touching: impl Iterator<Item = u32>,
    ) {
        let parts = |c: &u32| &joints.components[*c as usize].bodies;
        self.numbers.clear();
        self.numbers.extend(touching);
        self.numbers.extend(self.components.iter().flat_map(parts));
        self.numbers.sort_unstable();
        self.numbers.dedup();
        self.bodies.clear();
        self.bodies.extend(self.numbers.iter().map(|i| scene.bodies.direct(*i as usize)));
        self.moved.clone_from(&self.bodies);
        let mut wholes = std::mem::take(&mut self.wholes);
        wholes.clear();
        wholes.extend(0..self.numbers.len());
        let mut is_held = std::mem::take(&mut self.is_held);
        is_held.clear();
        is_held.resize(wholes.len(), false);
        for parts in self.components.iter().map(parts) {
            let places = || parts.iter().filter_map(|i| self.place(*i));
            let first = places().min().unwrap_or_default();
            places().for_each(|i| (wholes[i], is_held[i]) = (first, true));
        }
        (self.wholes, self.is_held) = (wholes, is_held);
    }

    /// Takes the rows of the joints, as a substep begins, and how these let what touches move.
    pub(super) fn take_rows<E: OneLane>(
        &mut self,
        scene: &DirectScene<E>,
        joints: &HeldJoints,
        touched: impl Iterator<Item = usize>,
    ) {
        let mut rows = std::mem::take(&mut self.rows);
        let all = self.components.iter().copied();
        let place = |i| Some(self.place(i)? as u32);
        rows.take(joints, all, scene.bodies, &self.bodies, place);
        let count = self.numbers.len();
        self.allowed.clear();
        self.places.clear();
        self.places.resize(count, usize::MAX);
        for i in touched.filter(|i| self.is_held[*i]) {
            let first = self.allowed.len();
            if self.places[i] == usize::MAX {
                self.places[i] = first;
                self.allowed.resize(first + count, Default::default());
                rows.allow(i, &mut self.allowed[first..]);
            }
        }
        self.rows = rows;
    }

    /// Leaves of what this pass has changed what joints allow.
    pub(super) fn hold<E: OneLane>(&mut self, scene: &DirectScene<E>, pass: &PassParameters<f64>) {
        let Self { numbers, bodies, rows, .. } = self;
        let h = pass.parts.then_some(pass.h);
        let before = |i: &u32| scene.bodies.direct_before(*i as usize, scene.view, h);
        for (body, [v, omega]) in bodies.iter_mut().zip(numbers.iter().map(before)) {
            (body.v, body.omega) = (body.v - v, body.omega - omega);
        }
        rows.project(bodies);
        for (body, [v, omega]) in bodies.iter_mut().zip(numbers.iter().map(before)) {
            (body.v, body.omega) = (body.v + v, body.omega + omega);
        }
    }

    /// Closes the joints in a substep of `h`: contacts would keep what passes leave open, and it would part further.
    pub(super) fn close<E: OneLane>(
        &mut self,
        scene: &DirectScene<E>,
        joints: &HeldJoints,
        h: f64,
    ) {
        let Self { components, bodies, moved, rows, .. } = self;
        let pose = |body: Option<u32>| scene.view.direct_pose(body);
        rows.measure(joints, components.iter().copied(), pose);
        moved.iter_mut().for_each(|body| (body.v, body.omega) = (Vec3::zero(), Vec3::zero()));
        rows.aim(moved, -1.0 / h);
        let turns = moved.iter().map(|body| body.omega.length() * h);
        let share = MOST_TURN / turns.fold(MOST_TURN, f64::max);
        for (body, moved) in bodies.iter_mut().zip(moved) {
            (body.v, body.omega) = (body.v + moved.v * share, body.omega + moved.omega * share);
        }
    }

    /// Where a body is among them.
    pub(super) fn place(&self, i: u32) -> Option<usize> {
        self.numbers.binary_search(&i).ok()
    }

    /// What one of them hangs together with.
    pub(super) fn whole(&self, i: usize) -> usize {
        self.wholes[i]
    }

    pub(super) fn as_slice(&self) -> &[SolverBody<f64>] {
        &self.bodies
    }

    /// How the impulses of `push` alone move them.
    pub(super) fn response(
        &mut self,
        push: impl FnOnce(&mut [SolverBody<f64>]),
    ) -> &[SolverBody<f64>] {
        let Self { moved, pushed, allowed, places, .. } = self;
        moved.iter_mut().for_each(|body| (body.v, body.omega) = (Vec3::zero(), Vec3::zero()));
        push(moved);
        pushed.clear();
        for (body, place) in moved.iter_mut().zip(places.iter()) {
            let u = [body.v.to_array(), body.omega.to_array()];
            if *place != usize::MAX && u != [[0.0; 3]; 2] {
                pushed.push((*place, u));
                (body.v, body.omega) = (Vec3::zero(), Vec3::zero());
            }
        }
        for (place, u) in pushed {
            for (body, allowed) in moved.iter_mut().zip(&allowed[*place..]) {
                for ([v, omega], u) in allowed.iter().zip(u.as_flattened()) {
                    body.v += *v * *u;
                    body.omega += *omega * *u;
                }
            }
        }
        moved
    }

    /// Moves them by the impulses of `push`.
    pub(super) fn apply(&mut self, push: impl FnOnce(&mut [SolverBody<f64>])) {
        if self.components.is_empty() {
            return push(&mut self.bodies);
        }
        self.response(push);
        for (body, moved) in self.bodies.iter_mut().zip(&self.moved) {
            (body.v, body.omega) = (body.v + moved.v, body.omega + moved.omega);
        }
    }

    /// Stores them.
    pub(super) fn store<E: OneLane>(&self, scene: &DirectScene<E>) {
        for (i, body) in self.numbers.iter().zip(&self.bodies) {
            scene.bodies.set_direct(*i as usize, body);
        }
    }
}
