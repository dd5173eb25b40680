//! A contact batch: manifolds as constraints, in packets, in the order of their colors.

#![allow(clippy::needless_range_loop)] // points, starts and impulses run side by side

use super::constraint::{
    BodyPair, ContactConstraint, LocalPoint, PassParameters, PointImpulse, PointStart,
};
use super::kinematic::KinematicMotion;
use super::manifold::Manifold;
use super::narrow_phase::NarrowPhase;
use super::settings::Strike;
use super::solver_bodies::SolverBodies;
use crate::constraints::across;
use crate::math::{Scalar, Vec3, WIDTH, each_lane};
use crate::rigid::packets::Packets;
use crate::state::Width;
use crate::subsystem::largest_lane;
use crate::threads::Cells;
use std::ops::Range;

/// A point that is none: so far off that it never touches (m).
const NOWHERE: f32 = 1e9;

/// A batch of any number of points and either sort of b.
pub(super) trait Batch<W: Width>: Send + Sync {
    /// Which manifolds its constraints are.
    fn packets(&self) -> &Packets;
    /// Lays out the constraints, to be [filled](Self::fill); with room for impacts where anything may rebound.
    fn lay_out(&mut self, packets: &Packets, rebounds: bool);
    /// Takes the numbers of some constraints from their manifolds: all of them, or where nothing is `new` the normals only,
    /// which turn with their reference bodies.
    fn fill(&self, range: Range<usize>, contacts: &NarrowPhase, new: bool);
    /// Takes some constraints' numbers from their manifolds as they were saved: normals are turned when the next frame begins.
    fn take(&self, range: Range<usize>, contacts: &NarrowPhase);
    /// Writes back to the manifolds what their points did.
    fn write_back(&self, manifolds: &mut [Manifold]);
    /// A substep begins for some constraints: where points are, and what they did before is done again.
    fn begin(&self, range: Range<usize>, scene: &Scene<W::Element>, pass: &PassParameters<W>);
    /// One pass over some constraints.
    fn project(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W>,
    );
    /// The largest residual of some constraints (m).
    fn residual(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W>,
    ) -> f32;
    /// Takes back of some constraints, on the struck velocities, what they did since the substep began.
    fn undo(&self, range: Range<usize>, bodies: &SolverBodies<W::Element>);
    /// One round of impacts over some constraints, on the struck velocities; whether there was any.
    fn strike(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        strike: &Strike<W>,
    ) -> bool;
    /// Puts impacts in the place of what some constraints did, where one of the bodies was struck.
    fn settle(&self, range: Range<usize>, bodies: &SolverBodies<W::Element>);
}

/// The constraints of a batch: all of K points at most, and of one sort of b.
pub(super) struct ContactBatch<W: Width, const K: usize, const FIXED: bool> {
    pub(super) constraints: Cells<ContactConstraint<W, K, FIXED>>,
    pub(super) starts: Cells<[PointStart<W>; K]>,
    pub(super) impulses: Cells<[PointImpulse<W>; K]>,
    /// Where anything may rebound: the impulses when the substep began, and those of impacts.
    pub(super) impacts: Cells<[[PointImpulse<W>; K]; 2]>,
    packets: Packets,
}

/// What constraints are stepped with: the bodies, the contacts, and what no contact moves.
pub(super) struct Scene<'a, E> {
    pub(super) bodies: &'a SolverBodies<E>,
    pub(super) contacts: &'a NarrowPhase,
    pub(super) motions: &'a [KinematicMotion],
}

impl<W: Width, const K: usize, const FIXED: bool> ContactBatch<W, K, FIXED> {
    pub(super) fn new() -> Self {
        Self {
            constraints: Cells::new(0, Self::blank()),
            starts: Cells::new(0, [PointStart::none(); K]),
            impulses: Cells::new(0, [PointImpulse::none(); K]),
            impacts: Cells::new(0, [[PointImpulse::none(); K]; 2]),
            packets: Packets::default(),
        }
    }

    /// A constraint of nothing, to be [filled](Self::fill).
    fn blank() -> ContactConstraint<W, K, FIXED> {
        let (zero, none) = (W::zero(), Vec3::zero());
        let point = LocalPoint { anchors: [none; 2], offset: zero };
        ContactConstraint {
            slots: [W::slots(|_| 0); 2],
            normal: none,
            radii: [zero; 2],
            friction: zero,
            restitution: zero,
            points: [point; K],
        }
    }

