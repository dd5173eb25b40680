//! Methods: one file each, its step loop written out in full.

mod convergence;
mod core;
mod hybrid;
mod impulse;
mod jacobi;
mod lanes;
mod method;
mod rows;
mod scalar;
mod solver;

pub use convergence::Effort;
pub use hybrid::Hybrid;
pub use impulse::Impulse;
pub use jacobi::Jacobi;
pub use lanes::Lanes;
pub use method::Method;
pub use scalar::Scalar;
#[cfg(test)]
pub(crate) use scalar::ScalarElement;
pub use solver::Solver;

use crate::error::ModelError;
use crate::model::Model;
use crate::state::Particles;

/// Makes a model ready for a method: its particles in storage order, and the solver.
///
/// # Errors
/// Settings out of range, a layout hint that is no coloring, or a part that the method cannot run.
pub fn prepare(
    model: &Model,
    method: Method,
    threads: usize,
) -> Result<(Particles, Box<dyn Solver>), ModelError> {
    model.settings.validate()?;
    if let Some(part) = method.refuses(model) {
        let method = method.name();
        return Err(ModelError::Refused { method, part });
    }
    Ok(match method {
        Method::Scalar => {
            let (particles, solver) = Scalar::authored(model);
            (particles, Box::new(solver))
        }
        Method::Colored => {
            let (particles, solver) = Scalar::colored(model)?;
            (particles, Box::new(solver))
        }
        Method::Lanes => {
            let (particles, solver) = Lanes::new(model, threads)?;
            (particles, Box::new(solver))
        }
        Method::Ordered => {
            let (particles, solver) = Lanes::ordered(model, threads)?;
            (particles, Box::new(solver))
        }
        Method::Jacobi => {
            let (particles, solver) = Jacobi::new(model, threads)?;
            (particles, Box::new(solver))
        }
        Method::Hybrid => {
            let (particles, solver) = Hybrid::new(model, threads)?;
            (particles, Box::new(solver))
        }
        Method::Impulse => {
            let (particles, solver) = Impulse::new(model);
            (particles, Box::new(solver))
        }
    })
}
