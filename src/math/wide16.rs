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

/// Numbers of two halves side by side.
#[inline(always)]
pub fn joined<const M: usize>([first, second]: [[F32x8; M]; 2]) -> [F32x16; M] {
    let mut out = [F32x16::ZERO; M];
    for m in 0..M {
        out[m] = both([first[m], second[m]]);
    }
    out
}

/// The halves of [`joined`].
#[inline(always)]
pub fn split<const M: usize>(of: [F32x16; M]) -> [[F32x8; M]; 2] {
    let mut out = [[F32x8::ZERO; M]; 2];
    for m in 0..M {
        [out[0][m], out[1][m]] = bytemuck::cast(of[m]);
    }
    out
}
