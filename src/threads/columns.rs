//! Columns and records as all workers see them. Why this is sound stands in [`threads`](super).

use super::PacketSlots;
#[cfg(test)]
use super::races;
use crate::math::{WIDTH, each};
use std::cell::UnsafeCell;
use std::marker::PhantomData;

/// N columns of one length, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct SharedColumns<'a, E, const N: usize> {
    columns: [*mut E; N],
    len: usize,
    borrow: PhantomData<&'a mut [E]>,
}

// SAFETY: see the module's comment; all pointers lead into columns borrowed exclusively for 'a, and numbers may be read and
// written by any thread.
unsafe impl<E: Copy + Send + Sync, const N: usize> Sync for SharedColumns<'_, E, N> {}
// SAFETY: as above.
unsafe impl<E: Copy + Send + Sync, const N: usize> Send for SharedColumns<'_, E, N> {}

impl<'a, E: Copy, const N: usize> SharedColumns<'a, E, N> {
    pub(crate) fn new(columns: [&'a mut [E]; N]) -> Self {
        let len = columns[0].len();
        let columns = columns.map(|column| {
            assert_eq!(column.len(), len, "a column of another length");
            column.as_mut_ptr()
        });
        Self { columns, len, borrow: PhantomData }
    }

    /// Entries of a column.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn check(&self, first: usize, count: usize) {
        // The first half is the same for a whole loop, and leaves it.
        assert!(count <= self.len && first <= self.len - count, "a slot beyond the columns");
    }

    /// L consecutive entries from slot `i`.
    #[inline(always)]
    pub(crate) fn read<const L: usize>(&self, i: usize) -> [[E; L]; N] {
        self.check(i, L);
        #[cfg(test)]
        races::read_run(self.columns[0].wrapping_add(i).addr(), size_of::<E>(), L);
        // SAFETY: in bounds; no other worker writes these slots within the phase.
        each(
            self.columns,
            #[inline(always)]
            |column| unsafe { column.add(i).cast::<[E; L]>().read() },
        )
    }

    /// Replaces L consecutive entries of the first M columns from slot `i`.
    #[inline(always)]
    pub(crate) fn write<const L: usize, const M: usize>(&self, i: usize, values: [[E; L]; M]) {
        const { assert!(M <= N, "more values than columns") };
        self.check(i, L);
        #[cfg(test)]
        races::write_run(self.columns[0].wrapping_add(i).addr(), size_of::<E>(), L);
        for k in 0..M {
            // SAFETY: in bounds; no other worker touches these slots within the phase.
            unsafe { self.columns[k].add(i).cast::<[E; L]>().write(values[k]) }
        }
    }

    /// One entry.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> [E; N] {
        self.check(i, 1);
        #[cfg(test)]
        races::read(self.columns[0].wrapping_add(i).addr());
        // SAFETY: in bounds; no other worker writes this slot within the phase.
        each(
            self.columns,
            #[inline(always)]
            |column| unsafe { *column.add(i) },
        )
    }

    /// Replaces one entry of the first M columns.
    #[inline(always)]
    pub(crate) fn set<const M: usize>(&self, i: usize, values: [E; M]) {
        const { assert!(M <= N, "more values than columns") };
        self.check(i, 1);
        #[cfg(test)]
        races::write(self.columns[0].wrapping_add(i).addr());
        for k in 0..M {
            // SAFETY: in bounds; no other worker touches this slot within the phase.
            unsafe { *self.columns[k].add(i) = values[k] }
        }
    }
}

/// Records of one slice, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct SharedSlice<'a, T> {
    records: *mut T,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: see the module's comment; the records are borrowed exclusively for 'a.
unsafe impl<T: Copy + Send + Sync> Sync for SharedSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Copy + Send + Sync> Send for SharedSlice<'_, T> {}

impl<'a, T: Copy> SharedSlice<'a, T> {
    pub(crate) fn new(records: &'a mut [T]) -> Self {
        Self { len: records.len(), records: records.as_mut_ptr(), borrow: PhantomData }
    }

