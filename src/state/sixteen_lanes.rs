//! Sixteen lanes: how `F32x16` comes from columns and records and goes back there.

use super::width::Consecutive;
use crate::math::{F32x16, each};
use crate::threads::SharedColumns;

impl Consecutive for F32x16 {
    type Element = f32;
    #[inline(always)]
    fn read<const N: usize>(columns: &SharedColumns<f32, N>, i: usize) -> [Self; N] {
        each(columns.read(i), F32x16::new)
    }
    #[inline(always)]
    fn write<const N: usize, const M: usize>(
        columns: &SharedColumns<f32, N>,
        i: usize,
        of: [Self; M],
    ) {
        columns.write(i, each(of, |lanes| lanes.to_array()));
    }
}
