//! A manifold as an element of the solver: K points between two bodies, loaded once, solved one after another in registers,
//! stored once.
//!
//! ```text
//! v_n = n·(v_a + ω_a × l_a - v_b - ω_b × l_b)           l the levers x -> surface when the substep began, g the gap then
//! λ' = max(0, λ - s (v_n + bias) / (J M⁻¹ Jᵀ) - y λ)    J = (n, l_a × n; -n, -l_b × n)                           S4-12
//! r' = r - v_t / (w + tr K_t) held within |r'| <= µ λ'  Coulomb's cone, static and kinetic
//! Δv = w P,  Δω = I⁻¹ (l × P),  P = (λ' - λ) n + (r' - r)                                                        S4-14
//!
//!              bias                   s       y
//! positions    g / h         g > 0    1       0         it may come as far as to touch
//!              max(β g, -v h) / h     1 - y   y         an overlap parts gently, no faster than v
//! velocities   0,  e v_n⁻ where v_n⁻ < -2 |g| h         what parted an overlap is taken back; rebound        S1-07
//! ```
//!
//! λ and r are impulses (N s), and begin with what they were in the substep before: what a stack carries is known from the
//! start, and an iteration only mends it. They are impulses because gaps are linear in velocities over a substep; the poses
//! get h Δv and h Δω with the iterations, as from any constraint (S4-14). The yielding y is what lets λ forget: without it
//! it integrates a position, and a stack trembles for ever (docs/rigid.md; Catto, *Soft Contact*, 2011, for y and s).
//! Friction comes first, with the λ of before: what holds against falling through has the last word.

#![allow(clippy::needless_range_loop)] // points and multipliers run side by side

use crate::constraints::within;
use crate::math::{Quat, Real, Vec3};
use crate::rigid::frame::Spread;

/// A point of a manifold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<R> {
    /// In the frames of a and b.
    pub(super) arms: [Vec3<R>; 2],
    /// -r_a - r_b; a point that is none lies far off.
    pub(super) offset: R,
}

/// A manifold, or as many as `R` has lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<I, R, const K: usize> {
    pub(super) slots: [I; 2],
    /// From b to a.
    pub(super) normal: Vec3<R>,
    pub(super) radii: [R; 2],
    pub(super) friction: R,
    pub(super) restitution: R,
    pub(super) points: [Point<R>; K],
}

/// A point when the substep began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<R> {
    /// l, in the world; of a b that stands still, the velocity of its surface there instead.
    pub(super) levers: [Vec3<R>; 2],
    /// g (m).
    pub(super) gap: R,
    /// 1 / (J M⁻¹ Jᵀ) (kg).
    pub(super) mass: R,
    /// The same for friction, in no direction more: 1 / (w + tr K_t) (kg), K_t how impulses across n turn the bodies. A bound is
    /// enough, as r goes on from substep to substep, and it needs no division behind every slide.
    pub(super) grip: R,
}

impl<R: Real> Start<R> {
    pub(super) fn none() -> Self {
        let zero = R::zero();
        Self {
            levers: [Vec3::zero(); 2],
            gap: zero,
            mass: zero,
            grip: zero,
        }
    }
}

/// What a point does in a substep (N s).
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch<R> {
    pub(super) lambda: R,
    pub(super) rub: Vec3<R>,
}

impl<R: Real> Touch<R> {
    pub(super) fn none() -> Self {
        Self {
            lambda: R::zero(),
            rub: Vec3::zero(),
        }
    }
}

/// Where a body was when the substep began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past<R> {
    pub(super) x: Vec3<R>,
    pub(super) q: Quat<R>,
}

/// A body's velocities (m/s, rad/s) and how it resists.
#[derive(Clone, Copy)]
pub(super) struct Mover<R> {
    pub(super) v: Vec3<R>,
    pub(super) omega: Vec3<R>,
    pub(super) w: R,
    pub(super) spread: Spread<R>,
}

impl<R: Real> Mover<R> {
    /// What no contact moves.
    pub(super) fn still() -> Self {
        Self {
            v: Vec3::zero(),
            omega: Vec3::zero(),
            w: R::zero(),
            spread: Spread::none(),
        }
    }

    #[inline(always)]
    fn at(&self, lever: Vec3<R>) -> Vec3<R> {
        self.v + self.omega.cross(lever)
    }

    /// How an impulse along n turns the point along n.
    #[inline(always)]
    fn turns_along(&self, lever: Vec3<R>, n: Vec3<R>) -> R {
        let torque = lever.cross(n);
        torque.dot(self.spread.of(torque))
    }

    /// tr [l]ᵀ W [l]: how an impulse along each axis in turn turns the point, summed.
    #[inline(always)]
    fn turns(&self, lever: Vec3<R>) -> R {
        self.spread.trace() * lever.dot(lever) - lever.dot(self.spread.of(lever))
    }

    #[inline(always)]
    fn push(&mut self, lever: Vec3<R>, p: Vec3<R>) {
        self.v += p * self.w;
        self.omega += self.spread.of(lever.cross(p));
    }
}

/// The two bodies of an element; b may stand still.
#[derive(Clone, Copy)]
pub(super) struct Two<R, const STILL: bool>(pub(super) [Mover<R>; 2]);

impl<R: Real, const STILL: bool> Two<R, STILL> {
    /// How fast the points part.
    #[inline(always)]
    fn part(&self, levers: [Vec3<R>; 2]) -> Vec3<R> {
        let [a, b] = &self.0;
        let of_b = if STILL { levers[1] } else { b.at(levers[1]) };
        a.at(levers[0]) - of_b
    }

