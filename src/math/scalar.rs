//! One lane: `f32` is the reference, `f64` the oracle.

use super::{F32x8, F32x16, Real, WIDTH};

macro_rules! one_lane {
    ($number:ty) => {
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
        }
    };
}
one_lane!(f32);
one_lane!(f64);

/// A [`Real`] of one lane that a column can hold.
pub trait Scalar: Real + Default + PartialOrd {
    /// Eight numbers, laid out so that the engine's vectors load from them aligned.
    type Block: Copy + Send + Sync + 'static;
    /// A block of eight zeros.
    const ZERO_BLOCK: Self::Block;
    /// Sixteen numbers, a cache line or two of them, aligned as that.
    type Line: Copy + Send + Sync + 'static;
    /// A line of sixteen zeros.
    const ZERO_LINE: Self::Line;
    /// The numbers of a run of blocks.
    fn flat(blocks: &[Self::Block]) -> &[Self];
    /// The numbers of a run of blocks, to write.
    fn flat_mut(blocks: &mut [Self::Block]) -> &mut [Self];
    /// The numbers of a run of lines.
    fn flat_lines(lines: &[Self::Line]) -> &[Self];
    /// The numbers of a run of lines, to write.
    fn flat_lines_mut(lines: &mut [Self::Line]) -> &mut [Self];
    /// Rounded to `f32`.
    fn to_f32(self) -> f32;
    /// Widened to `f64`.
    fn to_f64(self) -> f64;
}

impl Scalar for f32 {
    type Block = F32x8;
    const ZERO_BLOCK: F32x8 = F32x8::ZERO;
    type Line = F32x16;
    const ZERO_LINE: F32x16 = F32x16::ZERO;
    fn flat(blocks: &[F32x8]) -> &[f32] {
        bytemuck::cast_slice(blocks)
    }
    fn flat_mut(blocks: &mut [F32x8]) -> &mut [f32] {
        bytemuck::cast_slice_mut(blocks)
    }
    fn flat_lines(lines: &[F32x16]) -> &[f32] {
        bytemuck::cast_slice(lines)
    }
    fn flat_lines_mut(lines: &mut [F32x16]) -> &mut [f32] {
        bytemuck::cast_slice_mut(lines)
    }
    fn to_f32(self) -> f32 {
        self
    }
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Scalar for f64 {
    type Block = [f64; WIDTH];
    const ZERO_BLOCK: [f64; WIDTH] = [0.0; WIDTH];
    type Line = [f64; 2 * WIDTH];
    const ZERO_LINE: [f64; 2 * WIDTH] = [0.0; 2 * WIDTH];
    fn flat(blocks: &[Self::Block]) -> &[f64] {
        blocks.as_flattened()
    }
    fn flat_mut(blocks: &mut [Self::Block]) -> &mut [f64] {
        blocks.as_flattened_mut()
    }
    fn flat_lines(lines: &[Self::Line]) -> &[f64] {
        lines.as_flattened()
    }
    fn flat_lines_mut(lines: &mut [Self::Line]) -> &mut [f64] {
        lines.as_flattened_mut()
    }
    fn to_f32(self) -> f32 {
        self as f32
    }
    fn to_f64(self) -> f64 {
        self
    }
}
