//! Columns of anything as all workers see them, eight entries at a time. Why this is sound stands in [`parallel`](super).

use crate::math::{F32x8, WIDTH, pack, unpack};
use std::marker::PhantomData;

/// N columns of one length, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct SharedColumns<'a, const N: usize> {
    columns: [*mut f32; N],
    len: usize,
    borrow: PhantomData<&'a mut [f32]>,
}

// SAFETY: see the module's comment; all pointers lead into columns borrowed exclusively for 'a.
unsafe impl<const N: usize> Sync for SharedColumns<'_, N> {}
// SAFETY: as above.
unsafe impl<const N: usize> Send for SharedColumns<'_, N> {}

impl<'a, const N: usize> SharedColumns<'a, N> {
    pub(crate) fn new(columns: [&'a mut [f32]; N]) -> Self {
        let len = columns[0].len();
        let columns = columns.map(|column| {
            assert_eq!(column.len(), len, "a column of another length");
            column.as_mut_ptr()
        });
        Self {
            columns,
            len,
            borrow: PhantomData,
        }
    }

    fn check(&self, first: usize) {
        let fits = first < self.len && WIDTH <= self.len - first;
        assert!(fits, "a place beyond the columns");
    }

    /// Eight entries from place `i`.
    #[inline(always)]
    pub(crate) fn get8(&self, i: usize) -> [F32x8; N] {
        self.check(i);
        let mut out = [F32x8::ZERO; N];
        for (out, column) in out.iter_mut().zip(self.columns) {
            // SAFETY: in bounds; no other worker writes these places within the phase.
            *out = pack(unsafe { column.add(i).cast::<[f32; WIDTH]>().read() });
        }
        out
    }

    /// Replaces eight entries from place `i`.
    #[inline(always)]
    pub(crate) fn set8(&self, i: usize, values: [F32x8; N]) {
        self.check(i);
        for (column, value) in self.columns.into_iter().zip(values) {
            // SAFETY: in bounds; no other worker touches these places within the phase.
            unsafe { column.add(i).cast::<[f32; WIDTH]>().write(unpack(value)) }
        }
    }

    /// Replaces one entry.
    pub(crate) fn set(&self, i: usize, values: [f32; N]) {
        let block = i / WIDTH * WIDTH;
        let eight = self.get8(block).map(unpack);
        let with = |k: usize| {
            let mut lanes = eight[k];
            lanes[i - block] = values[k];
            pack(lanes)
        };
        self.set8(block, std::array::from_fn(with));
    }
}
