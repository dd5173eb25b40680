//! Two bodies in the world while an element works on them, and what it does to both.

use super::touch::Row;
use crate::lanes::{Quat, Real, Vec3};
use crate::rigid::Moving;

/// A body's axes and its inverse inertia in the world.
pub(super) struct Frame<R> {
    axes: [Vec3<R>; 3],
    /// xx yy zz, yz zx xy.
    inverse: [Vec3<R>; 2],
}

impl<R: Real> Frame<R> {
    #[inline(always)]
    pub(super) fn new(q: Quat<R>, inertia: Vec3<R>) -> Self {
        let Quat { x, y, z, w } = q;
        let (one, x2, y2, z2) = (R::of(1.0), x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, yz, zx) = (x * y2, y * z2, z * x2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let a = Vec3::new(one - (yy + zz), xy + wz, zx - wy);
        let b = Vec3::new(xy - wz, one - (xx + zz), yz + wx);
        let c = Vec3::new(zx + wy, yz - wx, one - (xx + yy));
        let (p, q, r) = (a * inertia.x, b * inertia.y, c * inertia.z);
        let entry = |u: [R; 3], v: [R; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        let (x, y, z) = ([a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z]);
        let (px, py) = ([p.x, q.x, r.x], [p.y, q.y, r.y]);
        let pz = [p.z, q.z, r.z];
        Self {
            axes: [a, b, c],
            inverse: [
                Vec3::new(entry(px, x), entry(py, y), entry(pz, z)),
                Vec3::new(entry(py, z), entry(pz, x), entry(px, y)),
            ],
        }
    }

    #[inline(always)]
    pub(super) fn turn(&self, v: Vec3<R>) -> Vec3<R> {
        let [a, b, c] = self.axes;
        a * v.x + b * v.y + c * v.z
    }

    /// I⁻¹ v.
    #[inline(always)]
    pub(super) fn inverse(&self, v: Vec3<R>) -> Vec3<R> {
        let [d, o] = self.inverse;
        Vec3::new(
            d.x * v.x + o.z * v.y + o.y * v.z,
            o.z * v.x + d.y * v.y + o.x * v.z,
            o.y * v.x + o.x * v.y + d.z * v.z,
        )
    }
}

/// What an element does to its two bodies, gathered in registers: linear and angular, of positions or of velocities.
pub(super) struct Change<R> {
    pub(super) linear: [Vec3<R>; 2],
    pub(super) angular: [Vec3<R>; 2],
}

/// Two bodies in the world.
pub(super) struct Two<R> {
    pub(super) frames: [Frame<R>; 2],
    pub(super) weights: [R; 2],
}

impl<R: Real> Two<R> {
    #[inline(always)]
    pub(super) fn new(a: &Moving<R>, b: &Moving<R>, q: [Quat<R>; 2]) -> Self {
        Self {
            frames: [
                Frame::new(q[0], a.inverse_inertia),
                Frame::new(q[1], b.inverse_inertia),
            ],
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
