//! The interactive viewer: `cargo run --release --example viewer -- cloth:64` is `taut view cloth:64`.
use std::process::ExitCode;

fn main() -> ExitCode {
    taut::cli::view()
}
