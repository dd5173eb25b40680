//! Packed records of a fluid's particles along the grid's order, so that those of a neighborhood lie together.

use crate::math::{
    F32x4, F32x8, Real, Vec3, WIDTH, each, each_index, side_by_side, sides, transpose,
    transpose_both,
};
use crate::state::Width;
use crate::threads::Cells;

/// Where nobody is: out of everyone's reach.
pub(super) const NOWHERE: f64 = 1e30;

/// A width at which records are read and written.
pub(super) trait FluidWidth: Width {
    /// x y z, then a mass, a multiplier or |ω|.
    type Record: Copy + Send + Sync;
    /// A record of nobody.
    fn nowhere() -> Self::Record;
    /// Replaces a record for each lane.
    fn put(records: &Cells<Self::Record>, at: Self::Slots, x: Vec3<Self>, w: Self);
    /// Does `act` with a record for each lane of each of some columns, slots after slots.
    fn each_record<const N: usize>(
        columns: [&Cells<Self::Record>; N],
        at: &[Self::Slots],
        act: impl FnMut([(Vec3<Self>, Self); N]),
    );
}

macro_rules! one_lane {
    ($number:ty) => {
        impl FluidWidth for $number {
            type Record = [$number; 4];
            fn nowhere() -> [$number; 4] {
                [NOWHERE as $number; 4]
            }
            #[inline(always)]
            fn put(records: &Cells<[$number; 4]>, at: u32, x: Vec3<Self>, w: Self) {
                records.set(at as usize, [x.x, x.y, x.z, w]);
            }
            #[inline(always)]
            fn each_record<const N: usize>(
                columns: [&Cells<[$number; 4]>; N],
                at: &[u32],
                mut act: impl FnMut([(Vec3<Self>, Self); N]),
            ) {
                let read = |at: u32| {
                    each(
                        columns,
                        #[inline(always)]
                        |records| {
                            let [x, y, z, w] = records.get(at as usize);
                            (Vec3::new(x, y, z), w)
                        },
                    )
                };
                // Two at a time: the compiler takes their roots and divisions together, a tenth of a step.
                let (pairs, rest) = at.as_chunks();
                for &[first, second] in pairs {
                    let [first, second] = [read(first), read(second)];
                    act(first);
                    act(second);
                }
                for &last in rest {
                    act(read(last));
                }
            }
        }
    };
}
one_lane!(f32);
#[cfg(test)]
one_lane!(f64);

impl FluidWidth for F32x8 {
    type Record = F32x4;
    fn nowhere() -> F32x4 {
        F32x4::splat(NOWHERE as f32)
    }
    #[inline(always)]
    fn put(records: &Cells<F32x4>, at: [u32; WIDTH], x: Vec3<Self>, w: Self) {
        let zero = F32x8::zero();
        let rows = transpose([x.x, x.y, x.z, w, zero, zero, zero, zero]);
        for (lane, row) in rows.into_iter().enumerate() {
            let [record, _] = sides(row);
            records.set(at[lane] as usize, record);
        }
    }
    #[inline(always)]
    fn each_record<const N: usize>(
        columns: [&Cells<F32x4>; N],
        at: &[[u32; WIDTH]],
        mut act: impl FnMut([(Vec3<Self>, Self); N]),
    ) {
        Cells::gather_all(
            columns,
            at,
            #[inline(always)]
            |records| {
                act(each_index(
                    #[inline(always)]
                    |of| {
                        let rows = each_index(
                            #[inline(always)]
                            |lane| {
                                let [first, second] = [lane, lane + WIDTH / 2];
                                side_by_side(records.get(of, first), records.get(of, second))
                            },
                        );
                        let [x, y, z, w] = transpose_both(rows);
                        (Vec3::new(x, y, z), w)
                    },
                ));
            },
        );
    }
}
