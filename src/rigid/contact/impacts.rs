//! Impacts: what comes together fast rebounds, one contact after another in the order of the colors, round after round, until
//! nothing comes together any more. A blow so goes through a row of balls that touch, and each impact by itself keeps the energy
//! as e says (sequential impacts: Smith et al., *Reflections on Simultaneous Impact*, 2012, section 4; S1-07).
//!
//! ```text
//! u                                 v without what contacts did in this substep (struck.rs)
//! s = n·u + J M⁻¹ Jᵀ λ₀             how fast they come together, but for the load λ₀ that they carried before
//! n·u' = -e s, |f| <= µ j           where s < -2 |g| h, and so soon that they touch: g + h n·u < 0
//! p·(u + u') <= 0                   p = (j, f): else all impulses of the blow are less, by one factor such that it is 0
//! v' = u + M⁻¹ Σ Jᵀ (j + λ₀)        of bodies that were struck; those they touch have λ₀ in the place of λ
//! ```
//!
//! The points of one manifold are struck together, as a flat box lands, and so are all manifolds of a pair
//! ([`impact_pairs`](super::impact_pairs)). With friction, or where some points part while others meet, -e s alone gives
//! energy (Kane's paradox: Stronge, *Impact Mechanics*, 2000), so no blow may. Slow approaches are left to the pass of the
//! velocities, and what presses things together is no impact. Loads are not in u: where one of two that squeeze a light body ended, the other
//! would throw it out, and it would rebound. The pass of the velocities begins with all of them, as they hold each other.

use super::batch::{ContactBatch, ImpactBatch, on_bodies};
use super::body_pair::BodyPair;
use super::constraint::{ContactConstraint, PointStart};
use super::direct_point::Place;
use super::friction::tangents;
use super::settings::Strike;
use super::simultaneous::{StruckPoint, TOGETHER, lossless_share};
use super::solver_bodies::SolverBodies;
use crate::constraints::{ContactImpulse, within};
use crate::math::{Scalar, Vec3, each};
use crate::state::Lanes;
use std::ops::Range;

/// Sweeps over the points of a manifold that is struck.
const SWEEPS: usize = 8;

impl<W: Lanes, const K: usize, const FIXED: bool> ContactConstraint<W, K, FIXED> {
    /// Turns about what comes together fast: one where it did; one where it did and waits, being `paired`; and the impulses.
    #[inline(always)]
    fn strike(
        &self,
        starts: &[PointStart<W>; K],
        before: &[ContactImpulse<W>; K],
        bodies: &mut BodyPair<W, FIXED>,
        strike: &Strike<W>,
        paired: W,
    ) -> ([W; 2], [ContactImpulse<W>; K]) {
        let (n, zero) = (self.normal, W::zero());
        let (mut struck, mut parts) = (zero, [zero; K]);
        for k in 0..K {
            let PointStart { levers, gap, normal_mass, .. } = starts[k];
            let v = n.dot(bodies.velocity(levers));
            let approach = v + before[k].lambda.over_positive(normal_mass);
            let (way, fast) = (strike.h * v, approach.lt(-strike.threshold));
            let fast = fast & zero.lt(self.restitution);
            struck = W::select(fast & (gap + way).lt(zero), W::of(1.0), struck);
            let soon = (gap + way * W::of(TOGETHER)).lt(zero);
            // What is not there yet may come as far as to touch.
            let slow = -gap.max(zero) / strike.h;
            parts[k] = W::select(fast & soon, -(self.restitution * approach), slow);
        }
        let mut done = [ContactImpulse::none(); K];
        let waits = W::select(zero.lt(paired), struck, zero);
        let struck = W::select(zero.lt(paired), zero, struck);
        if !W::any(zero.lt(struck)) {
            return ([struck, waits], done);
        }
        let (unstruck, tangents) = (*bodies, tangents(n));
        for _ in 0..SWEEPS {
            for k in 0..K {
                let (PointStart { levers, normal_mass, .. }, old) = (starts[k], done[k].lambda);
                let missing = parts[k] - n.dot(bodies.velocity(levers));
                let lambda = (old + missing * (normal_mass * struck)).max(zero);
                bodies.apply(levers, n * (lambda - old));
                done[k].lambda = lambda;
            }
            for k in 0..K {
                let (PointStart { levers, across, .. }, old) = (starts[k], done[k].friction);
                let stop = across.stop(bodies.velocity(levers), &tangents);
                let wanted = old + stop * struck;
                let friction = within(wanted, self.friction * done[k].lambda);
                bodies.apply(levers, friction - old);
                done[k].friction = friction;
            }
        }
        bound_energy(n, starts, &mut done, &unstruck, bodies);
        // Lanes that are not struck stay as they are, whatever their neighbors do: 0 · ∞ would be NaN.
        let hit = zero.lt(struck);
        for (body, unstruck) in bodies.0.iter_mut().zip(unstruck.0) {
            body.v = Vec3::select(hit, body.v, unstruck.v);
            body.omega = Vec3::select(hit, body.omega, unstruck.omega);
        }
        for impulse in &mut done {
            impulse.lambda = W::select(hit, impulse.lambda, zero);
            impulse.friction = Vec3::select(hit, impulse.friction, Vec3::zero());
        }
        ([struck, waits], done)
    }
}

