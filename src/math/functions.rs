//! Functions of `f64` that models are set up with. The platform's own differ in the last bit from one platform to the next,
//! and results would with them; these are made of `+ - * /`, which every platform rounds alike.
//!
//! Largest relative errors against the platform's: 1e-15 on what models ask of them, 3e-15 of `power` at the ends of `f64`.

use core::f64::consts::{FRAC_PI_2, LN_2, SQRT_2};

/// π/2 and ln 2 in two parts, the first with so few digits that its product with a small whole number is exact.
const HALF_PI: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
const LN_2_PARTS: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// Sine and cosine of an angle (rad) by their series on ±45 degrees; of what is not finite, those of zero.
pub fn sine_cosine(angle: f64) -> (f64, f64) {
    let angle = if angle.is_finite() { angle } else { 0.0 };
    let quarters = (angle / FRAC_PI_2).round();
    let r = angle - quarters * HALF_PI[0] - quarters * HALF_PI[1];
    // Horner in r²: 1 - r²/(k (k+1)) (1 - r²/((k+2) (k+3)) (...)).
    let series = |first: u32| {
        (0..9).rev().fold(1.0, |sum, i| {
            let k = f64::from(first + 2 * i);
            1.0 - sum * r * r / (k * (k + 1.0))
        })
    };
    let (sin, cos) = (r * series(2), series(1));
    match quarters.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// e^x.
pub fn exponential(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    // Beyond these it is 0 and infinite.
    let x = x.clamp(-760.0, 720.0);
    let twos = (x / LN_2).round();
    let r = x - twos * LN_2_PARTS[0] - twos * LN_2_PARTS[1];
    let series = (1..=14).rev().fold(1.0, |sum, k| 1.0 + sum * r / f64::from(k));
    // 2^1024 is no number: in two steps, each exact, but for the last of what is as small as can be.
    let half = (twos * 0.5).floor();
    series * two_to(half) * two_to(twos - half)
}

/// 2^n for a whole |n| < 1000.
fn two_to(n: f64) -> f64 {
    f64::from_bits(((n as i64 + 1023) as u64) << 52)
}

/// The natural logarithm of a positive number.
fn logarithm(x: f64) -> f64 {
    // x = m 2^n, m from √½ to √2; a number too small for its own exponent is made larger first.
    let (x, lifted) = if x < f64::MIN_POSITIVE { (x * two_to(54.0), 54.0) } else { (x, 0.0) };
    let exponent = (x.to_bits() >> 52) as i64 - 1023;
    let m = f64::from_bits(x.to_bits() & (u64::MAX >> 12) | 1023 << 52);
    let (m, n) = if m > SQRT_2 { (0.5 * m, exponent + 1) } else { (m, exponent) };
    let n = n as f64 - lifted;
    // ln m = 2 (s + s³/3 + s⁵/5 + ..), s = (m - 1) / (m + 1).
    let s = (m - 1.0) / (m + 1.0);
    let tail = (1..=12).rev().fold(0.0, |sum, k| s * s * (1.0 / f64::from(2 * k + 1) + sum));
    n * LN_2_PARTS[0] + (n * LN_2_PARTS[1] + 2.0 * (s + s * tail))
}

/// x^y for x >= 0 and y > 0; not a number for others.
pub fn power(x: f64, y: f64) -> f64 {
    match (x, y) {
        _ if !(x >= 0.0 && y > 0.0) => f64::NAN,
        (x, 1.0) => x,
        (0.0, _) => 0.0,
        (x, y) => exponential(y * logarithm(x)),
    }
}

/// Euclidean length.
pub fn length(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// √(x² + y²), without overflow on the way.
pub fn hypotenuse(x: f64, y: f64) -> f64 {
    let most = x.abs().max(y.abs());
    if most == 0.0 || !most.is_finite() {
        return most;
    }
    let (x, y) = (x / most, y / most);
    most * (x * x + y * y).sqrt()
}

/// The least whole side of a cube that holds `count`.
pub fn cube_side(count: usize) -> usize {
    (0..).find(|side: &usize| side.pow(3) >= count).unwrap_or(0)
}

/// The hash of nothing (FNV-1a, 64 bit).
pub const FNV: u64 = 0xcbf2_9ce4_8422_2325;

/// A hash with one word more, or one byte (FNV-1a, 64 bit).
pub fn fnv(hash: u64, word: impl Into<u64>) -> u64 {
    (hash ^ word.into()).wrapping_mul(0x0000_0100_0000_01b3)
}
