//! A body while constraints are projected.

use crate::math::{Quat, Real, Scalar, Vec3};

/// Numbers of a record that projections change.
pub(super) const MOVING: usize = 16;
/// Numbers of a record that they do not.
pub(super) const MASS: usize = 8;

/// A body, or as many side by side as `R` has lanes, while constraints are projected.
#[derive(Clone, Copy, Debug)]
pub struct MovingBody<R> {
    /// Center of mass (m).
    pub x: Vec3<R>,
    /// Principal axes; of length one up to rounding.
    pub q: Quat<R>,
    /// Σ Δx since the prediction (m).
    pub push: Vec3<R>,
    /// Σ Δθ since the prediction (rad).
    pub turn: Vec3<R>,
    /// What the spin is given beyond `turn`, times h (rad): see `rigid/precession.rs`.
    pub precession: Vec3<R>,
    /// Principal axes when the substep began.
    pub previous: Quat<R>,
    /// Inverse mass (1/kg).
    pub w: R,
    /// Inverse principal moments (1/(kg m²)).
    pub inverse_inertia: Vec3<R>,
}

impl<R: Real> MovingBody<R> {
    /// A body that nothing moves, in the origin: the world.
    #[inline(always)]
    pub fn world() -> Self {
        let zero = Vec3::zero();
        Self {
            x: zero,
            q: Quat::identity(),
            push: zero,
            turn: zero,
            precession: zero,
            previous: Quat::identity(),
            w: R::zero(),
            inverse_inertia: zero,
        }
    }

    /// A point mass: a body that nothing turns.
    #[inline(always)]
    pub fn particle(x: Vec3<R>, w: R) -> Self {
        Self { x, w, ..Self::world() }
    }

    /// The body of a record.
    #[inline(always)]
    pub(crate) fn from_record(m: [R; MOVING], [w, a, b, c, qx, qy, qz, qw]: [R; MASS]) -> Self {
        let three = |i: usize| Vec3::new(m[i], m[i + 1], m[i + 2]);
        Self {
            x: three(0),
            q: Quat::new(m[4], m[5], m[6], m[7]),
            push: three(8),
            turn: three(12),
            precession: Vec3::new(m[3], m[11], m[15]),
            previous: Quat::new(qx, qy, qz, qw),
            w,
            inverse_inertia: Vec3::new(a, b, c),
        }
    }

    /// Its record.
    #[inline(always)]
    pub(crate) fn to_record(self) -> [R; MOVING] {
        let Self { x, q, push, turn, precession: p, .. } = self;
        [
            x.x, x.y, x.z, p.x, q.x, q.y, q.z, q.w, push.x, push.y, push.z, p.y, turn.x, turn.y,
            turn.z, p.z,
        ]
    }

    /// The same, each number as `number` makes it.
    #[inline(always)]
    fn map<T: Real>(self, number: impl Fn(R) -> T) -> MovingBody<T> {
        let vector = |v: Vec3<R>| Vec3::new(number(v.x), number(v.y), number(v.z));
        let turn = |q: Quat<R>| Quat::new(number(q.x), number(q.y), number(q.z), number(q.w));
        MovingBody {
            x: vector(self.x),
            q: turn(self.q),
            push: vector(self.push),
            turn: vector(self.turn),
            precession: vector(self.precession),
            previous: turn(self.previous),
            w: number(self.w),
            inverse_inertia: vector(self.inverse_inertia),
        }
    }

    /// What projections have changed, of `yes` where `mask` holds, of `no` elsewhere.
    #[inline(always)]
    pub(crate) fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        let of = |yes, no| Vec3::select(mask, yes, no);
        Self {
            x: of(yes.x, no.x),
            q: Quat::select(mask, yes.q, no.q),
            push: of(yes.push, no.push),
            turn: of(yes.turn, no.turn),
            precession: of(yes.precession, no.precession),
            ..no
        }
    }

    /// Moves and turns the body by a correction.
    #[inline(always)]
    pub fn correct(&mut self, dx: Vec3<R>, dtheta: Vec3<R>) {
        self.x += dx;
        self.push += dx;
        self.turn += dtheta;
        self.q = Quat::exp(dtheta) * self.q;
    }
}

impl<R: Scalar> MovingBody<R> {
    /// In double precision.
    pub(crate) fn to_f64(self) -> MovingBody<f64> {
        self.map(R::to_f64)
    }
}

impl MovingBody<f64> {
    /// Rounded to another number.
    pub(crate) fn rounded<R: Real>(self) -> MovingBody<R> {
        self.map(R::of)
    }
}
