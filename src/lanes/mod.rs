//! Arithmetic: the number every formula is written in.
//!
//! A formula is written once over [`Real`] and run at `f32` (the reference), [`F32x8`] (the engine), `f64` (the oracle)
//! and by the tests' dual numbers (the gradient oracle). All provided functions are built from the required ones, in one
//! order, so that every width rounds alike: lane and scalar agree to the last bit on every build.
//!
//! No fused multiply-add and no approximate reciprocal: both change bits between machines and were measured to buy
//! 0-25 % (`MEASURED.md`, arithmetic and builds).

mod scalar;
mod vec3;
mod wide8;

pub use scalar::Scalar;
pub use vec3::Vec3;
pub use wide8::{BACKEND, F32x8, halves, join, lanes_below, pack, transpose, unpack};

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Lanes of the engine's vector type.
pub const WIDTH: usize = 8;

/// One value for each lane. (Written out: `std::array::from_fn` is not always inlined, which costs a gather half its speed.)
#[inline(always)]
pub fn each_lane<T>(f: impl Fn(usize) -> T) -> [T; WIDTH] {
    [f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)]
}

/// A number, or several numbers side by side, on which formulas are written.
pub trait Real:
    Copy
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// The outcome of a comparison, one per lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask>;

    /// The constant `v` in every lane; f64, so that 1/6 stays 1/6 for the oracles.
    fn of(v: f64) -> Self;
    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// `self < other`; false where either is not a number.
    fn lt(self, other: Self) -> Self::Mask;
    /// `yes` where `mask` holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Zero in every lane.
    #[inline(always)]
    fn zero() -> Self {
        Self::of(0.0)
    }

    /// The smaller of two: `select(self < other, self, other)`, as the `min` of `f32` and of `wide` differ in the sign of zero.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    /// The larger of two: `select(other < self, self, other)`.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(other.lt(self), self, other)
    }

    /// The magnitude (`-0` stays `-0`).
    #[inline(always)]
    fn abs(self) -> Self {
        Self::select(self.lt(Self::zero()), -self, self)
    }

    /// `self` held between `least` and `most`.
    #[inline(always)]
    fn clamp(self, least: Self, most: Self) -> Self {
        self.max(least).min(most)
    }

    /// `self / by` where `by > 0`, else zero: a degenerate geometry gives no correction.
    #[inline(always)]
    fn over_positive(self, by: Self) -> Self {
        Self::select(Self::zero().lt(by), self / by, Self::zero())
    }
}
