//! Particles against a body, eight at a time, for both by their generalised inverse masses (S4-02).
//!
//! ```text
//! C = n·(x - p) - r - bound >= 0,  p = x_b + R arm                    r the particle's radius, n carried by the body
//! λ' = max(0, λ - C / (w + c W_b)),  W_b = w_b + (l × n) I⁻¹ (l × n), l = x - x_b  c of the eight press: each has a c-th of the body
//! r' = r - s / W_s held within |r'| <= µ λ'
//! x += w P,   x_b -= w_b Σ P,   θ_b -= I⁻¹ Σ l × P                    every impulse acts on both: momenta are kept
//! v_n' = -e v_n⁻ where v_n⁻ < -2 |g| h, with friction |f| <= µ j        the velocity pass, S1-07
//! ```
//!
//! The eight start from the same pose of the body and are summed, lane by lane (mass splitting: Tonge et al., *Mass Splitting
//! for Jitter-Free Parallel Rigid Body Simulation*, 2012); eights of one body come one after another. λ begins at zero.

use super::frame::Stance;
use super::touch::{Mover, Past};
use crate::constraints::{Particle, within};
use crate::math::{Real, Vec3};
use crate::state::MovingBody;

/// A particle that touches a body, or as many as `R` has lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grain<R> {
    /// The point of the surface and its normal, in the body's frame.
    pub(super) arm: Vec3<R>,
    pub(super) normal: Vec3<R>,
    /// One; zero in lanes that repeat another.
    pub(super) live: R,
    pub(super) friction: R,
    /// What is subtracted from the distance: the radius and the bound (m).
    shift: R,
    /// x - p when the substep began.
    start: Vec3<R>,
    lambda: R,
    rub: Vec3<R>,
    /// v_n⁻ (m/s).
    approach: R,
}

/// A particle and the body before the correction.
#[derive(Clone, Copy)]
pub(super) struct Meeting<R: Real> {
    normal: Vec3<R>,
    lever: Vec3<R>,
    apart: Vec3<R>,
    c: R,
    /// Whether it presses.
    pub(super) active: R::Mask,
}

impl<R: Real> Grain<R> {
    pub(super) fn new(arm: Vec3<R>, normal: Vec3<R>, live: R, friction: R) -> Self {
        let zero = R::zero();
        Self {
            arm,
            normal,
            live,
            friction,
            shift: zero,
            start: Vec3::zero(),
            lambda: zero,
            rub: Vec3::zero(),
            approach: zero,
        }
    }

    /// A substep begins: the particle was at `x` and goes with `v`; overlaps part by no more than `most`.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        [x, v]: [Vec3<R>; 2],
        (body, motion): (&Past<R>, &Mover<R>),
        radius: R,
        most: R,
    ) {
        let zero = R::zero();
        let of_body = motion.v + motion.omega.cross(x - body.x);
        self.approach = body.q.rotate(self.normal).dot(v - of_body);
        self.start = x - body.x - body.q.rotate(self.arm);
        let gap = body.q.rotate(self.normal).dot(self.start) - radius;
        self.shift = radius + (gap + most).min(zero);
        self.lambda = zero;
        self.rub = Vec3::zero();
    }

    #[inline(always)]
    pub(super) fn meet(&self, x: Vec3<R>, body: &MovingBody<R>, frame: &Stance<R>) -> Meeting<R> {
        let (lever, normal) = (frame.turn(self.arm), frame.turn(self.normal));
        let apart = x - body.x - lever;
        // Impulses act where the particle is: friction at the surface would leave a torque r × f over.
        let lever = x - body.x;
        let c = normal.dot(apart) - self.shift;
        let zero = R::zero();
        let presses = (c.lt(zero) | zero.lt(self.lambda)) & zero.lt(self.live);
        Meeting {
            normal,
            lever,
            apart,
            c,
            active: presses,
        }
    }

    /// Corrects the particle; what the body gets the opposite of. `count` is how many share the body.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        meeting: &Meeting<R>,
        site: &mut Particle<R>,
        (body, frame): (&MovingBody<R>, &Stance<R>),
        count: R,
    ) -> Vec3<R> {
        let Meeting {
            normal, lever, c, ..
        } = *meeting;
        let weigh = |d: Vec3<R>| {
            let torque = lever.cross(d);
            let of_body = body.w * d.dot(d) + torque.dot(frame.inverse(torque));
            site.w * d.dot(d) + count * of_body
        };
        let zero = R::zero();
        let lambda = (self.lambda - c.over_positive(weigh(normal))).max(zero);
        let d = meeting.apart - self.start;
        let slip = d - normal * normal.dot(d);
        let wanted = self.rub - slip * slip.dot(slip).over_positive(weigh(slip));
        let rub = within(wanted, self.friction * lambda);
        let p = normal * (lambda - self.lambda) + (rub - self.rub);
        let p = Vec3::select(meeting.active, p, Vec3::zero());
        self.lambda = R::select(meeting.active, lambda, self.lambda);
        self.rub = Vec3::select(meeting.active, rub, self.rub);
        site.x += p * site.w;
        p
    }
}

