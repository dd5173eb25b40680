//! How far an overlap parts in a substep: at a speed that its depth gives, not the substep.
//!
//! ```text
//! d' = d - min(v h, max(h sqrt(2 |g| d), h d / τ, 32 |g| h² / n))        n iterations, v `max_speed`
//! ```
//!
//! What the parting of two particles gives them is taken back, but not what reaches others by rows or other contacts: a soft block
//! or a stack that is pushed out of a floor gets the speed at which it is pushed. By d / h that would be thrown up, by sqrt(2 |g| d)
//! it comes to rest where the overlap ends, and the floor has given no more than |g| d. Without gravity an overlap falls to 1/e
//! in τ. A pile needs the last of the three: what n iterations leave unsolved squeezes it by so many |g| h².

use crate::math::Real;

/// τ (s).
const TIME: f64 = 0.05;
/// As many times what gravity gives in a substep parts where there is one iteration. (With half of it balls in a pile overlap by
/// three times as much at 20 substeps.)
const LEAST: f64 = 32.0;

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
}

impl<R: Real> Parting<R> {
    /// No faster than `max_speed` (m/s) in substeps of `h` (s) with so many iterations, where gravity is `g` (m/s²).
    pub(super) fn new(max_speed: f64, h: f64, iterations: u32, g: f64) -> Self {
        let falls = g * h * h;
        Self {
            most: R::of(max_speed * h),
            least: R::of(LEAST * falls / f64::from(iterations.max(1))),
            rate: R::of(h / TIME),
            fall: R::of(2.0 * falls),
        }
    }

    /// The same in another number.
    pub(super) fn lanes<W: Real>(&self) -> Parting<W>
    where
        R: Into<f64>,
    {
        let Self { most, least, rate, fall } = *self;
        let [most, least, rate, fall] = [most, least, rate, fall].map(|v| W::of(v.into()));
        Parting { most, least, rate, fall }
    }

    /// How much of an overlap may stay where the gap is `gap` (m).
    #[inline(always)]
    pub(super) fn left(&self, gap: R) -> R {
        let overlap = (-gap).max(R::zero());
        let way = (overlap * self.fall).sqrt().max(overlap * self.rate).max(self.least);
        (overlap - way.min(self.most)).max(R::zero())
    }
}
