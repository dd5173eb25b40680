//! How a body resists impulses at the end of an arm.

use super::frame::{Frame, Spread};
use crate::math::{Real, Vec3};

/// How a body resists turns.
pub(super) trait Resistance<R: Real> {
    /// W v.
    fn of(&self, v: Vec3<R>) -> Vec3<R>;
}

impl<R: Real> Resistance<R> for Spread<R> {
    #[inline(always)]
    fn of(&self, v: Vec3<R>) -> Vec3<R> {
        self.of(v)
    }
}

impl<R: Real> Resistance<R> for AnyLever<R> {
    #[inline(always)]
    fn of(&self, v: Vec3<R>) -> Vec3<R> {
        self.spread.of(v)
    }
}

impl<R: Real> Resistance<R> for RoundLever<R> {
    #[inline(always)]
    fn of(&self, v: Vec3<R>) -> Vec3<R> {
        v * self.i
    }
}

/// How a body resists an impulse at the end of an arm r.
pub(super) trait Lever<R: Real>: Resistance<R> {
    /// Of the arm, where the body lies as the frame says and has these inverse principal moments.
    fn new(arm: Vec3<R>, frame: &Frame<R>, i: Vec3<R>) -> Self;
    /// [r]ᵀ W [r]: the lower triangle, row by row.
    fn matrix(&self) -> [R; 6];
    /// W (r × p).
    fn turn(&self, p: Vec3<R>) -> Vec3<R>;
}

/// Of any body.
pub(super) struct AnyLever<R> {
    arm: Vec3<R>,
    spread: Spread<R>,
    /// W (r × e) for the world's three axes e.
    turns: [Vec3<R>; 3],
}

impl<R: Real> Lever<R> for AnyLever<R> {
    #[inline(always)]
    fn new(arm: Vec3<R>, frame: &Frame<R>, i: Vec3<R>) -> Self {
        let spread = Spread::new(frame, i);
        Self { arm, spread, turns: spread.of_arm(arm) }
    }

    #[inline(always)]
    fn matrix(&self) -> [R; 6] {
        let (r, [x, y, z]) = (self.arm, self.turns);
        [
            r.z * x.y - r.y * x.z,
            r.x * x.z - r.z * x.x,
            r.x * y.z - r.z * y.x,
            r.y * x.x - r.x * x.y,
            r.y * y.x - r.x * y.y,
            r.y * z.x - r.x * z.y,
        ]
    }

    #[inline(always)]
    fn turn(&self, p: Vec3<R>) -> Vec3<R> {
        let [x, y, z] = self.turns;
        x * p.x + y * p.y + z * p.z
    }
}

/// Of a body that resists alike in all directions, W = i 1, as balls and cubes do and what nothing turns.
pub(super) struct RoundLever<R> {
    arm: Vec3<R>,
    i: R,
    /// i r.
    moment: Vec3<R>,
}

impl<R: Real> Lever<R> for RoundLever<R> {
    #[inline(always)]
    fn new(arm: Vec3<R>, _: &Frame<R>, i: Vec3<R>) -> Self {
        Self { arm, i: i.x, moment: arm * i.x }
    }

    #[inline(always)]
    fn matrix(&self) -> [R; 6] {
        let (r, m) = (self.arm, self.moment);
        let (x, y, z) = (r.x * m.x, r.y * m.y, r.z * m.z);
        [y + z, -(r.x * m.y), z + x, -(r.x * m.z), -(r.y * m.z), x + y]
    }

    #[inline(always)]
    fn turn(&self, p: Vec3<R>) -> Vec3<R> {
        self.moment.cross(p)
    }
}
