//! What a run is worth: times, hashes, residual, energy and momentum (f64), tables and JSON.

#[cfg(feature = "files")]
mod ceiling;
#[cfg(feature = "files")]
mod compare;
mod cost;
#[cfg(feature = "files")]
mod entry;
#[cfg(feature = "files")]
mod estimate;
#[cfg(feature = "files")]
mod inspect;
#[cfg(feature = "files")]
mod ladder;
mod machine;
#[cfg(feature = "cli")]
mod plot;
mod table;

#[cfg(feature = "files")]
pub use ceiling::{Bound, Ceilings};
#[cfg(feature = "files")]
pub use compare::{Convergence, Film, Frame, Point, Variant, converge, film, variants};
pub use cost::{Cost, costs};
#[cfg(feature = "files")]
pub use entry::{Entry, RunReport, entry, hex};
#[cfg(feature = "files")]
pub use estimate::estimate;
#[cfg(feature = "files")]
pub use inspect::{ColoringInspection, Inspection, KindInspection, inspect};
#[cfg(feature = "files")]
pub use ladder::{BenchReport, LadderError, measure, rungs};
pub use machine::Machine;
#[cfg(feature = "cli")]
pub use plot::{Curve, Plot};
pub use table::table;
