//! A contact batch: manifolds as constraints, in packets, in the order of their colors.

use super::body_pair::BodyPair;
use super::constraint::{ContactConstraint, LocalPoint, PointStart};
use super::direct_point::{DirectPoint, Place};
use super::kinematic::KinematicMotion;
use super::manifold::{Fill, Manifold};
use super::narrow_phase::NarrowPhase;
use super::pass::PassParameters;
use super::rolling::RollingTorque;
use super::settings::{Needs, Strike};
use super::simultaneous::StruckPoint;
use super::solver_bodies::SolverBodies;
use crate::constraints::ContactImpulse;
use crate::math::{Real, Scalar, Vec3, each};
use crate::rigid::packets::Packets;
use crate::state::{Lanes, largest_lane};
use crate::threads::Cells;
use std::ops::Range;

/// A batch of any number of points and either sort of b.
pub(super) trait Batch<E: Scalar>: Transfer + ImpactBatch<E> + Send + Sync {
    /// Which manifolds its constraints are.
    fn packets(&self) -> &Packets;
    /// Lays out the constraints, to be [filled](Self::fill); with room for what the model needs.
    fn lay_out(&mut self, packets: &Packets, needs: Needs);
    /// A substep begins for some constraints: where points are, and what they did before is done again.
    fn begin(&self, range: Range<usize>, scene: &Scene<E>, pass: &PassParameters<E>);
    /// One pass over some constraints.
    fn project(&self, range: Range<usize>, bodies: &SolverBodies<E>, pass: &PassParameters<E>);
    /// What is known of a point.
    fn point(&self, place: Place) -> DirectPoint;
    /// Replaces its λ and f, of all lanes that repeat it.
    fn set_impulse(&self, place: Place, lambda: f64, friction: Vec3<f64>);
    /// The largest residual of some constraints (m).
    fn residual(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<E>,
        pass: &PassParameters<E>,
    ) -> f32;
    /// Takes back the warm start of some constraints: those of thrown bodies.
    fn release(&self, range: Range<usize>, bodies: &SolverBodies<E>);
}

/// What goes between constraints and their manifolds.
pub(super) trait Transfer {
    /// Takes the numbers of some constraints from their manifolds, as `which` says, and turns the normals with their reference
    /// bodies.
    fn fill(&self, range: Range<usize>, contacts: &NarrowPhase, which: Fill);
    /// Takes some constraints' numbers from their manifolds as they were saved: normals are turned when the next frame begins.
    fn take(&self, range: Range<usize>, contacts: &NarrowPhase);
    /// Writes back to the manifolds what the points of some constraints did: of those of which an instance is among `moved`, or
    /// of all.
    fn write_back(&self, range: Range<usize>, to: &Cells<Manifold>, moved: Option<&[bool]>);
    /// Gives what some constraints did in a substep, impacts too, to the places of their manifolds: the impulse on a, and the sum
    /// of their normals (N s).
    fn impulses(&self, range: Range<usize>, to: &Cells<[f32; 4]>);
}

/// What impacts do with its constraints.
pub(super) trait ImpactBatch<E: Scalar> {
    /// One round of impacts over some constraints, on the struck velocities; whether there was any, and whether any waits to be struck
    /// with others of its pair.
    fn strike(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<E>,
        strike: &Strike<E>,
    ) -> [bool; 2];
    /// A manifold is struck with others of its pair, from now on.
    fn pair(&self, place: Place);
    /// What an impact asks of a point.
    fn struck_point(&self, place: Place) -> StruckPoint;
    /// Adds to what impacts did at a point.
    fn add_impact(&self, place: Place, lambda: f64, friction: Vec3<f64>);
    /// Puts the loads of before in the place of what some constraints did, where one of the bodies was struck.
    fn settle(&self, range: Range<usize>, bodies: &SolverBodies<E>);
}

