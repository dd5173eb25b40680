//! What only this room sees.

mod bvh;
mod closest;
mod contours;
mod mesh;
mod near_pairs;
mod reach;
