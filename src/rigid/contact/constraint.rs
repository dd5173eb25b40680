//! A contact constraint: the K points of a manifold between two bodies, loaded once, solved one after another in registers,
//! stored once.
//!
//! ```text
//! v_n = n·(v_a + ω_a × l_a - v_b - ω_b × l_b)           l the lever arms x -> surface when the substep began, g the gap then
//! λ' = max(0, λ - s (v_n + bias) / (J M⁻¹ Jᵀ) - y λ)    J = (n, l_a × n; -n, -l_b × n)                           S4-12
//! f' = f - m v_t              held within |f'| <= µ λ'  m: friction.rs; Coulomb's cone, static and kinetic
//! Δv = w P,  Δω = I⁻¹ (l × P),  P = (λ' - λ) n + (f' - f)                                                        S4-14
//!
//!              bias                   s       y
//! positions    g / h         g > 0    1       0         it may come as far as to touch
//!              max(β g / h, -v)       1 - y   y         an overlap parts gently: v = min(v_max, max(-g / τ, 8 |a| h))
//! velocities   0                    1       0         what parted an overlap is taken back
//! ```
//!
//! λ and f are impulses (N s), and begin with what they were in the substep before: what a stack carries is known from the
//! start, and an iteration only mends it. They are impulses because gaps are linear in velocities over a substep; the poses
//! get h Δv and h Δω with the iterations, as from any constraint (S4-14). The softness y is what lets λ forget: without it
//! it integrates a position, and a stack trembles for ever (docs/rigid.md; Catto, *Soft Contact*, 2011, for y and s).
//! Friction comes first, with the λ of before: what holds against falling through has the last word. In the pass of the
//! velocities it comes last: by then λ is the full load, also where an overlap settles and y has eaten of it. Points that have
//! slid against each other since they were found come back, very slowly (what is round not at all): else the last digits of
//! f32 make a stack creep.
//!
//! One way over the points takes back only part of the speed at which a deep overlap parts, or at which bodies meet; what is left
//! would throw the body up, free of friction, or take it through what it meets. So there the points are gone over again.

use super::body_pair::BodyPair;
use super::friction::{AcrossNormal, tangents};
use super::pass::PassParameters;
use crate::constraints::{ContactImpulse, across, within};
use crate::math::{Quat, Real, Vec3};
use crate::state::Lanes;

/// How many more times the points of a deep overlap, or of what meets fast, are gone over.
const AGAIN: usize = 8;

/// A point of a manifold.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalPoint<R> {
    /// In the frames of a and b.
    pub(super) anchors: [Vec3<R>; 2],
    /// -r_a - r_b; a point that is none lies far off.
    pub(super) offset: R,
}

/// A manifold, or as many as `W` has lanes. Where `FIXED`, no contact moves b.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactConstraint<W: Lanes, const K: usize, const FIXED: bool> {
    pub(super) slots: [W::Slots; 2],
    /// The instances that carry the normals, and the normals in their frames.
    pub(super) references: W::Slots,
    pub(super) local_normal: Vec3<W>,
    /// From b to a, in the world.
    pub(super) normal: Vec3<W>,
    pub(super) radii: [W; 2],
    pub(super) friction: W,
    pub(super) restitution: W,
    /// Against rolling and turning about the normal (m).
    pub(super) arms: [W; 2],
    pub(super) points: [LocalPoint<W>; K],
}

/// A point when the substep began.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointStart<R> {
    /// l, in the world; of a fixed b the velocity of its surface there instead.
    pub(super) levers: [Vec3<R>; 2],
    /// g (m).
    pub(super) gap: R,
    /// What friction gives besides, so that what creeps comes back (m/s).
    pub(super) creep: Vec3<R>,
    /// 1 / (J M⁻¹ Jᵀ) (kg).
    pub(super) normal_mass: R,
    /// J M⁻¹ Jᵀ across n.
    pub(super) across: AcrossNormal<R>,
}

impl<R: Real> PointStart<R> {
    pub(super) fn none() -> Self {
        let zero = R::zero();
        let none = Vec3::zero();
        let across = AcrossNormal::none();
        Self { levers: [none; 2], gap: zero, creep: none, normal_mass: zero, across }
    }
}

/// Where a body was when the substep began.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartPose<R> {
    pub(super) x: Vec3<R>,
    pub(super) q: Quat<R>,
}

impl<W: Lanes, const K: usize, const FIXED: bool> ContactConstraint<W, K, FIXED> {
    /// A substep begins for a point: `end` is where the point of b's core is, and what b adds to its start.
    #[inline(always)]
    pub(super) fn start(
        &self,
        k: usize,
        a: &StartPose<W>,
        [core, lever]: [Vec3<W>; 2],
        pass: &PassParameters<W>,
    ) -> PointStart<W> {
        let point = &self.points[k];
        let arm = a.q.rotate(point.anchors[0]);
        let apart = a.x + arm - core;
        let along = self.normal.dot(apart);
        // What is round rolls away from where it touched.
        let is_round = W::zero().lt(self.radii[0] + self.radii[1]);
        let most = W::select(is_round, W::zero(), pass.creep);
        PointStart {
            levers: [arm - self.normal * self.radii[0], lever],
            gap: along + point.offset,
            creep: within(across(apart, self.normal) * pass.creep_rate, most),
            ..PointStart::none()
        }
    }