    /// One constraint's manifolds, lane by lane.
    #[inline(always)]
    fn manifolds<'a>(&self, i: usize, contacts: &'a NarrowPhase) -> [&'a Manifold; WIDTH] {
        let members = &self.packets.rows[i * W::LANES..(i + 1) * W::LANES];
        each_lane(|lane| {
            let member = members[lane.min(W::LANES - 1)];
            &contacts.manifolds[member as usize]
        })
    }

    /// Takes one constraint's numbers from its manifolds.
    fn fill_one(&self, i: usize, contacts: &NarrowPhase) {
        let all = self.manifolds(i, contacts);
        let normals = all.map(|m| contacts.normal(m));
        let offset = |m: &Manifold, k: usize| match k < m.count {
            true => -(m.radii[0] + m.radii[1]),
            false => NOWHERE,
        };
        let mut constraint = ContactConstraint {
            slots: [0, 1].map(|end| W::slots(|l| all[l].pair[end])),
            normal: W::single_vectors(|l| normals[l]),
            radii: [0, 1].map(|end| W::singles(|l| all[l].radii[end])),
            friction: W::singles(|l| all[l].friction),
            restitution: W::singles(|l| all[l].restitution),
            ..Self::blank()
        };
        let mut impulses = [PointImpulse::none(); K];
        for k in 0..K {
            constraint.points[k] = LocalPoint {
                anchors: [0, 1].map(|end| W::single_vectors(|l| all[l].points[k].anchors[end])),
                offset: W::singles(|l| offset(all[l], k)),
            };
            impulses[k] = PointImpulse {
                lambda: W::singles(|l| all[l].points[k].lambda),
                friction: W::single_vectors(|l| all[l].points[k].friction),
            };
        }
        self.constraints.set(i, constraint);
        self.impulses.set(i, impulses);
    }

    /// Turns one constraint's normals to where their reference bodies are, and friction across them; all else is as it was.
    fn turn_normals(&self, i: usize, contacts: &NarrowPhase) {
        let normals = self.manifolds(i, contacts).map(|m| contacts.normal(m));
        let mut constraint = self.constraints.get(i);
        constraint.normal = W::single_vectors(|l| normals[l]);
        let mut impulses = self.impulses.get(i);
        for impulse in &mut impulses {
            impulse.friction = across(impulse.friction, constraint.normal);
        }
        self.constraints.set(i, constraint);
        self.impulses.set(i, impulses);
    }

    /// The cores and surface velocities of sides that no contact moves, each lane's own.
    fn fixed_ends(&self, i: usize, scene: &Scene<W::Element>, h: W) -> [[Vec3<W>; 2]; K] {
        let all = self.manifolds(i, scene.contacts);
        std::array::from_fn(|k| {
            let points = all.map(|m| {
                let motion = &scene.motions[m.pair[1] as usize];
                let round = scene.contacts.normal(m) * m.radii[1];
                motion.points(m.points[k].anchors[1], round)
            });
            let [core, way] = [0, 1].map(|n| W::single_vectors(|lane| points[lane][n]));
            [core, way * (W::of(1.0) / h)]
        })
    }
}

impl<W: Width, const K: usize, const FIXED: bool> Batch<W> for ContactBatch<W, K, FIXED> {
    fn packets(&self) -> &Packets {
        &self.packets
    }

    fn lay_out(&mut self, packets: &Packets, rebounds: bool) {
        self.packets.clone_from(packets);
        self.constraints.resize(packets.len(), Self::blank());
        self.starts.resize(packets.len(), [PointStart::none(); K]);
        self.impulses.resize(packets.len(), [PointImpulse::none(); K]);
        let impacts = if rebounds { packets.len() } else { 0 };
        self.impacts.resize(impacts, [[PointImpulse::none(); K]; 2]);
    }

    fn fill(&self, range: Range<usize>, contacts: &NarrowPhase, new: bool) {
        for i in range {
            if new {
                self.fill_one(i, contacts);
            }
            self.turn_normals(i, contacts);
        }
    }

