//! Where rows of particle kinds hold a body: at an arm, where it resists with another inverse mass than its own.
//!
//! ```text
//! p = x + R r                                     S4-12
//! aᵀ M⁻¹ b = w a·b + (R r × a)·W (R r × b)         W = R I⁻¹ Rᵀ; Deul et al. 2014, eq. 4-6
//! Δx = w g s,   Δθ = W (R r × g) s
//! ```
//!
//! A particle is the same with r = 0 and no inertia. So every kind holds bodies by the formula that it holds particles by.

use super::frame::{Frame, Spread};
use crate::constraints::Site;
use crate::math::{Real, Vec3};
use crate::state::MovingBody;

/// A body held at a point of its own.
#[derive(Clone, Copy)]
pub struct LocalAnchor<R> {
    /// The body.
    pub body: MovingBody<R>,
    /// r, in the principal frame (m).
    pub arm: Vec3<R>,
}

impl<R: Real> LocalAnchor<R> {
    /// The orientation, and the arm in the world (m).
    #[inline(always)]
    fn reach(&self) -> (Frame<R>, Vec3<R>) {
        let frame = Frame::new(self.body.q);
        (frame, frame.turn(self.arm))
    }
}

impl<R: Real> Site<R> for LocalAnchor<R> {
    #[inline(always)]
    fn point(&self) -> Vec3<R> {
        self.body.x + self.reach().1
    }
    #[inline(always)]
    fn weight(&self, a: Vec3<R>, b: Vec3<R>) -> R {
        let (frame, arm) = self.reach();
        let turned = Spread::new(&frame, self.body.inverse_inertia).of(arm.cross(b));
        self.body.w * a.dot(b) + arm.cross(a).dot(turned)
    }
    #[inline(always)]
    fn apply(&mut self, g: Vec3<R>, s: R) {
        let (frame, arm) = self.reach();
        let turned = Spread::new(&frame, self.body.inverse_inertia).of(arm.cross(g));
        self.body.correct(g * (self.body.w * s), turned * s);
    }
}
