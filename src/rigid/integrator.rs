//! How a body moves by itself: symplectic Euler with the gyroscopic term, and what its velocities are after corrections.
//!
//! ```text
//! v <- v + h (g + w f),  x <- x + h v                             S4-06, what they round off carried: `state/carried.rs`
//! ω <- ω + h I⁻¹ τ,  then L and the energy are kept gyro "momentum": `free_turn`
//! ω <- ω + h I⁻¹ (τ - ω × I ω)                gyro "explicit"      S4-07
//! q <- normalized (q + h/2 [ω, 0] ⊗ q)                            S4-08
//!
//! v <- v + Σ Δx / h                                               S4-09: each correction is an impulse / h
//! ω <- ω + Σ Δθ / h                           rigid "deul"        S4-09
//! ω <- ω + 2/h (q ⊗ q_pred⁻¹).xyz / w         rigid "mueller"     after Müller et al. 2020, algorithm 2
//! ```
//!
//! For a center of mass both forms are the same number, Σ Δx = x - x_pred; the sum of impulses is what f32 keeps. For the turn
//! they differ by what corrections in sequence do not commute. The paper reads ω off the turn of the whole substep, q ⊗ q_prev⁻¹;
//! that turns the impulses of corrections by half of ω h, by which a fast top rises or falls. A body that nothing touches keeps
//! its spin; it is read off q only where a correction turned the body, else f32's rounding of q, times 2/h, would walk. In substeps
//! below 2 ms it walks all the same: a body of 1.4 rad/s with a row to a light particle lost 4 % of its spin in a second of 6000
//! substeps. There Σ Δθ / h is taken where Σ Δθ is below a thousandth, so that its square is what q is rounded off by. It is taken too
//! where corrections turn a body by more than a quarter, as a fast impact does: what q tells then is 2 tan(θ/2) for θ, and beyond π another turn.
//! "momentum" adds what the arms at the start of the substep give beyond Δθ (`precession`); of slender bodies it keeps the energy
//! before the angular momentum (`slender`).
//! "explicit" gains energy: with ω h not small it blows up.

use super::frame::{Frame, is_round};
use super::free_turn::{by_axis, turn_freely};
use super::slender::bounded;
use crate::math::{Quat, Real, Vec3, each};
use crate::settings::{Gyro, Rigid, Settings};
use crate::state::{BodyState, BodyView, Integrator, MovingBody, Remainders, Width};
use crate::threads::Worker;

/// In substeps below this (s) what rounds q off walks,
const FINE: f64 = 2e-3;
/// where (Σ Δθ)² is below this (rad²).
const SLIGHT: f64 = 1e-6;
/// (Σ Δθ)² above which q does not tell how far corrections have turned it (rad²).
const FAR: f64 = 0.0625;

