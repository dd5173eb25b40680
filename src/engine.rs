//! The engine: floors 1 to 7 and `io` (README, "The map"). Its modules are public for the crate `taut` alone: what that re-exports is the public
//! interface, and its documentation says what a step is and what is promised.
#![deny(missing_docs, unsafe_code)]
#![allow(rustdoc::private_intra_doc_links)] // who reads the rooms reads their sources

pub mod collision;
pub mod coloring;
pub mod constraints;
pub mod error;
pub mod files;
pub mod forces;
pub mod groups;
pub mod io;
pub mod materials;
pub mod math;
pub mod mesh;
pub mod model;
pub mod observe;
#[cfg(feature = "render")]
pub mod render;
pub mod rigid;
pub mod rows;
pub mod settings;
pub mod simulation;
pub mod solvers;
pub mod state;
pub(crate) mod subsystem;
pub mod threads;
pub mod timers;

// A room of `taut`, which the tests need.
#[cfg(test)]
pub mod scenes;
#[cfg(test)]
mod tests;

pub use coloring::RowList;
pub use error::{CheckpointError, ModelError};
pub use model::Model;
pub use observe::{Observation, hash};
pub use rows::{RowView, Stiffness};
pub use settings::Settings;
pub use simulation::{Breakdown, Footprint, Simulation};
pub use solvers::{Method, SolverStatistics};
pub use state::{BodyContact, CollisionFilter, ContactEvent, ContactSide, Snapshot};
pub use subsystem::{AnySubsystem, Authored, SubsystemStatistics};
