//! Impacts of pairs that touch by several manifolds, or hang together with others by joints: all points of a pair are struck at once,
//! on all that hangs together. Struck one after another, a capsule that lands flat would spin, and of a blow to one of two boxes
//! that are welded the other would take nothing. For a body all that no contact moves is one partner: a box that lands flat on the
//! seam of two slabs hits both at once.
//!
//! ```text
//! u  <- P u                         P of joints (held_joints.rs)
//! W  =  C P M⁻¹ Cᵀ                  C of all points along n and, where µ > 0, two axes across it
//! s  =  n·u + W_nn λ₀               as of one manifold (impacts.rs)
//! W j + C u = -e s along n where the point is struck, j >= 0 complementary; friction within |f| <= µ j
//! ```
//!
//! Solved in f64 by Gauss-Seidel, by one worker, the pairs in their order, in each round after the contacts that are struck by themselves.

use super::batch::Batch;
use super::coloring::BATCHES;
use super::direct_point::Place;
use super::held_joints::HeldJoints;
use super::manifold::Manifold;
use super::settings::Strike;
use super::simultaneous::{Pair, Room, RoomPoint};
use super::solver_bodies::SolverBodies;
use crate::state::OneLane;

/// Pairs of more points than this are struck manifold by manifold.
const MOST: usize = 64;

/// Those pairs, and room.
pub(super) struct ImpactPairs {
    pairs: Vec<Pair>,
    places: Vec<Place>,
    /// Of each manifold that is solved: its number and its first point.
    found: Vec<(u32, Place)>,
    joints: HeldJoints,
    room: Room,
}

impl ImpactPairs {
    pub(super) fn new(joints: HeldJoints, bodies: usize) -> Self {
        let (pairs, places, found) = (Vec::new(), Vec::new(), Vec::new());
        Self { pairs, places, found, joints, room: Room::new(bodies) }
    }

    /// Takes which manifolds are solved, each with its first point, and finds the pairs; `mark` is told of each manifold of theirs.
    pub(super) fn find(
        &mut self,
        manifolds: &[Manifold],
        each: impl FnOnce(&mut dyn FnMut(Place, u32)),
        mark: impl Fn(Place),
    ) {
        let Self { pairs, places, found, joints, .. } = self;
        pairs.clear();
        places.clear();
        found.clear();
        each(&mut |place, i| {
            if manifolds[i as usize].restitution > 0.0 {
                found.push((i, place));
            }
        });
        let pair = |(i, _): &(u32, Place)| manifolds[*i as usize].pair;
        // All that no contact moves is one: its places among the bodies say nothing.
        let ends = |(i, place): &(u32, Place)| match BATCHES[place.batch].0 {
            true => [manifolds[*i as usize].pair[0], u32::MAX],
            false => manifolds[*i as usize].ends(),
        };
        found.sort_unstable_by_key(|all| (ends(all), all.0));
        let points = |all: &[(u32, Place)]| -> usize {
            all.iter().map(|(_, place)| BATCHES[place.batch].1).sum()
        };
        let mut take = |all: &[(u32, Place)]| {
            let components = pair(&all[0]).map(|instance| joints.of(instance));
            if points(all) > MOST || all.len() < 2 && components == [None; 2] {
                return;
            }
            let first = places.len();
            for (_, place) in all {
                mark(*place);
                places.extend((0..BATCHES[place.batch].1).map(|k| Place { k, ..*place }));
            }
            pairs.push(Pair { places: first..places.len(), components });
        };
        for all in found.chunk_by(|m, n| ends(m) == ends(n)) {
            match points(all) > MOST {
                true => all.chunk_by(|m, n| pair(m) == pair(n)).for_each(&mut take),
                false => take(all),
            }
        }
    }

    /// Strikes the pairs that wait; whether any was struck.
    pub(super) fn strike<E: OneLane>(
        &mut self,
        batches: &[Box<dyn Batch<E>>],
        bodies: &SolverBodies<E>,
        strike: &Strike<f64>,
    ) -> bool {
        let Self { pairs, places, joints, room, .. } = self;
        let mut any = false;
        for pair in pairs.iter() {
            let places = &places[pair.places.clone()];
            room.points.clear();
            room.points.extend(places.iter().map(|place| {
                let batch = &batches[place.batch];
                let (point, struck) = (batch.point(*place), batch.struck_point(*place));
                RoomPoint { place: *place, point, struck }
            }));
            if !room.waits() {
                continue;
            }
            room.load(pair, joints, bodies);
            if !room.solve(pair, joints, strike) {
                continue;
            }
            any = true;
            room.give(pair, joints, bodies);
            for (k, RoomPoint { place, .. }) in room.points.iter().enumerate() {
                let (lambda, friction) = room.impulse(k);
                batches[place.batch].add_impact(*place, lambda, friction);
            }
        }
        any
    }

    /// What hangs together with what was struck gets the velocities that joints allow, after all impulses.
    pub(super) fn settle<E: OneLane>(&mut self, bodies: &SolverBodies<E>) {
        let Self { joints, room, .. } = self;
        for c in 0..joints.components.len() as u32 {
            let is_struck = |i: &u32| bodies.is_struck(*i as usize);
            if !joints.components[c as usize].bodies.iter().any(is_struck) {
                continue;
            }
            for i in joints.named(c) {
                room.local[i as usize] = bodies.direct(i as usize);
            }
            room.held.take(joints, std::iter::once(c), bodies, &room.local, Some);
            room.held.project(&mut room.local);
            for i in &joints.components[c as usize].bodies {
                bodies.set_direct(*i as usize, &room.local[*i as usize]);
            }
        }
    }
}
