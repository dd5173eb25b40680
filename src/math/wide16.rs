//! Sixteen lanes: two times eight, for the loops that most rows pass through, where registers hold as many.

use super::F32x8;
use super::wide8::lanes;
use wide::f32x16;

/// Sixteen `f32` side by side.
pub type F32x16 = f32x16;

/// Whether this build's registers hold sixteen lanes.
pub const SIXTEEN: bool = cfg!(target_feature = "avx512f");

lanes!(f32x16);

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
