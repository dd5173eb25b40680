//! The two bodies of a contact, as its points are solved.

use crate::math::{Real, Vec3, each};
use crate::rigid::frame::Spread;

/// A body's velocities (m/s, rad/s) and how it resists.
#[derive(Clone, Copy)]
pub(super) struct SolverBody<R> {
    pub(super) v: Vec3<R>,
    pub(super) omega: Vec3<R>,
    pub(super) w: R,
    pub(super) spread: Spread<R>,
}

impl<R: Real> SolverBody<R> {
    /// What no contact moves.
    pub(super) fn fixed() -> Self {
        Self { v: Vec3::zero(), omega: Vec3::zero(), w: R::zero(), spread: Spread::none() }
    }

    #[inline(always)]
    pub(super) fn velocity_at(&self, lever: Vec3<R>) -> Vec3<R> {
        self.v + self.omega.cross(lever)
    }

    /// How an impulse along n turns the point along n.
    #[inline(always)]
    pub(super) fn turns_along(&self, lever: Vec3<R>, n: Vec3<R>) -> R {
        let torque = lever.cross(n);
        torque.dot(self.spread.of(torque))
    }

    #[inline(always)]
    pub(super) fn apply(&mut self, lever: Vec3<R>, p: Vec3<R>) {
        self.v += p * self.w;
        self.omega += self.spread.of(lever.cross(p));
    }
}

/// How impulses along n turn the bodies at a point: l × n, and I⁻¹ of it. Neither waits for what the points before it did, so
/// that a processor finds them meanwhile: what one point waits for the other with is a dot product and what it adds.
#[derive(Clone, Copy)]
pub(super) struct Along<R> {
    arms: [Vec3<R>; 2],
    turns: [Vec3<R>; 2],
}

/// The two bodies of a constraint.
#[derive(Clone, Copy)]
pub(super) struct BodyPair<R, const FIXED: bool>(pub(super) [SolverBody<R>; 2]);

impl<R: Real, const FIXED: bool> BodyPair<R, FIXED> {
    /// Of a and of b, which is not asked for where it is fixed. (One function for both is called twice and not inlined.)
    #[inline(always)]
    pub(super) fn new(a: SolverBody<R>, b: impl FnOnce() -> SolverBody<R>) -> Self {
        Self([a, if FIXED { SolverBody::fixed() } else { b() }])
    }

    /// How fast the points part.
    #[inline(always)]
    pub(super) fn velocity(&self, levers: [Vec3<R>; 2]) -> Vec3<R> {
        let [a, b] = &self.0;
        let of_b = if FIXED { levers[1] } else { b.velocity_at(levers[1]) };
        a.velocity_at(levers[0]) - of_b
    }

    /// How impulses along n turn each at a point.
    #[inline(always)]
    pub(super) fn along(&self, levers: [Vec3<R>; 2], n: Vec3<R>) -> Along<R> {
        let [a, b] = &self.0;
        let arms = each(levers, |lever| lever.cross(n));
        Along { arms, turns: [a.spread.of(arms[0]), b.spread.of(arms[1])] }
    }

    /// How fast the points part along n.
    #[inline(always)]
    pub(super) fn velocity_along(&self, levers: [Vec3<R>; 2], along: &Along<R>, n: Vec3<R>) -> R {
        let [a, b] = &self.0;
        let (of_b, turning) = match FIXED {
            true => (levers[1], R::zero()),
            false => (b.v, along.arms[1].dot(b.omega)),
        };
        n.dot(a.v - of_b) + (along.arms[0].dot(a.omega) - turning)
    }

    /// The impulse p n at a point: on a, and its opposite on b.
    #[inline(always)]
    pub(super) fn press(&mut self, along: &Along<R>, n: Vec3<R>, p: R) {
        let [a, b] = &mut self.0;
        a.v += n * (p * a.w);
        a.omega += along.turns[0] * p;
        if !FIXED {
            b.v += n * -(p * b.w);
            b.omega += along.turns[1] * -p;
        }
    }

    /// 1 / (J M⁻¹ Jᵀ) along n.
    #[inline(always)]
    pub(super) fn normal_mass(&self, levers: [Vec3<R>; 2], n: Vec3<R>) -> R {
        let [a, b] = &self.0;
        let mut k = a.w + a.turns_along(levers[0], n);
        if !FIXED {
            k = k + b.w + b.turns_along(levers[1], n);
        }
        R::of(1.0).over_positive(k)
    }

    /// The impulse p at a point: on a, and its opposite on b.
    #[inline(always)]
    pub(super) fn apply(&mut self, levers: [Vec3<R>; 2], p: Vec3<R>) {
        self.apply_each(levers, [p, -p]);
    }

    /// An impulse on each at a point.
    #[inline(always)]
    pub(super) fn apply_each(&mut self, levers: [Vec3<R>; 2], p: [Vec3<R>; 2]) {
        self.0[0].apply(levers[0], p[0]);
        if !FIXED {
            self.0[1].apply(levers[1], p[1]);
        }
    }
}
