//! What only this room sees.

mod bits;
mod capsule;
mod collide;
mod coloring;
mod constraint;
mod distance;
mod frustum;
mod hull;
mod hull_hull;
mod inherit;
mod kinematic;
mod manifold;
mod mesh;
mod pairs;
mod particle;
mod pivoting;
mod polygon;
mod reduction;
mod residual;
mod rolling;
mod segment;
mod sleep;
mod solids;
mod sweep;
mod wholes;
mod width;
