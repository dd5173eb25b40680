//! Rows as authored become rows as projected: in a given order for the scalar loops, packets of eight for the lanes.
//!
//! A [`Batch`] is erased per kind and monomorphic within: one virtual call a color, none a row.

mod any_rows;
mod batch;
mod empty;
mod grouping;
mod list;
mod overlap;
mod packet;
mod packing;
mod residual;
mod row_set;
mod scalar_rows;
mod schedule;
mod sixteen;
mod stiffness;
#[cfg(test)]
mod tests;
mod width;

pub(crate) use any_rows::{AnyRows, RowElement, is_of, typed_mut};
pub use any_rows::{Residual, RowView};
pub(crate) use batch::Batch;
pub(crate) use empty::{empty, empty_of};
pub use grouping::ColorStats;
pub(crate) use list::Multipliers;
pub(crate) use overlap::overlap_halves;
pub(crate) use packing::Packing;
pub(crate) use residual::largest_residual;
pub(crate) use row_set::{RowOrder, RowSet};
pub(crate) use schedule::{PhaseGroup, Schedule, Tile, Wavefront, phase_groups, schedule};
pub use stiffness::{ResponseKind, Stiffness};
pub(crate) use stiffness::{convert, generic_numbers};
pub(crate) use width::{CONTACTS, best_times};
