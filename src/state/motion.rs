//! How a collider, or whatever is driven, moves: a constant velocity and a constant turn about its center.
//!
//! ```text
//! center(t) = c + v t,   R(t) = exp(t [ω]×) R(0)            t held at the end of the motion
//! ```
//!
//! Computed in f64 from the time, not summed up, so that a motion has no drift and every method the same bits. Units: metres,
//! radians, seconds.

use crate::math::{Quat, Real, Vec3, sine_cosine};

/// A rigid motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Velocity of the center (m/s).
    pub velocity: [f64; 3],
    /// Angular velocity (rad/s), in world axes.
    pub angular_velocity: [f64; 3],
    /// When it begins (s).
    pub begins: f64,
    /// When it ends (s).
    pub ends: f64,
}

impl Default for Motion {
    fn default() -> Self {
        Self { velocity: [0.0; 3], angular_velocity: [0.0; 3], begins: 0.0, ends: f64::INFINITY }
    }
}

/// A position and an orientation: columns of the rotation, and the center (m).
#[derive(Clone, Copy, Debug)]
pub struct Pose<R> {
    pub(crate) columns: [Vec3<R>; 3],
    pub(crate) center: Vec3<R>,
}

impl Pose<f64> {
    /// At `center` (m), turned by the unit quaternion [x, y, z, w].
    pub fn new(center: [f64; 3], [x, y, z, w]: [f64; 4]) -> Self {
        let u = Vec3::new(x, y, z);
        let column = |v: Vec3<f64>| {
            // v + 2 u × (u × v + w v)
            v + u.cross(u.cross(v) + v * w) * 2.0
        };
        Self { columns: [0, 1, 2].map(|k| column(Vec3::axis(k))), center: Vec3::of(center) }
    }

    /// Where it is at `time` (s).
    pub fn moved(&self, motion: &Motion, time: f64) -> Self {
        let t = time.min(motion.ends) - motion.begins;
        if t.is_nan() || t <= 0.0 {
            return *self;
        }
        let omega = Vec3::of(motion.angular_velocity);
        let speed: f64 = omega.length();
        let (sin, cos) = sine_cosine(speed * t);
        let axis = omega * 1.0_f64.over_positive(speed);
        // Rodrigues: v cos + (a × v) sin + a (a·v) (1 - cos).
        let turn = |v: Vec3<f64>| match speed > 0.0 {
            true => v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos)),
            false => v,
        };
        let [a, b, c] = self.columns;
        Self {
            columns: [turn(a), turn(b), turn(c)],
            center: self.center + Vec3::of(motion.velocity) * t,
        }
    }

    /// The center, and the turn as a quaternion (Shepperd 1978).
    pub(crate) fn turned(&self) -> (Vec3<f64>, Quat<f64>) {
        let [a, b, c] = self.columns;
        let trace = a.x + b.y + c.z;
        let parts = match (trace, a.x, b.y, c.z) {
            (t, x, y, z) if t >= x && t >= y && t >= z => {
                [b.z - c.y, c.x - a.z, a.y - b.x, 1.0 + t]
            }
            (_, x, y, z) if x >= y && x >= z => [1.0 + x - y - z, a.y + b.x, c.x + a.z, b.z - c.y],
            (_, x, y, z) if y >= z => [a.y + b.x, 1.0 + y - z - x, b.z + c.y, c.x - a.z],
            (_, x, y, z) => [c.x + a.z, b.z + c.y, 1.0 + z - x - y, a.y - b.x],
        };
        (self.center, Quat::of(parts).normalized())
    }

    /// Rounded to `R`.
    pub fn round<R: Real>(&self) -> Pose<R> {
        Pose { columns: self.columns.map(Vec3::rounded), center: self.center.rounded() }
    }
}

impl<R: Real> Pose<R> {
    /// A direction of its own frame, in the world.
    #[inline(always)]
    pub fn turn(&self, v: Vec3<R>) -> Vec3<R> {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }

    /// A point of its own frame, in the world.
    #[inline(always)]
    pub fn world(&self, p: Vec3<R>) -> Vec3<R> {
        self.center + self.turn(p)
    }

    /// A point of the world, in its own frame.
    #[inline(always)]
    pub fn local(&self, p: Vec3<R>) -> Vec3<R> {
        let d = p - self.center;
        let [a, b, c] = self.columns;
        Vec3::new(a.dot(d), b.dot(d), c.dot(d))
    }
}
