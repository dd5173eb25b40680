//! The commands, and what they share: how they end, JSON, warnings, progress.

/// Prints a line. A reader that has closed the pipe wants no more: no reason to panic, as `println!` does.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

pub mod bench;
pub mod compare;
pub mod inspect;
pub mod list;
pub mod run;
pub mod schema;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;
use taut::io::Opened;

/// How a command ends when it does not end well.
pub enum Failure {
    /// Bad input or usage: exit 2.
    Input(String),
    /// The simulation or a check failed: exit 1.
    Failed(String),
}

pub fn input(error: impl Display) -> Failure {
    Failure::Input(error.to_string())
}

/// Writes `value` where `--json` says; true where that is standard output, which then carries nothing else.
pub fn write_json(target: Option<&Path>, value: &impl Serialize) -> Result<bool, Failure> {
    let Some(path) = target else { return Ok(false) };
    let text = serde_json::to_string_pretty(value).map_err(input)? + "\n";
    let to_stdout = path == Path::new("-");
    let written = match to_stdout {
        true => std::io::stdout().write_all(text.as_bytes()),
        false => std::fs::write(path, text),
    };
    written.map_err(|error| input(format!("{}: {error}", path.display())))?;
    Ok(to_stdout)
}

pub fn warn(opened: &Opened) {
    for warning in &opened.warnings {
        eprintln!("taut: {}: {warning}", opened.run);
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
