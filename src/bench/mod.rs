//! Measurements and reports of the program's commands.

mod ceiling;
mod compare;
mod cost;
mod entry;
mod estimate;
mod inspect;
mod ladder;
mod machine;
mod plot;
mod table;
mod touching;

pub use ceiling::{Bound, Ceilings};
pub use compare::{Convergence, Frame, History, Sample, Variant, converge, simulate, variants};
pub use entry::{Entry, Phase, RunReport};
pub use estimate::{estimate, long, spoken};
pub use inspect::{Inspection, KindInspection, inspect};
pub use ladder::{BenchReport, LadderError, ladders, measure};
pub use machine::{Machine, today};
pub use plot::{Curve, Mark, Plot};
pub use table::{Column, layout, rows, table};
pub use touching::{TouchingEvent, touching_events, touching_pairs};
