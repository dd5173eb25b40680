//! Between manifolds and constraints: numbers go there when contacts are found, impulses back before they are found again.

use super::batch::{ContactBatch, Scene, Transfer};
use super::constraint::{ContactConstraint, LocalPoint};
use super::manifold::{Fill, Manifold};
use super::narrow_phase::NarrowPhase;
use super::rolling::RollingTorque;
use crate::constraints::{ContactImpulse, across};
use crate::math::{Quat, Scalar, Vec3, each, each_index};
use crate::state::{Lanes, MOST_LANES};
use crate::threads::Cells;
use std::ops::Range;

/// A point that is none: so far off that it never touches (m).
const NOWHERE: f32 = 1e9;

impl<W: Lanes, const K: usize, const FIXED: bool> Transfer for ContactBatch<W, K, FIXED> {
    fn fill(&self, range: Range<usize>, contacts: &NarrowPhase, which: Fill) {
        let manifolds = contacts.manifolds.as_slice();
        for i in range {
            let members = &self.packets.rows[i * W::LANES..(i + 1) * W::LANES];
            let is_new = |i: &u32| manifolds[*i as usize].stamp == contacts.stamp;
            if which == Fill::All || which == Fill::New && members.iter().any(is_new) {
                self.fill_one(i, contacts);
            }
            self.turn_normals(i, contacts);
        }
    }

    fn take(&self, range: Range<usize>, contacts: &NarrowPhase) {
        range.for_each(|i| self.fill_one(i, contacts));
    }

    fn write_back(&self, range: Range<usize>, to: &Cells<Manifold>, moved: Option<&[bool]>) {
        for i in range {
            let slots = self.constraints.as_slice()[i].slots;
            let of_lane = |l: usize| each(slots, |slots| W::slot(slots, l) as usize);
            let is_moved =
                |moved: &[bool]| (0..W::LANES).any(|l| of_lane(l).iter().any(|i| moved[*i]));
            if !moved.is_none_or(is_moved) {
                continue;
            }
            let impulses = &self.impulses.as_slice()[i];
            let members = &self.packets.rows[i * W::LANES..(i + 1) * W::LANES];
            for (lane, member) in members.iter().enumerate() {
                to.update(*member as usize, |manifold| {
                    if self.rolling_torques.len() > 0 {
                        let torque = self.rolling_torques.get(i).torque;
                        let torque = W::vector_lane(torque, lane).to_array();
                        manifold.torque = Vec3::from(torque.map(W::Element::to_f32));
                    }
                    let points = manifold.points.iter_mut().zip(impulses);
                    for (point, ContactImpulse { lambda, friction }) in points {
                        let friction = W::vector_lane(*friction, lane).to_array();
                        point.lambda = lambda.lane(lane).to_f32();
                        point.friction = Vec3::from(friction.map(W::Element::to_f32));
                    }
                });
            }
        }
    }

    fn impulses(&self, range: Range<usize>, to: &Cells<[f32; 4]>) {
        for i in range {
            let (constraint, mut done) = (&self.constraints.as_slice()[i], self.impulses.get(i));
            if self.impacts.len() > 0 {
                // Where a point was struck: what it did again when the substep began, and the impact.
                let [before, impact] = self.impacts.get(i);
                for k in 0..K {
                    let struck = W::zero().lt(impact[k].lambda);
                    let (lambda, friction) = (
                        before[k].lambda + impact[k].lambda,
                        before[k].friction + impact[k].friction,
                    );
                    done[k].lambda = W::select(struck, lambda, done[k].lambda);
                    done[k].friction = Vec3::select(struck, friction, done[k].friction);
                }
            }
            let normal = done.iter().fold(W::zero(), |sum, point| sum + point.lambda);
            let friction = done.iter().fold(Vec3::zero(), |sum, point| sum + point.friction);
            let impulse = constraint.normal * normal + friction;
            let members = &self.packets.rows[i * W::LANES..(i + 1) * W::LANES];
            for (lane, member) in members.iter().enumerate() {
                let [x, y, z] = W::vector_lane(impulse, lane).to_array().map(W::Element::to_f32);
                to.set(*member as usize, [x, y, z, normal.lane(lane).to_f32()]);
            }
        }
    }
}