/// The numbers of the velocity pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounce<R> {
    pub(super) restitution: R,
    /// Slower approaches do not rebound (m/s).
    pub(super) least: R,
}

impl<R: Real> Grain<R> {
    /// Whether it rebounds.
    #[inline(always)]
    pub(super) fn rebounds(&self, bounce: &Bounce<R>) -> R::Mask {
        let zero = R::zero();
        self.approach.lt(-bounce.least) & zero.lt(self.lambda) & zero.lt(self.live)
    }

    /// The impulse on a particle that was at `x` when the substep began and goes with `v.x`, which it gets, and its torque
    /// about the body, which was at `past` and goes with `body`.
    #[inline(always)]
    pub(super) fn respond(
        &self,
        (x, v): (Vec3<R>, &mut Particle<R>),
        (past, body): (&Past<R>, &Mover<R>),
        bounce: &Bounce<R>,
        count: R,
    ) -> [Vec3<R>; 2] {
        let (n, lever) = (past.q.rotate(self.normal), x - past.x);
        let weigh = |d: Vec3<R>| {
            let torque = lever.cross(d);
            let of_body = body.w * d.dot(d) + torque.dot(body.spread.of(torque));
            v.w * d.dot(d) + count * of_body
        };
        let apart = v.x - body.v - body.omega.cross(lever);
        let along = apart.dot(n);
        let zero = R::zero();
        let gain = (-(bounce.restitution * self.approach) - along).max(zero);
        let pushed = gain.over_positive(weigh(n));
        let slide = apart - n * along;
        let wanted = slide * slide.dot(slide).over_positive(weigh(slide));
        let p = n * pushed - within(wanted, self.friction * pushed);
        let p = Vec3::select(self.rebounds(bounce), p, Vec3::zero());
        v.x += p * v.w;
        [p, lever.cross(p)]
    }
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

/// What eight impulses do to the velocities of their body.
#[inline(always)]
pub(super) fn kick_body<R: Real>(body: &mut Mover<R>, impulses: &[[Vec3<R>; 2]]) {
    let [push, torque] = sum(impulses);
    body.v += -(push * body.w);
    body.omega += -body.spread.of(torque);
}

/// What eight impulses do to their body.
#[inline(always)]
pub(super) fn push_body<R: Real>(
    body: &mut MovingBody<R>,
    frame: &Stance<R>,
    impulses: &[[Vec3<R>; 2]],
) {
    let [push, torque] = sum(impulses);
    body.correct(-(push * body.w), -frame.inverse(torque));
}

impl<R: Real> Meeting<R> {
    /// The impulse on the particle and its torque about the body.
    #[inline(always)]
    pub(super) fn torque(&self, p: Vec3<R>) -> [Vec3<R>; 2] {
        [p, self.lever.cross(p)]
    }
}
