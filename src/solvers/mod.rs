//! Methods: one file each, its step loop written out in full.

mod lanes;
mod scalar;

pub use lanes::Lanes;
pub use scalar::Scalar;

use crate::error::ModelError;
use crate::model::Model;
use crate::part::Account;
use crate::particles::Particles;
use crate::report::Timers;

/// A solver by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Authored order, one row at a time, one thread: the reference (S1-27).
    Scalar,
    /// The scalar loop in the colored order.
    Colored,
    /// The colored order, eight rows at a time, on any number of threads (S1-28, S1-34).
    Lanes,
    /// The authored order, eight rows at a time: the bits of `scalar`.
    Ordered,
}

impl Method {
    /// All methods, in the order of the speed ladder.
    pub const ALL: [Method; 4] = [
        Method::Scalar,
        Method::Colored,
        Method::Lanes,
        Method::Ordered,
    ];

    /// The method's word on the command line and in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Colored => "colored",
            Self::Lanes => "lanes",
            Self::Ordered => "ordered",
        }
    }

    /// One line for `taut list`.
    pub fn about(self) -> &'static str {
        match self {
            Self::Scalar => "authored order, one row at a time, one thread: the reference",
            Self::Colored => "the scalar loop in the colored order, one thread",
            Self::Lanes => "the colored order, eight rows at a time, any number of threads",
            Self::Ordered => "the authored order, eight rows at a time: the bits of scalar",
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
        matches!(self, Self::Lanes | Self::Ordered)
    }
}

/// A method made ready for one model.
pub trait Solver: Send {
    /// Advances the particles by one frame step dt.
    fn step(&mut self, particles: &mut Particles);
    /// The multipliers after the last iteration, per row set, in authored order.
    fn multipliers(&self) -> Vec<Vec<f32>>;
    /// What each part did, in authored order.
    fn accounts(&self) -> Vec<Account>;
    /// Threads used.
    fn threads(&self) -> usize;
    /// Colors of all kinds together; zero in authored order.
    fn colors(&self) -> usize;
    /// Bytes of the rows as this method keeps them.
    fn row_bytes(&self) -> usize;
    /// Time per phase since the last [`Timers::clear`].
    fn timers(&mut self) -> &mut Timers;
}

/// Makes a model ready for a method: its particles in storage order, and the solver.
///
/// # Errors
/// Settings out of range, or a structure hint that is no coloring.
pub fn prepare(
    model: &Model,
    method: Method,
    threads: usize,
) -> Result<(Particles, Box<dyn Solver>), ModelError> {
    model.settings.validate()?;
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
    })
}
