//! Values by index, as all workers see them. Why this is sound stands in [`threads`](super).

use super::SharedSlice;
#[cfg(test)]
use super::races;
use crate::math::{WIDTH, each_lane};
use std::cell::UnsafeCell;

/// Values that workers replace in turn: each index belongs to one worker within a phase.
pub(crate) struct Cells<T>(Vec<UnsafeCell<T>>);

// SAFETY: see the module's comment; a batch indexes its cells by packet, and a packet belongs to one worker's chunk. `T` must be
// `Sync` too: workers hold references to the same value.
unsafe impl<T: Send + Sync> Sync for Cells<T> {}

impl<T: Copy> Cells<T> {
    pub(crate) fn new(len: usize, value: T) -> Self {
        let mut cells = Self(Vec::new());
        cells.resize(len, value);
        cells
    }

    /// As many values as `len` says; new ones are `value`, others stay.
    pub(crate) fn resize(&mut self, len: usize, value: T) {
        self.0.resize_with(len, || UnsafeCell::new(value));
    }

    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> T {
        #[cfg(test)]
        races::read(self.0[i].get().addr());
        // SAFETY: no other worker writes index i within the phase.
        unsafe { *self.0[i].get() }
    }

    /// Eight values. Their indices are checked together, which costs a gather less than eight branches.
    #[inline(always)]
    pub(crate) fn gather(&self, at: [u32; WIDTH]) -> [T; WIDTH] {
        let len = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let beyond = at.iter().fold(false, |beyond, &i| beyond | (i >= len));
        assert!(!beyond, "an index beyond {len}");
        #[cfg(test)]
        races::read_at(self.0.as_ptr().addr(), size_of::<T>(), &at);
        // SAFETY: the indices lie below the length; no other worker writes them within the phase.
        each_lane(|lane| unsafe { *self.0.get_unchecked(at[lane] as usize).get() })
    }

    /// Does `act` with eight values of each of some cells, slots after slots, which are checked once for all.
    #[inline(always)]
    pub(crate) fn gather_all<const N: usize>(
        cells: [&Self; N],
        at: &[[u32; WIDTH]],
        mut act: impl FnMut(Gathered<T, N>),
    ) {
        let least = cells.iter().map(|cells| cells.0.len()).min().unwrap_or(0);
        let len = u32::try_from(least).unwrap_or(u32::MAX);
        let most = at.as_flattened().iter().fold(0, |most, &i| i.max(most));
        assert!(at.is_empty() || most < len, "an index beyond {len}");
        for at in at {
            #[cfg(test)]
            for cells in cells {
                races::read_at(cells.0.as_ptr().addr(), size_of::<T>(), at);
            }
            act(Gathered { cells, at });
        }
    }

    #[inline(always)]
    pub(crate) fn set(&self, i: usize, value: T) {
        #[cfg(test)]
        races::write_in(self.0.as_ptr().addr(), self.0[i].get().addr());
        // SAFETY: no other worker reads or writes index i within the phase.
        unsafe { *self.0[i].get() = value }
    }

    /// Two values side by side.
    #[inline(always)]
    pub(crate) fn get_two(&self, i: usize) -> [T; 2] {
        let two = &self.0[i..i + 2];
        #[cfg(test)]
        two.iter().for_each(|cell| races::read(cell.get().addr()));
        // SAFETY: no other worker writes these indices within the phase.
        unsafe { [*two[0].get(), *two[1].get()] }
    }

    /// Replaces two values side by side.
    #[inline(always)]
    pub(crate) fn set_two(&self, i: usize, [first, second]: [T; 2]) {
        let two = &self.0[i..i + 2];
        #[cfg(test)]
        two.iter().for_each(|cell| races::write_in(self.0.as_ptr().addr(), cell.get().addr()));
        // SAFETY: no other worker reads or writes these indices within the phase.
        unsafe {
            *two[0].get() = first;
            *two[1].get() = second;
        }
    }

    /// Changes a value where it lies; `change` must not come back to these cells.
    #[inline(always)]
    pub(crate) fn update(&self, i: usize, change: impl FnOnce(&mut T)) {
        #[cfg(test)]
        races::write_in(self.0.as_ptr().addr(), self.0[i].get().addr());
        // SAFETY: no other worker reads or writes index i within the phase, and `change` holds the only reference.
        change(unsafe { &mut *self.0[i].get() })
    }

    /// The same values as records of a slice.
    #[inline(always)]
    pub(crate) fn shared(&self) -> SharedSlice<'_, T> {
        SharedSlice::of_cells(&self.0)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All values, in a phase in which nobody writes them.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[T] {
        #[cfg(test)]
        races::read_all(self.0.as_ptr().addr());
        // SAFETY: no worker writes within the phase, and `UnsafeCell<T>` lies as `T` does.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len()) }
    }
}

/// Eight values of each of some cells, at indices below all their lengths.
pub(crate) struct Gathered<'a, T, const N: usize> {
    cells: [&'a Cells<T>; N],
    at: &'a [u32; WIDTH],
}

impl<T: Copy, const N: usize> Gathered<'_, T, N> {
    /// One of them.
    #[inline(always)]
    pub(crate) fn get(&self, of: usize, lane: usize) -> T {
        // SAFETY: `gather_all` alone makes these, of indices below the lengths; no other worker writes them within the phase.
        unsafe { *self.cells[of].0.get_unchecked(self.at[lane] as usize).get() }
    }
}
