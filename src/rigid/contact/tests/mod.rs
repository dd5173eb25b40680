//! What only this room sees.

mod frustum;
mod hull;
mod hull_hull;
mod inherit;
mod polygon;
mod segment;
mod sweep;
