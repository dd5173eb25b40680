//! Packed records beside the columns, as all workers see them. Why this is sound stands in [`parallel`](super).

use super::shared::{Shared, each_slot, nothing};
use super::stores::Run;
use crate::constraints::Particle;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, halves, join, transpose};
use crate::rows::{Sharing, Store};

/// Positions and inverse masses as packed records beside the columns, for packets that gather: one cache line a particle,
/// eight records and two slots to one register transpose.
#[derive(Clone, Copy)]
pub(crate) struct SharedRecords<'a> {
    records: *mut [f32; 4],
    /// Corrections gathered, and what they are averaged over; the records themselves where there are none.
    sums: *mut [f32; 4],
    sharing: Option<Sharing>,
    columns: Shared<'a>,
    /// Whether packets should be fetched ahead: worth 1.4x where a phase spreads over more than a second-level cache holds,
    /// and a loss of 15 % where it does not.
    far: bool,
}

// SAFETY: see the module's comment; the records are borrowed exclusively for 'a.
unsafe impl Sync for SharedRecords<'_> {}
// SAFETY: as above.
unsafe impl Send for SharedRecords<'_> {}

impl<'a> SharedRecords<'a> {
    pub(crate) fn new(records: &'a mut [[f32; 4]], columns: Shared<'a>, far: bool) -> Self {
        assert_eq!(records.len(), columns.len(), "records of other columns");
        let records = records.as_mut_ptr();
        Self {
            records,
            sums: records,
            sharing: None,
            columns,
            far,
        }
    }

    /// The same records with others beside them: the corrections gathered, and in place of the inverse mass what those are
    /// averaged over.
    pub(crate) fn summing(self, sums: SharedRecords<'a>) -> Self {
        assert_eq!(self.columns.len(), sums.columns.len(), "sums of others");
        Self {
            sums: sums.records,
            ..self
        }
    }

    /// The same records, rows of which start from the same positions.
    pub(crate) fn sharing(self, sharing: Sharing) -> Self {
        Self {
            sharing: Some(sharing),
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

    #[inline(always)]
    fn get(&self, i: u32) -> [f32; 4] {
        self.columns.check(i as usize, 1);
        // SAFETY: in bounds; no other worker writes this record within the phase.
        unsafe { *self.records.add(i as usize) }
    }

    #[inline(always)]
    fn set(&self, i: u32, record: [f32; 4]) {
        self.columns.check(i as usize, 1);
        // SAFETY: in bounds; no other worker touches this record within the phase.
        unsafe { *self.records.add(i as usize) = record }
    }

    /// Fills the records of eight places from the columns.
    #[inline(always)]
    pub(crate) fn fill8(&self, i: usize, x: Vec3<F32x8>, w: F32x8) {
        let zero = F32x8::zero();
        let rows = transpose([x.x, x.y, x.z, w, zero, zero, zero, zero]);
        for (lane, row) in rows.into_iter().enumerate() {
            let [record, _] = halves(row);
            self.set((i + lane) as u32, record);
        }
    }

    /// The positions of eight places, from the records.
    #[inline(always)]
    pub(crate) fn read8(&self, i: usize) -> Vec3<F32x8> {
        let record = |lane: usize| join(self.get((i + lane) as u32), [0.0; 4]);
        let [x, y, z, ..] = transpose(each_lane(record));
        Vec3::new(x, y, z)
    }
}

impl Store<[u32; WIDTH], F32x8> for SharedRecords<'_> {
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
        if !self.far {
            return;
        }
        for &i in slots.as_flattened() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a prefetch reads nothing that a program can see, at any address.
            unsafe {
                use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
                _mm_prefetch::<_MM_HINT_T0>(self.records.wrapping_add(i as usize).cast());
            }
        }
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Vec3<F32x8>; N] {
        self.columns.previous(slots)
    }
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        self.sharing
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        self.of_sums().load(slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [[u32; WIDTH]; N], sums: [Particle<F32x8>; N]) {
        self.of_sums().store(slots, sums);
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
}

impl Store<Run, F32x8> for SharedRecords<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [Run; N]) -> [Particle<F32x8>; N] {
        each_slot(nothing(), |slot| Particle {
            x: self.read8(slots[slot].first as usize),
            w: self.columns.inverse_mass8(slots[slot].first as usize),
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [Run; N]) -> [Vec3<F32x8>; N] {
        self.columns.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [Run; N], sites: [Particle<F32x8>; N]) {
        for (run, Particle { x, w }) in slots.into_iter().zip(sites) {
            self.fill8(run.first as usize, x, w);
        }
    }
}

impl Store<u32, f32> for SharedRecords<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [u32; N]) -> [Particle<f32>; N] {
        each_slot(nothing(), |slot| {
            let [x, y, z, w] = self.get(slots[slot]);
            Particle {
                x: Vec3::new(x, y, z),
                w,
            }
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [u32; N]) -> [Vec3<f32>; N] {
        self.columns.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [u32; N], sites: [Particle<f32>; N]) {
        for (i, Particle { x, w }) in slots.into_iter().zip(sites) {
            self.set(i, [x.x, x.y, x.z, w]);
        }
    }
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        self.sharing
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [u32; N]) -> [Particle<f32>; N] {
        self.of_sums().load(slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [u32; N], sums: [Particle<f32>; N]) {
        self.of_sums().store(slots, sums);
    }
}
