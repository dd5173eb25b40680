//! The program `taut`: its command line (`docs/scene-format.md`), a file per command.

mod bench;
mod compare;
mod inspect;
mod list;
mod output;
mod page;
mod run;
mod schema;

use clap::{Parser, Subcommand};
use output::Failure;
use std::process::ExitCode;

/// A data-oriented SIMD engine for position-based dynamics.
#[derive(Parser)]
#[command(
    version,
    about,
    after_help = "A run is named SCENE[:SIZE][/METHOD][@THREADS], as cloth:256/lanes@2 or ball.json/scalar."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Lists scenes, methods and kinds, a line each
    List(list::ListArgs),
    /// Measures the speed ladder of each scene: scalar, colored, lanes@1, lanes@T (the default command)
    Bench(bench::BenchArgs),
    /// Simulates a run
    Run(run::RunArgs),
    /// Compares all methods on one scene: residual, energy, momentum and time as CSV and SVG
    Compare(compare::CompareArgs),
    /// Shows what a run consists of: rows, colors, packets, bytes, flops
    Inspect(inspect::InspectArgs),
    /// Writes the JSON Schema of scene files, for editors that complete and explain their keys
    Schema,
}

/// The entry of the program `taut`: reads the command line, runs the command and says how it ended.
///
/// Exit codes: 0 done, 1 the simulation or a check failed, 2 bad input or usage.
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        None => bench::bench(&bench::BenchArgs::default()),
        Some(Command::List(args)) => list::list(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Compare(args)) => compare::compare(&args),
        Some(Command::Inspect(args)) => inspect::inspect(&args),
        Some(Command::Schema) => schema::schema(),
    };
    let (code, message) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (2, message),
        Err(Failure::Failed(message)) => (1, message),
    };
    eprintln!("taut: {message}");
    ExitCode::from(code)
}
