//! Two bodies in the world while an element works on them, and what it does to both.

use super::touch::Row;
use crate::lanes::{Quat, Real, Vec3};
use crate::rigid::Moving;
use crate::rigid::frame::{Frame, Spread};

/// How a body lies in the world, and how its inertia resists there.
pub(super) struct Stance<R> {
    frame: Frame<R>,
    spread: Spread<R>,
}

impl<R: Real> Stance<R> {
    /// Of a body that lies as `q` says.
    #[inline(always)]
    pub(super) fn new(q: Quat<R>, body: &Moving<R>) -> Self {
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

/// What an element does to its two bodies, gathered in registers: linear and angular, of positions or of velocities.
pub(super) struct Change<R> {
    pub(super) linear: [Vec3<R>; 2],
    pub(super) angular: [Vec3<R>; 2],
}

/// Two bodies in the world.
pub(super) struct Two<R> {
    pub(super) frames: [Stance<R>; 2],
    pub(super) weights: [R; 2],
}

impl<R: Real> Two<R> {
    #[inline(always)]
    pub(super) fn new(a: &Moving<R>, b: &Moving<R>, q: [Quat<R>; 2]) -> Self {
        Self {
            frames: [Stance::new(q[0], a), Stance::new(q[1], b)],
            weights: [a.w, b.w],
        }
    }

    /// Cores and levers of a point.
    #[inline(always)]
    pub(super) fn levers<I, const K: usize>(
        &self,
        row: &Row<I, R, K>,
        k: usize,
    ) -> [[Vec3<R>; 2]; 2] {
        let [a, b] = row.points[k].arms;
        let (a, b) = (self.frames[0].turn(a), self.frames[1].turn(b));
        let (ra, rb) = (row.normal * row.radii[0], row.normal * row.radii[1]);
        [[a, b], [a - ra, b + rb]]
    }

    /// J M⁻¹ Jᵀ along d (not of unit length: times |d|²), and how a unit along it turns both.
    #[inline(always)]
    pub(super) fn weigh(&self, levers: [Vec3<R>; 2], d: Vec3<R>) -> (R, [Vec3<R>; 2]) {
        let torques = [levers[0].cross(d), levers[1].cross(d)];
        let turns = [
            self.frames[0].inverse(torques[0]),
            self.frames[1].inverse(torques[1]),
        ];
        let w = (self.weights[0] + self.weights[1]) * d.dot(d);
        (
            w + torques[0].dot(turns[0]) + torques[1].dot(turns[1]),
            turns,
        )
    }

    /// The impulse p at a point: on a, and its opposite on b.
    #[inline(always)]
    pub(super) fn push(&self, change: &mut Change<R>, levers: [Vec3<R>; 2], p: Vec3<R>) {
        change.linear[0] += p * self.weights[0];
        change.linear[1] += -(p * self.weights[1]);
        change.angular[0] += self.frames[0].inverse(levers[0].cross(p));
        change.angular[1] += -self.frames[1].inverse(levers[1].cross(p));
    }
}

impl<R: Real> Change<R> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self {
            linear: [Vec3::zero(); 2],
            angular: [Vec3::zero(); 2],
        }
    }

    /// How far it takes the points apart.
    #[inline(always)]
    pub(super) fn parts(&self, levers: [Vec3<R>; 2]) -> Vec3<R> {
        self.linear[0] - self.linear[1] + self.angular[0].cross(levers[0])
            - self.angular[1].cross(levers[1])
    }

    #[inline(always)]
    pub(super) fn apply(&self, a: &mut Moving<R>, b: &mut Moving<R>) {
        a.correct(self.linear[0], self.angular[0]);
        b.correct(self.linear[1], self.angular[1]);
    }
}
