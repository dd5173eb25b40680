//! Methods: one file each, its step loop written out in full.

mod averages;
mod breakdown;
mod clock;
mod convergence;
mod core;
mod hybrid;
mod impulse;
mod jacobi;
mod lanes;
mod row_sweep;
mod rows;
mod scalar;
mod solver;
mod subsystem_phases;
mod sweeps;

pub(crate) use breakdown::first_to_break;
pub use convergence::SolverStatistics;
pub(crate) use hybrid::Hybrid;
pub(crate) use impulse::Impulse;
pub(crate) use jacobi::Jacobi;
pub(crate) use lanes::Lanes;
#[cfg(test)]
pub(crate) use rows::ScalarElement;
pub(crate) use scalar::Scalar;
pub(crate) use solver::Solver;

use crate::error::ModelError;
use crate::model::Model;
use crate::settings::named;
use crate::state::Particles;

/// A solver by name, in the order of the speed ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Authored order, one row at a time, one thread: the reference (S1-27).
    Scalar,
    /// The scalar loop in the colored order.
    Colored,
    /// The colored order, eight or sixteen rows at a time, on any number of threads (S1-28, S1-34).
    Lanes,
    /// The authored order, eight or sixteen rows at a time: the bits of `scalar`.
    Ordered,
    /// All rows from the same positions, corrections averaged (S1-30..S1-32).
    Jacobi,
    /// Few colors, and copies of particles that would need more (S1-33).
    Hybrid,
    /// Impulses on velocities, for positions and then for velocities (S3-01..S3-07).
    Impulse,
}

named!(Method {
    Scalar => "scalar",
    Colored => "colored",
    Lanes => "lanes",
    Ordered => "ordered",
    Jacobi => "jacobi",
    Hybrid => "hybrid",
    Impulse => "impulse"
});

impl Method {
    /// One line for `taut list`.
    pub fn about(self) -> &'static str {
        match self {
            Self::Scalar => "authored order, one row at a time, one thread: the reference",
            Self::Colored => "the scalar loop in the colored order, one thread",
            Self::Lanes => {
                "the colored order, eight or sixteen rows at a time, any number of threads"
            }
            Self::Ordered => {
                "the authored order, eight or sixteen rows at a time: the bits of scalar"
            }
            Self::Jacobi => {
                "all rows from the same positions, corrections averaged; any number of threads"
            }
            Self::Hybrid => {
                "few colors, and copies of particles that would need more; any number of threads"
            }
            Self::Impulse => {
                "impulse-based (IBDS): positions, then dC/dt = 0 of velocities; any number of threads"
            }
        }
    }

    /// The method of that name.
    ///
    /// # Errors
    /// An unknown name, listing the known ones.
    pub fn parse(name: &str) -> Result<Self, ModelError> {
        let found = Self::ALL.into_iter().find(|m| m.name() == name);
        found.ok_or_else(|| ModelError::unknown("method", name, Self::ALL.map(Self::name)))
    }

    /// Whether it can use more than one thread.
    pub fn threaded(self) -> bool {
        !matches!(self, Self::Scalar | Self::Colored)
    }
}

/// Makes a model ready for a method: its particles in storage order, and the solver.
///
/// # Errors
/// Settings out of range, or a layout hint that is no coloring.
pub(crate) fn prepare(
    model: &Model,
    method: Method,
    threads: usize,
) -> Result<(Particles, Box<dyn Solver>), ModelError> {
    model.settings.validate()?;
    Ok(match method {
        Method::Scalar => boxed(Scalar::authored(model)),
        Method::Colored => boxed(Scalar::colored(model)?),
        Method::Lanes => boxed(Lanes::new(model, threads)?),
        Method::Ordered => boxed(Lanes::ordered(model, threads)?),
        Method::Jacobi => boxed(Jacobi::new(model, threads)?),
        Method::Hybrid => boxed(Hybrid::new(model, threads)?),
        Method::Impulse => boxed(Impulse::new(model, threads)?),
    })
}

fn boxed<S: Solver + 'static>((particles, solver): (Particles, S)) -> (Particles, Box<dyn Solver>) {
    (particles, Box::new(solver))
}