/// The constraints of a batch: all of K points at most, and of one sort of b.
pub(super) struct ContactBatch<W: Lanes, const K: usize, const FIXED: bool> {
    pub(super) constraints: Cells<ContactConstraint<W, K, FIXED>>,
    pub(super) starts: Cells<[PointStart<W>; K]>,
    pub(super) impulses: Cells<[ContactImpulse<W>; K]>,
    /// Where anything may rebound: the impulses when the substep began, and those of impacts.
    pub(super) impacts: Cells<[[ContactImpulse<W>; K]; 2]>,
    /// There too, one where a manifold is struck with others of its pair, and where it waits to be.
    pub(super) paired: Cells<[W; 2]>,
    /// Where anything resists rolling or turning, what it does.
    pub(super) rolling_torques: Cells<RollingTorque<W>>,
    /// Where no contact moves b, the cores and the velocities of its points, as long as it stands still.
    pub(super) ends: Cells<Option<[[Vec3<W>; 2]; K]>>,
    pub(super) packets: Packets,
}

/// What constraints are stepped with: the bodies, and what no contact moves.
pub(super) struct Scene<'a, E> {
    pub(super) bodies: &'a SolverBodies<E>,
    pub(super) motions: &'a [KinematicMotion],
}

impl<W: Lanes, const K: usize, const FIXED: bool> ContactBatch<W, K, FIXED> {
    pub(super) fn new() -> Self {
        Self {
            constraints: Cells::new(0, Self::blank()),
            starts: Cells::new(0, [PointStart::none(); K]),
            impulses: Cells::new(0, [ContactImpulse::none(); K]),
            impacts: Cells::new(0, [[ContactImpulse::none(); K]; 2]),
            paired: Cells::new(0, [W::zero(); 2]),
            rolling_torques: Cells::new(0, RollingTorque::none()),
            ends: Cells::new(0, None),
            packets: Packets::default(),
        }
    }

    /// `before` with a new number in the lane of a place, and in those that repeat it.
    pub(super) fn put(&self, Place { packet, lane, .. }: Place, before: W, new: f64) -> W {
        let rows = &self.packets.rows[packet * W::LANES..(packet + 1) * W::LANES];
        W::collect(|other| match rows[other] == rows[lane] {
            true => W::Element::of(new),
            false => before.lane(other),
        })
    }

    /// A constraint of nothing, to be [filled](Self::fill).
    pub(super) fn blank() -> ContactConstraint<W, K, FIXED> {
        let (zero, none) = (W::zero(), Vec3::zero());
        let point = LocalPoint { anchors: [none; 2], offset: zero };
        ContactConstraint {
            slots: [W::slots(|_| 0); 2],
            references: W::slots(|_| 0),
            local_normal: none,
            normal: none,
            radii: [zero; 2],
            friction: zero,
            restitution: zero,
            arms: [zero; 2],
            points: [point; K],
        }
    }
}

impl<W: Lanes, const K: usize, const FIXED: bool> Batch<W::Element> for ContactBatch<W, K, FIXED> {
    fn packets(&self) -> &Packets {
        &self.packets
    }

    fn lay_out(&mut self, packets: &Packets, needs: Needs) {
        self.packets.copy(packets);
        self.constraints.resize(packets.len(), Self::blank());
        self.starts.resize(packets.len(), [PointStart::none(); K]);
        self.impulses.resize(packets.len(), [ContactImpulse::none(); K]);
        self.ends.resize(if FIXED { packets.len() } else { 0 }, None);
        let impacts = if needs.impacts { packets.len() } else { 0 };
        self.impacts.resize(impacts, [[ContactImpulse::none(); K]; 2]);
        self.paired.resize(impacts, [W::zero(); 2]);
        (0..impacts).for_each(|i| self.paired.set(i, [W::zero(); 2]));
        let rolling_torques = if needs.resistances { packets.len() } else { 0 };
        self.rolling_torques.resize(rolling_torques, RollingTorque::none());
    }