/// Gives impulses at the points of a blow a common share, where they would give the bodies energy.
#[inline(always)]
fn bound_energy<W: Lanes, const K: usize, const FIXED: bool>(
    n: Vec3<W>,
    starts: &[PointStart<W>; K],
    done: &mut [ContactImpulse<W>; K],
    unstruck: &BodyPair<W, FIXED>,
    bodies: &mut BodyPair<W, FIXED>,
) {
    let (zero, mut work) = (W::zero(), [W::zero(); 2]);
    for k in 0..K {
        let p = done[k].vector(n);
        work[0] = work[0] + p.dot(unstruck.velocity(starts[k].levers));
        work[1] = work[1] + p.dot(bodies.velocity(starts[k].levers));
    }
    let gains = zero.lt(work[0] + work[1]);
    if !W::any(gains) {
        return;
    }
    let share = lossless_share(work[0], work[1] - work[0]);
    for (body, unstruck) in bodies.0.iter_mut().zip(unstruck.0) {
        let part = |new: Vec3<W>, old: Vec3<W>| Vec3::select(gains, old + (new - old) * share, new);
        body.v = part(body.v, unstruck.v);
        body.omega = part(body.omega, unstruck.omega);
    }
    for impulse in done {
        impulse.lambda = W::select(gains, impulse.lambda * share, impulse.lambda);
        impulse.friction = Vec3::select(gains, impulse.friction * share, impulse.friction);
    }
}

impl<W: Lanes, const K: usize, const FIXED: bool> ContactBatch<W, K, FIXED> {
    /// Stores the struck velocities of a constraint's bodies; those of lanes where `struck` is one are struck from now on.
    #[inline(always)]
    fn store_struck(
        &self,
        i: usize,
        bodies: &SolverBodies<W::Element>,
        pair: &BodyPair<W, FIXED>,
        struck: W,
    ) {
        let [a, b] = self.constraints.as_slice()[i].slots;
        bodies.store_struck(a, &pair.0[0], struck);
        if !FIXED {
            bodies.store_struck(b, &pair.0[1], struck);
        }
    }
}

impl<W: Lanes, const K: usize, const FIXED: bool> ImpactBatch<W::Element>
    for ContactBatch<W, K, FIXED>
{
    fn strike(
        &self,
        range: Range<usize>,
        bodies: &SolverBodies<W::Element>,
        strike: &Strike<W::Element>,
    ) -> [bool; 2] {
        let (strike, mut any) = (&strike.in_lanes(), [false; 2]);
        for i in range {
            let (constraint, starts) =
                (&self.constraints.as_slice()[i], &self.starts.as_slice()[i]);
            let [a, b] = constraint.slots;
            let mut pair = BodyPair::new(bodies.load_struck(a).0, || bodies.load_struck(b).0);
            let [before, mut all] = self.impacts.get(i);
            let [paired, _] = self.paired.get(i);
            let ([struck, waits], done) =
                constraint.strike(starts, &before, &mut pair, strike, paired);
            self.paired.set(i, [paired, waits]);
            any[1] |= W::any(W::zero().lt(waits));
            if !W::any(W::zero().lt(struck)) {
                continue;
            }
            any[0] = true;
            self.store_struck(i, bodies, &pair, struck);
            for k in 0..K {
                all[k].lambda = all[k].lambda + done[k].lambda;
                all[k].friction += done[k].friction;
            }
            self.impacts.set(i, [before, all]);
        }
        any
    }

    fn pair(&self, place: Place) {
        self.paired.update(place.packet, |[paired, _]| *paired = self.put(place, *paired, 1.0));
    }

    fn struck_point(&self, Place { packet, lane, k, .. }: Place) -> StruckPoint {
        let [before, _] = &self.impacts.as_slice()[packet];
        let number = |v: W| v.lane(lane).to_f64();
        StruckPoint {
            restitution: number(self.constraints.as_slice()[packet].restitution),
            before: number(before[k].lambda),
            waits: number(self.paired.get(packet)[1]) > 0.0,
        }
    }

    fn add_impact(&self, place: Place, lambda: f64, friction: Vec3<f64>) {
        let add = |old: W, new: f64| self.put(place, old, old.lane(place.lane).to_f64() + new);
        self.impacts.update(place.packet, |[_, all]| {
            let ContactImpulse { lambda: l, friction: f } = all[place.k];
            let f = Vec3::new(add(f.x, friction.x), add(f.y, friction.y), add(f.z, friction.z));
            all[place.k] = ContactImpulse { lambda: add(l, lambda), friction: f };
        });
    }

    /// What was struck has no impulse of this substep any more, only that of impacts; of what was not, those that it shares with
    /// what was struck are taken back.
    fn settle(&self, range: Range<usize>, bodies: &SolverBodies<W::Element>) {
        let zero = W::zero();
        for i in range {
            let (constraint, starts) =
                (&self.constraints.as_slice()[i], &self.starts.as_slice()[i]);
            let [a, b] = constraint.slots;
            let struck = |slots| zero.lt(bodies.load_struck::<W>(slots).1);
            let sides = if FIXED { [struck(a); 2] } else { [struck(a), struck(b)] };
            let any = sides[0] | sides[1];
            if !W::any(any) {
                continue;
            }
            let ([before, _], mut impulses) = (self.impacts.get(i), self.impulses.get(i));
            on_bodies(constraint, bodies, |pair| {
                for k in 0..K {
                    let now = &mut impulses[k];
                    let [load, all] = each([before[k], *now], |i| i.vector(constraint.normal));
                    let missing = Vec3::select(any, load - all, Vec3::zero());
                    let given = each(sides, |struck| Vec3::select(struck, load, missing));
                    pair.apply_each(starts[k].levers, [given[0], -given[1]]);
                    now.lambda = W::select(any, before[k].lambda, now.lambda);
                    now.friction = Vec3::select(any, before[k].friction, now.friction);
                }
                if self.rolling_torques.len() > 0 {
                    let torque = self.rolling_torques.get(i).torque;
                    let given = each(sides, |struck| Vec3::select(struck, torque, Vec3::zero()));
                    pair.turn_each([given[0], -given[1]]);
                }
            });
            self.impulses.set(i, impulses);
        }
    }
}
