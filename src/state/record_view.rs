//! Packed records beside the columns, as all workers see them: one cache line a particle, eight records and two slots to one
//! register transpose. Packets that gather and scalar loops read them.

#![allow(clippy::needless_range_loop)] // slots and sites run side by side, and `zip` is not always inlined

use super::particle_view::{ParticleView, Run};
use super::store::{each_slot, nothing};
use super::{Averaging, Store, Width};
use crate::constraints::Particle;
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, each_lane, halves, join, transpose};
use crate::threads::SharedSlice;

/// Positions and inverse masses as packed records `x y z w`.
#[derive(Clone, Copy)]
pub(crate) struct RecordView<'a, E> {
    records: SharedSlice<'a, [E; 4]>,
    /// Corrections gathered, and what they are averaged over; the records themselves where there are none.
    sums: SharedSlice<'a, [E; 4]>,
    averaging: Option<Averaging>,
    columns: ParticleView<'a, E>,
    /// Whether packets should be fetched ahead: worth 1.4x where a phase spreads over more than a second-level cache holds,
    /// and a loss of 15 % where it does not.
    far: bool,
}

impl<'a, E: Scalar> RecordView<'a, E> {
    pub(crate) fn new(records: &'a mut [[E; 4]], columns: ParticleView<'a, E>, far: bool) -> Self {
        assert_eq!(records.len(), columns.len(), "records of other columns");
        let records = SharedSlice::new(records);
        Self {
            records,
            sums: records,
            averaging: None,
            columns,
            far,
        }
    }

    /// The same records with others beside them: the corrections gathered, and in place of the inverse mass what those are
    /// averaged over.
    pub(crate) fn summing(self, sums: SharedSlice<'a, [E; 4]>) -> Self {
        assert_eq!(self.columns.len(), sums.len(), "sums of others");
        Self { sums, ..self }
    }

    /// The same records, rows of which start from the same positions.
    pub(crate) fn averaging(self, averaging: Averaging) -> Self {
        Self {
            averaging: Some(averaging),
            ..self
        }
    }

    /// The sums beside these records.
    pub(crate) fn of_sums(self) -> Self {
        Self {
            records: self.sums,
            ..self
        }
    }
}

impl RecordView<'_, f32> {
    #[inline(always)]
    fn get(&self, i: u32) -> [f32; 4] {
        self.records.get(i as usize)
    }

    #[inline(always)]
    fn set(&self, i: u32, record: [f32; 4]) {
        self.records.set(i as usize, record);
    }

    /// Fills the records of eight slots.
    #[inline(always)]
    pub(crate) fn fill8(&self, i: usize, x: Vec3<F32x8>, w: F32x8) {
        let zero = F32x8::zero();
        let rows = transpose([x.x, x.y, x.z, w, zero, zero, zero, zero]);
        for (lane, row) in rows.into_iter().enumerate() {
            let [record, _] = halves(row);
            self.set((i + lane) as u32, record);
        }
    }

    /// The positions of eight slots.
    #[inline(always)]
    pub(crate) fn read8(&self, i: usize) -> Vec3<F32x8> {
        let record = |lane: usize| join(self.get((i + lane) as u32), [0.0; 4]);
        let [x, y, z, ..] = transpose(each_lane(record));
        Vec3::new(x, y, z)
    }
}

impl Store<[u32; WIDTH], F32x8> for RecordView<'_, f32> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        let mut sites = [nothing(); N];
        for a in (0..N).step_by(2) {
            let b = (a + 1).min(N - 1);
            let row = |lane: usize| join(self.get(slots[a][lane]), self.get(slots[b][lane]));
            let [ax, ay, az, aw, bx, by, bz, bw] = transpose(each_lane(row));
            sites[b] = Particle {
                x: Vec3::new(bx, by, bz),
                w: bw,
            };
            sites[a] = Particle {
                x: Vec3::new(ax, ay, az),
                w: aw,
            };
        }
        sites
    }
    #[inline(always)]
    fn fetch<const N: usize>(&self, slots: &[[u32; WIDTH]; N]) {
        if self.far {
            for slot in slots {
                for &i in slot {
                    self.records.fetch(i as usize);
                }
            }
        }
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Vec3<F32x8>; N] {
        self.columns.load_previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [[u32; WIDTH]; N], sites: [Particle<F32x8>; N]) {
        for a in (0..N).step_by(2) {
            let b = (a + 1).min(N - 1);
            let (p, q) = (sites[a], sites[b]);
            let rows = transpose([p.x.x, p.x.y, p.x.z, p.w, q.x.x, q.x.y, q.x.z, q.w]);
            for lane in 0..WIDTH {
                let [first, second] = halves(rows[lane]);
                self.set(slots[a][lane], first);
                if b != a {
                    self.set(slots[b][lane], second);
                }
            }
        }
    }
    #[inline(always)]
    fn averaging(&self) -> Option<Averaging> {
        self.averaging
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        self.of_sums().load(slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [[u32; WIDTH]; N], sums: [Particle<F32x8>; N]) {
        self.of_sums().store(slots, sums);
    }
}

impl Store<Run, F32x8> for RecordView<'_, f32> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [Run; N]) -> [Particle<F32x8>; N] {
        each_slot(
            nothing(),
            #[inline(always)]
            |slot| Particle {
                x: self.read8(slots[slot].first as usize),
                w: self.columns.inverse_mass(slots[slot].first as usize),
            },
        )
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [Run; N]) -> [Vec3<F32x8>; N] {
        self.columns.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [Run; N], sites: [Particle<F32x8>; N]) {
        for slot in 0..N {
            let Particle { x, w } = sites[slot];
            self.fill8(slots[slot].first as usize, x, w);
        }
    }
}

impl<E: Scalar + Width<Element = E, Slots = u32>> Store<u32, E> for RecordView<'_, E> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [u32; N]) -> [Particle<E>; N] {
        each_slot(
            nothing(),
            #[inline(always)]
            |slot| {
                let [x, y, z, w] = self.records.get(slots[slot] as usize);
                Particle {
                    x: Vec3::new(x, y, z),
                    w,
                }
            },
        )
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [u32; N]) -> [Vec3<E>; N] {
        self.columns.load_previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [u32; N], sites: [Particle<E>; N]) {
        for slot in 0..N {
            let Particle { x, w } = sites[slot];
            let record = [x.x, x.y, x.z, w];
            self.records.set(slots[slot] as usize, record);
        }
    }
    #[inline(always)]
    fn averaging(&self) -> Option<Averaging> {
        self.averaging
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [u32; N]) -> [Particle<E>; N] {
        self.of_sums().load(slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [u32; N], sums: [Particle<E>; N]) {
        self.of_sums().store(slots, sums);
    }
}
