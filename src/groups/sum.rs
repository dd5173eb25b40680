//! Sums over a group's members that come out the same at every width and on any number of threads: eight running sums over
//! index mod 8 within chunks of fixed size, added pairwise, chunk after chunk.

use crate::math::{Real, Scalar, WIDTH};
use crate::state::Width;

/// Members of a chunk: a multiple of eight.
pub(crate) const CHUNK: usize = 256;

/// Eight running sums of S terms.
pub(crate) struct Sums<R, const S: usize>([[R; WIDTH]; S]);

impl<R: Scalar, const S: usize> Sums<R, S> {
    pub(crate) fn zero() -> Self {
        Self([[R::zero(); WIDTH]; S])
    }

    /// Adds a member's terms to the sum of its `index`.
    #[inline(always)]
    pub(crate) fn add(&mut self, index: usize, terms: [R; S]) {
        for (sums, term) in self.0.iter_mut().zip(terms) {
            let sum = &mut sums[index % WIDTH];
            *sum = *sum + term;
        }
    }

    /// The eight sums as one.
    pub(crate) fn total(self) -> [R; S] {
        self.0.map(|[a, b, c, d, e, f, g, h]| ((a + b) + (c + d)) + ((e + f) + (g + h)))
    }

    /// Sums that lanes have run up so far; one lane has run up none.
    #[inline(always)]
    pub(crate) fn of_lanes<W: Width<Element = R>>(sums: [W; S]) -> Self {
        let mut all = Self::zero();
        for (all, sum) in all.0.iter_mut().zip(sums) {
            for (lane, all) in all.iter_mut().enumerate().take(W::LANES) {
                *all = sum.lane(lane);
            }
        }
        all
    }
}

/// a + b, term by term.
#[inline(always)]
pub(crate) fn plus<R: Real, const S: usize>(mut a: [R; S], b: [R; S]) -> [R; S] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = *a + b;
    }
    a
}
