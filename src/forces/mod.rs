//! What acts on velocities beside gravity: wind, drives, damping of what is not rigid.

pub mod drive;
mod rigid_damping;
mod wind;

pub use drive::Drive;
pub(crate) use rigid_damping::RigidDamping;
pub(crate) use wind::Wind;
