//! What a run is worth: times, hashes, residual, energy and momentum (f64), tables and JSON.

mod observe;
mod timer;

pub use observe::{Observation, hash, observe};
pub use timer::{PhaseTime, Timers};
