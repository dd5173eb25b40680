//! `src/threads` with the atomics of `loom` in place of the machine's: every interleaving, and every value a load may see.
#![cfg(all(loom, test))]
#![allow(dead_code, unused_imports)] // the engine uses the rest

#[path = "../../src/coloring/mod.rs"]
mod coloring;
#[path = "../../src/error.rs"]
mod error;
mod hand_over;
#[path = "../../src/math/mod.rs"]
mod math;
#[path = "../../src/threads/mod.rs"]
mod threads;
