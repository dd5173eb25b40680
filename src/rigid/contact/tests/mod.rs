//! What only this room sees.

mod capsule;
mod collide;
mod frustum;
mod hull;
mod hull_hull;
mod inherit;
mod kinematic;
mod mesh;
mod polygon;
mod residual;
mod segment;
mod sweep;
