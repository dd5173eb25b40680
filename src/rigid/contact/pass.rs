//! What a pass over contacts asks of their points.

use crate::math::{Real, Scalar};
use crate::state::Lanes;

/// What a pass over the constraints asks of a point: see [`constraint`](super::constraint).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PassParameters<R> {
    pub(super) h: R,
    /// Whether it is the pass of the positions, in which overlaps part.
    pub(super) parts: bool,
    /// β / h (1/s); zero in the pass of the velocities.
    pub(super) rate: R,
    /// v (m/s).
    pub(super) max_speed: R,
    /// 1 / τ (1/s), and a speed (m/s): overlaps part no faster than the larger of d / τ and this.
    pub(super) parting: [R; 2],
    /// The gap below which an overlap parts faster than the velocities' one way over the points takes back (m).
    pub(super) deep: R,
    /// Points that come together faster than this are gone over again, as one way leaves too much of that speed (m/s).
    pub(super) fast: R,
    /// y.
    pub(super) softness: R,
    /// How fast what creeps comes back (1/s), and how fast at most (m/s).
    pub(super) creep_rate: R,
    pub(super) creep: R,
    /// How many times the points of a manifold are gone over, the second time from the opposite one on.
    pub(super) ways: u32,
    /// Whether this goes from the last constraint to the first.
    pub(super) reversed: bool,
}

impl<E: Scalar> PassParameters<E> {
    /// The same in every lane.
    #[inline(always)]
    pub(super) fn in_lanes<W: Lanes<Element = E>>(&self) -> PassParameters<W> {
        let all = |v: E| W::collect(|_| v);
        PassParameters {
            h: all(self.h),
            parts: self.parts,
            rate: all(self.rate),
            max_speed: all(self.max_speed),
            parting: self.parting.map(all),
            deep: all(self.deep),
            fast: all(self.fast),
            softness: all(self.softness),
            creep_rate: all(self.creep_rate),
            creep: all(self.creep),
            ways: self.ways,
            reversed: self.reversed,
        }
    }
}

impl<R: Real> PassParameters<R> {
    /// Bias (m/s) and softness of a point whose gap was `gap`.
    #[inline(always)]
    pub(super) fn aim(&self, gap: R) -> [R; 2] {
        let apart = R::zero().lt(gap);
        let [slow, least] = self.parting;
        let most = (gap * slow).min(-least).max(-self.max_speed);
        let gentle = (gap * self.rate).max(most);
        [R::select(apart, gap / self.h, gentle), R::select(apart, R::zero(), self.softness)]
    }
}
