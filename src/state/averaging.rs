//! Corrections that start from the same positions: how those of a row join those of the others (Jacobi, hybrid).
//!
//! With n_i corrections to a particle and over-relaxation ω (S1-30, S1-31, S1-32):
//!
//! ```text
//! stiffness    Δx_i = ω / n_i Σ Δx                        the source's average
//! compliance   Δλ and Δx of a row times ω / max n_i       λ and x agree, momentum is kept
//! Chebyshev    ω times c_k, and (c_k - 1) of the last step beside it; c_1 = 1, c_2 = 2 / (2 - ρ²), c_k+1 = 4 / (4 - ρ² c_k)
//! ```
//!
//! (Huamin Wang, *A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-based Dynamics*, 2015; there
//! x_k+1 = c (x̂ - x_k-1) + x_k-1, which is the same.) Averages of unequal n_i do not keep the momentum. A particle that
//! cannot move counts as n_i = 1: nothing piles up there.
//!
//! An inequality that holds corrects nothing and is not averaged over: `jacobi` counts those that act in a pass of its own
//! before each iteration, and so does `hybrid`, by copies.

use crate::math::{Real, Vec3};
use crate::settings::{JacobiMode, Settings};

/// How corrections are put together in one iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averaging {
    /// ω, times Chebyshev's factor.
    pub omega: f64,
    /// The part of the last iteration's step that is made again; zero without Chebyshev.
    pub momentum: f64,
    /// Where corrections go.
    pub gather: Gather,
}

/// Where the corrections of averaged rows go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    /// Nowhere: an inequality that gives one adds one to n_i.
    Count,
    /// To the sums.
    Sum,
    /// They move the slots (of copies) themselves.
    InPlace,
}

/// Chebyshev's factors have long settled after as many iterations.
const SETTLED: usize = 1000;

impl Averaging {
    /// What the iterations of method `jacobi` do, the first to the last that differs.
    pub fn jacobi(settings: &Settings) -> Vec<Self> {
        let squared = settings.spectral_radius * settings.spectral_radius;
        let mut factor = 1.0;
        let count = match settings.jacobi {
            JacobiMode::Chebyshev => SETTLED.min(settings.iterations as usize).max(1),
            JacobiMode::Average | JacobiMode::Sum => 1,
        };
        let each = (1..=count).map(|k| {
            let averaging = Self {
                omega: settings.omega * factor,
                momentum: factor - 1.0,
                gather: Gather::Sum,
            };
            factor = match k {
                1 => 2.0 / (2.0 - squared),
                _ => 4.0 / (4.0 - squared * factor),
            };
            averaging
        });
        each.collect()
    }

    /// The pass before an iteration, that counts.
    pub fn counting(self) -> Self {
        Self { gather: Gather::Count, ..self }
    }

    /// Where a particle goes from `x` after all corrections, of sum `sum` to be averaged over `count`; `earlier` is where it
    /// was one iteration before.
    #[inline(always)]
    pub fn settle<R: Real>(self, x: Vec3<R>, sum: Vec3<R>, count: R, earlier: Vec3<R>) -> Vec3<R> {
        let next = x + sum * (R::of(self.omega) / count);
        match self.momentum {
            0.0 => next,
            momentum => next + (x - earlier) * R::of(momentum),
        }
    }

    /// The multipliers a row goes on with from `now`, having been `before` and `earlier` in the iterations before.
    #[inline(always)]
    pub fn settle_multipliers<R: Real, const K: usize>(
        self,
        now: &mut [R; K],
        before: [R; K],
        earlier: [R; K],
    ) {
        for k in 0..K {
            now[k] = now[k] + (before[k] - earlier[k]) * R::of(self.momentum);
        }
    }
}
