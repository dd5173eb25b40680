//! Who may move together: rows of one color share no particle (S1-28).
//!
//! A [`Coloring`] can only be obtained through [`Coloring::verify`], which checks directly that it is disjoint, complete and
//! in range: holding one is the proof that the parallel phases rest on. (Equal hashes over thread counts prove nothing: a
//! broken coloring passed that test in the prototype.)

#[cfg(any(feature = "cli", test))] // for the room bench
mod comparison;
mod dynamic;
mod greedy;
mod lists;
mod ordered;
mod permutation;
mod plan;
mod recolor;
mod renumber;
mod rows;
mod split;
mod stamps;
mod union_find;
mod verify;

#[cfg(any(feature = "cli", test))]
pub use comparison::{Policy, compare_colorings};
pub use dynamic::DynamicColoring;
#[cfg(test)]
pub use dynamic::MOST_COLORS;
pub use greedy::first_fit;
pub(crate) use lists::Lists;
pub(crate) use ordered::Levels;
pub use permutation::{GridLayout, Permutation};
pub use plan::{Plan, PlanInput};
pub(crate) use recolor::recolor;
#[cfg(test)]
pub use renumber::reverse_cuthill_mckee;
pub use rows::{Phase, RowList, Span};
#[cfg(test)]
pub(crate) use split::best_color;
pub use split::{Copied, Split};
pub(crate) use stamps::Stamps;
pub(crate) use union_find::UnionFind;
pub use verify::{Coloring, balance};
