//! Eight lanes: with `wide16` the only file that names the crate `wide`.
//!
//! `wide` picks its instructions when it is compiled; [`BACKEND`] says which, and every report prints it.

use super::WIDTH;
use wide::{f32x4, f32x8};

/// Eight `f32` side by side: the engine's number.
pub type F32x8 = f32x8;

/// Four `f32` side by side: a record, loaded in one go.
pub type F32x4 = f32x4;

/// The instructions this build's vectors compile to.
pub const BACKEND: &str = if cfg!(target_feature = "avx512vl") {
    "wide f32x8, AVX-512VL encodings"
} else if cfg!(target_feature = "avx") {
    "wide f32x8, AVX"
} else if cfg!(target_feature = "sse2") {
    "wide f32x8 as two f32x4, SSE2"
} else if cfg!(target_feature = "neon") {
    "wide f32x8 as two f32x4, NEON"
} else if cfg!(target_feature = "simd128") {
    "wide f32x8 as two f32x4, simd128"
} else {
    "wide f32x8 as scalars"
};

/// Arithmetic on a vector of `wide`.
macro_rules! lanes {
    ($vector:ty) => {
        impl $crate::math::Real for $vector {
            type Mask = $vector;
            #[inline(always)]
            fn of(v: f64) -> Self {
                <$vector>::splat(v as f32)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$vector>::sqrt(self)
            }
            #[inline(always)]
            fn lt(self, other: Self) -> $vector {
                self.simd_lt(other)
            }
            #[inline(always)]
            fn select(mask: $vector, yes: Self, no: Self) -> Self {
                mask.select(yes, no)
            }
            #[inline(always)]
            fn all(mask: $vector) -> bool {
                mask.all()
            }
            // One instruction of x86 is the very choice that the trait describes; compiled from its parts it is three.
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                match cfg!(target_arch = "x86_64") {
                    true => self.fast_min(other),
                    false => Self::select(self.lt(other), self, other),
                }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                match cfg!(target_arch = "x86_64") {
                    true => self.fast_max(other),
                    false => Self::select(other.lt(self), self, other),
                }
            }
        }
    };
}
pub(super) use lanes;
lanes!(f32x8);

/// Eight numbers as lanes.
#[inline(always)]
pub fn pack(values: [f32; WIDTH]) -> F32x8 {
    f32x8::new(values)
}

/// Eight numbers of a column, from an index on.
#[inline(always)]
pub(crate) fn eight(column: &[f32], index: usize) -> F32x8 {
    pack(column[index..index + WIDTH].try_into().expect("eight numbers"))
}

/// One number in every lane.
#[inline(always)]
pub fn splat(value: f32) -> F32x8 {
    f32x8::splat(value)
}

/// Lanes of sizes below 2^31 without their fractions.
#[inline(always)]
pub fn whole_parts(lanes: F32x8) -> [i32; WIDTH] {
    lanes.fast_trunc_int().to_array()
}

/// Lanes as eight numbers.
#[inline(always)]
pub fn unpack(lanes: F32x8) -> [f32; WIDTH] {
    lanes.to_array()
}

/// True in the first `count` lanes.
#[inline(always)]
pub fn lanes_below(count: usize) -> F32x8 {
    let index = f32x8::new([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    index.simd_lt(f32x8::splat(count as f32))
}

/// A bit for each lane of a mask, the first lane's lowest.
#[inline(always)]
pub fn lane_bits(mask: F32x8) -> u32 {
    mask.to_bitmask()
}

/// The lanes of a mask, the first lane first.
#[inline(always)]
pub fn set_lanes(mask: F32x8) -> impl Iterator<Item = usize> {
    let mut bits = lane_bits(mask);
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        let more = bits != 0;
        bits &= bits.wrapping_sub(1);
        more.then_some(lane)
    })
}

/// Two records side by side, joined as they are loaded.
#[inline(always)]
pub fn side_by_side(first: F32x4, second: F32x4) -> F32x8 {
    bytemuck::cast([first, second])
}

/// The two records of [`side_by_side`].
#[inline(always)]
pub fn sides(lanes: F32x8) -> [F32x4; 2] {
    bytemuck::cast(lanes)
}

/// Four rows of two records each, as [`side_by_side`] joins them, become columns: the first records, then the second.
#[inline(always)]
pub fn transpose_both([a, b, c, d]: [F32x8; 4]) -> [F32x8; 4] {
    // The compiler leaves out what becomes of the zeros, and that the halves were apart.
    let zero = F32x8::ZERO;
    let [x, y, z, w, next_x, next_y, next_z, next_w] =
        transpose([a, b, c, d, zero, zero, zero, zero]);
    let first = |first, second| side_by_side(sides(first)[0], sides(second)[0]);
    [first(x, next_x), first(y, next_y), first(z, next_z), first(w, next_w)]
}

/// Rows become columns.
#[inline(always)]
pub fn transpose(rows: [F32x8; WIDTH]) -> [F32x8; WIDTH] {
    f32x8::transpose(rows)
}
