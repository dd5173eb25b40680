//! **Taut**: a data-oriented SIMD engine for position-based dynamics.
#![deny(missing_docs, unsafe_code)]

pub mod constraints;
pub mod lanes;
#[cfg(feature = "render")]
pub mod render;
