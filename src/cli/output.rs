//! Output that the commands share: errors, lines and JSON on standard output, progress.

use crate::files::{OutputFile, WriteError, check_output};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::{Arguments, Display};
use std::io::{Error, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Prints a line on standard output.
macro_rules! say {
    ($($text:tt)*) => { crate::cli::output::print(format_args!("{}\n", format_args!($($text)*))) };
}
pub(super) use say;

/// Prints a line on standard error. Where that takes none there is nobody to tell: no reason to panic, as `eprintln!` does.
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "taut: {}", format_args!($($text)*));
    }};
}
pub(super) use note;

/// The error that a command ends with.
pub enum Failure {
    /// Bad input or usage: exit 2.
    Input(String),
    /// The simulation or a check failed: exit 1.
    Failed(String),
    /// The reader of standard output, or of a pipe that is written to, wants no more: exit 0.
    Closed,
    /// The user ended the run, and what was asked for is written: exit 130.
    Interrupted(String),
}

pub fn input(error: impl Display) -> Failure {
    Failure::Input(error.to_string())
}

/// An output file that cannot be written, or a pipe whose reader wants no more.
pub fn unwritten(error: WriteError) -> Failure {
    match error.source.kind() {
        ErrorKind::BrokenPipe => Failure::Closed,
        _ => input(error),
    }
}

/// A number of things, as `1 body` or `2 bodies`.
pub fn counted(count: usize, name: &str) -> String {
    match (count, name.strip_suffix('y')) {
        (1, _) => format!("1 {name}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {name}s"),
    }
}

/// A number of things whose name is a plural, as `1 contact point` or `2 contact points`.
pub fn agreed(count: usize, plural: &str) -> String {
    let single = |word: &str| match word {
        "vertices" => "vertex".to_owned(),
        word => word.strip_suffix('s').unwrap_or(word).to_owned(),
    };
    match count {
        1 => format!("1 {}", plural.split(' ').map(single).collect::<Vec<_>>().join(" ")),
        _ => format!("{count} {plural}"),
    }
}

/// A measured number; none at all is a plain 0.
pub fn figure(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.2e}") }
}

/// Prints on standard output.
pub fn print(text: Arguments) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let printed = out.write_fmt(text).and_then(|()| out.flush());
    printed.map_err(unprinted)
}

fn unprinted(error: Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::Closed,
        _ => input(format!("standard output: cannot write: {error}")),
    }
}

#[derive(Args, Default)]
pub struct Json {
    /// Write JSON to FILE; - is standard output
    #[arg(id = "json", long, value_name = "FILE")]
    path: Option<PathBuf>,
}

impl Json {
    /// Whether JSON was asked for.
    pub fn is_asked(&self) -> bool {
        self.path.is_some()
    }

    /// Whether standard output carries JSON, and then nothing else.
    pub fn fills_stdout(&self) -> bool {
        self.path.as_deref() == Some(Path::new("-"))
    }

    /// The file that is written.
    pub fn file(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| !self.fills_stdout())
    }

    /// Refuses a file that cannot be written, before the work that it is to report.
    pub fn check(&self) -> Result<(), Failure> {
        self.file().map_or(Ok(()), check_output).map_err(input)
    }

    /// Writes `value` where it was asked for; true where that is standard output.
    pub fn write(&self, value: &impl Serialize) -> Result<bool, Failure> {
        let Some(path) = &self.path else {
            return Ok(false);
        };
        let text = serde_json::to_string_pretty(value).map_err(input)? + "\n";
        match self.fills_stdout() {
            true => print(format_args!("{text}"))?,
            false => OutputFile::write(path, text.as_bytes()).map_err(unwritten)?,
        }
        Ok(self.fills_stdout())
    }
}

/// A progress bar on a terminal, none when piped.
pub fn progress_bar(len: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the template is a constant");
    // No steady tick: that takes a thread, which the system may refuse.
    ProgressBar::new(len).with_style(style)
}
