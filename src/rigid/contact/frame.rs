//! A body in the world while packets of particles work on it.

use crate::math::{Quat, Real, Vec3};
use crate::rigid::frame::{Frame, Spread};
use crate::state::MovingBody;

/// How a body lies in the world, and how its inertia resists there.
pub(super) struct Stance<R> {
    frame: Frame<R>,
    spread: Spread<R>,
}

impl<R: Real> Stance<R> {
    /// Of a body that lies as `q` says.
    #[inline(always)]
    pub(super) fn new(q: Quat<R>, body: &MovingBody<R>) -> Self {
        let frame = Frame::new(q);
        let spread = Spread::new(&frame, body);
        Self { frame, spread }
    }

    /// A vector of the body's frame, in the world.
    #[inline(always)]
    pub(super) fn turn(&self, v: Vec3<R>) -> Vec3<R> {
        self.frame.turn(v)
    }

    /// I⁻¹ v.
    #[inline(always)]
    pub(super) fn inverse(&self, v: Vec3<R>) -> Vec3<R> {
        self.spread.of(v)
    }
}
