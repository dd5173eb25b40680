//! The phases every method shares, on as many particles side by side as `R` has lanes.
//!
//! ```text
//! predict    v <- v + h a,  x_prev <- x,  x <- x + h v      symplectic Euler (S0-02, S1-05, S2-04)
//! update     v <- (x - x_prev) / h                          S0-09, S2-07
//! damp       v <- v e^(-c h)                                S1-08
//! ```
//!
//! External forces enter as accelerations, a = g + w f (S0-10): h a is a column where forces act, one number where they do
//! not. A particle of inverse mass zero is kinematic: it keeps its velocity.

use crate::math::{Real, Vec3, exponential};
use crate::settings::Settings;

/// The numbers of a substep.
#[derive(Clone, Copy, Debug)]
pub struct Integrator<R> {
    /// h (s).
    pub h: R,
    /// h a: what gravity adds to a velocity (m/s).
    pub gravity_step: Vec3<R>,
    /// e^(-c h).
    pub damping_factor: R,
}

impl<R: Real> Integrator<R> {
    /// From the settings, rounded once.
    pub fn new(settings: &Settings) -> Self {
        let h = settings.h();
        Self {
            h: R::of(h),
            gravity_step: Vec3::of(settings.gravity.map(|g| h * g)),
            damping_factor: R::of(exponential(-settings.damping * h)),
        }
    }

    /// Predicted position and velocity, which grows by `step` = h a (m/s).
    #[inline(always)]
    pub fn predict(&self, step: Vec3<R>, x: Vec3<R>, v: Vec3<R>, w: R) -> (Vec3<R>, Vec3<R>) {
        let v = Vec3::select(R::zero().lt(w), v + step, v);
        (x + v * self.h, v)
    }

    /// The velocity that leads from `previous` to `x`, damped.
    #[inline(always)]
    pub fn update(&self, x: Vec3<R>, previous: Vec3<R>, v: Vec3<R>, w: R) -> Vec3<R> {
        let moved = (x - previous) / self.h * self.damping_factor;
        Vec3::select(R::zero().lt(w), moved, v)
    }
}
