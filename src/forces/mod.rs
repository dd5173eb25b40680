//! What acts on particles beside rows, groups and contacts: forces and impulses, wind, drives, damping of what is not rigid,
//! and coarse levels of the rows.

mod components;
pub mod drive;
mod emitter;
mod external;
mod hierarchy;
mod internal_torque;
mod linkage_sums;
mod linkages;
mod members;
mod rigid_damping;
mod wind;

pub(crate) use components::Components;
pub use drive::Drive;
pub use emitter::{Emitter, Mouth, Sink};
pub use external::Forces;
pub(crate) use external::{push_body, push_particle};
pub(crate) use hierarchy::Hierarchy;
pub(crate) use internal_torque::InternalTorque;
pub(crate) use linkages::Linkages;
pub(crate) use rigid_damping::RigidDamping;
pub(crate) use wind::Wind;
