//! Particles against a body, as many at a time as the width has lanes, for both by their generalised inverse masses (S4-02).
//!
//! ```text
//! C = n·(x - p) - r - bound >= 0,  p = x_b + R anchor                r the particle's radius, n carried by the body
//! C = |x - x_b| - R - r - bound                                       of a ball of radius R, whose n does not turn with it
//! λ' = max(0, λ - C / (w + c W_b)),  W_b = w_b + (l × n) I⁻¹ (l × n), l = x - x_b  c of the eight press: each has a c-th of the body
//! f' = f - s / W_s held within |f'| <= µ λ'
//! x += w P,   x_b -= w_b Σ P,   θ_b -= I⁻¹ Σ l × P                    every impulse acts on both: momenta are kept
//! v_n' = -e v_n⁻ where v_n⁻ < -2 |g| h, with friction |f| <= µ j        the velocity pass, S1-07
//! v_n' <= max(0, v_n⁻) where it began deep within the body: what parts an overlap gives no speed
//! ```
//!
//! The eight start from the same pose of the body and are summed, lane by lane (mass splitting: Tonge et al., *Mass Splitting
//! for Jitter-Free Parallel Rigid Body Simulation*, 2012); eights of one body come one after another. λ begins at zero.

use super::body_pair::SolverBody;
use super::constraint::StartPose;
use crate::constraints::{Particle, across, within};
use crate::math::{Real, Vec3};
use crate::rigid::frame::{Frame, Spread};
use crate::state::MovingBody;

/// How an overlap parts in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParticleParting<R> {
    /// The part of it that goes,
    pub(super) rate: R,
    /// and at least and at most so much (m).
    pub(super) least: R,
    pub(super) most: R,
    /// None stays deeper than the deepest was where the model began (m).
    pub(super) begun: R,
    /// Below this gap parting gives the particle no speed (m).
    pub(super) deep: R,
}

impl<R: Real> ParticleParting<R> {
    /// The bound: minus what may stay where the gap is `gap` (m).
    #[inline(always)]
    fn bound(&self, gap: R) -> R {
        let way = (-gap * self.rate).max(self.least).min(self.most);
        let bound = |way: R| (gap + way).min(R::zero());
        bound(way).max(-self.begun).min(bound(self.most))
    }

    /// The same in every lane.
    pub(super) fn in_lanes<W: Real>(&self) -> ParticleParting<W>
    where
        R: Into<f64>,
    {
        let Self { rate, least, most, begun, deep } = *self;
        let [rate, least, most, begun, deep] =
            [rate, least, most, begun, deep].map(|v| W::of(v.into()));
        ParticleParting { rate, least, most, begun, deep }
    }
}

/// A particle that touches a body, or as many as `R` has lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParticleContact<R> {
    /// The point of the surface and its normal, in the body's frame.
    anchor: Vec3<R>,
    normal: Vec3<R>,
    /// One; zero in lanes that repeat another.
    live: R,
    mu: R,
    /// The radius of a body that is a ball; else zero (m).
    ball: R,
    /// The normal in the world when the substep began.
    outward: Vec3<R>,
    /// What is subtracted from the distance: the radius and the bound (m).
    shift: R,
    /// x - p when the substep began.
    start: Vec3<R>,
    lambda: R,
    friction: Vec3<R>,
    /// v_n⁻ (m/s).
    approach: R,
    /// One where it began deep within the body.
    deep: R,
}

/// A body, how it lies in the world and how its inertia resists there.
pub(super) struct PlacedBody<R> {
    pub(super) body: MovingBody<R>,
    frame: Frame<R>,
    spread: Spread<R>,
}

impl<R: Real> PlacedBody<R> {
    #[inline(always)]
    pub(super) fn new(body: MovingBody<R>) -> Self {
        let frame = Frame::new(body.q);
        Self { spread: Spread::new(&frame, body.inverse_inertia), frame, body }
    }

    /// What eight impulses and their torques do to it.
    #[inline(always)]
    pub(super) fn apply(&mut self, impulses: &[[Vec3<R>; 2]]) {
        let [push, torque] = sum(impulses);
        let turn = -self.spread.of(torque);
        self.body.correct(-(push * self.body.w), turn);
    }
}