impl<R: Real> BodyState<R> {
    /// I ω where it lies as `frame` says (kg m²/s).
    #[inline(always)]
    fn momentum(&self, frame: &Frame<R>, omega: Vec3<R>) -> Vec3<R> {
        frame.turn(by_axis(frame.turn_back(omega), self.inertia))
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
        omega + frame.turn(by_axis(missing, inverse))
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
    /// Σ Δθ² below which the turn is the sum of its corrections.
    slight: R,
}

impl<W: Width> BodyIntegrator<W> {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            substep: Integrator::new(settings),
            rigid: settings.rigid,
            gyro: settings.gyro,
            slight: W::of(if settings.h() < FINE { SLIGHT } else { 0.0 }),
        }
    }

    /// x_prev <- x, q_prev <- q; velocities and orientations as predicted; predicted poses go to the records.
    pub(crate) fn predict(&self, worker: &Worker, bodies: &BodyView<W::Element>) {
        worker.each_block(bodies.len(), W::LANES, |i| {
            let state = bodies.read(i);
            let inverse = state.inverse_inertia();
            let rests = bodies.remainders(i);
            let (next, rests) = self.predict_body(state, rests, inverse, bodies.loads(i));
            let moving = MovingBody {
                x: next.x,
                q: next.q,
                push: Vec3::zero(),
                turn: Vec3::zero(),
                precession: Vec3::zero(),
                previous: state.q,
                w: next.w,
                inverse_inertia: inverse,
            };
            bodies.records.begin(i, moving);
            bodies.write_previous(i, state.x, state.q);
            // Positions follow with the corrections.
            bodies.write_motion(i, &next, rests);
        });
    }

    /// The records come back as poses, velocities follow.
    pub(crate) fn finalize(&self, worker: &Worker, bodies: &BodyView<W::Element>) {
        worker.each_block(bodies.len(), W::LANES, |i| {
            let moved = bodies.load(W::consecutive(i));
            let (next, rests) = self.finalize_body(bodies.read(i), bodies.remainders(i), moved);
            bodies.write_positions(i, [next.x, rests.x]);
            bodies.write_motion(i, &next, rests);
        });
    }

    /// Predicted position, orientation and velocities, and what rounding dropped; `inverse` is the body's
    /// `BodyState::inverse_inertia`, `loads` what forces and torques add to its velocity and angular momentum.
    #[inline(always)]
    fn predict_body(
        &self,
        body: BodyState<W>,
        rests: Remainders<W>,
        inverse: Vec3<W>,
        loads: Option<[Vec3<W>; 2]>,
    ) -> (BodyState<W>, Remainders<W>) {
        let h = self.substep.h;
        let step = loads.map_or(self.substep.gravity_step, |[step, _]| step);
        let [[x, _], [v, of_v]] =
            self.substep.predict_carried(step, [body.x, rests.x], [body.v, rests.v], body.w);
        let rests = Remainders { v: of_v, ..rests };
        let turns = W::zero().lt(body.w);
        let mut omega = body.omega;
        if self.gyro == Gyro::Explicit {
            let spin = body.q.unrotate(omega);
            let torque = spin.cross(by_axis(spin, body.inertia));
            let change = by_axis(torque, inverse) * h;
            let turned = omega - body.q.rotate(change);
            omega = Vec3::select(turns, turned, omega);
        }
        if let Some([_, angular]) = loads {
            let more = omega + body.q.rotate(by_axis(body.q.unrotate(angular), inverse));
            // A body without a torque keeps the bits of ω, signs of zeros too.
            let size = angular.x.abs().max(angular.y.abs()).max(angular.z.abs());
            omega = Vec3::select(W::zero().lt(size), more, omega);
        }
        // Rounding alone would turn what is fixed or asleep.
        let spin = omega.x.abs().max(omega.y.abs()).max(omega.z.abs());
        let moves = turns | W::zero().lt(spin);
        let q = Quat::select(moves, body.q.advanced(omega * (h * W::of(0.5))), body.q);
        let ahead = BodyState { x, q, v, omega, ..body };
        // Bodies that are fixed or asleep.
        if self.gyro != Gyro::Momentum || !W::any(turns) {
            return (ahead, Remainders { omega: Vec3::zero(), ..rests });
        }
        let one = W::of(1.0);
        let inertia = Vec3::select(turns, body.inertia, Vec3::splat(one));
        let (q, [omega, of_omega]) = turn_body(body.q, [omega, rests.omega], inertia, h);
        let turned = BodyState {
            q: Quat::select(turns, q, ahead.q),
            omega: Vec3::select(turns, omega, ahead.omega),
            ..ahead
        };
        (turned, Remainders { omega: Vec3::select(turns, of_omega, Vec3::zero()), ..rests })
    }
}

/// [`turn_freely`], of an angular velocity in two numbers: as rounded, and what that dropped. q is rounded before ω is turned
/// into the world, so that it comes back as it was.
#[inline(always)]
fn turn_body<W: Width>(
    q: Quat<W>,
    [omega, remainder]: [Vec3<W>; 2],
    inertia: Vec3<W>,
    h: W,
) -> (Quat<W>, [Vec3<W>; 2]) {
    let whole = W::double_vector(omega) + W::double_vector(remainder);
    let wide = Quat::from(each(q.to_array(), W::double));
    // Told in single precision, whose masks are faster.
    let round = is_round(inertia);
    let (zero, one) = (W::zero(), W::of(1.0));
    let uneven = (!W::all(round)).then(|| W::select(round, zero, one).double());
    let (wide, spin) = turn_freely(wide, whole, W::double_vector(inertia), h.double(), uneven);
    let q = Quat::from(each(wide.to_array(), W::from_double));
    let whole = Quat::from(each(q.to_array(), W::double)).normalized().rotate(spin);
    let omega = W::from_double_vector(whole);
    (q, [omega, W::from_double_vector(whole - W::double_vector(omega))])
}

