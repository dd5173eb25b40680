//! Contacts of bodies: found in one discrete pass, colored on the fly, projected in lanes, for both sides by their generalised
//! inverse masses (Deul et al. 2014, section 6; Müller et al., *Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics*, 2020; S4-02, S4-03, S4-21).
//!
//! ```text
//! begin      which boxes meet, where shapes touch, colors, constraints; what the last substep did is done again
//! project    normal and friction of every point, four of a pair as one element                    `constraint`
//! respond    impacts, velocities
//! ```

mod approach;
mod batch;
mod batches;
mod body_pair;
mod box_box;
mod capsule;
mod capsule_mesh;
mod chunk;
mod collide;
mod coloring;
mod compound;
mod constraint;
mod convex;
mod direct;
mod direct_bodies;
mod direct_islands;
mod direct_phases;
mod direct_point;
mod epa;
mod events;
mod falling_asleep;
mod fill;
mod friction;
mod frustum;
mod frustum_pair;
mod geometry;
mod gjk;
mod grazing;
mod held_joints;
mod hull;
mod hull_hull;
mod impact_pairs;
mod impacts;
mod instance;
mod island_measures;
mod joined;
mod kinematic;
mod manifold;
mod mesh;
mod mesh_manifold;
mod narrow_phase;
mod pair_cache;
mod particle_batch;
mod particle_contact;
mod particle_search;
mod pass;
mod pivoting;
mod placement;
mod plane;
mod polygon;
mod reduction;
mod reporting;
mod rolling;
mod runtime;
mod saved;
mod segment;
mod settings;
mod simultaneous;
mod sleep;
mod solver_bodies;
mod struck;
mod substep;
mod sweep;
#[cfg(test)]
mod tests;
mod warm_start;
mod width;
mod workspace;

pub(crate) use hull::untouchable;
pub use runtime::BodyContacts;
