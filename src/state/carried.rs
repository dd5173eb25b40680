//! Displacements in place of positions, so that small steps are not lost in large numbers.
//!
//! ```text
//! predict    x_prev <- x,  d <- r + h v              rows see x_prev + d, and correct d
//! update     v <- (d - r) / h,  x <- x_prev + d,  r <- what that sum rounds off
//! ```
//!
//! A position of f32 has a grain of 6e-8 |x|, a velocity made of two of them one of 6e-8 |x| / h: at 50 substeps and 10 m that
//! is 2 mm/s, more than half of what gravity adds. d and r are as small as the motion, so neither it nor momentum is rounded
//! off (the sum is that of Knuth's two-sum: *The Art of Computer Programming* 2, section 4.2.2, theorem B).

use super::Averaging;
use super::store::{Store, each_slot};
use crate::constraints::Particle;
use crate::math::{Real, Vec3};

/// Columns or records that hold displacements since the substep began.
#[derive(Clone, Copy)]
pub(crate) struct Carried<V>(pub(crate) V);

/// Particles at their displacements from `bases`.
#[inline(always)]
pub(super) fn displaced<R: Real, const N: usize>(
    bases: [Vec3<R>; N],
    displacements: [Particle<R>; N],
) -> [Particle<R>; N] {
    let mut sites = displacements;
    for (site, base) in sites.iter_mut().zip(bases) {
        site.x = base + site.x;
    }
    sites
}

/// Displacements with the corrections of `sites`.
#[inline(always)]
pub(super) fn corrected<R: Real, const N: usize>(
    displacements: [Particle<R>; N],
    sites: [Particle<R>; N],
) -> [Particle<R>; N] {
    let mut sum = displacements;
    for (sum, site) in sum.iter_mut().zip(sites) {
        sum.x += site.moved;
    }
    sum
}

/// a + b, and what that rounds off: exactly, whichever is larger.
#[inline(always)]
pub(crate) fn two_sum<R: Real>(a: Vec3<R>, b: Vec3<R>) -> [Vec3<R>; 2] {
    let sum = a + b;
    let of_b = sum - a;
    let rest = (a - (sum - of_b)) + (b - of_b);
    // Of a sum that overflows there is no rest.
    [sum, Vec3::new(rest.x.finite_or_zero(), rest.y.finite_or_zero(), rest.z.finite_or_zero())]
}

impl<I: Copy, R: Real, V: Store<I, R>> Store<I, R> for Carried<V> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [I; N]) -> [Particle<R>; N] {
        displaced(self.0.previous(slots), self.0.load(slots))
    }
    #[inline(always)]
    fn fetch<const N: usize>(&self, slots: &[I; N]) {
        self.0.fetch(slots);
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [I; N]) -> [Vec3<R>; N] {
        self.0.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [I; N], sites: [Particle<R>; N]) {
        self.0.store(slots, corrected(self.0.load(slots), sites));
    }
    #[inline(always)]
    fn stored<const N: usize>(&self, slots: [I; N], sites: [Particle<R>; N]) -> [Vec3<R>; N] {
        let sums = corrected(self.0.load(slots), sites);
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| sums[slot].x,
        )
    }
    #[inline(always)]
    fn averaging(&self) -> Option<Averaging> {
        self.0.averaging()
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [I; N]) -> [Particle<R>; N] {
        self.0.sums(slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [I; N], sums: [Particle<R>; N]) {
        self.0.set_sums(slots, sums);
    }
}
