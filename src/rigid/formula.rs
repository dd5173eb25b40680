//! What joints hold, by the degrees of freedom they remove; one file for all, as all are made of three sorts of rows.
//!
//! ```text
//! points      C = t · (p_a - p_b)      t a world axis (ball), or attached to a (line, plane)       S4-17, S4-18, S4-19
//! directions  C = d_a · d_b            two directions that were at right angles                    S4-20
//! coordinate  C = s - clamp(s)         limits (from lo to hi) and motors (lo = hi) of angle, way, length, swing
//!
//! ball 3 points · line 2 · plane 1 · distance 1 · hinge 3 points 2 directions · universal 3 and 1 · slider 2 and 3 · fixed 3 and 3
//! ```
//!
//! A row's gradient is linear about a, minus that about b, and a torque about either center (S4-13). With p = x + R r and
//! δR = δθ × R: ∂(d_a·d_b)/∂θ_a = d_a × d_b, and t attached to a sees ∂C/∂θ_a = (p_b - x_a) × t.

#![allow(clippy::needless_range_loop)] // rows, gradients and multipliers run side by side

use super::frame::Frame;
use super::solve::{project_ball, project_rows};
use crate::constraints::{Constraint, Distance};
use crate::math::{Quat, Real, Vec3};
use crate::state::MovingBody;

/// What a joint knows of its ends, or of eight side by side.
#[derive(Clone, Copy, Debug)]
pub struct Params<R> {
    /// The points, in the ends' principal frames (m).
    pub arms: [Vec3<R>; 2],
    /// The joint's axes, in the ends' principal frames: x is its axis.
    pub frames: [Quat<R>; 2],
    /// Middle and half width of what a coordinate may be (m, rad); `middle` is also a distance's rest length.
    pub middle: R,
    /// Half of hi - lo.
    pub half: R,
    /// α / h².
    pub alpha: R,
}

impl<R: Real> Params<R> {
    /// All its numbers in a row.
    pub(crate) fn to_array(self) -> [R; 17] {
        let [a, b] = self.arms;
        let [f, g] = self.frames;
        [
            a.x,
            a.y,
            a.z,
            b.x,
            b.y,
            b.z,
            f.x,
            f.y,
            f.z,
            f.w,
            g.x,
            g.y,
            g.z,
            g.w,
            self.middle,
            self.half,
            self.alpha,
        ]
    }

    /// From the numbers that [`to_array`](Self::to_array) gives.
    pub(crate) fn from_array(n: [R; 17]) -> Self {
        let quat = |i: usize| Quat::new(n[i], n[i + 1], n[i + 2], n[i + 3]);
        Self {
            arms: [0, 3].map(|i| Vec3::new(n[i], n[i + 1], n[i + 2])),
            frames: [quat(6), quat(10)],
            middle: n[14],
            half: n[15],
            alpha: n[16],
        }
    }
}

/// One equation between two bodies a and b.
#[derive(Clone, Copy, Debug)]
pub struct Row<R> {
    /// C (m or rad).
    pub c: R,
    /// ∂C/∂x_a; ∂C/∂x_b is its opposite.
    pub linear: Vec3<R>,
    /// ∂C/∂θ of each body.
    pub turn: [Vec3<R>; 2],
}

/// The two ends in the world.
#[derive(Clone, Copy)]
pub struct Link<R> {
    /// The orientations.
    pub(super) frames: [Frame<R>; 2],
    /// From the centers to the points.
    pub(super) arms: [Vec3<R>; 2],
    pub(super) points: [Vec3<R>; 2],
}

/// Where a body stands.
pub type Pose<R> = (Vec3<R>, Quat<R>);

impl<R: Real> Link<R> {
    /// The ends of a joint between bodies that stand so.
    #[inline(always)]
    pub fn new([(xa, qa), (xb, qb)]: [Pose<R>; 2], p: &Params<R>) -> Self {
        let frames = [Frame::new(qa), Frame::new(qb)];
        let arms = [frames[0].turn(p.arms[0]), frames[1].turn(p.arms[1])];
        Self {
            frames,
            arms,
            points: [xa + arms[0], xb + arms[1]],
        }
    }

    /// Joint axis `k` as end `end` carries it.
    #[inline(always)]
    fn axis(&self, p: &Params<R>, end: usize, k: usize) -> Vec3<R> {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        self.frames[end].turn(p.frames[end].rotate(Vec3::of(unit)))
    }

    /// p_a - p_b along an axis of the world.
    #[inline(always)]
    fn along_world(&self, k: usize) -> Row<R> {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        let t = Vec3::of(unit);
        Row {
            c: t.dot(self.points[0] - self.points[1]),
            linear: t,
            turn: [self.arms[0].cross(t), -self.arms[1].cross(t)],
        }
    }

    /// p_a - p_b along joint axis `k` of end a.
    #[inline(always)]
    fn along(&self, p: &Params<R>, k: usize) -> Row<R> {
        let t = self.axis(p, 0, k);
        let gap = self.points[0] - self.points[1];
        Row {
            c: t.dot(gap),
            linear: t,
            turn: [(self.arms[0] - gap).cross(t), -self.arms[1].cross(t)],
        }
    }

    /// Joint axis `i` of a at right angles to joint axis `j` of b.
    #[inline(always)]
    fn square(&self, p: &Params<R>, i: usize, j: usize) -> Row<R> {
        let (a, b) = (self.axis(p, 0, i), self.axis(p, 1, j));
        let torque = a.cross(b);
        Row {
            c: a.dot(b),
            linear: Vec3::zero(),
            turn: [torque, -torque],
        }
    }

