//! Packed records beside the columns, as all workers see them: one cache line a particle, eight records and two slots to one
//! register transpose. Packets that gather and scalar loops read them.

use super::particle_view::ParticleView;
use super::store::each_slot;
use super::{Averaging, Store, Width};
use crate::constraints::Particle;
use crate::math::{Scalar, Vec3, each};
use crate::threads::{PacketSlots, SharedSlice};

/// Positions and inverse masses as packed records `x y z w`.
#[derive(Clone, Copy)]
pub(crate) struct RecordView<'a, E> {
    records: SharedSlice<'a, [E; 4]>,
    /// Positions predicted, where the records are corrections from there; the records themselves where they are not.
    predicted: SharedSlice<'a, [E; 4]>,
    /// Corrections gathered, and what they are averaged over; the records themselves where there are none.
    sums: SharedSlice<'a, [E; 4]>,
    pub(super) averaging: Option<Averaging>,
    pub(super) columns: ParticleView<'a, E>,
    /// Whether packets should be fetched ahead: worth 1.4x where a phase spreads over more than a second-level cache holds,
    /// and a loss of 15 % where it does not.
    far: bool,
}

impl<'a, E: Scalar> RecordView<'a, E> {
    pub(crate) fn new(records: &'a mut [[E; 4]], columns: ParticleView<'a, E>, far: bool) -> Self {
        assert_eq!(records.len(), columns.len(), "records of other columns");
        let records = SharedSlice::new(records);
        Self { records, predicted: records, sums: records, averaging: None, columns, far }
    }

    /// The same records, as corrections of others.
    pub(crate) fn correcting(self, predicted: &'a mut [[E; 4]]) -> Self {
        assert_eq!(self.columns.len(), predicted.len(), "predictions of others");
        Self { predicted: SharedSlice::new(predicted), ..self }
    }

    /// The same records with others beside them: the corrections gathered, and in place of the inverse mass what those are
    /// averaged over.
    pub(crate) fn summing(self, sums: SharedSlice<'a, [E; 4]>) -> Self {
        assert_eq!(self.columns.len(), sums.len(), "sums of others");
        Self { sums, ..self }
    }

    /// The same records, rows of which start from the same positions.
    pub(crate) fn with_averaging(self, averaging: Averaging) -> Self {
        Self { averaging: Some(averaging), ..self }
    }

    /// The sums beside these records.
    pub(crate) fn of_sums(self) -> Self {
        Self { records: self.sums, ..self }
    }
}

impl<E: Scalar> RecordView<'_, E> {
    /// Positions and inverse masses.
    #[inline(always)]
    pub(crate) fn load<W: Width<Element = E>, const N: usize>(
        &self,
        slots: impl Into<PacketSlots<W::Slots, N>>,
    ) -> [Particle<W>; N] {
        W::load_particles(self.records.at(slots))
    }

    /// Replaces positions, with the inverse masses given.
    #[inline(always)]
    pub(crate) fn store<W: Width<Element = E>, const N: usize>(
        &self,
        slots: impl Into<PacketSlots<W::Slots, N>>,
        sites: [Particle<W>; N],
    ) {
        W::store_particles(self.records.at(slots), sites);
    }

    /// Positions and inverse masses, of records that are corrections.
    #[inline(always)]
    pub(super) fn load_placed<W: Width<Element = E>, const N: usize>(
        &self,
        slots: impl Into<PacketSlots<W::Slots, N>>,
    ) -> [Particle<W>; N] {
        let slots = slots.into();
        W::load_sums([self.predicted.at(slots), self.records.at(slots)])
    }

    /// Adds what the particles moved to records that are corrections.
    #[inline(always)]
    pub(super) fn add<W: Width<Element = E>, const N: usize>(
        &self,
        slots: impl Into<PacketSlots<W::Slots, N>>,
        sites: [Particle<W>; N],
    ) {
        // Zero, but the compiler does not know: of a constant it makes a transpose lane by lane.
        let motion = |site: Particle<W>| Particle::new(site.moved, site.w * W::zero());
        W::add_particles(self.records.at(slots), each(sites, motion));
    }

    /// Positions predicted.
    #[inline(always)]
    pub(super) fn load_predicted<W: Width<Element = E>, const N: usize>(
        &self,
        slots: impl Into<PacketSlots<W::Slots, N>>,
    ) -> [Vec3<W>; N] {
        let predicted = W::load_particles(self.predicted.at(slots));
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| predicted[slot].x,
        )
    }

    /// Positions predicted of consecutive particles.
    #[inline(always)]
    pub(super) fn read_predicted<W: Width<Element = E>>(&self, i: usize) -> Vec3<W> {
        let [x] = self.load_predicted([W::consecutive(i)]);
        x
    }

    /// Replaces them.
    #[inline(always)]
    pub(super) fn write_predicted<W: Width<Element = E>>(&self, i: usize, x: Vec3<W>) {
        let site = Particle::new(x, W::zero());
        W::store_particles(self.predicted.at([W::consecutive(i)]), [site]);
    }

    /// Slot `to` starts its substep where slot `from` does; what lies at `to` is to be stored after it.
    pub(crate) fn copy_base(&self, from: u32, to: u32) {
        self.columns.copy_previous(from, to);
        self.predicted.set(to as usize, self.predicted.get(from as usize));
    }

    /// Begins to fetch what [`load`](Self::load) will read, where that is far away.
    #[inline(always)]
    pub(crate) fn fetch<W: Width<Element = E>>(&self, slots: W::Slots) {
        if self.far {
            for lane in 0..W::LANES {
                self.records.fetch(W::slot(slots, lane) as usize);
            }
        }
    }

    /// Positions of consecutive particles.
    #[inline(always)]
    pub(crate) fn read<W: Width<Element = E>>(&self, i: usize) -> Vec3<W> {
        let [site] = self.load([W::consecutive(i)]);
        site.x
    }

    /// Replaces the records of consecutive particles.
    #[inline(always)]
    pub(crate) fn write<W: Width<Element = E>>(&self, i: usize, site: Particle<W>) {
        self.store([W::consecutive(i)], [site]);
    }
}

impl<W: Width> Store<W::Slots, W> for RecordView<'_, W::Element> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: PacketSlots<W::Slots, N>) -> [Particle<W>; N] {
        self.load(slots)
    }
    #[inline(always)]
    fn fetch<const N: usize>(&self, slots: &[W::Slots; N]) {
        slots.iter().for_each(|&slots| self.fetch::<W>(slots));
    }
    #[inline(always)]
    fn placed<const N: usize>(&self, slots: PacketSlots<W::Slots, N>) -> [Particle<W>; N] {
        self.load_placed(slots)
    }
    #[inline(always)]
    fn add<const N: usize>(&self, slots: PacketSlots<W::Slots, N>, sites: [Particle<W>; N]) {
        self.add(slots, sites);
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: PacketSlots<W::Slots, N>) -> [Vec3<W>; N] {
        self.columns.load_previous(*slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: PacketSlots<W::Slots, N>, sites: [Particle<W>; N]) {
        self.store(slots, sites);
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: PacketSlots<W::Slots, N>) -> [Particle<W>; N] {
        self.of_sums().load(slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: PacketSlots<W::Slots, N>, sums: [Particle<W>; N]) {
        self.of_sums().store(slots, sums);
    }
}
