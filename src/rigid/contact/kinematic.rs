//! Kinematic motion: where what no contact moves begins a substep, and where it ends it.

use super::instance::InstanceState;
use crate::collision::Collider;
use crate::math::{Quat, Real, Vec3};

/// A position (m) and an orientation.
type Placement = (Vec3<f32>, Quat<f32>);

/// One substep of what no contact moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct KinematicMotion {
    pub(super) from: Placement,
    pub(super) to: Placement,
    /// Whether it neither moves nor has since the substep before.
    pub(super) still: bool,
}

impl KinematicMotion {
    pub(super) fn none() -> Self {
        let origin = (Vec3::zero(), Quat::identity());
        Self { from: origin, to: origin, still: false }
    }

    /// Of a collider in the substep of `h` (s) from `time` (s) on.
    pub(super) fn of_collider(collider: &Collider, time: f64, h: f64) -> Self {
        let at = |time: f64| {
            let (x, q) = collider.pose(time).turned();
            (Vec3::of(x.to_array()), Quat::of(q.to_array()))
        };
        Self { from: at(time), to: at(time + h), still: false }
    }

    /// The substep that follows this one.
    pub(super) fn follow(&mut self, next: Self) {
        let still = next.from == next.to && next.from == self.from && next.to == self.to;
        *self = Self { still, ..next };
    }

    /// Of a point of its core, with `round` from there to the surface: where it begins, and how far the surface comes there.
    pub(super) fn points(&self, anchor: Vec3<f32>, round: Vec3<f32>) -> [Vec3<f32>; 2] {
        let at = |(x, q): Placement, anchor: Vec3<f32>| x + q.rotate(anchor);
        let surface = anchor + self.from.1.unrotate(round);
        [at(self.from, anchor), at(self.to, surface) - at(self.from, surface)]
    }

    /// By how much it turns (rad).
    pub(super) fn turn(&self) -> Vec3<f32> {
        if self.to.1 == self.from.1 {
            return Vec3::zero();
        }
        let q = self.to.1 * self.from.1.conjugate();
        let (v, w) = (q.vector(), q.w);
        let sine = v.length();
        let half = if w < 0.0 { Real::atan2(-sine, -w) } else { Real::atan2(sine, w) };
        v * (2.0 * half).over_positive(sine)
    }

    /// Where it begins; its velocity and an upper bound of its spin from its two placements, `h` (s) apart.
    pub(super) fn state(&self, h: f32) -> InstanceState {
        let Self { from, to, .. } = self;
        let turn = from.1.conjugate() * to.1;
        InstanceState {
            x: from.0,
            q: from.1,
            v: (to.0 - from.0) * (1.0 / h),
            spin: 2.2 * turn.vector().length() / h,
        }
    }
}