    /// |p_a - p_b| (m).
    pub(super) fn distance(&self) -> R {
        self.length(R::zero()).c
    }

    /// |p_a - p_b| - rest.
    #[inline(always)]
    fn length(&self, rest: R) -> Row<R> {
        let [row] = Distance::evaluate(self.points, [rest]);
        let linear = row.g[0] * R::of(1.0).over_positive(row.n);
        Row {
            c: row.c,
            linear,
            turn: [self.arms[0].cross(linear), -self.arms[1].cross(linear)],
        }
    }
}

/// What a sort of joint holds: K rows.
pub trait Formula<const K: usize>: Sized + Send + Sync + 'static {
    /// The rows.
    fn rows<R: Real>(link: &Link<R>, p: &Params<R>) -> [Row<R>; K];

    /// Projects a joint: all its rows at once.
    #[inline(always)]
    fn project<R: Real>(bodies: &mut [MovingBody<R>; 2], p: &Params<R>, lambda: &mut [R; K]) {
        project_rows::<Self, R, K>(bodies, p, lambda);
    }
}

macro_rules! formulas {
    ($($(#[$doc:meta])* $name:ident $rows:literal |$link:ident, $p:ident| [$($row:expr),*] $(by $project:ident)?;)*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl Formula<$rows> for $name {
            #[inline(always)]
            fn rows<R: Real>($link: &Link<R>, $p: &Params<R>) -> [Row<R>; $rows] {
                [$($row),*]
            }
            $(
                #[inline(always)]
                fn project<R: Real>(bodies: &mut [MovingBody<R>; 2], p: &Params<R>, lambda: &mut [R; $rows]) {
                    $project(bodies, p, lambda);
                }
            )?
        }
    )*};
}

formulas! {
    /// The points are one.
    Ball 3 |l, _p| [l.along_world(0), l.along_world(1), l.along_world(2)] by project_ball;
    /// b's point on a line of a.
    Line 2 |l, p| [l.along(p, 1), l.along(p, 2)];
    /// b's point in a plane of a.
    Plane 1 |l, p| [l.along(p, 0)];
    /// The points at a distance.
    Rod 1 |l, p| [l.length(p.middle)];
    /// A ball joint that turns about one axis.
    Hinge 5 |l, p| [l.along_world(0), l.along_world(1), l.along_world(2), l.square(p, 0, 1), l.square(p, 0, 2)];
    /// A ball joint that turns about two axes.
    Universal 4 |l, p| [l.along_world(0), l.along_world(1), l.along_world(2), l.square(p, 0, 1)];
    /// Moves along a line of a, and does not turn.
    Slider 5 |l, p| [l.along(p, 1), l.along(p, 2), l.square(p, 0, 1), l.square(p, 1, 2), l.square(p, 2, 0)];
    /// Neither moves nor turns.
    Fixed 6 |l, p| [
        l.along_world(0), l.along_world(1), l.along_world(2), l.square(p, 0, 1), l.square(p, 1, 2), l.square(p, 2, 0)
    ];
    /// The angle of b about the joint's axis.
    Angle 1 |l, p| [held(angle(l, p), p, true)];
    /// The way of b along the joint's axis.
    Way 1 |l, p| [held(way(l, p), p, false)];
    /// The distance of the points.
    Length 1 |l, p| [held(l.length(R::zero()), p, false)];
    /// The angle between the axis of a and that of b.
    Swing 1 |l, p| [held(swing(l, p), p, false)];
}

/// How far `value` is outside of what it may be.
#[inline(always)]
fn held<R: Real>(value: Row<R>, p: &Params<R>, wraps: bool) -> Row<R> {
    let pi = R::of(core::f64::consts::PI);
    let mut off = value.c - p.middle;
    if wraps {
        let above = R::select(pi.lt(off), off - (pi + pi), off);
        off = R::select(above.lt(-pi), above + (pi + pi), above);
    }
    Row {
        c: off - off.clamp(-p.half, p.half),
        ..value
    }
}

/// The angle of b about the joint's axis, -π..π.
#[inline(always)]
pub fn angle<R: Real>(link: &Link<R>, p: &Params<R>) -> Row<R> {
    let axis = link.axis(p, 0, 0);
    let (a, b) = (link.axis(p, 0, 1), link.axis(p, 1, 1));
    Row {
        c: a.cross(b).dot(axis).atan2(a.dot(b)),
        linear: Vec3::zero(),
        turn: [-axis, axis],
    }
}

/// The way of b's point along the joint's axis (m).
#[inline(always)]
pub fn way<R: Real>(link: &Link<R>, p: &Params<R>) -> Row<R> {
    let Row { c, linear, turn } = link.along(p, 0);
    Row {
        c: -c,
        linear: -linear,
        turn: [-turn[0], -turn[1]],
    }
}

/// The angle between the axes, 0..π.
#[inline(always)]
fn swing<R: Real>(link: &Link<R>, p: &Params<R>) -> Row<R> {
    let (a, b) = (link.axis(p, 0, 0), link.axis(p, 1, 0));
    let normal = a.cross(b);
    let sine = normal.length();
    let n = normal * R::of(1.0).over_positive(sine);
    Row {
        c: sine.atan2(a.dot(b)),
        linear: Vec3::zero(),
        turn: [-n, n],
    }
}
