//! What only this room sees.

mod capsule;
mod collide;
mod distance;
mod frustum;
mod hull;
mod hull_hull;
mod inherit;
mod kinematic;
mod mesh;
mod polygon;
mod reduction;
mod residual;
mod rolling;
mod segment;
mod sweep;
