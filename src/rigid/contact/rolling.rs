//! Resistance against rolling and against turning about the normal: a torque for each manifold, beside its friction.
//!
//! ```text
//! τ' = τ - ω / k held within |τ'| <= arm Σ λ     ω how the two turn against each other: across n (rolling), along n (torsion)
//! Δω = I⁻¹ (τ' - τ)                              k = tr W - n·W n across, n·W n along, W = I_a⁻¹ + I_b⁻¹
//! ```
//!
//! The arm (m) is how far ahead of the middle of a dented contact its load acts: a ball of radius r that carries N is held by
//! arm N, rests on an incline below atan(arm / r), and rolls out on a level with the torque arm N (Coulomb's law of rolling).
//! As friction, τ goes on from substep to substep, so that a bound for k is enough.

use super::body_pair::BodyPair;
use super::constraint::ContactConstraint;
use crate::constraints::{ContactImpulse, within};
use crate::math::{Real, Vec3};
use crate::state::Lanes;

/// What a manifold does against turning in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct RollingTorque<R> {
    /// On a, in the world; on b its opposite (N m s).
    pub(super) torque: Vec3<R>,
    /// How a fixed b turns (rad/s).
    pub(super) spin: Vec3<R>,
}

impl<R: Real> RollingTorque<R> {
    pub(super) fn none() -> Self {
        Self { torque: Vec3::zero(), spin: Vec3::zero() }
    }
}

impl<W: Lanes, const K: usize, const FIXED: bool> ContactConstraint<W, K, FIXED> {
    /// One pass over a manifold whose points do `impulses`.
    #[inline(always)]
    pub(super) fn resist(
        &self,
        impulses: &[ContactImpulse<W>; K],
        acting: &mut RollingTorque<W>,
        bodies: &mut BodyPair<W, FIXED>,
    ) {
        let (n, one, [rolling, torsional]) = (self.normal, W::of(1.0), self.arms);
        let load = impulses.iter().fold(W::zero(), |sum, impulse| sum + impulse.lambda);
        let [inverse_across, inverse_along] = bodies.inverse_inertias(n);
        let split = |v: Vec3<W>| (n.dot(v), v - n * n.dot(v));
        let (twist, roll) = split(bodies.spin(acting.spin));
        let (along, across) = split(acting.torque);
        let most = torsional * load;
        let along = (along - twist * one.over_positive(inverse_along)).clamp(-most, most);
        let across = across - roll * one.over_positive(inverse_across);
        let torque = within(across, rolling * load) + n * along;
        bodies.turn(torque - acting.torque);
        acting.torque = torque;
    }
}

impl<R: Real, const FIXED: bool> BodyPair<R, FIXED> {
    /// How a turns against b, which turns by `fixed` where no contact moves it (rad/s).
    #[inline(always)]
    fn spin(&self, fixed: Vec3<R>) -> Vec3<R> {
        let [a, b] = &self.0;
        a.omega - if FIXED { fixed } else { b.omega }
    }

    /// How a torque turns the two against each other: across n, at most, and along n (1/(kg m²)).
    #[inline(always)]
    fn inverse_inertias(&self, n: Vec3<R>) -> [R; 2] {
        let of = |k: usize| {
            let spread = &self.0[k].spread;
            (spread.trace(), n.dot(spread.of(n)))
        };
        let (mut all, mut along) = of(0);
        if !FIXED {
            let (other, more) = of(1);
            (all, along) = (all + other, along + more);
        }
        [(all - along).max(R::zero()), along]
    }

    /// The torque t (N m s): on a, and its opposite on b.
    #[inline(always)]
    pub(super) fn turn(&mut self, t: Vec3<R>) {
        self.turn_each([t, -t]);
    }

    /// A torque on each.
    #[inline(always)]
    pub(super) fn turn_each(&mut self, t: [Vec3<R>; 2]) {
        let [a, b] = &mut self.0;
        a.omega += a.spread.of(t[0]);
        if !FIXED {
            b.omega += b.spread.of(t[1]);
        }
    }
}
