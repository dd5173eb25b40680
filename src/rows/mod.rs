//! Rows as authored become rows as projected: in a given order for the scalar loops, packets of eight for the lanes.
//!
//! A [`Batch`] is erased per kind and monomorphic within: one virtual call a color, none a row.

mod batch;
mod grouping;
mod list;
mod motions;
mod packet;
mod residual;
mod schedule;
mod set;
mod strength;

pub(crate) use batch::{Batch, RowOrder, pack_rows, scalar_rows};
pub use grouping::ColorStats;
pub(crate) use motions::Motions;
pub(crate) use schedule::{Band, Schedule, Turn, schedule};
pub(crate) use set::{AnyRows, RowElement, RowSet, typed_mut};
pub use set::{Residual, RowView};
pub(crate) use strength::convert;
pub use strength::{ResponseKind, Strength};
