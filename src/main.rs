//! The program `taut`.
fn main() {}
