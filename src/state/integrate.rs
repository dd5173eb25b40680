//! The phases every method shares, on as many particles side by side as `R` has lanes.
//!
//! ```text
//! predict    v <- v + h a,  x_prev <- x,  x <- x + h v      symplectic Euler (S0-02, S1-05, S2-04)
//! update     v <- (x - x_prev) / h                          S0-09, S2-07
//! damp       v <- v e^(-c h)                                S1-08
//! ```
//!
//! External forces enter as accelerations (S0-10). A particle of inverse mass zero is kinematic: it keeps its velocity.

use crate::math::{Real, Vec3};
use crate::settings::Settings;

/// The numbers of a substep.
#[derive(Clone, Copy, Debug)]
pub struct Integrator<R> {
    /// h (s).
    pub h: R,
    /// h a: what gravity adds to a velocity (m/s).
    pub kick: Vec3<R>,
    /// e^(-c h).
    pub keep: R,
}

impl<R: Real> Integrator<R> {
    /// From the settings, rounded once.
    pub fn new(settings: &Settings) -> Self {
        let h = settings.h();
        Self {
            h: R::of(h),
            kick: Vec3::of(settings.gravity.map(|g| h * g)),
            keep: R::of((-settings.damping * h).exp()),
        }
    }

    /// Predicted position and velocity.
    #[inline(always)]
    pub fn predict(&self, x: Vec3<R>, v: Vec3<R>, w: R) -> (Vec3<R>, Vec3<R>) {
        let v = Vec3::select(R::zero().lt(w), v + self.kick, v);
        (x + v * self.h, v)
    }

    /// The velocity that leads from `previous` to `x`, damped.
    #[inline(always)]
    pub fn update(&self, x: Vec3<R>, previous: Vec3<R>, v: Vec3<R>, w: R) -> Vec3<R> {
        let d = x - previous;
        let moved = Vec3::new(d.x / self.h, d.y / self.h, d.z / self.h) * self.keep;
        Vec3::select(R::zero().lt(w), moved, v)
    }
}
