//! The state: columns of particles and bodies, and snapshots of them.

mod bodies;
mod integrate;
mod particles;
mod snapshot;

pub use bodies::{Bodies, BodyState};
pub(crate) use bodies::{InitialBody, Resistance};
pub use integrate::Substep;
pub(crate) use particles::InitialParticles;
pub use particles::{Column, Columns, Columns3, Particles};
pub use snapshot::Snapshot;
