//! Rigid bodies: position-based, with particles in the same constraints (Deul, Charrier and Bender, *Position-Based Rigid
//! Body Dynamics*, 2014: S4-01 to S4-20; Müller et al., *Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics*, 2020).
//!
//! A [`Body`] stands in the model as authored; [`Bodies`] are the columns that a step moves, [`Flight`] is how a body moves
//! while nothing touches it. What touches it while constraints are projected is a `MovingBody`.
//!
//! Orientation and inertia lie along the *principal* axes. For every shape but a mesh these are the body's own axes.

mod attachment_rows;
mod attachments;
mod batch;
mod block;
mod contact;
mod end;
mod flight;
mod formula;
mod frame;
mod generic_response;
mod integrator;
mod joint;
mod joint_batch;
mod joints;
mod link;
mod local_anchor;
mod solve;
mod surface;

pub use attachments::{At, Attachments};
#[cfg(test)]
pub(crate) use block::JointBlock;
pub(crate) use contact::{BodyContacts, untouchable};
pub use end::End;
pub use flight::Flight;
#[cfg(test)]
pub(crate) use generic_response::GenericResponse;
pub(crate) use integrator::BodyIntegrator;
pub use joint::{Joint, JointKind, Motor};
pub use joints::Joints;
#[cfg(test)]
pub(crate) use link::{Params, Pose};
#[cfg(test)]
pub(crate) use local_anchor::LocalAnchor;

pub use crate::state::{Bodies, Body, Shape, Solid, Weight, solid_of_mesh};
