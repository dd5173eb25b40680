//! The state: columns of particles and bodies, views of them for workers, and snapshots.

mod advance;
mod averaging;
mod bodies;
mod body;
mod body_view;
mod breaks;
mod carried;
mod checkpoint;
mod column_store;
mod columns;
mod eight_lanes;
mod integrate;
mod motion;
mod moving_body;
mod particle_view;
mod particles;
mod position_view;
mod record_view;
mod saved;
mod shape;
mod sixteen_lanes;
mod snapshot;
mod solid;
mod store;
mod surface;
#[cfg(test)]
mod tests;
mod touching;
mod width;

pub(crate) use averaging::{Averaging, Gather};
pub use bodies::{Bodies, BodyState};
pub(crate) use bodies::{InitialBody, Resistance};
pub use body::{Body, Weight};
pub(crate) use body_view::{BodyRecords, BodyView};
pub(crate) use breaks::Breaks;
pub(crate) use checkpoint::Checkpoint;

pub(crate) use column_store::{PartialRun, Run};
pub use integrate::Integrator;
pub use motion::{Motion, Pose};
pub use moving_body::MovingBody;
pub(crate) use particle_view::{Column3, ParticleView};
pub use particles::Particles;
pub(crate) use particles::InitialParticles;
pub(crate) use position_view::PositionView;
pub(crate) use record_view::RecordView;
pub(crate) use saved::{IMPULSES, MULTIPLIERS, REMAINDERS, Saved, Section, Words};
pub(crate) use shape::{Flaw, Surface};
pub use shape::{Part, Shape};
pub use snapshot::Snapshot;
pub use solid::{Solid, solid_of_mesh};
pub(crate) use store::{Store, nothing};
pub(crate) use surface::{BOX_FACES, at_pose, box_corner};
pub use touching::{BodyContact, CollisionFilter, ContactEvent, ContactSide};
pub(crate) use width::{Consecutive, Width};
