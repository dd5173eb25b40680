//! Groups: formulas over arbitrarily many particles.

mod fluid;

pub use fluid::{Fluid, FluidNumbers};
