//! What the source documents claim and draw, each as an experiment that draws it anew and checks it: `taut experiment`.
//!
//! **Adding an experiment is one entry** of the table `EXPERIMENTS` of a file here: a name, ids, a line, and a function that
//! simulates and returns a [`Report`] of figures and claims. A file is one line in `experiments!` below. `taut experiment`,
//! `docs/experiments.md` and `docs/coverage.md` (which tests hold against this list) then know it.

mod linear;
mod prelude;
mod report;

pub use report::{Figure, Report};

use crate::error::ModelError;
use std::error::Error;

/// What a run of an experiment comes to.
pub type Outcome = Result<Report, Box<dyn Error>>;

/// A figure or claim of the sources, made anew.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// The word on the command line.
    pub name: &'static str,
    /// What it shows of the sources, as `S1-17`.
    pub ids: &'static [&'static str],
    /// One line for `taut experiment --list`.
    pub about: &'static str,
    /// Simulates, and says what came out.
    pub run: fn() -> Outcome,
}

macro_rules! experiments {
    ($($file:ident,)*) => {
        $(mod $file;)*
        const FILES: &[&[Experiment]] = &[$($file::EXPERIMENTS,)*];
    };
}

experiments! {
    stiffness,
    xpbd,
    averaging,
    speed,
    hierarchy,
    flow,
    delay,
    newton,
    families,
    methods,
    bodies,
}

/// All experiments, in the order of `taut experiment --list`.
pub fn all() -> impl Iterator<Item = &'static Experiment> + Clone {
    FILES.iter().copied().flatten()
}

/// The experiment of that name.
///
/// # Errors
/// An unknown name, listing the known ones.
pub fn find(name: &str) -> Result<&'static Experiment, ModelError> {
    let found = all().find(|experiment| experiment.name == name);
    found.ok_or_else(|| ModelError::unknown("experiment", name, all().map(|e| e.name)))
}
