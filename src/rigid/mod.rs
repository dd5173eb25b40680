//! Rigid bodies: position-based, with particles in the same constraints (Deul, Charrier and Bender, *Position-Based Rigid
//! Body Dynamics*, 2014: S4-01 to S4-20; Müller et al., *Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics*, 2020).
//!
//! A [`Body`] stands in the model as authored; [`Bodies`] are the columns that a step moves, a `BodyIntegrator` is how a body
//! moves while nothing touches it. What constraints move while they are projected is a `MovingBody`.
//!
//! Orientation and inertia lie along the *principal* axes. For every shape but a mesh these are the body's own axes.

mod attachment_rows;
mod attachments;
mod axes;
mod batch;
mod braking;
mod breaking;
mod contact;
mod direct_joints;
mod end;
mod formula;
mod frame;
mod free_turn;
mod geometric_stiffness;
mod held;
mod integrator;
mod joint;
mod joint_batch;
mod joint_island;
mod joint_islands;
mod joint_kind;
mod joint_matrix;
mod joints;
mod lever;
mod limit;
mod link;
mod local_anchor;
mod packets;
mod precession;
mod skyline;
mod slender;
mod solve;
#[cfg(test)]
mod solve_tests;

pub use attachments::{At, Attachments};
pub(crate) use contact::{BodyContacts, untouchable};
pub use end::End;
#[cfg(test)]
pub(crate) use formula::JointBlock;
pub(crate) use integrator::BodyIntegrator;
pub use joint::{Joint, Motor};
pub use joint_kind::JointKind;
pub use joints::Joints;
#[cfg(test)]
pub(crate) use link::{Params, Pose};
#[cfg(test)]
pub(crate) use local_anchor::LocalAnchor;
pub(crate) use packets::{Packets, each_color};

pub use crate::state::{Bodies, Body, Part, Shape, Solid, Weight, solid_of_mesh};
