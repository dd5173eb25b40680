//! The program `taut`: the command line of `docs/scene-format.md`, with no logic of its own.

mod cli;

use clap::{Parser, Subcommand};
use cli::Failure;
use cli::bench::{BenchArgs, bench};
use cli::compare::{CompareArgs, compare};
use cli::inspect::{InspectArgs, inspect};
use cli::list::{ListArgs, list};
use cli::run::{RunArgs, run};
use cli::schema::schema;
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
    /// Scenes, methods and kinds, a line each
    List(ListArgs),
    /// The speed ladder of each scene: scalar, colored, lanes@1, lanes@T (the main job)
    Bench(BenchArgs),
    /// Simulates a run
    Run(RunArgs),
    /// Every method on one scene: residual, energy, momentum and time as CSV and SVG
    Compare(CompareArgs),
    /// What a run is made of: rows, colors, packets, bytes, flops
    Inspect(InspectArgs),
    /// The JSON Schema of scene files, for editors that complete and explain their keys
    Schema,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        None => bench(&BenchArgs::default()),
        Some(Command::List(args)) => list(&args),
        Some(Command::Bench(args)) => bench(&args),
        Some(Command::Run(args)) => run(&args),
        Some(Command::Compare(args)) => compare(&args),
        Some(Command::Inspect(args)) => inspect(&args),
        Some(Command::Schema) => schema(),
    };
    let (code, message) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (2, message),
        Err(Failure::Failed(message)) => (1, message),
    };
    eprintln!("taut: {message}");
    ExitCode::from(code)
}
