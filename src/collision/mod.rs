//! Contacts: found anew each step, colored on the fly, projected in lanes.

pub mod grid;
pub mod near;