    /// J M⁻¹ Jᵀ along n, and w + tr K_t across it.
    #[inline(always)]
    fn weigh(&self, levers: [Vec3<R>; 2], n: Vec3<R>) -> [R; 2] {
        let [a, b] = &self.0;
        let (mut w, mut along) = (a.w, a.turns_along(levers[0], n));
        let mut all = a.turns(levers[0]);
        if !STILL {
            w = w + b.w;
            along = along + b.turns_along(levers[1], n);
            all = all + b.turns(levers[1]);
        }
        [w + along, w + (all - along).max(R::zero())]
    }

    /// The impulse p at a point: on a, and its opposite on b.
    #[inline(always)]
    fn push(&mut self, levers: [Vec3<R>; 2], p: Vec3<R>) {
        self.0[0].push(levers[0], p);
        if !STILL {
            self.0[1].push(levers[1], -p);
        }
    }
}

/// What a sweep asks of a point: see the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace<R> {
    pub(super) h: R,
    /// β / h (1/s); zero in the sweep of the velocities.
    pub(super) rate: R,
    /// v (m/s).
    pub(super) most: R,
    /// y.
    pub(super) yields: R,
    /// Slower approaches do not rebound (m/s).
    pub(super) least: R,
    /// Sweeps over an element's points.
    pub(super) sweeps: usize,
    /// Whether this goes from the last row to the first.
    pub(super) back: bool,
    /// Whether anything may rebound in it.
    pub(super) rebounds: bool,
}

impl<I: Copy, R: Real, const K: usize> Row<I, R, K> {
    /// A substep begins for a point: `end` is where the point of b's core is, and what b adds to its start.
    #[inline(always)]
    pub(super) fn start(&self, k: usize, a: &Past<R>, [core, lever]: [Vec3<R>; 2]) -> Start<R> {
        let point = &self.points[k];
        let arm = a.q.rotate(point.arms[0]);
        Start {
            levers: [arm - self.normal * self.radii[0], lever],
            gap: self.normal.dot(a.x + arm - core) + point.offset,
            ..Start::none()
        }
    }

    /// The point of b's core and the lever, of a b that contacts move.
    #[inline(always)]
    pub(super) fn end(&self, k: usize, b: &Past<R>) -> [Vec3<R>; 2] {
        let arm = b.q.rotate(self.points[k].arms[1]);
        [b.x + arm, arm + self.normal * self.radii[1]]
    }

    /// v_n⁻: how fast each point parts (m/s).
    #[inline(always)]
    pub(super) fn approach<const STILL: bool>(
        &self,
        starts: &[Start<R>; K],
        two: &Two<R, STILL>,
    ) -> [R; K] {
        let mut approach = [R::zero(); K];
        for k in 0..K {
            approach[k] = self.normal.dot(two.part(starts[k].levers));
        }
        approach
    }

    /// Weighs the points, and does again what the substep before did.
    #[inline(always)]
    pub(super) fn warm<const STILL: bool>(
        &self,
        starts: &mut [Start<R>; K],
        touch: &[Touch<R>; K],
        two: &mut Two<R, STILL>,
    ) {
        let one = R::of(1.0);
        for k in 0..K {
            let levers = starts[k].levers;
            let [along, across] = two.weigh(levers, self.normal);
            starts[k].mass = one.over_positive(along);
            starts[k].grip = one.over_positive(across);
            two.push(levers, self.normal * touch[k].lambda + touch[k].rub);
        }
    }

    /// One sweep over the points; where anything rebounds, `approach` is v_n⁻.
    #[inline(always)]
    pub(super) fn sweep<const STILL: bool>(
        &self,
        starts: &[Start<R>; K],
        touch: &mut [Touch<R>; K],
        two: &mut Two<R, STILL>,
        pace: &Pace<R>,
        approach: Option<[R; K]>,
    ) {
        let (n, zero, one) = (self.normal, R::zero(), R::of(1.0));
        let mut bias = [zero; K];
        let mut yields = [zero; K];
        for k in 0..K {
            let gap = starts[k].gap;
            let apart = zero.lt(gap);
            let calm = (gap * pace.rate).max(-pace.most);
            bias[k] = R::select(apart, gap / pace.h, calm);
            yields[k] = R::select(apart, zero, pace.yields);
        }
        let mut fast = [zero.lt(zero); K];
        if let Some(approach) = approach {
            for k in 0..K {
                let (down, touches) = (approach[k].lt(-pace.least), zero.lt(touch[k].lambda));
                fast[k] = down & touches & zero.lt(self.restitution);
                bias[k] = R::select(fast[k], self.restitution * approach[k], bias[k]);
            }
        }
        for _ in 0..pace.sweeps {
            for k in 0..K {
                let levers = starts[k].levers;
                let v = two.part(levers);
                let slide = v - n * n.dot(v);
                let wanted = touch[k].rub - slide * starts[k].grip;
                let rub = within(wanted, self.friction * touch[k].lambda);
                two.push(levers, rub - touch[k].rub);
                touch[k].rub = rub;
            }
            for k in 0..K {
                let levers = starts[k].levers;
                let v = n.dot(two.part(levers));
                let (old, keeps) = (touch[k].lambda, one - yields[k]);
                let missing = (v + bias[k]) * (starts[k].mass * keeps);
                let lambda = (old * keeps - missing).max(zero);
                two.push(levers, n * (lambda - old));
                touch[k].lambda = lambda;
            }
        }
        if approach.is_some() {
            // What rebounded is no start for the next substep.
            for k in 0..K {
                touch[k].lambda = R::select(fast[k], zero, touch[k].lambda);
                touch[k].rub = Vec3::select(fast[k], Vec3::zero(), touch[k].rub);
            }
        }
    }
}