    /// The point of b's core and the lever arm, of a b that contacts move.
    #[inline(always)]
    pub(super) fn end(&self, k: usize, b: &StartPose<W>) -> [Vec3<W>; 2] {
        let arm = b.q.rotate(self.points[k].anchors[1]);
        [b.x + arm, arm + self.normal * self.radii[1]]
    }

    /// Finds the points' masses, and does again what the substep before did.
    #[inline(always)]
    pub(super) fn warm_start(
        &self,
        starts: &mut [PointStart<W>; K],
        impulses: &[ContactImpulse<W>; K],
        bodies: &mut BodyPair<W, FIXED>,
    ) {
        let tangents = tangents(self.normal);
        for k in 0..K {
            let levers = starts[k].levers;
            starts[k].normal_mass = bodies.normal_mass(levers, self.normal);
            starts[k].across = bodies.across_normal(levers, &tangents);
            bodies.apply(levers, impulses[k].vector(self.normal));
        }
    }

    /// How far the next pass over positions would move any of the points along n (m): of this contact what |C + α̃ λ| is of rows.
    pub(super) fn residual(
        &self,
        starts: &[PointStart<W>; K],
        impulses: &[ContactImpulse<W>; K],
        bodies: &BodyPair<W, FIXED>,
        pass: &PassParameters<W>,
    ) -> W {
        let mut largest = W::zero();
        for k in 0..K {
            let PointStart { levers, gap, normal_mass, .. } = starts[k];
            let ([bias, softness], old) = (pass.aim(gap), impulses[k].lambda);
            let v = self.normal.dot(bodies.velocity(levers));
            let keeps = W::of(1.0) - softness;
            let mass = normal_mass * keeps;
            let lambda = (old * keeps - (v + bias) * mass).max(W::zero());
            let moved = ((lambda - old).abs() * pass.h).over_positive(mass);
            largest = largest.max(moved.or_infinite());
        }
        largest
    }

    /// Friction of all points in turn; where `creeps`, what has crept comes back.
    #[inline(always)]
    fn rub(
        &self,
        starts: &[PointStart<W>; K],
        impulses: &mut [ContactImpulse<W>; K],
        bodies: &mut BodyPair<W, FIXED>,
        creeps: bool,
    ) {
        let tangents = tangents(self.normal);
        for k in 0..K {
            let (levers, old) = (starts[k].levers, impulses[k].friction);
            let v = bodies.velocity(levers);
            let slide = if creeps { v + starts[k].creep } else { v };
            let wanted = old + starts[k].across.stop(slide, &tangents);
            let friction = within(wanted, self.friction * impulses[k].lambda);
            bodies.apply(levers, friction - old);
            impulses[k].friction = friction;
        }
    }

    /// Projects the points in turn.
    #[inline(always)]
    pub(super) fn project(
        &self,
        starts: &[PointStart<W>; K],
        impulses: &mut [ContactImpulse<W>; K],
        bodies: &mut BodyPair<W, FIXED>,
        pass: &PassParameters<W>,
    ) {
        if pass.parts {
            self.rub(starts, impulses, bodies, true);
        }
        let mut fastest = W::zero();
        for way in 0..pass.ways {
            let turned = pass.reversed != (way == 1);
            fastest = fastest.max(self.press(starts, impulses, bodies, pass, turned, |new, _| new));
        }
        let deepest = || starts.iter().map(|start| start.gap).fold(pass.deep, W::min);
        let again = if pass.parts { pass.fast.lt(fastest) } else { deepest().lt(pass.deep) };
        if K > 1 && W::any(again) {
            for _ in 0..AGAIN {
                let new = |lambda, old| W::select(again, lambda, old);
                self.press(starts, impulses, bodies, pass, pass.reversed, new);
            }
        }
        if !pass.parts {
            self.rub(starts, impulses, bodies, false);
        }
    }

    /// The normals of all points in turn, from the opposite one on where `turned`; `new` of what is wanted and what was is what
    /// becomes of λ. How fast the fastest came together (m/s).
    #[inline(always)]
    fn press(
        &self,
        starts: &[PointStart<W>; K],
        impulses: &mut [ContactImpulse<W>; K],
        bodies: &mut BodyPair<W, FIXED>,
        pass: &PassParameters<W>,
        turned: bool,
        new: impl Fn(W, W) -> W,
    ) -> W {
        let (n, one) = (self.normal, W::of(1.0));
        let mut slowest = W::zero();
        for q in 0..K {
            // From the opposite corner: what one order tips a box by, the other takes back.
            let k = if turned { (q + K / 2) % K } else { q };
            let (levers, old) = (starts[k].levers, impulses[k].lambda);
            let [bias, softness] = pass.aim(starts[k].gap);
            let along = bodies.along(levers, n);
            let excess = bodies.velocity_along(levers, &along, n) + bias;
            slowest = slowest.min(excess);
            let keeps = one - softness;
            let missing = excess * (starts[k].normal_mass * keeps);
            let lambda = new((old * keeps - missing).max(W::zero()), old);
            bodies.press(&along, n, lambda - old);
            impulses[k].lambda = lambda;
        }
        -slowest
    }
}
