//! The tests of the project as a whole: its documents, its experiments and the rules of the house.

#[cfg(feature = "cli")]
mod coverage;
mod docs;
#[cfg(feature = "cli")]
mod experiments;
mod house;
#[cfg(feature = "cli")]
mod kinds;