/// A particle and the body before the correction.
#[derive(Clone, Copy)]
pub(super) struct Evaluation<R: Real> {
    normal: Vec3<R>,
    lever: Vec3<R>,
    apart: Vec3<R>,
    c: R,
    /// Whether it presses.
    pub(super) active: R::Mask,
}

impl<R: Real> ParticleContact<R> {
    pub(super) fn new([anchor, normal]: [Vec3<R>; 2], live: R, mu: R, ball: R) -> Self {
        let zero = R::zero();
        Self {
            anchor,
            normal,
            live,
            mu,
            ball,
            outward: Vec3::zero(),
            shift: zero,
            start: Vec3::zero(),
            lambda: zero,
            friction: Vec3::zero(),
            approach: zero,
            deep: zero,
        }
    }

    /// A substep begins: the particle was at `x` and goes with `v`. Whether any is so deep that parting gives it no speed.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        [x, v]: [Vec3<R>; 2],
        (pose, body): (&StartPose<R>, &SolverBody<R>),
        radius: R,
        parting: &ParticleParting<R>,
    ) -> R::Mask {
        let zero = R::zero();
        let of_body = body.v + body.omega.cross(x - pose.x);
        let lever = x - pose.x;
        self.start = lever - pose.q.rotate(self.anchor);
        self.outward = pose.q.rotate(self.normal);
        let (normal, gap) = self.surface(lever, self.start, self.outward);
        self.outward = normal;
        self.approach = normal.dot(v - of_body);
        self.shift = radius + parting.bound(gap - radius);
        self.lambda = zero;
        self.friction = Vec3::zero();
        let is_deep = (gap - radius).lt(parting.deep) & zero.lt(self.live);
        self.deep = R::select(is_deep, R::of(1.0), zero);
        is_deep
    }

    /// The normal and the distance from the surface: of a ball, where the particle is now; else of the `apart` from the point
    /// carried by the body along the `turned` normal.
    #[inline(always)]
    fn surface(&self, lever: Vec3<R>, apart: Vec3<R>, turned: Vec3<R>) -> (Vec3<R>, R) {
        let zero = R::zero();
        let is_ball = zero.lt(self.ball);
        // Beyond the center it goes back to where it came from.
        let before = zero.lt(lever.dot(self.outward));
        let out =
            Vec3::select(before, lever * R::of(1.0).over_positive(lever.length()), self.outward);
        let normal = Vec3::select(is_ball, out, turned);
        let gap = R::select(is_ball, out.dot(lever) - self.ball, normal.dot(apart));
        (normal, gap)
    }

    #[inline(always)]
    pub(super) fn evaluate(&self, x: Vec3<R>, placed: &PlacedBody<R>) -> Evaluation<R> {
        let PlacedBody { body, frame, .. } = placed;
        let turned = frame.turn(self.anchor);
        let apart = x - body.x - turned;
        // Impulses act where the particle is: friction at the surface would leave a torque l × f over.
        let lever = x - body.x;
        let (normal, gap) = self.surface(lever, apart, frame.turn(self.normal));
        let c = gap - self.shift;
        let zero = R::zero();
        let presses = (c.lt(zero) | zero.lt(self.lambda)) & zero.lt(self.live);
        Evaluation { normal, lever, apart, c, active: presses }
    }

    /// How far it is violated (m); what cannot be moved is not.
    pub(super) fn residual(&self, site: &Particle<R>, placed: &PlacedBody<R>) -> R {
        let (Evaluation { c, .. }, zero) = (self.evaluate(site.x, placed), R::zero());
        let acts = zero.lt(site.w + placed.body.w) & zero.lt(self.live);
        let violated = R::select(zero.lt(c), zero, c.abs().or_infinite());
        R::select(acts, violated, zero)
    }

    /// Corrects the particle; gives the impulse and its torque, of which the body gets the opposite. `count` is how many share
    /// the body.
    #[inline(always)]
    pub(super) fn project(
        &mut self,
        evaluation: &Evaluation<R>,
        site: &mut Particle<R>,
        PlacedBody { body, spread, .. }: &PlacedBody<R>,
        count: R,
    ) -> [Vec3<R>; 2] {
        let Evaluation { normal, lever, c, .. } = *evaluation;
        let inverse_mass = |d| inverse_mass(d, site.w, (body.w, spread), lever, count);
        let zero = R::zero();
        let lambda = (self.lambda - c.over_positive(inverse_mass(normal))).max(zero);
        let d = evaluation.apart - self.start;
        let slip = across(d, normal);
        let wanted =
            across(self.friction, normal) - slip * slip.dot(slip).over_positive(inverse_mass(slip));
        let friction = within(wanted, self.mu * lambda);
        let p = normal * (lambda - self.lambda) + (friction - self.friction);
        let p = Vec3::select(evaluation.active, p, Vec3::zero());
        self.lambda = R::select(evaluation.active, lambda, self.lambda);
        self.friction = Vec3::select(evaluation.active, friction, self.friction);
        site.correct(p * site.w);
        [p, lever.cross(p)]
    }
}

