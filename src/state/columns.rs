//! Struct-of-arrays columns, padded to eight (S1-03).

use crate::math::{Scalar, WIDTH};
use crate::threads::SharedColumns;
use bytemuck::Zeroable;

/// Numbers side by side, from the start of a cache line: sixteen lanes that straddle two take twice as long.
#[derive(Clone)]
pub struct Column<R: Scalar> {
    lines: Vec<R::Line>,
    /// Lines before the first number.
    start: usize,
    /// Numbers, padding to blocks of eight included.
    len: usize,
}

/// Lines of a page of memory. What lies so many lines apart competes for the same eight places of a first-level cache, and
/// the system begins every large column at the start of a page: the phases over all particles walk along up to 22.
const PAGE: usize = 64;
/// Spreads numbers of pages: 2³² over the golden ratio (Knuth, *The Art of Computer Programming* 3, section 6.4).
const SPREAD: usize = 0x9E37_79B1;

impl<R: Scalar> Column<R> {
    pub(crate) fn zeros(len: usize) -> Self {
        let len = len.next_multiple_of(WIDTH);
        let needed = len.div_ceil(2 * WIDTH);
        let spread = if needed < PAGE { 0 } else { PAGE };
        let lines = vec![R::Line::zeroed(); needed + spread];
        let page = lines.as_ptr().addr() / (PAGE * size_of::<R::Line>());
        let start = (page.wrapping_mul(SPREAD) >> 16) % spread.max(1);
        Self { lines, start, len }
    }

    /// The numbers, padding included.
    pub fn as_slice(&self) -> &[R] {
        &bytemuck::cast_slice(&self.lines[self.start..])[..self.len]
    }

    /// The numbers, padding included, to write.
    pub fn as_mut_slice(&mut self) -> &mut [R] {
        &mut bytemuck::cast_slice_mut(&mut self.lines[self.start..])[..self.len]
    }
}

/// N columns side by side.
#[derive(Clone)]
pub struct Columns<R: Scalar, const N: usize>(pub [Column<R>; N]);

/// Three columns: x, y and z.
pub type Columns3<R> = Columns<R, 3>;

impl<R: Scalar, const N: usize> Columns<R, N> {
    pub(crate) fn zeros(len: usize) -> Self {
        Self(std::array::from_fn(|_| Column::zeros(len)))
    }

    /// The same entry everywhere.
    pub(crate) fn filled(len: usize, value: [R; N]) -> Self {
        let mut columns = Self::zeros(len);
        for (column, v) in columns.0.iter_mut().zip(value) {
            column.as_mut_slice().fill(v);
        }
        columns
    }

    /// The entry at storage index `i`.
    pub fn read(&self, i: usize) -> [R; N] {
        std::array::from_fn(|axis| self.0[axis].as_slice()[i])
    }

    /// Replaces the entry at storage index `i`.
    pub fn write(&mut self, i: usize, value: [R; N]) {
        for (column, v) in self.0.iter_mut().zip(value) {
            column.as_mut_slice()[i] = v;
        }
    }

    /// The columns as slices.
    pub fn as_slices(&self) -> [&[R]; N] {
        self.0.each_ref().map(Column::as_slice)
    }

    /// The columns as all workers see them.
    pub(super) fn shared(&mut self) -> SharedColumns<'_, R, N> {
        SharedColumns::new(self.as_mut_slices())
    }

    /// The columns as slices, to write.
    pub fn as_mut_slices(&mut self) -> [&mut [R]; N] {
        self.0.each_mut().map(Column::as_mut_slice)
    }
}
