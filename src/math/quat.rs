//! Unit quaternions: orientations, over any number.
//!
//! ```text
//! q ⊗ p      Hamilton product: first p, then q
//! R(q) v     v + 2 w (u × v) + 2 u × (u × v), u the vector part
//! exp(θ)     (θ/2 sinc(|θ|/2), cos(|θ|/2))                  the exponential map R³ -> S³ (Grassia; S4-16)
//! ```
//!
//! sinc and cos are even, so both are polynomials in |θ|²: their Taylor series, which need no branch near zero, no root and
//! no division. They are cut where |θ| <= π is exact to 1e-9; a longer θ is shortened to π (one
//! whose square overflows, to nothing).

use super::{Real, Vec3};
use core::ops::Mul;

/// An orientation; x y z is the vector part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quat<R> {
    /// Vector part, along x.
    pub x: R,
    /// Vector part, along y.
    pub y: R,
    /// Vector part, along z.
    pub z: R,
    /// Scalar part.
    pub w: R,
}

/// The orientation x y z w of what is not turned.
pub const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// 1 / (2n + 1)! with alternating signs, highest first: sin(y) / y in powers of y².
const SINC: [f64; 8] = [
    -1.0 / 1_307_674_368_000.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 39_916_800.0,
    1.0 / 362_880.0,
    -1.0 / 5_040.0,
    1.0 / 120.0,
    -1.0 / 6.0,
    1.0,
];
/// 1 / (2n)! with alternating signs, highest first: cos(y) in powers of y².
const COS: [f64; 9] = [
    1.0 / 20_922_789_888_000.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 479_001_600.0,
    -1.0 / 3_628_800.0,
    1.0 / 40_320.0,
    -1.0 / 720.0,
    1.0 / 24.0,
    -0.5,
    1.0,
];

/// A polynomial, highest power first.
#[inline(always)]
fn polynomial<R: Real, const N: usize>(coefficients: [f64; N], x: R) -> R {
    let mut sum = R::of(coefficients[0]);
    for c in &coefficients[1..] {
        sum = sum * x + R::of(*c);
    }
    sum
}

impl<R: Real> Quat<R> {
    /// The quaternion of these parts.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R, w: R) -> Self {
        Self { x, y, z, w }
    }

    /// No turn.
    #[inline(always)]
    pub fn identity() -> Self {
        let zero = R::zero();
        Self::new(zero, zero, zero, R::of(1.0))
    }

    /// The same constants x y z w in every lane.
    #[inline(always)]
    pub fn of([x, y, z, w]: [f64; 4]) -> Self {
        Self::new(R::of(x), R::of(y), R::of(z), R::of(w))
    }

    /// x y z w.
    #[inline(always)]
    pub fn to_array(self) -> [R; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The vector part.
    #[inline(always)]
    pub fn vector(self) -> Vec3<R> {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The turn back.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self::new(-self.x, -self.y, -self.z, self.w)
    }

    /// Of length one; the zero quaternion stays as it is.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        let square = self.x * self.x + self.y * self.y + (self.z * self.z + self.w * self.w);
        let scale = R::of(1.0).over_positive(square.sqrt());
        Self::new(self.x * scale, self.y * scale, self.z * scale, self.w * scale)
    }

    /// `yes` where `mask` holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        let v = Vec3::select(mask, yes.vector(), no.vector());
        Self::new(v.x, v.y, v.z, R::select(mask, yes.w, no.w))
    }

    /// A vector turned: from the body's frame into the world.
    #[inline(always)]
    pub fn rotate(self, v: Vec3<R>) -> Vec3<R> {
        let u = self.vector();
        let t = u.cross(v);
        let t = t + t;
        v + t * self.w + u.cross(t)
    }

    /// A vector turned back: from the world into the body's frame.
    #[inline(always)]
    pub fn unrotate(self, v: Vec3<R>) -> Vec3<R> {
        self.conjugate().rotate(v)
    }

    /// The columns of the rotation's matrix: where the axes go.
    #[inline(always)]
    pub fn columns(self) -> [Vec3<R>; 3] {
        let Self { x, y, z, w } = self;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, yz, zx) = (x * y2, y * z2, z * x2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = R::of(1.0);
        [
            Vec3::new(one - (yy + zz), xy + wz, zx - wy),
            Vec3::new(xy - wz, one - (zz + xx), yz + wx),
            Vec3::new(zx + wy, yz - wx, one - (xx + yy)),
        ]
    }

    /// The rotation vector `theta` (rad) as a quaternion; its length is one only up to rounding.
    #[inline(always)]
    pub fn exp(theta: Vec3<R>) -> Self {
        let most = R::of(core::f64::consts::PI * core::f64::consts::PI);
        let square = theta.dot(theta);
        let long = most.lt(square);
        let shorter = R::select(long, (most / square).sqrt(), R::of(1.0));
        let y2 = square.min(most) * R::of(0.25);
        let v = theta * (polynomial(SINC, y2) * (shorter * R::of(0.5)));
        Self::new(v.x, v.y, v.z, polynomial(COS, y2))
    }

    /// Turned on by ω h for a small step: normalized q + h/2 [ω, 0] ⊗ q (S4-08). `half` is ω h / 2.
    #[inline(always)]
    pub fn advanced(self, half: Vec3<R>) -> Self {
        self.towards(half).normalized()
    }

    /// As [`advanced`](Self::advanced), of any length.
    #[inline(always)]
    pub fn towards(self, half: Vec3<R>) -> Self {
        let Self { x, y, z, w } = self;
        Self::new(
            x + (half.x * w + (half.y * z - half.z * y)),
            y + (half.y * w + (half.z * x - half.x * z)),
            z + (half.z * w + (half.x * y - half.y * x)),
            w - (half.x * x + (half.y * y + half.z * z)),
        )
    }
}

impl<R> From<[R; 4]> for Quat<R> {
    #[inline(always)]
    fn from([x, y, z, w]: [R; 4]) -> Self {
        Self { x, y, z, w }
    }
}

impl<R: Real> Mul for Quat<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self::new(
            self.w * o.x + self.x * o.w + (self.y * o.z - self.z * o.y),
            self.w * o.y + self.y * o.w + (self.z * o.x - self.x * o.z),
            self.w * o.z + self.z * o.w + (self.x * o.y - self.y * o.x),
            self.w * o.w - self.x * o.x - (self.y * o.y + self.z * o.z),
        )
    }
}
