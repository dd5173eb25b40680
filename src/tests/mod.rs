//! The tests of the whole: what crosses rooms. A room's own tests stand in the room.

mod coloring;
mod edges;
mod house;
#[cfg(loom)]
mod loom;
mod models;
#[cfg(feature = "files")]
mod oracle;
mod order;
mod packets;
mod physics;
mod source;
mod strength;
