//! What only this room sees.

mod hull;
mod hull_hull;
mod polygon;
mod sweep;
