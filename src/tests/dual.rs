//! Dual numbers: a value and its derivative along one direction, the oracle of every hand-written gradient.

use crate::math::Real;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// `v + d ε` with ε² = 0.
#[derive(Clone, Copy, Debug)]
pub struct Dual {
    pub v: f64,
    pub d: f64,
}

impl Add for Dual {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Dual { v: self.v + o.v, d: self.d + o.d }
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Dual { v: self.v - o.v, d: self.d - o.d }
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Dual { v: self.v * o.v, d: self.d * o.v + self.v * o.d }
    }
}

impl Div for Dual {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        Dual { v: self.v / o.v, d: (self.d - self.v / o.v * o.d) / o.v }
    }
}

impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Dual { v: -self.v, d: -self.d }
    }
}

impl Real for Dual {
    type Mask = bool;
    fn of(v: f64) -> Self {
        Dual { v, d: 0.0 }
    }
    fn sqrt(self) -> Self {
        let v = self.v.sqrt();
        Dual { v, d: self.d / (2.0 * v) }
    }
    fn lt(self, o: Self) -> bool {
        self.v < o.v
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    fn all(mask: bool) -> bool {
        mask
    }
}