    #[inline(never)] // a frame of its own in profiles
    fn begin(
        &self,
        range: Range<usize>,
        scene: &Scene<W::Element>,
        pass: &PassParameters<W::Element>,
    ) {
        let pass = &pass.in_lanes();
        for i in range {
            let constraint = &self.constraints.as_slice()[i];
            let impulses = &self.impulses.as_slice()[i];
            let pose = scene.bodies.start_pose(constraint.slots[0]);
            // Where they lie: as a value they would be cleared, filled and copied.
            self.starts.update(i, |starts| {
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
                on_bodies(constraint, scene.bodies, |bodies| {
                    constraint.warm_start(starts, impulses, bodies);
                    if self.rolling_torques.len() > 0 {
                        let spin =
                            if FIXED { self.fixed_spins(i, scene, pass.h) } else { Vec3::zero() };
                        let rolling = RollingTorque { spin, ..self.rolling_torques.get(i) };
                        bodies.turn(rolling.torque);
                        self.rolling_torques.set(i, rolling);
                    }
                });
            });
            if self.impacts.len() > 0 {
                self.impacts.set(i, [*impulses, [ContactImpulse::none(); K]]);
            }
        }
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W::Element>,
    ) {
        let pass = &pass.in_lanes();
        // Nobody writes these while constraints are projected.
        let (constraints, starts) = (self.constraints.as_slice(), self.starts.as_slice());
        for k in range.clone() {
            let i = if pass.reversed { range.end - 1 + range.start - k } else { k };
            let (constraint, starts) = (&constraints[i], &starts[i]);
            self.impulses.update(i, |impulses| {
                on_bodies(constraint, bodies, |pair| {
                    constraint.project(starts, impulses, pair, pass);
                    if self.rolling_torques.len() > 0 {
                        self.rolling_torques.update(i, |rolling| {
                            constraint.resist(impulses, rolling, pair);
                        });
                    }
                });
            });
        }
    }

    fn point(&self, Place { packet, lane, k, .. }: Place) -> DirectPoint {
        let constraint = &self.constraints.as_slice()[packet];
        let (start, impulse) = (&self.starts.as_slice()[packet][k], &self.impulses.get(packet)[k]);
        let double = |v| W::vector_lane(v, lane).to_f64();
        let number = |v: W| v.lane(lane).to_f64();
        let [a, b] = each(constraint.slots, |slots| W::slot(slots, lane));
        DirectPoint {
            bodies: [Some(a), (!FIXED).then_some(b)],
            normal: double(constraint.normal),
            levers: each(start.levers, double),
            gap: number(start.gap),
            creep: double(start.creep),
            friction: number(constraint.friction),
            lambda: number(impulse.lambda),
            rubbed: double(impulse.friction),
        }
    }

    fn set_impulse(&self, place: Place, lambda: f64, friction: Vec3<f64>) {
        let (put, k) = (|before: W, new: f64| self.put(place, before, new), place.k);
        self.impulses.update(place.packet, |impulses| {
            let ContactImpulse { lambda: l, friction: f } = impulses[k];
            let f = Vec3::new(put(f.x, friction.x), put(f.y, friction.y), put(f.z, friction.z));
            impulses[k] = ContactImpulse { lambda: put(l, lambda), friction: f };
        });
    }

    fn residual(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W::Element>,
    ) -> f32 {
        let (pass, mut largest) = (&pass.in_lanes(), W::zero());
        for i in range {
            let constraint = &self.constraints.as_slice()[i];
            let [a, b] = constraint.slots;
            let pair = BodyPair::new(bodies.load(a), || bodies.load(b));
            let (starts, impulses) = (&self.starts.as_slice()[i], self.impulses.get(i));
            largest = largest.max(constraint.residual(starts, &impulses, &pair, pass));
        }
        largest_lane(largest)
    }

    fn release(&self, range: Range<usize>, bodies: &SolverBodies<W::Element>) {
        self.release_all(range, bodies);
    }
}

/// Loads a constraint's bodies, acts on them and stores them.
#[inline(always)]
pub(super) fn on_bodies<W: Lanes, const K: usize, const FIXED: bool>(
    constraint: &ContactConstraint<W, K, FIXED>,
    bodies: &SolverBodies<W::Element>,
    act: impl FnOnce(&mut BodyPair<W, FIXED>),
) {
    let [a, b] = constraint.slots;
    let mut pair = BodyPair::new(bodies.load(a), || bodies.load(b));
    act(&mut pair);
    bodies.store(a, &pair.0[0]);
    if !FIXED {
        bodies.store(b, &pair.0[1]);
    }
}
