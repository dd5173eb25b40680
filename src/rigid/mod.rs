//! Rigid bodies: position-based, with particles in the same constraints (Deul, Charrier and Bender, *Position-Based Rigid
//! Body Dynamics*, 2014: S4-01 to S4-20; Müller et al., *Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics*, 2020).
//!
//! A [`Body`] stands in the model as authored; [`Bodies`] are the columns that a step moves, [`Flight`] is how a body moves
//! while nothing touches it. What touches it while constraints are projected is a [`MovingBody`] body.
//!
//! Orientation and inertia lie along the *principal* axes. For every shape but a mesh these are the body's own axes.

#[cfg(any())] // being rewritten over the width
mod arm_packed;
mod arm_rows;
mod arms;
mod contact;
mod element;
mod flight;
mod formula;
mod frame;
mod grip;
mod integrator;
mod joint;
mod joints;
#[cfg(any())] // being rewritten over the width
mod packed;
mod solve;
mod surface;

pub use arms::{Arms, At};
pub(crate) use contact::{BodyContacts, untouchable};
#[cfg(test)]
pub(crate) use element::Sort;
pub use flight::Flight;
#[cfg(test)]
pub(crate) use formula::{Params, Pose};
#[cfg(test)]
pub(crate) use grip::{Anyhow, Grip};
pub(crate) use integrator::BodyIntegrator;
pub use joint::{End, Joint, JointKind, Motor};
pub use joints::Joints;

pub use crate::state::{Bodies, Body, Shape, Solid, Weight, solid_of_mesh};
