//! The two ends of a joint in the world, and the rows that joints are made of.

use super::frame::Frame;
use crate::constraints::{Constraint, Distance};
use crate::math::{Quat, Real, Vec3};
use crate::state::MovingBody;

/// How many numbers [`Params`] are.
const PARAMS: usize = 19;

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
    /// α / h²; infinite where the joint has broken.
    pub alpha: R,
    /// Of an angle, how far from `middle` it is foreseen to be at the end of the substep (rad): so turns are counted.
    pub foreseen: R,
    /// The largest |λ| of a motor: F h² (N s²), of angles M h².
    pub most: R,
}

impl<R: Real> Params<R> {
    /// All its numbers in a row.
    pub(crate) fn to_array(self) -> [R; PARAMS] {
        let (arms, frames) = (self.arms.map(Vec3::to_array), self.frames.map(Quat::to_array));
        std::array::from_fn(|i| match i {
            0..6 => arms.as_flattened()[i],
            6..14 => frames.as_flattened()[i - 6],
            14 => self.middle,
            15 => self.half,
            16 => self.alpha,
            17 => self.most,
            _ => self.foreseen,
        })
    }

    /// From the numbers that [`to_array`](Self::to_array) gives.
    pub(crate) fn from_array(n: [R; PARAMS]) -> Self {
        let quat = |i: usize| Quat::new(n[i], n[i + 1], n[i + 2], n[i + 3]);
        Self {
            arms: [0, 3].map(|i| Vec3::new(n[i], n[i + 1], n[i + 2])),
            frames: [quat(6), quat(10)],
            middle: n[14],
            half: n[15],
            alpha: n[16],
            most: n[17],
            foreseen: n[18],
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
    /// The part of C that a step is to take away: one, or less where Newton's step would go too far.
    pub share: R,
}

/// The rows of a sort of joint.
pub trait Rows<const K: usize>: Sized + Send + Sync + 'static {
    /// Whether it may drive, with a largest force or torque.
    const DRIVES: bool;
    /// Whether it makes one point of two: impulses precess.
    const MEETS: bool;
    /// Whether b's point slides: impulses act on a where it is.
    const SLIDES: bool = false;
    /// The rows.
    fn rows<R: Real>(link: &Link<R>, p: &Params<R>) -> [Row<R>; K];
}

/// The two ends in the world.
#[derive(Clone, Copy)]
pub struct Link<R> {
    /// The orientations.
    pub(super) frames: [Frame<R>; 2],
    /// From the centers to the points.
    pub(super) arms: [Vec3<R>; 2],
    pub(super) points: [Vec3<R>; 2],
    /// How far corrections have turned them in this substep (rad); zero where that is not asked.
    pub(super) turned: [Vec3<R>; 2],
}

/// Where a body stands.
pub type Pose<R> = (Vec3<R>, Quat<R>);

impl<R: Real> Link<R> {
    /// The ends of a joint between bodies that stand so.
    #[inline(always)]
    pub fn new([(xa, qa), (xb, qb)]: [Pose<R>; 2], p: &Params<R>) -> Self {
        let frames = [Frame::new(qa), Frame::new(qb)];
        let arms = [frames[0].turn(p.arms[0]), frames[1].turn(p.arms[1])];
        Self { frames, arms, points: [xa + arms[0], xb + arms[1]], turned: [Vec3::zero(); 2] }
    }

    /// The same of bodies that are being projected.
    #[inline(always)]
    pub(super) fn of_moving([a, b]: [&MovingBody<R>; 2], p: &Params<R>) -> Self {
        Self { turned: [a.turn, b.turn], ..Self::new([(a.x, a.q), (b.x, b.q)], p) }
    }

    /// Joint axis `k` as end `end` carries it.
    #[inline(always)]
    pub(super) fn axis(&self, p: &Params<R>, end: usize, k: usize) -> Vec3<R> {
        self.frames[end].turn(p.frames[end].rotate(Vec3::axis(k)))
    }

    /// p_a - p_b along an axis of the world.
    #[inline(always)]
    pub(super) fn along_world(&self, k: usize) -> Row<R> {
        let t = Vec3::axis(k);
        Row {
            c: t.dot(self.points[0] - self.points[1]),
            linear: t,
            turn: [self.arms[0].cross(t), -self.arms[1].cross(t)],
            share: R::of(1.0),
        }
    }

    /// p_a - p_b along joint axis `k` of end a.
    #[inline(always)]
    pub(super) fn along(&self, p: &Params<R>, k: usize) -> Row<R> {
        let t = self.axis(p, 0, k);
        let gap = self.points[0] - self.points[1];
        Row {
            c: t.dot(gap),
            linear: t,
            turn: [(self.arms[0] - gap).cross(t), -self.arms[1].cross(t)],
            share: R::of(1.0),
        }
    }

    /// Joint axis `i` of a at right angles to joint axis `j` of b. Of an angle θ between them C is sin θ and Newton's step tan θ,
    /// which goes beyond -θ from 67° on, to any angle at 90°. So from 30° on the step is 1.15 sin θ.
    #[inline(always)]
    pub(super) fn square(&self, p: &Params<R>, i: usize, j: usize) -> Row<R> {
        let (a, b) = (self.axis(p, 0, i), self.axis(p, 1, j));
        let torque = a.cross(b);
        let (square, near) = (torque.dot(torque), R::of(0.75));
        let share = R::select(square.lt(near), (square / near).sqrt(), R::of(1.0));
        Row { c: a.dot(b), linear: Vec3::zero(), turn: [torque, -torque], share }
    }

    /// The part along world axis `k` of the turn from the joint's axes of a to those of b (rad). The gradient is that of small
    /// turns; the direction of the turn is right for all.
    #[inline(always)]
    pub(super) fn turned(&self, p: &Params<R>, k: usize) -> Row<R> {
        let (mut sine, mut trace) = (Vec3::zero(), R::zero());
        for axis in 0..3 {
            let (a, b) = (self.axis(p, 0, axis), self.axis(p, 1, axis));
            sine += a.cross(b) * R::of(0.5);
            trace = trace + a.dot(b);
        }
        let length = sine.length();
        let angle = R::atan2(length, (trace - R::of(1.0)) * R::of(0.5));
        // What hardly turns: sin θ is θ.
        let small = length.lt(R::of(1e-6));
        let share = R::select(small, R::of(1.0), angle.over_positive(length));
        let t = Vec3::axis(k);
        let one = R::of(1.0);
        Row { c: t.dot(sine) * share, linear: Vec3::zero(), turn: [-t, t], share: one }
    }

    /// |p_a - p_b| - rest.
    #[inline(always)]
    pub(super) fn length(&self, rest: R) -> Row<R> {
        let [row] = Distance::evaluate(self.points, [rest]);
        let linear = row.g[0] * R::of(1.0).over_positive(row.n);
        let turn = [self.arms[0].cross(linear), -self.arms[1].cross(linear)];
        Row { c: row.c, linear, turn, share: R::of(1.0) }
    }
}