    /// The values of cells, which may be replaced through a shared reference.
    #[inline(always)]
    pub(super) fn of_cells(cells: &'a [UnsafeCell<T>]) -> Self {
        let records = cells.as_ptr().cast_mut().cast(); // `UnsafeCell<T>` lies as `T` does
        Self { len: cells.len(), records, borrow: PhantomData }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> T {
        assert!(i < self.len, "a slot beyond the records");
        #[cfg(test)]
        races::read(self.records.wrapping_add(i).addr());
        // SAFETY: in bounds; no other worker writes this record within the phase.
        unsafe { *self.records.add(i) }
    }

    #[inline(always)]
    pub(crate) fn set(&self, i: usize, record: T) {
        assert!(i < self.len, "a slot beyond the records");
        #[cfg(test)]
        races::write(self.records.wrapping_add(i).addr());
        // SAFETY: in bounds; no other worker touches this record within the phase.
        unsafe { *self.records.add(i) = record }
    }

    /// The records of a packet: of a list, whose slots are all held against the length at once, or each as it is met.
    #[inline(always)]
    pub(crate) fn at<I, const N: usize>(
        self,
        slots: impl Into<PacketSlots<I, N>>,
    ) -> RecordsAt<'a, T, I, N> {
        let slots = slots.into();
        assert!(slots.end().is_none_or(|end| end <= self.len), "slots beyond the records");
        RecordsAt { records: self, slots }
    }

    /// Begins to fetch a record that will be read.
    #[inline(always)]
    pub(crate) fn fetch(&self, _i: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing that a program can see, at any address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.records.wrapping_add(_i).cast());
        }
    }
}

/// The records of a packet.
#[derive(Clone, Copy)]
pub(crate) struct RecordsAt<'a, T, I, const N: usize> {
    records: SharedSlice<'a, T>,
    slots: PacketSlots<I, N>,
}

impl<T: Copy, const N: usize> RecordsAt<'_, T, u32, N> {
    /// That of a particle.
    #[inline(always)]
    pub(crate) fn get(&self, of: usize) -> T {
        self.read(self.slots[of])
    }

    /// Replaces it.
    #[inline(always)]
    pub(crate) fn set(&self, of: usize, record: T) {
        self.write(self.slots[of], record);
    }
}

impl<T: Copy, const N: usize> RecordsAt<'_, T, [u32; WIDTH], N> {
    /// That of a particle in a lane.
    #[inline(always)]
    pub(crate) fn get_lane(&self, of: usize, lane: usize) -> T {
        self.read(self.slots[of][lane])
    }

    /// Replaces it.
    #[inline(always)]
    pub(crate) fn set_lane(&self, of: usize, lane: usize, record: T) {
        self.write(self.slots[of][lane], record);
    }
}

// All are called with slots of the packet alone.
impl<T: Copy, I, const N: usize> RecordsAt<'_, T, I, N> {
    #[inline(always)]
    fn check(&self, slot: u32) -> usize {
        let (slot, is_proved) = (slot as usize, self.slots.end().is_some());
        assert!(is_proved || slot < self.records.len, "a slot beyond the records");
        slot
    }

    #[inline(always)]
    fn read(&self, slot: u32) -> T {
        let slot = self.check(slot);
        #[cfg(test)]
        races::read(self.records.records.wrapping_add(slot).addr());
        // SAFETY: in bounds, as `check` has found or `SharedSlice::at`, which alone makes these; no other worker writes this record
        // within the phase.
        unsafe { *self.records.records.add(slot) }
    }

    #[inline(always)]
    fn write(&self, slot: u32, record: T) {
        let slot = self.check(slot);
        #[cfg(test)]
        races::write(self.records.records.wrapping_add(slot).addr());
        // SAFETY: in bounds as in `read`; no other worker touches this record within the phase.
        unsafe { *self.records.records.add(slot) = record }
    }
}
