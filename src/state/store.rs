//! Where particles lie: what rows are loaded from and stored to.

use crate::constraints::Particle;
use crate::math::{Real, Vec3};
use crate::threads::PacketSlots;

/// Loads and stores the particles that slots `I` name, as many a slot as `R` has lanes.
pub(crate) trait Store<I: Copy, R: Real> {
    /// Positions and inverse masses.
    fn load<const N: usize>(&self, slots: PacketSlots<I, N>) -> [Particle<R>; N];
    /// Begins to fetch what [`load`](Store::load) will read, where that is far away.
    #[inline(always)]
    fn fetch<const N: usize>(&self, _slots: &[I; N]) {}
    /// Where particles were predicted, of a view that holds corrections from there.
    #[inline(always)]
    fn predicted<const N: usize>(&self, _slots: PacketSlots<I, N>) -> [Vec3<R>; N] {
        unreachable!("corrections are of columns or records")
    }
    /// Positions and inverse masses, of a view that holds corrections.
    #[inline(always)]
    fn placed<const N: usize>(&self, slots: PacketSlots<I, N>) -> [Particle<R>; N] {
        placed(self.predicted(slots), self.load(slots))
    }
    /// Adds what the particles moved to a view that holds corrections.
    #[inline(always)]
    fn add<const N: usize>(&self, slots: PacketSlots<I, N>, sites: [Particle<R>; N]) {
        self.store(slots, added(self.load(slots), sites));
    }
    /// Positions at the start of the substep.
    fn previous<const N: usize>(&self, slots: PacketSlots<I, N>) -> [Vec3<R>; N];
    /// Replaces the positions.
    fn store<const N: usize>(&self, slots: PacketSlots<I, N>, sites: [Particle<R>; N]);
    /// What [`store`](Store::store) would put there: positions, or corrections where those are kept.
    #[inline(always)]
    fn stored<const N: usize>(
        &self,
        _slots: PacketSlots<I, N>,
        sites: [Particle<R>; N],
    ) -> [Vec3<R>; N] {
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| sites[slot].x,
        )
    }
    /// Corrections gathered so far, and in place of the inverse mass how many they are averaged over.
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: PacketSlots<I, N>) -> [Particle<R>; N] {
        self.load(slots)
    }
    /// Replaces the corrections gathered.
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: PacketSlots<I, N>, sums: [Particle<R>; N]) {
        self.store(slots, sums);
    }
}

/// Particles, corrected from where they were predicted.
#[inline(always)]
pub(super) fn placed<R: Real, const N: usize>(
    predicted: [Vec3<R>; N],
    corrections: [Particle<R>; N],
) -> [Particle<R>; N] {
    let mut sites = corrections;
    for (site, x) in sites.iter_mut().zip(predicted) {
        site.x = x + site.x;
    }
    sites
}

/// Corrections, and beside them what `sites` were moved.
#[inline(always)]
pub(super) fn added<R: Real, const N: usize>(
    corrections: [Particle<R>; N],
    sites: [Particle<R>; N],
) -> [Particle<R>; N] {
    let mut sum = corrections;
    for (sum, site) in sum.iter_mut().zip(sites) {
        sum.x += site.moved;
    }
    sum
}

/// One value for each slot: `load` at slot i; written as a loop so that it is inlined.
#[inline(always)]
pub(super) fn each_slot<T: Copy, const N: usize>(empty: T, load: impl Fn(usize) -> T) -> [T; N] {
    let mut out = [empty; N];
    for (i, out) in out.iter_mut().enumerate() {
        *out = load(i);
    }
    out
}

/// A particle yet to be loaded.
#[inline(always)]
pub(crate) fn nothing<R: Real>() -> Particle<R> {
    Particle::new(Vec3::zero(), R::zero())
}