    fn take(&self, range: Range<usize>, contacts: &NarrowPhase) {
        range.for_each(|i| self.fill_one(i, contacts));
    }

    fn write_back(&self, manifolds: &mut [Manifold]) {
        let members = self.packets.rows.chunks(W::LANES);
        for (impulses, members) in self.impulses.as_slice().iter().zip(members) {
            for (k, PointImpulse { lambda, friction }) in impulses.iter().enumerate() {
                let lanes = each_lane(|lane| {
                    let lane = lane % W::LANES;
                    let friction = W::vector_lane(*friction, lane).to_array();
                    let lambda = lambda.lane(lane).to_f32();
                    (lambda, Vec3::from(friction.map(W::Element::to_f32)))
                });
                for (member, (lambda, friction)) in members.iter().zip(lanes) {
                    let point = &mut manifolds[*member as usize].points[k];
                    (point.lambda, point.friction) = (lambda, friction);
                }
            }
        }
    }

    #[inline(never)] // a frame of its own in profiles
    fn begin(&self, range: Range<usize>, scene: &Scene<W::Element>, pass: &PassParameters<W>) {
        for i in range {
            let constraint = &self.constraints.as_slice()[i];
            let mut starts = [PointStart::none(); K];
            let pose = scene.bodies.start_pose(constraint.slots[0]);
            if FIXED {
                let ends = self.fixed_ends(i, scene, pass.h);
                for k in 0..K {
                    starts[k] = constraint.start(k, &pose, ends[k], pass);
                }
            } else {
                let other = scene.bodies.start_pose(constraint.slots[1]);
                for k in 0..K {
                    starts[k] = constraint.start(k, &pose, constraint.end(k, &other), pass);
                }
            }
            let impulses = self.impulses.get(i);
            if self.impacts.len() > 0 {
                self.impacts.set(i, [impulses, [PointImpulse::none(); K]]);
            }
            on_bodies(constraint, scene.bodies, |bodies| {
                constraint.warm_start(&mut starts, &impulses, bodies);
            });
            self.starts.set(i, starts);
        }
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W>,
    ) {
        // Nobody writes these while constraints are projected.
        let (constraints, starts) = (self.constraints.as_slice(), self.starts.as_slice());
        for k in range.clone() {
            let i = if pass.reversed { range.end - 1 + range.start - k } else { k };
            let (constraint, starts) = (&constraints[i], &starts[i]);
            let mut impulses = self.impulses.get(i);
            on_bodies(constraint, bodies, |pair| {
                constraint.project(starts, &mut impulses, pair, pass);
            });
            self.impulses.set(i, impulses);
        }
    }

    fn residual(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W>,
    ) -> f32 {
        let mut largest = W::zero();
        for i in range {
            let constraint = &self.constraints.as_slice()[i];
            let pair = BodyPair::load(constraint.slots, |slots| bodies.load(slots));
            let (starts, impulses) = (&self.starts.as_slice()[i], self.impulses.get(i));
            largest = largest.max(constraint.residual(starts, &impulses, &pair, pass));
        }
        largest_lane(largest)
    }

    fn undo(&self, range: Range<usize>, bodies: &SolverBodies<W::Element>) {
        self.undo_all(range, bodies);
    }

    fn strike(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        strike: &Strike<W>,
    ) -> bool {
        self.strike_all(range, bodies, strike)
    }

    fn settle(&self, range: Range<usize>, bodies: &SolverBodies<W::Element>) {
        self.settle_all(range, bodies);
    }
}

/// Loads a constraint's bodies, acts on them and stores them.
#[inline(always)]
pub(super) fn on_bodies<W: Width, const K: usize, const FIXED: bool>(
    constraint: &ContactConstraint<W, K, FIXED>,
    bodies: &SolverBodies<W::Element>,
    act: impl FnOnce(&mut BodyPair<W, FIXED>),
) {
    let [a, b] = constraint.slots;
    let mut pair = BodyPair::load([a, b], |slots| bodies.load(slots));
    act(&mut pair);
    bodies.store(a, &pair.0[0]);
    if !FIXED {
        bodies.store(b, &pair.0[1]);
    }
}
