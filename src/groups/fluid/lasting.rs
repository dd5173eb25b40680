//! The pressure that lasts: what multipliers a fluid begins a substep with.
//!
//! Iterations that begin at zero hold the deep water up only where it is denser than at rest: h² g depth/(2r)² by the order of
//! magnitude, 3 % at 0.6 m and h = 1/120. So a substep begins with the lasting part b of what the multipliers were:
//!
//! ```text
//! b <- min(l, b + κ (l - b)),   l = multiplier at the end of the last substep, from b on
//! ```
//!
//! with κ, the `rate`, as the depth allows ([`depth`](super::depth)): this is integral control of a spring whose stiffness and damping, for the longest
//! wave of N layers, are those that n iterations give it, in n/N² of a substep. What is pressed less than it was presses less at once: no impact outlasts its substep.

use crate::math::{Real, Scalar};
use crate::state::Width;
use crate::threads::{Cells, lock};
use std::sync::Mutex;

/// The lasting part of every particle's multiplier.
pub(super) struct Lasting<W: Width> {
    parts: Cells<W::Element>,
    /// Multipliers of the state taken up last, until the next substep begins.
    loaded: Mutex<Vec<f32>>,
}

impl<W: Width> Lasting<W> {
    /// Of `count` particles.
    pub(super) fn new(count: usize) -> Self {
        Self { parts: Cells::new(count, W::Element::zero()), loaded: Mutex::default() }
    }

    /// What the next substep begins with, of a particle whose last one ended with `total`; κ is `rate`.
    fn after(&self, particle: u32, total: W::Element, rate: f64) -> W::Element {
        let part = self.parts.get(particle as usize);
        (part + W::Element::of(rate) * (total - part)).min(total)
    }

    /// What a particle begins with.
    #[inline(always)]
    pub(super) fn of(&self, particle: u32) -> W::Element {
        self.parts.get(particle as usize)
    }

    /// Goes on from multipliers, whose they are, and how many lanes have one.
    pub(super) fn update(&self, totals: impl Iterator<Item = (W, W::Slots, usize)>, rate: f64) {
        if lock(&self.loaded).is_empty() {
            for (total, owners, live) in totals {
                for lane in 0..live {
                    let owner = W::slot(owners, lane);
                    self.parts.set(owner as usize, self.after(owner, total.lane(lane), rate));
                }
            }
        }
    }

    /// A substep has begun.
    pub(super) fn begin(&self) {
        lock(&self.loaded).clear();
    }

    /// What [`update`](Self::update) would leave, to be saved.
    pub(super) fn next(
        &self,
        totals: impl Iterator<Item = (W, W::Slots, usize)>,
        rate: f64,
    ) -> Vec<f32> {
        let mut next: Vec<f32> = self.parts.as_slice().iter().map(|part| part.to_f32()).collect();
        if lock(&self.loaded).is_empty() {
            for (total, owners, live) in totals {
                for lane in 0..live {
                    let owner = W::slot(owners, lane);
                    next[owner as usize] = self.after(owner, total.lane(lane), rate).to_f32();
                }
            }
        }
        next
    }

    /// Takes up multipliers, then what the next substep begins with.
    pub(super) fn load(&self, mut numbers: Vec<f32>) {
        let parts = numbers.split_off(numbers.len() / 2);
        for (i, part) in parts.into_iter().enumerate() {
            self.parts.set(i, W::Element::of(f64::from(part)));
        }
        *lock(&self.loaded) = numbers;
    }

    /// Multipliers taken up since the last substep.
    pub(super) fn loaded(&self) -> Option<Vec<f32>> {
        let loaded = lock(&self.loaded).clone();
        (!loaded.is_empty()).then_some(loaded)
    }
}
