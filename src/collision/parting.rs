//! How far an overlap parts in a substep: at `max_speed`, and where a run begins, at a speed that its depth gives.
//!
//! ```text
//! d' = d - v h                                                           v `max_speed`
//! d' = d - min(v h, max(h sqrt(2 |g| d), h d / τ, 32 |g| h² / n))        in the first quarter of a second; n iterations
//! ```
//!
//! What the parting of two particles gives them is taken back, but not what reaches others by rows or other contacts: a soft block
//! or a stack that is pushed out of a floor gets the speed at which it is pushed. By d / h that would be thrown up, by sqrt(2 |g| d)
//! it comes to rest where the overlap ends, and the floor has given no more than |g| d. Without gravity an overlap falls to 1/e
//! in τ. A pile needs the last of the three: what n iterations leave unsolved squeezes it by so many |g| h².
//!
//! Grains that flow would overlap three to ten times as much so (an hourglass at 8 x 2 by 7 mm in place of 1.3), grains ten times as heavy press
//! those below into each other for ever, and what moves when a run has begun comes into no deep overlap. So no pair may overlap by more than
//! the deepest did at the start. Between what rebounds the depth rules for ever: an impact leaves an overlap of about
//! its way in a substep, and what parts it at d / h stays in a row.

use crate::math::{Real, Vec3};
use crate::settings::Settings;

/// τ (s).
const TIME: f64 = 0.05;
/// As many times what gravity gives in a substep parts where there is one iteration. (With half of it balls in a pile overlap by
/// three times as much at 20 substeps.)
pub(crate) const LEAST: f64 = 32.0;
/// For how long after the start depth rules (s).
pub(crate) const BEGINNING: f64 = 0.25;
/// From which restitution on it does for ever.
const BOUNCY: f64 = 0.5;

/// The parting of overlaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parting<R> {
    /// v h (m).
    most: R,
    /// 32 |g| h² / n (m).
    least: R,
    /// h / τ.
    rate: R,
    /// 2 |g| h² (m).
    fall: R,
    /// How much may stay of what could part (m).
    begun: R,
    /// Until when depth rules (s).
    until: f64,
}

impl<R: Real> Parting<R> {
    /// No faster than `max_speed` (m/s), of what rebounds by `restitution` and begins with overlaps of `begun` at most (m).
    pub(super) fn new(
        max_speed: f64,
        restitution: Option<f64>,
        begun: f64,
        settings: &Settings,
    ) -> Self {
        let (h, iterations) = (settings.h(), settings.iterations);
        let gravity: Vec3<f64> = Vec3::of(settings.gravity);
        let falls = gravity.length() * h * h;
        let is_bouncy = restitution.is_some_and(|e| e >= BOUNCY);
        Self {
            most: R::of(max_speed * h),
            least: R::of(LEAST * falls / f64::from(iterations.max(1))),
            rate: R::of(h / TIME),
            fall: R::of(2.0 * falls),
            begun: R::of(if is_bouncy { f64::INFINITY } else { begun }),
            until: if is_bouncy { f64::INFINITY } else { BEGINNING },
        }
    }

    /// What rules at a time (s).
    pub(super) fn at(&self, time: f64) -> Self {
        if time < self.until { *self } else { Self { least: self.most, ..*self } }
    }

    /// Where sheets were tangled, whose contacts all begin with overlaps: depth rules.
    pub(super) fn of_tangled(&self) -> Self {
        Self { begun: R::of(f64::INFINITY), ..*self }
    }

    /// The same in every lane.
    pub(super) fn in_lanes<W: Real>(&self) -> Parting<W>
    where
        R: Into<f64>,
    {
        let Self { most, least, rate, fall, begun, until } = *self;
        let [most, least, rate, fall] = [most, least, rate, fall].map(|v| W::of(v.into()));
        Parting { most, least, rate, fall, begun: W::of(begun.into()), until }
    }

    /// How much of an overlap may stay where the gap is `gap` (m).
    #[inline(always)]
    pub(super) fn left(&self, gap: R) -> R {
        let overlap = (-gap).max(R::zero());
        let way = (overlap * self.fall).sqrt().max(overlap * self.rate).max(self.least);
        let left = |way: R| (overlap - way).max(R::zero());
        left(way.min(self.most)).min(self.begun).max(left(self.most))
    }
}
