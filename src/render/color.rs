//! Colors, `0x00RRGGBB`: mixing, and the maps that turn numbers into colors.

use crate::math::{F32x8, Real, WIDTH, each, splat, whole_parts};

/// 1.5 * 2^23: added to a number, it leaves the nearest whole number in the lowest bits.
const SHIFT: f32 = 12_582_912.0;

/// The whole number nearest to `v`, for |v| below 2^22. Unlike a cast it has no special cases, so that loops over pixels run
/// several lanes at a time.
#[inline(always)]
pub(super) fn whole(v: f32) -> i32 {
    (v + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()) as i32
}

/// The whole numbers nearest to `v`, as [`whole`].
#[inline(always)]
pub(super) fn rounded(v: F32x8) -> F32x8 {
    (v + splat(SHIFT)) - splat(SHIFT)
}

/// The color of three channels, each held to 0..=255 and rounded.
#[inline(always)]
pub fn rgb(channels: [f32; 3]) -> u32 {
    pack(channels.map(|c| c.max(0.0).min(255.0)))
}

/// The color of three channels known to lie in 0..=255.
#[inline(always)]
pub(super) fn pack(channels: [f32; 3]) -> u32 {
    let [r, g, b] = channels.map(|c| whole(c) as u32);
    r << 16 | g << 8 | b
}

/// Eight colors of three channels, each held to 0..=255 and rounded.
#[inline(always)]
pub(super) fn rgb_lanes(channels: [F32x8; 3]) -> [u32; WIDTH] {
    let hold = |c: F32x8| rounded(Real::clamp(c, F32x8::zero(), F32x8::of(255.0)));
    let [r, g, b] = each(channels, hold);
    // Below 2^24 sums of whole numbers are exact.
    whole_parts((r * splat(256.0) + g) * splat(256.0) + b).map(|color| color as u32)
}

/// The channels of a color: red, green, blue in 0..=255.
#[inline(always)]
pub fn channels(color: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| (color >> shift & 0xff) as f32)
}

/// A share in 0..=1 as a whole number of 256ths; what is not a number is no share.
#[inline(always)]
pub(super) fn weight(share: f32) -> u32 {
    whole(share.max(0.0).min(1.0) * 256.0) as u32
}

/// `from` at `share` 0, `to` at 1, straight between.
#[inline(always)]
pub fn mix(from: u32, to: u32, share: f32) -> u32 {
    mix_by(from, to, weight(share))
}

/// The same by 256ths.
#[inline(always)]
pub(super) fn mix_by(from: u32, to: u32, to_weight: u32) -> u32 {
    // Red and blue side by side in one word: two products instead of three.
    let from_weight = 256 - to_weight;
    let pair = |mask: u32, shift: u32| {
        let blended = (from >> shift & mask) * from_weight + (to >> shift & mask) * to_weight;
        (blended >> 8 & mask) << shift
    };
    pair(0x00ff_00ff, 0) | pair(0xff, 8)
}

/// Blue below zero, pale at zero, red above: stretch, from -1 to 1.
pub fn diverging(value: f32) -> u32 {
    ramp(&[0x2B4CB8, 0x7FA3F0, 0xE4E2DE, 0xF0936F, 0xB5122B], 0.5 + 0.5 * value)
}

/// Dark blue over green to yellow, ever lighter: speed, from 0 to 1.
pub fn sequential(value: f32) -> u32 {
    ramp(&[0x440154, 0x414487, 0x2A788E, 0x22A884, 0x7AD151, 0xFDE725], value)
}

/// A color for the `index`-th of several batches or bodies: neighbors in the list are easy to tell apart.
pub fn distinct(index: usize) -> u32 {
    const HUES: [u32; 12] = [
        0x3B78C4, 0xE8862E, 0x3FA34D, 0xD2413F, 0x8E63B5, 0x2BB0B8, 0xD666A5, 0xA8B32A, 0x8A5A44,
        0x5FA8F0, 0xF2B84B, 0x6B7280,
    ];
    // Later rounds of the twelve are paler, so that 36 stay distinct.
    mix(HUES[index % 12], 0xFFFFFF, (index / 12 % 3) as f32 * 0.28)
}

/// The color at `value` in 0..=1 between evenly spaced stops; what is not a number takes the first.
fn ramp(stops: &[u32], value: f32) -> u32 {
    let along = value.max(0.0).min(1.0) * (stops.len() - 1) as f32;
    let below = (along as usize).min(stops.len() - 2);
    mix(stops[below], stops[below + 1], along - below as f32)
}
