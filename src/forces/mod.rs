//! What acts on velocities beside gravity: forces and impulses, wind, drives, damping of what is not rigid.

pub mod drive;
mod external;
mod rigid_damping;
mod wind;

pub use drive::Drive;
pub use external::Forces;
pub(crate) use external::{push_body, push_particle};
pub(crate) use rigid_damping::RigidDamping;
pub(crate) use wind::Wind;