impl<R: Real> BodyIntegrator<R> {
    /// The state after corrections: `body` has the position that it comes from, the predicted orientation and velocities, `moved`
    /// the corrected orientation and what it moved and turned in all since the prediction.
    #[inline(always)]
    fn finalize_body(
        &self,
        body: BodyState<R>,
        rests: Remainders<R>,
        moved: MovingBody<R>,
    ) -> (BodyState<R>, Remainders<R>) {
        let (h, zero) = (self.substep.h, R::zero());
        let MovingBody { push, turn, .. } = moved;
        let touched = zero.lt(turn.dot(turn));
        // Once more only where needed: twice makes I(q) another, by a part of the last digit that is always the same.
        let q = Quat::select(touched, moved.q.normalized(), moved.q);
        // What the predicted spin is at q, where the angular momentum is kept.
        let carried = match self.gyro {
            Gyro::Momentum => {
                let momentum = body.momentum(&Frame::new(body.q), body.omega);
                let inverse = moved.inverse_inertia;
                let kept = body.carried(&Frame::new(q), inverse, body.omega, momentum);
                bounded(&body, q, momentum, kept) + moved.precession / h
            }
            Gyro::Explicit | Gyro::Off => body.omega,
        };
        let turned = match self.rigid {
            Rigid::Deul => carried + turn / h,
            Rigid::Mueller => {
                let d = q * body.q.conjugate();
                let back = d.w.lt(zero);
                let w = d.w.abs().max(R::of(0.1)) * (h * R::of(0.5));
                let read = d.vector() * (R::of(1.0) / R::select(back, -w, w));
                let square = turn.dot(turn);
                let is_sum = square.lt(self.slight) | R::of(FAR).lt(square);
                carried + Vec3::select(is_sum, turn / h, read)
            }
        };
        let turned = Vec3::select(touched, turned, body.omega);
        let moves = zero.lt(body.w);
        let omega = Vec3::select(moves, turned * self.substep.damping_factor, body.omega);
        // The prediction once more, not yet rounded.
        let predicted = [body.x, rests.x + body.v * h];
        let [[x, of_x], [v, of_v]] =
            self.substep.update_carried(push, predicted, [body.v, rests.v], body.w);
        let of_omega = Remainders::of_same(body.omega, omega, rests.omega);
        (BodyState { x, q, v, omega, ..body }, Remainders { x: of_x, v: of_v, omega: of_omega })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding does not turn what is fixed or asleep.
    #[test]
    fn what_does_not_turn_keeps_the_bits_of_its_orientation() {
        let q = Quat { x: 0.067_257_45, y: 0.139_585_73, z: 0.902_071, w: -0.402_815_28_f32 };
        let zero = Vec3::zero();
        assert_ne!(q.advanced(zero).to_array(), q.to_array(), "this shows nothing");
        let body = BodyState { x: zero, q, v: zero, omega: zero, w: 0.0, inertia: zero };
        for gyro in [Gyro::Momentum, Gyro::Explicit, Gyro::Off] {
            let integrator = BodyIntegrator::new(&Settings { gyro, ..Settings::default() });
            let rests = Remainders { x: zero, v: zero, omega: zero };
            let (next, _) = integrator.predict_body(body, rests, body.inverse_inertia(), None);
            assert_eq!(next.q.to_array(), q.to_array());
        }
    }

    /// Both signs of a quaternion are one orientation: corrections that turned a body give it one spin, whichever of them they
    /// ended at; about an axis across its spin that is 2 tan(θ/2) / h, as S4-09 reads it off (rigid "mueller").
    #[test]
    fn both_signs_of_an_orientation_are_one() {
        let (h, angle) = (0.01, 0.2_f64);
        let settings = Settings {
            dt: h,
            substeps: 1,
            damping: 0.0,
            gyro: Gyro::Off,
            rigid: Rigid::Mueller,
            ..Settings::default()
        };
        let integrator = BodyIntegrator {
            rigid: settings.rigid,
            gyro: settings.gyro,
            slight: 0.0,
            substep: Integrator::new(&settings),
        };
        let one = Vec3::<f64>::new(1.0, 1.0, 1.0);
        let predicted = Quat::exp(Vec3::new(0.3, -0.2, 0.4));
        let spin = Vec3::new(1.0, 2.0, 0.0);
        let body = BodyState {
            x: Vec3::zero(),
            q: predicted,
            v: Vec3::zero(),
            omega: spin,
            w: 1.0,
            inertia: one,
        };
        let turn = Vec3::new(0.0, 0.0, angle);
        let q = Quat::exp(turn) * predicted;
        let expected = spin + turn * (2.0 * (angle / 2.0).tan() / angle / h);
        for sign in [1.0, -1.0] {
            let q = Quat::from(q.to_array().map(|v| sign * v));
            let moved = MovingBody { q, turn, w: 1.0, inverse_inertia: one, ..MovingBody::world() };
            let rests = Remainders { x: Vec3::zero(), v: Vec3::zero(), omega: Vec3::zero() };
            let found = integrator.finalize_body(body, rests, moved).0.omega;
            assert!((found - expected).length() < 1e-9, "{sign}: {found:?} for {expected:?}");
        }
    }
}
