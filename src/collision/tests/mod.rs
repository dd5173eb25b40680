//! What only this room sees.

mod bvh;
mod closest;
mod near_pairs;
mod reach;
