//! The program `taut`: its command line (`docs/scene-format.md`). Each command has a file, but for `schema`, which is one line.

mod bench;
mod checkpoints;
mod compare;
mod experiment;
mod gallery;
mod html;
mod inspect;
mod interrupt;
mod list;
mod manual;
mod output;
mod page;
#[cfg(unix)]
mod phases;
mod pictures;
#[cfg(unix)]
mod profile;
mod report;
mod report_page;
mod run;
mod settings;
mod sinks;
#[cfg(test)]
mod tests;
mod view;

use crate::runs::Run;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use output::{Failure, note, print, say};
use std::ffi::OsString;
use std::io::IsTerminal;
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
    /// Lists scenes, methods, kinds, groups and materials, a line each
    List(list::ListArgs),
    /// Measures the speed ladder of each scene: scalar, colored, lanes@1, lanes@T (the default command)
    Bench(bench::BenchArgs),
    /// Simulates a run
    Run(Box<run::RunArgs>),
    /// Compares all methods on one scene: residual, energy, momentum and time as CSV and SVG
    Compare(compare::CompareArgs),
    /// Makes a page of what `bench` measured, now or earlier
    Report(report::ReportArgs),
    /// Samples a run and draws a flamegraph, its frames named by phase
    #[cfg(unix)]
    Profile(profile::ProfileArgs),
    /// Makes the figures and checks the claims of the source documents
    Experiment(experiment::ExperimentArgs),
    /// Shows a run in a window: pull it, turn it, switch method, lanes and threads
    View(view::ViewArgs),
    /// Makes pictures of every scene but those only to be timed, and one of all
    Gallery(gallery::GalleryArgs),
    /// Shows what a run consists of: rows, colors, packets, bytes, flops
    Inspect(inspect::InspectArgs),
    /// Writes the JSON Schema of scene files, for editors that complete and explain their keys
    Schema,
    /// Writes what a shell needs to complete these commands
    Completions(manual::CompletionsArgs),
    /// Writes a manual page: taut man | man -l -
    Man(manual::ManArgs),
}

/// The entry of the program `taut`: reads the command line, runs the command and says how it ended.
///
/// Exit codes: 0 done, 1 the simulation or a check failed, 2 bad input or usage, 130 ended by the user.
pub fn main() -> ExitCode {
    enter(std::env::args_os())
}

/// The command `taut view`, as a program of its own.
pub fn view() -> ExitCode {
    enter(["taut", "view"].map(OsString::from).into_iter().chain(std::env::args_os().skip(1)))
}

fn enter(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let outcome = match Cli::try_parse_from(arguments) {
        Ok(cli) => carry_out(cli.command),
        // Help and the version are asked for.
        Err(asked) if !asked.use_stderr() => print_help(&asked),
        Err(wrong) => {
            note!("{}", run_as_a_command(&wrong).unwrap_or_else(|| in_our_words(&wrong)));
            return ExitCode::from(2);
        }
    };
    let (code, message) = match outcome {
        Ok(()) | Err(Failure::Closed) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (2, message),
        Err(Failure::Failed(message)) => (1, message),
        Err(Failure::Interrupted(message)) => (130, message),
    };
    note!("{message}");
    ExitCode::from(code)
}

/// What is meant where a run stands in the place of a command.
fn run_as_a_command(wrong: &clap::Error) -> Option<String> {
    let ContextValue::String(name) = wrong.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    let run = name.parse::<Run>().ok()?;
    Some(format!("{run} is a run, no command: did you mean `taut run {run}` or `taut view {run}`?"))
}

/// clap's message with all that is wrong on its first line, as in ours.
fn in_our_words(wrong: &clap::Error) -> String {
    let message = wrong.render().to_string();
    let (first, rest) = message.split_once("\n\n").unwrap_or((&message, ""));
    let words: Vec<&str> = first.trim_start_matches("error:").split_whitespace().collect();
    [&words.join(" "), rest].join("\n").trim_end().into()
}

/// Help and version, colored where they are seen on a terminal.
fn print_help(asked: &clap::Error) -> Result<(), Failure> {
    let text = asked.render();
    match std::io::stdout().is_terminal() {
        true => print(format_args!("{}", text.ansi())),
        false => print(format_args!("{text}")),
    }
}

fn carry_out(command: Option<Command>) -> Result<(), Failure> {
    match command {
        None => bench::bench(&bench::BenchArgs::default()),
        Some(Command::List(args)) => list::list(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Compare(args)) => compare::compare(&args),
        Some(Command::Report(args)) => report::report(&args),
        #[cfg(unix)]
        Some(Command::Profile(args)) => profile::profile(&args),
        Some(Command::Experiment(args)) => experiment::experiment(&args),
        Some(Command::View(args)) => view::view(&args),
        Some(Command::Gallery(args)) => gallery::gallery(&args),
        Some(Command::Inspect(args)) => inspect::inspect(&args),
        Some(Command::Completions(args)) => manual::completions(&args, Cli::command()),
        Some(Command::Man(args)) => manual::man(&args, Cli::command()),
        Some(Command::Schema) => say!("{}", crate::io::scene_schema()),
    }
}
