//! Pseudo-random numbers, the same on every machine.

/// A 64-bit linear congruential generator, of which the high bits are taken (Knuth's MMIX constants).
pub(super) struct Random(pub u64);

impl Random {
    /// A whole number below 2³¹.
    pub fn whole(&mut self) -> usize {
        let state = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = state.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }

    /// Evenly within `most` of zero.
    pub fn within(&mut self, most: f64) -> f64 {
        (self.whole() as f64 / f64::from(1_u32 << 30) - 1.0) * most
    }
}

/// Marsaglia's xorshift (2003), for bodies.
pub(super) struct Xorshift(pub u64);

impl Xorshift {
    /// Evenly in 0..1.
    pub fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Any orientation, as a unit quaternion.
    pub fn orientation(&mut self) -> [f64; 4] {
        let turn: [f64; 4] = std::array::from_fn(|_| self.share() - 0.5);
        let length = crate::math::length(&turn);
        turn.map(|v| v / length)
    }
}
