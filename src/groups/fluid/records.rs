//! Packed records of a fluid's particles along the grid's order, so that those of a neighborhood lie together.

use crate::math::{F32x4, F32x8, Real, Vec3, WIDTH, each_lane, side_by_side, sides, transpose};
use crate::rows::overlap_two;
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
    /// A record for each lane of each of two columns.
    fn take(columns: [&Cells<Self::Record>; 2], at: [Self::Slots; 2]) -> [(Vec3<Self>, Self); 2];
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
            fn take([a, b]: [&Cells<[$number; 4]>; 2], at: [u32; 2]) -> [(Vec3<Self>, Self); 2] {
                let of = |records: &Cells<[$number; 4]>, at: u32| {
                    let [x, y, z, w] = records.get(at as usize);
                    (Vec3::new(x, y, z), w)
                };
                [of(a, at[0]), of(b, at[1])]
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
    fn take([a, b]: [&Cells<F32x4>; 2], at: [[u32; WIDTH]; 2]) -> [(Vec3<Self>, Self); 2] {
        let (first, second) = (a.gather(at[0]), b.gather(at[1]));
        let row = |lane: usize| side_by_side(first[lane], second[lane]);
        let [ax, ay, az, aw, bx, by, bz, bw] = transpose(each_lane(row));
        [(Vec3::new(ax, ay, az), aw), (Vec3::new(bx, by, bz), bw)]
    }
}

/// Does `act` with what `begin` makes of the records of neighbors, position and number: two at a time, begun while those before
/// them are ended.
#[inline(always)]
pub(super) fn each_neighbor<W: FluidWidth, S: Copy>(
    records: &Cells<W::Record>,
    neighbors: &[[W::Slots; 2]],
    begin: impl Fn(Vec3<W>, W) -> S,
    mut act: impl FnMut(S),
) {
    overlap_two(
        neighbors,
        #[inline(always)]
        |&pair| {
            let [(a, of_a), (b, of_b)] = W::take([records; 2], pair);
            [begin(a, of_a), begin(b, of_b)]
        },
        #[inline(always)]
        |[a, b]| {
            act(a);
            act(b);
        },
    );
}
