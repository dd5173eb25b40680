//! Three numbers: the vector all formulas use. (`glam` fuses multiply-adds in native builds, so its bits differ between builds.)

use super::{Real, Scalar};
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// A point or direction in space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3<R> {
    /// First coordinate.
    pub x: R,
    /// Second coordinate (up, in the scenes).
    pub y: R,
    /// Third coordinate.
    pub z: R,
}

impl<R: Real> Vec3<R> {
    /// The vector (x, y, z).
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    /// The vector (0, 0, 0).
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(R::zero(), R::zero(), R::zero())
    }

    /// The same constants in every lane.
    #[inline(always)]
    pub fn of(v: [f64; 3]) -> Self {
        Self::new(R::of(v[0]), R::of(v[1]), R::of(v[2]))
    }

    /// The same number three times.
    #[inline(always)]
    pub fn splat(v: R) -> Self {
        Self::new(v, v, v)
    }

    /// The unit vector along an axis: 0 is x.
    #[inline(always)]
    pub fn axis(k: usize) -> Self {
        let mut unit = [0.0; 3];
        unit[k] = 1.0;
        Self::of(unit)
    }

    /// x y z.
    #[inline(always)]
    pub fn to_array(self) -> [R; 3] {
        [self.x, self.y, self.z]
    }

    /// Scalar product, summed as (x + y) + z.
    #[inline(always)]
    pub fn dot(self, o: Self) -> R {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self::new(
            self.y * o.z - self.z * o.y,
            self.z * o.x - self.x * o.z,
            self.x * o.y - self.y * o.x,
        )
    }

    /// Euclidean length.
    #[inline(always)]
    pub fn length(self) -> R {
        self.dot(self).sqrt()
    }

    /// `yes` where `mask` holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self::new(
            R::select(mask, yes.x, no.x),
            R::select(mask, yes.y, no.y),
            R::select(mask, yes.z, no.z),
        )
    }
}

impl<R: Scalar> Vec3<R> {
    /// In double precision.
    #[inline(always)]
    pub fn to_f64(self) -> Vec3<f64> {
        Vec3::new(self.x.to_f64(), self.y.to_f64(), self.z.to_f64())
    }
}

impl Vec3<f64> {
    /// The axis that it lies along least.
    pub fn farthest_axis(self) -> Self {
        let [x, y, z] = self.to_array().map(f64::abs);
        Self::axis(match x <= y && x <= z {
            true => 0,
            false if y <= z => 1,
            false => 2,
        })
    }

    /// Rounded to another number, the same in every lane.
    #[inline(always)]
    pub fn rounded<R: Real>(self) -> Vec3<R> {
        Vec3::of(self.to_array())
    }
}

impl<R> From<[R; 3]> for Vec3<R> {
    #[inline(always)]
    fn from([x, y, z]: [R; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<R: Real> Add for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

impl<R: Real> AddAssign for Vec3<R> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<R: Real> Sub for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

impl<R: Real> Neg for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<R: Real> Mul<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s)
    }
}

impl<R: Real> Div<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, s: R) -> Self {
        Self::new(self.x / s, self.y / s, self.z / s)
    }
}