/// The numbers of the velocity pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rebound<R> {
    pub(super) restitution: R,
    /// Slower approaches do not rebound (m/s).
    pub(super) threshold: R,
    /// One where what parted overlaps is taken back, else zero.
    pub(super) parts: R,
}

impl<R: Real> ParticleContact<R> {
    /// Whether it came fast enough to rebound.
    #[inline(always)]
    fn is_fast(&self, rebound: &Rebound<R>) -> R::Mask {
        self.approach.lt(-rebound.threshold) & R::zero().lt(rebound.restitution)
    }

    /// Whether it rebounds, or gives back what parted an overlap.
    #[inline(always)]
    pub(super) fn responds(&self, rebound: &Rebound<R>) -> R::Mask {
        let zero = R::zero();
        let is_deep = zero.lt(self.deep * rebound.parts);
        (self.is_fast(rebound) | is_deep) & zero.lt(self.lambda) & zero.lt(self.live)
    }

    /// The impulse on a particle that was at `x` when the substep began and goes with `v.x`, which it gets, and its torque
    /// about the body, which was at `pose` and goes with `body`.
    #[inline(always)]
    pub(super) fn respond(
        &self,
        (x, v): (Vec3<R>, &mut Particle<R>),
        (pose, body): (&StartPose<R>, &SolverBody<R>),
        rebound: &Rebound<R>,
        count: R,
    ) -> [Vec3<R>; 2] {
        let (n, lever) = (self.outward, x - pose.x);
        let inverse_mass = |d| inverse_mass(d, v.w, (body.w, &body.spread), lever, count);
        let apart = v.x - body.v - body.omega.cross(lever);
        let along = apart.dot(n);
        let (zero, fast) = (R::zero(), self.is_fast(rebound));
        let back = R::select(fast, -(rebound.restitution * self.approach), zero);
        let gain = R::select(fast, (back - along).max(zero), zero);
        let parted = (back.max(self.approach) - along).min(zero);
        let parted = R::select(zero.lt(self.deep * rebound.parts), parted, zero);
        let weight = inverse_mass(n);
        let pushed = gain.over_positive(weight);
        let slide = apart - n * along;
        let wanted = slide * slide.dot(slide).over_positive(inverse_mass(slide));
        let p = n * (pushed + parted.over_positive(weight)) - within(wanted, self.mu * pushed);
        let p = Vec3::select(self.responds(rebound), p, Vec3::zero());
        v.correct(p * v.w);
        [p, lever.cross(p)]
    }
}

/// d² (w + c W_b): how an impulse d at a particle and on a body's `lever` moves them apart, along itself.
#[inline(always)]
fn inverse_mass<R: Real>(
    d: Vec3<R>,
    particle: R,
    (body, spread): (R, &Spread<R>),
    lever: Vec3<R>,
    count: R,
) -> R {
    let torque = lever.cross(d);
    let of_body = body * d.dot(d) + torque.dot(spread.of(torque));
    particle * d.dot(d) + count * of_body
}

/// Impulses and torques, in the order of the lanes.
#[inline(always)]
fn sum<R: Real>(impulses: &[[Vec3<R>; 2]]) -> [Vec3<R>; 2] {
    let (mut push, mut torque) = (Vec3::zero(), Vec3::zero());
    for &[p, t] in impulses {
        push += p;
        torque += t;
    }
    [push, torque]
}

/// What eight impulses and their torques do to the velocities of their body.
#[inline(always)]
pub(super) fn change_velocities<R: Real>(body: &mut SolverBody<R>, impulses: &[[Vec3<R>; 2]]) {
    let [push, torque] = sum(impulses);
    body.v += -(push * body.w);
    body.omega += -body.spread.of(torque);
}
