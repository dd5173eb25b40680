//! Corrections in place of positions, so that small steps are not lost in large numbers.
//!
//! ```text
//! predict    v + s <- v + (s + h a),  x* + r <- x + (r + h v),  c <- 0          rows see x* + c, and correct c
//! update     v + s <- v + (s + c / h),  x + r <- x* + (r + c)                   two-sums: r and s are what they round off
//! ```
//!
//! A position of f32 has a grain of 6e-8 |x|, a velocity made of two of them one of 6e-8 |x| / h: at 50 substeps and 10 m that
//! is 2 mm/s, more than half of what gravity adds. c is as small as the corrections, and what is rounded off is carried, so
//! neither motion nor momentum is lost; bodies do the same. (Two-sum: Knuth, *The Art of Computer Programming* 2, section
//! 4.2.2, theorem B.)

use super::Integrator;
use super::store::{Store, added, each_slot};
use crate::constraints::Particle;
use crate::math::{Real, Vec3};
use crate::threads::PacketSlots;

/// Columns or records that hold Σ Δx since the prediction.
#[derive(Clone, Copy)]
pub(crate) struct Carried<V>(pub(crate) V);

/// a + b, and what that rounds off: exactly, whichever is larger.
#[inline(always)]
fn two_sum<R: Real>(a: Vec3<R>, b: Vec3<R>) -> [Vec3<R>; 2] {
    let sum = a + b;
    let of_b = sum - a;
    let rest = (a - (sum - of_b)) + (b - of_b);
    // Of a sum that overflows there is no rest.
    [sum, Vec3::new(rest.x.finite_or_zero(), rest.y.finite_or_zero(), rest.z.finite_or_zero())]
}

/// A position or a velocity, and what it is rounded off by.
pub(crate) type Pair<R> = [Vec3<R>; 2];

impl<R: Real> Integrator<R> {
    /// Predicted position and velocity, which grows by `step` = h a (m/s).
    #[inline(always)]
    pub(crate) fn predict_carried(
        &self,
        step: Vec3<R>,
        [x, r]: Pair<R>,
        [v, s]: Pair<R>,
        w: R,
    ) -> [Pair<R>; 2] {
        let moves = R::zero().lt(w);
        let [sum, rest] = two_sum(v, s + step);
        let (v, s) = (Vec3::select(moves, sum, v), Vec3::select(moves, rest, s));
        [two_sum(x, r + v * self.h), [v, s]]
    }

    /// Position and velocity after the correction `c` of what was predicted; the velocity is damped.
    #[inline(always)]
    pub(crate) fn update_carried(
        &self,
        c: Vec3<R>,
        [x, r]: Pair<R>,
        [v, s]: Pair<R>,
        w: R,
    ) -> [Pair<R>; 2] {
        let moves = R::zero().lt(w);
        let [sum, rest] = two_sum(v, s + c / self.h).map(|v| v * self.damping_factor);
        [two_sum(x, r + c), [Vec3::select(moves, sum, v), Vec3::select(moves, rest, s)]]
    }
}

impl<I: Copy, R: Real, V: Store<I, R>> Store<I, R> for Carried<V> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: PacketSlots<I, N>) -> [Particle<R>; N] {
        self.0.placed(slots)
    }
    #[inline(always)]
    fn fetch<const N: usize>(&self, slots: &[I; N]) {
        self.0.fetch(slots);
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: PacketSlots<I, N>) -> [Vec3<R>; N] {
        self.0.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: PacketSlots<I, N>, sites: [Particle<R>; N]) {
        self.0.add(slots, sites);
    }
    #[inline(always)]
    fn stored<const N: usize>(
        &self,
        slots: PacketSlots<I, N>,
        sites: [Particle<R>; N],
    ) -> [Vec3<R>; N] {
        let sums = added(self.0.load(slots), sites);
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| sums[slot].x,
        )
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: PacketSlots<I, N>) -> [Particle<R>; N] {
        self.0.sums(slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: PacketSlots<I, N>, sums: [Particle<R>; N]) {
        self.0.set_sums(slots, sums);
    }
}
