//! What only this room sees.

mod bvh;
mod closest;
mod mesh;
mod near_pairs;
mod reach;
