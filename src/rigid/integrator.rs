//! How a body moves by itself: symplectic Euler with the gyroscopic term, and what its velocities are after corrections.
//!
//! ```text
//! v <- v + h (g + w f),  x <- x + h v                             S4-06
//! ω <- ω + h I⁻¹ (τ - ω × I ω)                gyro "explicit"      S4-07
//! q <- normalized (q + h/2 [ω, 0] ⊗ q)                            S4-08
//! ω <- I(q)⁻¹ L, q by the middle's ω          gyro "momentum": L = I ω + h τ is carried
//!
//! v <- v + Σ Δx / h                                               S4-09: each correction is an impulse / h
//! ω <- ω + Σ Δθ / h                           rigid "deul"        S4-09
//! ω <- 2/h (q ⊗ q_prev⁻¹).xyz / w             rigid "mueller"     Müller et al. 2020, algorithm 2
//! ```
//!
//! For a center of mass both forms are the same number, Σ Δx = x - x_pred; the sum of impulses is what f32 keeps. Dividing
//! by w makes "mueller" the inverse of the prediction: a body that nothing touches keeps its spin, where the paper's sine
//! loses 1 - (ω h)²/8 of it a step. It is read off q only where a correction turned the body, else f32's rounding of q, times
//! 2/h, would walk. Beyond 168° a substep the turn saturates. "explicit" gains energy: with ω h not small it blows up.

use super::frame::Frame;
use crate::math::{Quat, Real, Vec3};
use crate::settings::{Gyro, Rigid, Settings};
use crate::state::{BodyState, BodyView, Integrator, MovingBody, Width};
use crate::threads::Worker;

/// Component by component.
#[inline(always)]
pub(super) fn scale<R: Real>(v: Vec3<R>, by: Vec3<R>) -> Vec3<R> {
    Vec3::new(v.x * by.x, v.y * by.y, v.z * by.z)
}

impl<R: Real> BodyState<R> {
    /// I ω where it lies as `frame` says (kg m²/s).
    #[inline(always)]
    fn momentum(&self, frame: &Frame<R>, omega: Vec3<R>) -> Vec3<R> {
        frame.turn(scale(frame.turn_back(omega), self.inertia))
    }

    /// I⁻¹ L where it lies as `frame` says (rad/s), as `omega` and what L asks beyond it: rounding then stays that of the
    /// difference (f32, 2400 steps: |L| drifts 2e-4 otherwise). L and I ω are compared in the world, where both have been
    /// turned there and back: what rounding makes of the frame's length is in both (3.7e-4 in the principal frame).
    #[inline(always)]
    fn carried(
        &self,
        frame: &Frame<R>,
        inverse: Vec3<R>,
        omega: Vec3<R>,
        momentum: Vec3<R>,
    ) -> Vec3<R> {
        let missing = frame.turn_back(momentum - self.momentum(frame, omega));
        omega + frame.turn(scale(missing, inverse))
    }

    /// I⁻¹ along the principal axes (1/(kg m²)).
    #[inline(always)]
    pub fn inverse_inertia(&self) -> Vec3<R> {
        let one = R::of(1.0);
        Vec3::new(
            one.over_positive(self.inertia.x),
            one.over_positive(self.inertia.y),
            one.over_positive(self.inertia.z),
        )
    }
}

/// What moves the bodies of a model through a substep: prediction before constraints are projected, poses and velocities after.
pub(crate) struct BodyIntegrator<R> {
    substep: Integrator<R>,
    rigid: Rigid,
    gyro: Gyro,
}

impl<W: Width> BodyIntegrator<W> {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { substep: Integrator::new(settings), rigid: settings.rigid, gyro: settings.gyro }
    }

    /// x_prev <- x, q_prev <- q, velocities as predicted; predicted poses go to the records.
    pub(crate) fn predict(&self, worker: &Worker, bodies: &BodyView<W::Element>) {
        each::<W>(worker, bodies, |i| {
            let state = bodies.read(i);
            let inverse = state.inverse_inertia();
            let next = self.predict_body(state, inverse, bodies.loads(i));
            let moving = MovingBody {
                x: next.x,
                q: next.q,
                push: Vec3::zero(),
                turn: Vec3::zero(),
                w: next.w,
                inverse_inertia: inverse,
            };
            bodies.records.begin(i, moving);
            bodies.write_previous(i, state.x, state.q);
            let (x, q) = (state.x, state.q);
            bodies.write(i, &BodyState { x, q, ..next });
        });
    }

    /// The records come back as poses, velocities follow.
    pub(crate) fn finalize(&self, worker: &Worker, bodies: &BodyView<W::Element>) {
        each::<W>(worker, bodies, |i| {
            let (_, previous): (_, Quat<W>) = bodies.read_previous(i);
            let moved = bodies.load(W::slots(|lane| (i + lane) as u32));
            let next = self.finalize_body(bodies.read(i), previous, moved);
            bodies.write(i, &next);
        });
    }
}

