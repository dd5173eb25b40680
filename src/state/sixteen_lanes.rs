//! Sixteen lanes: how `F32x16` comes from columns and records and goes back there. Records come as two halves of eight lanes.

use super::width::{Consecutive, Lanes};
use crate::math::{F32x8, F32x16, WIDTH, both, each, each_lane, joined, split};
use crate::threads::{Cells, SharedColumns};

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

impl Lanes for F32x16 {
    type Slots = [u32; 2 * WIDTH];
    const LANES: usize = 2 * WIDTH;
    #[inline(always)]
    fn slots(of: impl Fn(usize) -> u32) -> Self::Slots {
        bytemuck::cast([each_lane(&of), each_lane(|lane| of(WIDTH + lane))])
    }
    #[inline(always)]
    fn collect(of: impl Fn(usize) -> f32) -> Self {
        both([F32x8::collect(&of), F32x8::collect(|lane| of(WIDTH + lane))])
    }
    #[inline(always)]
    fn slot(slots: Self::Slots, lane: usize) -> u32 {
        slots[lane]
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f32 {
        self.to_array()[lane]
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        mask.to_bitmask()
    }
    #[inline(always)]
    fn load_records(cells: &Cells<[f32; 8]>, slots: Self::Slots) -> [Self; 8] {
        joined(each(bytemuck::cast(slots), |half| F32x8::load_records(cells, half)))
    }
    #[inline(always)]
    fn store_records(cells: &Cells<[f32; 8]>, slots: Self::Slots, of: [Self; 8]) {
        let ([first, second], [low, high]) = (bytemuck::cast(slots), split(of));
        F32x8::store_records(cells, first, low);
        F32x8::store_records(cells, second, high);
    }
}
