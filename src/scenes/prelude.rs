//! The names that most scenes use.

pub(super) use super::bodies::*;
pub(super) use super::checks::*;
pub(super) use super::grid::*;
pub(super) use super::paint::*;
pub(super) use super::random::*;
pub(super) use super::scene::Role::{Followed, Limit, Timed, Watched};
pub(super) use super::scene::Scene;
pub(super) use crate::collision::{Collider, Contacts, Detect};
pub(super) use crate::constraints::{Bending, Constraint, Distance};
pub(super) use crate::error::ModelError;
pub(super) use crate::math::UPRIGHT;
pub(super) use crate::model::Model;
pub(super) use crate::rows::Stiffness;
pub(super) use crate::state::Snapshot;
