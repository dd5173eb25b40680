//! One lane: `f32` is the reference, `f64` the oracle.

use super::{F32x8, F32x16, Real, WIDTH};
use bytemuck::Pod;

macro_rules! one_lane {
    ($number:ty, $huge:literal) => {
        impl Real for $number {
            type Mask = bool;
            #[inline(always)]
            fn of(v: f64) -> Self {
                v as $number
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
            #[inline(always)]
            fn all(mask: bool) -> bool {
                mask
            }
            #[inline(always)]
            fn huge() -> Self {
                $huge
            }
        }
    };
}
one_lane!(f32, 1e37);
one_lane!(f64, 1e300);

/// A [`Real`] of one lane that a column can hold.
pub trait Scalar: Real + Default + PartialOrd + Pod {
    /// Eight numbers, laid out so that the engine's vectors load from them aligned.
    type Block: Pod + Send + Sync;
    /// Sixteen numbers: of `f32` a cache line, aligned as one.
    type Line: Pod + Send + Sync;
    /// Rounded to `f32`.
    fn to_f32(self) -> f32;
    /// Widened to `f64`.
    fn to_f64(self) -> f64;
}

impl Scalar for f32 {
    type Block = F32x8;
    type Line = F32x16;
    fn to_f32(self) -> f32 {
        self
    }
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Scalar for f64 {
    type Block = [f64; WIDTH];
    type Line = [f64; 2 * WIDTH];
    fn to_f32(self) -> f32 {
        self as f32
    }
    fn to_f64(self) -> f64 {
        self
    }
}
