//! Arithmetic: the number every formula is written in.
//!
//! A formula is written once over [`Real`] and run at `f32` (the reference), [`F32x8`] (the engine), `f64` (the oracle)
//! and by the tests' dual numbers (the gradient oracle). All provided functions are built from the required ones, in one
//! order, so that every width rounds alike: lane and scalar agree to the last bit on every build.
//!
//! No fused multiply-add and no approximate reciprocal: both change bits between machines and were measured to buy
//! 0-25 % (`docs/notes/measured.md`, arithmetic and builds).

mod double8;
mod functions;
mod polygon;
mod quat;
mod scalar;
mod vec3;
mod wide16;
mod wide8;

pub use double8::F64x8;
pub use functions::{FNV, cube_side, exponential, fnv, hypotenuse, length, power, sine_cosine};
pub use polygon::clip;
pub use quat::{Quat, UPRIGHT};
pub use scalar::Scalar;
pub use vec3::Vec3;
pub(crate) use wide8::eight;
pub use wide8::{
    BACKEND, F32x4, F32x8, lane_bits, lanes_below, pack, set_lanes, side_by_side, sides, splat,
    transpose, transpose_both, unpack, whole_parts,
};
pub use wide16::{F32x16, SIXTEEN, both, joined, split};

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Lanes of the engine's vector type.
pub const WIDTH: usize = 8;

/// One value for each lane. (Written out: `std::array::from_fn` is not always inlined, which costs a gather half its speed.)
#[inline(always)]
pub fn each_lane<T>(f: impl Fn(usize) -> T) -> [T; WIDTH] {
    [f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)]
}

/// `f` of each. (`map` and `zip` on arrays are not always inlined; a kernel that calls them is ten times slower. And `map` is five
/// functions to compile for each closure that it is given.)
#[inline(always)]
pub(crate) fn each<T: Copy, U: Copy, const N: usize>(
    of: [T; N],
    mut f: impl FnMut(T) -> U,
) -> [U; N] {
    each_index(|i| f(of[i]))
}

/// `f` of 0, 1, .. N - 1; N is not zero.
#[inline(always)]
pub(crate) fn each_index<U: Copy, const N: usize>(mut f: impl FnMut(usize) -> U) -> [U; N] {
    let mut out = [f(0); N];
    let mut i = 1;
    while i < N {
        out[i] = f(i);
        i += 1;
    }
    out
}

/// tan(π/8).
const TAN_PI_8: f64 = 0.414_213_562_373_095_03;
/// (atan(t) / t - 1) / t² for |t| <= tan(π/8) in powers of t², highest first: interpolated at the eight Chebyshev nodes.
const ATAN: [f64; 8] = [
    0.032_956_795_418_701_36,
    -0.060_273_074_609_466_75,
    0.076_048_000_460_782_92,
    -0.090_841_018_953_464_29,
    0.111_108_197_167_456_76,
    -0.142_857_081_103_604,
    0.199_999_999_498_547_94,
    -0.333_333_333_332_661_96,
];

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
    /// Whether `mask` holds in every lane: for what is rare enough to branch on.
    fn all(mask: Self::Mask) -> bool;

    /// Numbers of this size and beyond count as overflowed: 1e37 of `f32`.
    #[inline(always)]
    fn huge() -> Self {
        Self::of(1e37)
    }

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

    /// `self` where it is not [`huge`](Self::huge), else zero: what has overflowed asks for nothing.
    #[inline(always)]
    fn finite_or_zero(self) -> Self {
        // Two comparisons: a magnitude takes more.
        let huge = Self::huge();
        Self::select(self.lt(huge) & (-huge).lt(self), self, Self::zero())
    }

    /// `self`, or infinity where it is not a number: an error that cannot be told is as large as can be.
    #[inline(always)]
    fn or_infinite(self) -> Self {
        let infinite = Self::of(f64::INFINITY);
        Self::select(self.lt(infinite), self, infinite)
    }

    /// The angle of the point (`x`, `self`) from the x axis, in -π..=π radians; zero at the origin, positive at `self` = ±0.
    ///
    /// Octants first, then atan(t) = π/4 + atan((t - 1) / (t + 1)) beyond t = tan(π/8), then an odd polynomial of degree
    /// 17: one division, and the same operations at every width. Largest error against the library: 4.1e-14 in `f64`
    /// (the polynomial's own), 2.6 ulp in `f32`. Infinite arguments have no angle.
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
        let (ay, ax) = (self.abs(), x.abs());
        let (low, high) = (ay.min(ax), ay.max(ax));
        let steep = (high * Self::of(TAN_PI_8)).lt(low);
        let t = Self::select(steep, low - high, low).over_positive(Self::select(
            steep,
            low + high,
            high,
        ));
        let z = t * t;
        let [first, others @ ..] = ATAN;
        let mut tail = Self::of(first);
        for c in others {
            tail = tail * z + Self::of(c);
        }
        let angle = t + t * (z * tail);
        let angle = Self::select(steep, Self::of(FRAC_PI_4) + angle, angle);
        let angle = Self::select(ax.lt(ay), Self::of(FRAC_PI_2) - angle, angle);
        let angle = Self::select(x.lt(Self::zero()), Self::of(PI) - angle, angle);
        Self::select(self.lt(Self::zero()), -angle, angle)
    }

    /// `self / by` where `by > 0`, else zero: a degenerate geometry gives no correction.
    #[inline(always)]
    fn over_positive(self, by: Self) -> Self {
        Self::select(Self::zero().lt(by), self / by, Self::zero())
    }
}
