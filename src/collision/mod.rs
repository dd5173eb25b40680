//! Contacts: found anew each step, colored on the fly, projected in lanes.
//!
//! [`Contacts`] says what the particles of a model may touch: [`Collider`]s, each other as balls, a cloth itself. It is the
//! last subsystem of a model. A step of it:
//!
//! ```text
//! begin      grid, search, colors, packets                [`grid`], [`narrow_phase`], `coloring::DynamicColoring`
//! project    pairs, faces, crossings, colliders           the kinds' own formulas, with friction (`constraints::Contact`)
//! respond    restitution, the speed limit
//! ```
//!
//! Each order is found from authored indices, so all methods walk the same contacts in the same order: that of their colors.

mod asked_mesh;
pub(crate) mod ball_pairs;
mod box_tree;
mod boxes;
mod bvh;
pub(crate) mod candidates;
mod closest;
mod cloth;
mod cloth_edges;
mod cloth_faces;
mod cloth_graph;
mod collider;
mod collider_frame;
mod collider_impacts;
mod collider_search;
mod contact_kind;
mod contact_row;
mod contact_rows;
mod contacts;
mod contours;
mod frustum;
pub(crate) mod grid;
mod height_field;
mod impacts;
mod mesh;
pub(crate) mod narrow_phase;
mod near_pairs;
mod pair_list;
mod particle_collider;
mod particle_mesh;
mod parting;
mod patches;
mod reach;
mod regions;
mod repair;
mod shape;
mod shared_corners;
mod subsystem;
mod taken_out;
mod tangle;
#[cfg(test)]
mod tests;
mod untangle;

pub use crate::settings::{Detect, Order, Tangled};
pub use crate::state::{CollisionFilter, Motion, Pose};
pub(crate) use boxes::around;
pub(crate) use bvh::Bvh;
pub(crate) use closest::{Feature, closest_point};
pub(crate) use collider::combine;
pub use collider::{Collider, Solid};
pub(crate) use contacts::MAX_SPEED;
pub use contacts::{Contacts, SelfContact};
pub use frustum::Frustum;
pub use mesh::ColliderMesh;
pub(crate) use parting::{BEGINNING, LEAST};
pub use shape::Shape;
pub(crate) use shape::volumes_of;
pub use tangle::tangles;
