//! Rigid bodies: position-based, with particles in the same constraints (Deul, Charrier and Bender, *Position-Based Rigid
//! Body Dynamics*, 2014: S4-01 to S4-20; Müller et al., *Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics*, 2020).
//!
//! A [`Body`] stands in the model as authored; [`Bodies`] are the columns that a step moves, [`Flight`] is how a body moves
//! while nothing touches it. What touches it while constraints are projected is a [`Moving`] body.
//!
//! Orientation and inertia lie along the *principal* axes. For every shape but a mesh these are the body's own axes.

mod arm_packed;
mod arm_rows;
mod arms;
mod body;
mod contact;
mod element;
mod flight;
mod formula;
mod frame;
mod grip;
mod joint;
mod joints;
mod moving;
mod packed;
mod shape;
mod solid;
mod solve;
mod surface;

pub use arms::{Arms, At};
pub(crate) use body::Flaw;
pub use body::{Body, Weight};
pub(crate) use contact::{BodyContacts, untouchable};
#[cfg(test)]
pub(crate) use element::Sort;
pub use flight::Flight;
#[cfg(test)]
pub(crate) use formula::{Params, Pose};
#[cfg(test)]
pub(crate) use grip::{Anyhow, Grip};
pub use joint::{End, Joint, JointKind, Motor};
pub use joints::Joints;
pub(crate) use moving::{Flying, LaneFlying, SharedBodies};
pub use moving::{Moving, Records};
pub use shape::Shape;
pub use solid::{Solid, solid_of_mesh};
