//! Eight `f64` side by side, for sums that must not lose what `f32` does. An array: the compiler makes vectors of it.

use super::{Real, Vec3, WIDTH, each_lane};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Eight lanes of `f64`.
#[derive(Clone, Copy, Debug)]
pub struct F64x8([f64; WIDTH]);

impl F64x8 {
    /// From its lanes.
    #[inline(always)]
    pub fn new(lanes: [f64; WIDTH]) -> Self {
        Self(lanes)
    }

    /// Its lanes.
    #[inline(always)]
    pub fn lanes(self) -> [f64; WIDTH] {
        self.0
    }

    /// A vector for each lane.
    #[inline(always)]
    pub fn vectors(of: impl Fn(usize) -> Vec3<f64>) -> Vec3<Self> {
        let v = each_lane(of);
        Vec3::new(
            Self(each_lane(|lane| v[lane].x)),
            Self(each_lane(|lane| v[lane].y)),
            Self(each_lane(|lane| v[lane].z)),
        )
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(v: Vec3<f64>) -> Vec3<Self> {
        Self::vectors(|_| v)
    }

    /// The sum of all lanes, added pairwise.
    #[inline(always)]
    pub fn total(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }
}

macro_rules! lane_by_lane {
    ($($trait:ident $op:ident)*) => {$(
        impl $trait for F64x8 {
            type Output = Self;
            #[inline(always)]
            fn $op(self, other: Self) -> Self {
                Self(each_lane(|lane| self.0[lane].$op(other.0[lane])))
            }
        }
    )*};
}
lane_by_lane!(Add add Sub sub Mul mul Div div);

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(each_lane(|lane| -self.0[lane]))
    }
}

impl Real for F64x8 {
    /// A bit a lane.
    type Mask = u8;
    #[inline(always)]
    fn of(v: f64) -> Self {
        Self([v; WIDTH])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(each_lane(|lane| self.0[lane].sqrt()))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> u8 {
        let bit = |lane: usize| u8::from(self.0[lane] < other.0[lane]) << lane;
        (0..WIDTH).map(bit).sum()
    }
    #[inline(always)]
    fn select(mask: u8, yes: Self, no: Self) -> Self {
        Self(each_lane(|lane| if mask >> lane & 1 == 1 { yes.0[lane] } else { no.0[lane] }))
    }
    #[inline(always)]
    fn all(mask: u8) -> bool {
        mask == u8::MAX
    }
    #[inline(always)]
    fn huge() -> Self {
        Self::of(1e300)
    }
}
