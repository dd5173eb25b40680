//! Output that the commands share: errors, lines and JSON on standard output, progress.

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Prints a line. A reader that has closed the pipe wants no more: no reason to panic, as `println!` does.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}
pub(super) use say;

/// The error that a command ends with.
pub enum Failure {
    /// Bad input or usage: exit 2.
    Input(String),
    /// The simulation or a check failed: exit 1.
    Failed(String),
}

pub fn input(error: impl Display) -> Failure {
    Failure::Input(error.to_string())
}

/// A file that cannot be written, by its path.
pub fn unwritten(path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    move |error| input(format!("{}: {error}", path.display()))
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

    /// Writes `value` where it was asked for; true where that is standard output.
    pub fn write(&self, value: &impl Serialize) -> Result<bool, Failure> {
        let Some(path) = &self.path else {
            return Ok(false);
        };
        let text = serde_json::to_string_pretty(value).map_err(input)? + "\n";
        let written = match self.fills_stdout() {
            true => std::io::stdout().write_all(text.as_bytes()),
            false => std::fs::write(path, text),
        };
        written.map_err(unwritten(path))?;
        Ok(self.fills_stdout())
    }
}

/// A progress bar on a terminal, none when piped.
pub fn progress_bar(len: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the template is a constant");
    let bar = ProgressBar::new(len).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
