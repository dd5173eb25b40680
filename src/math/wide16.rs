//! Sixteen lanes: two times eight, for the loops that most rows pass through, where registers hold as many.

use super::{F32x8, Real};
use wide::f32x16;

/// Sixteen `f32` side by side.
pub type F32x16 = f32x16;

/// Whether this build's registers hold sixteen lanes.
pub const SIXTEEN: bool = cfg!(target_feature = "avx512f");

impl Real for f32x16 {
    type Mask = f32x16;
    #[inline(always)]
    fn of(v: f64) -> Self {
        f32x16::splat(v as f32)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32x16::sqrt(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> f32x16 {
        self.simd_lt(other)
    }
    #[inline(always)]
    fn select(mask: f32x16, yes: Self, no: Self) -> Self {
        mask.select(yes, no)
    }
}

/// Two times eight lanes side by side.
#[inline(always)]
pub fn both(halves: [F32x8; 2]) -> F32x16 {
    bytemuck::cast(halves)
}

/// The halves of [`both`].
#[inline(always)]
pub fn halves_of(lanes: F32x16) -> [F32x8; 2] {
    bytemuck::cast(lanes)
}