impl<W: Lanes, const K: usize, const FIXED: bool> ContactBatch<W, K, FIXED> {
    /// One constraint's manifolds, lane by lane.
    #[inline(always)]
    fn manifolds<'a>(&self, i: usize, contacts: &'a NarrowPhase) -> [&'a Manifold; MOST_LANES] {
        let members = &self.packets.rows[i * W::LANES..(i + 1) * W::LANES];
        each_index(|lane| {
            let member = members[lane.min(W::LANES - 1)];
            &contacts.manifolds.as_slice()[member as usize]
        })
    }

    /// Takes one constraint's numbers from its manifolds.
    fn fill_one(&self, i: usize, contacts: &NarrowPhase) {
        let all = self.manifolds(i, contacts);
        let offset = |m: &Manifold, k: usize| match k < m.count {
            true => -(m.radii[0] + m.radii[1]),
            false => NOWHERE,
        };
        let mut constraint = ContactConstraint {
            slots: each_index(|end| W::slots(|l| all[l].pair[end])),
            references: W::slots(|l| all[l].reference_body()),
            local_normal: W::single_vectors(|l| all[l].normal),
            radii: each_index(|end| W::singles(|l| all[l].radii[end])),
            friction: W::singles(|l| all[l].friction),
            restitution: W::singles(|l| all[l].restitution),
            arms: each_index(|k| W::singles(|l| all[l].arms[k])),
            ..Self::blank()
        };
        let mut impulses = [ContactImpulse::none(); K];
        for k in 0..K {
            constraint.points[k] = LocalPoint {
                anchors: each_index(|end| W::single_vectors(|l| all[l].points[k].anchors[end])),
                offset: W::singles(|l| offset(all[l], k)),
            };
            impulses[k] = ContactImpulse {
                lambda: W::singles(|l| all[l].points[k].lambda),
                friction: W::single_vectors(|l| all[l].points[k].friction),
            };
        }
        self.constraints.set(i, constraint);
        self.impulses.set(i, impulses);
        if self.rolling_torques.len() > 0 {
            let torque = W::single_vectors(|l| all[l].torque);
            self.rolling_torques.set(i, RollingTorque { torque, ..RollingTorque::none() });
        }
        if FIXED {
            self.ends.set(i, None);
        }
    }

    /// Turns one constraint's normals to where their reference bodies are, and friction across them; all else is as it was.
    fn turn_normals(&self, i: usize, contacts: &NarrowPhase) {
        let states = contacts.states.as_slice();
        self.constraints.update(i, |constraint| {
            let turn = |l: usize| states[W::slot(constraint.references, l) as usize].q;
            let axis = W::single_vectors(|l| turn(l).vector());
            let q = Quat::new(axis.x, axis.y, axis.z, W::singles(|l| turn(l).w));
            constraint.normal = q.rotate(constraint.local_normal);
            self.impulses.update(i, |impulses| {
                for impulse in impulses {
                    impulse.friction = across(impulse.friction, constraint.normal);
                }
            });
        });
    }

    /// How sides turn that no contact moves, each lane's own (rad/s).
    pub(super) fn fixed_spins(&self, i: usize, scene: &Scene<W::Element>, h: W) -> Vec3<W> {
        let slots = self.constraints.as_slice()[i].slots[1];
        if are_still::<W>(slots, scene) {
            return Vec3::zero();
        }
        let turn = |lane: usize| scene.motions[W::slot(slots, lane) as usize].turn();
        W::single_vectors(turn) * (W::of(1.0) / h)
    }

    /// The cores and surface velocities of sides that no contact moves, each lane's own.
    pub(super) fn fixed_ends(
        &self,
        i: usize,
        scene: &Scene<W::Element>,
        h: W,
    ) -> [[Vec3<W>; 2]; K] {
        let constraint = &self.constraints.as_slice()[i];
        let slots = constraint.slots[1];
        let still = are_still::<W>(slots, scene);
        if let (true, Some(ends)) = (still, self.ends.get(i)) {
            return ends;
        }
        let single = |v: Vec3<W>, lane: usize| {
            let v = W::vector_lane(v, lane % W::LANES).to_array();
            Vec3::from(v.map(W::Element::to_f32))
        };
        let round = constraint.normal * constraint.radii[1];
        let ends = each_index(|k| {
            let points: [_; MOST_LANES] = each_index(|lane| {
                let motion = &scene.motions[W::slot(slots, lane % W::LANES) as usize];
                let anchor = single(constraint.points[k].anchors[1], lane);
                motion.points(anchor, single(round, lane))
            });
            let [core, way] = each_index(|n| W::single_vectors(|lane| points[lane][n]));
            [core, way * (W::of(1.0) / h)]
        });
        self.ends.set(i, still.then_some(ends));
        ends
    }
}

/// Whether all of these stand still, of what no contact moves.
fn are_still<W: Lanes>(slots: W::Slots, scene: &Scene<W::Element>) -> bool {
    (0..W::LANES).all(|lane| scene.motions[W::slot(slots, lane) as usize].still)
}