impl<R: Real> BodyIntegrator<R> {
    /// Predicted position, orientation and velocities; `inverse` is the body's `BodyState::inverse_inertia`, `loads` what
    /// forces and torques add to its velocity and angular momentum.
    #[inline(always)]
    fn predict_body(
        &self,
        body: BodyState<R>,
        inverse: Vec3<R>,
        loads: Option<[Vec3<R>; 2]>,
    ) -> BodyState<R> {
        let h = self.substep.h;
        let step = loads.map_or(self.substep.gravity_step, |[step, _]| step);
        let (x, v) = self.substep.predict(step, body.x, body.v, body.w);
        let mut omega = body.omega;
        if self.gyro == Gyro::Explicit {
            let spin = body.q.unrotate(omega);
            let torque = spin.cross(scale(spin, body.inertia));
            let change = scale(torque, inverse) * h;
            let turned = omega - body.q.rotate(change);
            omega = Vec3::select(R::zero().lt(body.w), turned, omega);
        }
        if let Some([_, angular]) = loads {
            let more = omega + body.q.rotate(scale(body.q.unrotate(angular), inverse));
            // A body without a torque keeps the bits of ω, signs of zeros too.
            let size = angular.x.abs().max(angular.y.abs()).max(angular.z.abs());
            omega = Vec3::select(R::zero().lt(size), more, omega);
        }
        let half = h * R::of(0.5);
        let q = if self.gyro == Gyro::Momentum {
            // Midpoint: with ω of the start alone the energy drifts, and a spin about the middle axis flips too soon. Its q
            // need not be of length one: what it says is only how ω differs there.
            let momentum = body.momentum(&Frame::new(body.q), omega);
            let middle = Frame::new(body.q.towards(omega * (half * R::of(0.5))));
            let turns = R::zero().lt(body.w);
            let between = body.carried(&middle, inverse, omega, momentum);
            let q = body.q.advanced(Vec3::select(turns, between, omega) * half);
            let carried = body.carried(&Frame::new(q), inverse, omega, momentum);
            omega = Vec3::select(turns, carried, omega);
            q
        } else {
            body.q.advanced(omega * half)
        };
        BodyState { x, q, v, omega, ..body }
    }

    /// The state after corrections: `body` has the predicted velocities, `moved` the corrected position and orientation and
    /// what it moved and turned in all since the prediction; `previous` is the orientation before it.
    #[inline(always)]
    fn finalize_body(
        &self,
        body: BodyState<R>,
        previous: Quat<R>,
        moved: MovingBody<R>,
    ) -> BodyState<R> {
        let (h, zero) = (self.substep.h, R::zero());
        let MovingBody { push, turn, .. } = moved;
        let touched = zero.lt(turn.dot(turn));
        // Once more only where needed: twice makes I(q) another, by a part of the last digit that is always the same.
        let q = Quat::select(touched, moved.q.normalized(), moved.q);
        // What a velocity at the orientation `at` is at q, where the momentum is kept.
        let carry = |at: Quat<R>, omega: Vec3<R>| match self.gyro {
            Gyro::Momentum => {
                let momentum = body.momentum(&Frame::new(at), omega);
                body.carried(&Frame::new(q), moved.inverse_inertia, omega, momentum)
            }
            Gyro::Explicit | Gyro::Off => omega,
        };
        let turned = match self.rigid {
            Rigid::Deul => carry(Quat::exp(-turn) * q, body.omega) + over(turn, h),
            Rigid::Mueller => {
                let d = q * previous.conjugate();
                let back = d.w.lt(zero);
                let w = d.w.abs().max(R::of(0.1)) * (h * R::of(0.5));
                let rate = d.vector() * (R::of(1.0) / R::select(back, -w, w));
                // The mean of the substep belongs to its middle.
                carry(previous.advanced(rate * (h * R::of(0.25))), rate)
            }
        };
        let turned = Vec3::select(touched, turned, body.omega);
        let keep = self.substep.damping_factor;
        let moves = zero.lt(body.w);
        BodyState {
            x: moved.x,
            q,
            v: Vec3::select(moves, (body.v + over(push, h)) * keep, body.v),
            omega: Vec3::select(moves, turned * keep, body.omega),
            ..body
        }
    }
}

#[inline(always)]
fn over<R: Real>(v: Vec3<R>, by: R) -> Vec3<R> {
    Vec3::new(v.x / by, v.y / by, v.z / by)
}

/// A phase over all bodies, as many at a time as `W` has lanes.
fn each<W: Width>(worker: &Worker, bodies: &BodyView<W::Element>, act: impl Fn(usize)) {
    if bodies.len() > 0 {
        worker.parallel_for(bodies.len() / W::LANES, |part| {
            part.for_each(|i| act(i * W::LANES));
        });
    }
}
