//! Where a step's projections find the particles: columns for runs, records for gathers.

use super::Store;
use crate::constraints::Particle;
use crate::lanes::{F32x8, Vec3, WIDTH};
use crate::parallel::{Run, Shared, SharedRecords};

/// Positions and inverse masses while rows are projected.
#[derive(Clone, Copy)]
pub(crate) enum Places<'a> {
    Columns(Shared<'a>),
    Records(SharedRecords<'a>),
}

/// For what is projected beside the rows, one particle or eight at a time, eight consecutive places too, wherever they are.
macro_rules! store {
    ($slot:ty, $number:ty) => {
        impl Store<$slot, $number> for Places<'_> {
            #[inline(always)]
            fn load<const N: usize>(&self, slots: [$slot; N]) -> [Particle<$number>; N] {
                match self {
                    Self::Columns(columns) => columns.load(slots),
                    Self::Records(records) => records.load(slots),
                }
            }
            #[inline(always)]
            fn previous<const N: usize>(&self, slots: [$slot; N]) -> [Vec3<$number>; N] {
                match self {
                    Self::Columns(columns) => columns.previous(slots),
                    Self::Records(records) => records.previous(slots),
                }
            }
            #[inline(always)]
            fn store<const N: usize>(&self, slots: [$slot; N], sites: [Particle<$number>; N]) {
                match self {
                    Self::Columns(columns) => columns.store(slots, sites),
                    Self::Records(records) => records.store(slots, sites),
                }
            }
        }
    };
}
store!(u32, f32);
store!([u32; WIDTH], F32x8);
store!(Run, F32x8);
