//! Rows as authored become rows as projected: in a given order for the scalar loops, packets of eight for the lanes.
//!
//! A [`Batch`] is erased per kind and monomorphic within: one virtual call a color, none a row.

mod any;
mod batch;
mod grouping;
mod list;
mod motions;
mod packet;
mod residual;
mod schedule;
mod set;
mod strength;

pub use any::RowView;
pub(crate) use any::{AnyRows, RowElement, typed_mut};
pub(crate) use batch::{Batch, RowOrder};
pub use grouping::ColorStats;
pub(crate) use motions::Motions;
pub use residual::Residual;
pub(crate) use schedule::{Band, Schedule, Turn, schedule};
pub(crate) use set::RowSet;
pub(crate) use strength::convert;
pub use strength::{ResponseKind, Strength};
