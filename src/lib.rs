//! **Taut**: a data-oriented SIMD engine for position-based dynamics.
//!
//! Particles are stored in struct-of-arrays columns (`state`). Constraints are colored in advance into batches; no two
//! constraints of a batch share a particle (`coloring`, `rows`). A batch is projected eight or sixteen lanes at a time
//! ([`math`]), its packets are spread over threads (`threads`). A scalar reference solver (`solvers`), benches, flamegraphs and
//! a viewer show how fast it is and why.
//!
//! # Four axes
//!
//! | axis | question | room |
//! |---|---|---|
//! | formula | what must hold: C(x; p) and its gradient | [`constraints`], [`groups`] |
//! | response | how strongly: PBD k', XPBD α/h² | two numbers handed to one [`constraints::project`] |
//! | schedule | in which order, how wide, on how many threads | `coloring`, `rows`, `solvers`, `threads` |
//! | arithmetic | which number: `f32`, eight or sixteen `f32`, `f64`, dual | [`math`] |
//!
//! A formula is written once; every width, method and thread count takes it as it is.
//!
//! # One step
//!
//! ```text
//! tear         what is stretched too far splits; rows and colors follow                         [`model`]
//! h = dt / substeps; repeat substeps times
//!   wind       what the air does to the velocities of surfaces                                  [`forces`]
//!   predict    x_prev <- x; v <- v + h a; x <- x + h v      contiguous, eight at a time; a = g + w f
//!   begin      what subsystems need of the predicted positions: neighbors, contacts               `subsystem`
//!   project    iterations x { tiles x kinds x colors: packets in parallel { load, project, store }, then the tail; subsystems }
//!   velocity   v <- (x - x_prev) / h, damped
//!   respond    what subsystems do to velocities: friction, restitution, viscosity
//! ```
//!
//! # Promises
//!
//! - Same scene, same method, same bits, for any number of threads: writes are disjoint inside a phase and phases are
//!   ordered.
//! - The lanes equal the scalar loop run in the colored order, bit for bit, on every build: no fused multiply-add, no
//!   approximate reciprocal.
//! - Users, files, hashes and pictures see authored indices; storage order is the engine's own.
//! - A step never panics on data: a degenerate geometry gets no correction, a non-finite state is reported.
//!
//! # Begin
//!
//! ```
//! use taut::constraints::Distance;
//! use taut::{Method, Model, Simulation, Stiffness};
//!
//! # fn main() -> Result<(), taut::ModelError> {
//! let mut model = Model::new();
//! let pin = model.add_particle([0.0, 0.0, 0.0], [0.0; 3], 0.0)?;
//! let bob = model.add_particle([1.0, 0.0, 0.0], [0.0; 3], 1.0)?;
//! model.add(Distance, [pin, bob], [None], Stiffness::Compliance(1e-6))?;
//! let mut simulation = Simulation::new(model, Method::Lanes, 1)?;
//! simulation.step();
//! assert!(simulation.positions()[1][1] < 0.0);
//! # Ok(())
//! # }
//! ```
#![deny(missing_docs, unsafe_code)]

#[cfg(feature = "cli")]
mod bench;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
mod experiments;
#[cfg(feature = "files")]
pub mod runs;
pub mod scenes;
#[cfg(test)]
#[path = "tests/project/mod.rs"]
mod tests;
#[cfg(feature = "render")]
pub mod viewer;

#[cfg(feature = "render")]
#[doc(inline)]
pub use taut_engine::render;
#[doc(inline)]
pub use taut_engine::{
    AnySubsystem, Authored, BodyContact, Breakdown, CheckpointError, CollisionFilter, ContactEvent,
    ContactSide, Footprint, Method, Model, ModelError, Observation, RowList, RowView, Settings,
    Simulation, Snapshot, SolverStatistics, Stiffness, SubsystemStatistics, hash,
};
#[doc(inline)]
pub use taut_engine::{
    collision, constraints, error, files, forces, groups, io, materials, math, mesh, model, rigid,
    settings, timers,
};
// What the rooms of this package need beyond the door; with fewer features there are fewer of them.
#[allow(unused_imports)]
use taut_engine::{coloring, observe, rows, simulation, solvers, state, threads};
