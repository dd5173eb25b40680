//! **Taut**: a data-oriented SIMD engine for position-based dynamics.
#![deny(missing_docs, unsafe_code)]

pub mod batch;
pub mod coloring;
pub mod constraints;
pub mod error;
pub mod io;
pub mod lanes;
pub mod model;
pub mod parallel;
pub mod particles;
pub mod report;
#[cfg(feature = "files")]
pub mod run;
pub mod scenes;
mod simulation;
pub mod solvers;
pub mod step;
#[cfg(test)]
mod tests;

pub use error::ModelError;
pub use model::{Model, Settings, Strength};
pub use simulation::Simulation;
pub use solvers::Method;
