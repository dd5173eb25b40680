//! `taut report`.

use super::bench::{BenchArgs, bench, write_page};
use super::interrupt::Interrupt;
use super::output::{Failure, input, say};
use super::report_page::Named;
use crate::bench::BenchReport;
use crate::files::{check_output, is_same_file};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct ReportArgs {
    /// Reports of `taut bench --json`, oldest first: the last is shown, the others are its history; left out: measures now
    #[arg(value_name = "JSON")]
    files: Vec<PathBuf>,
    /// The page
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
}

pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    if args.files.is_empty() {
        return bench(&BenchArgs::with_page(args.html.clone()));
    }
    if let Some(file) = args.files.iter().find(|file| is_same_file(file, &args.html)) {
        return Err(input(format!("{}: cannot write: it is one of the reports", file.display())));
    }
    check_output(&args.html).map_err(input)?;
    let reports = args.files.iter().map(|file| read(file));
    Interrupt::end_at_once();
    write_page(&args.html, &reports.collect::<Result<Vec<_>, _>>()?)?;
    say!("the page is {}", args.html.display())
}

/// Reads a report; its name is that of the file, and the day where the report says it.
fn read(path: &Path) -> Result<Named, Failure> {
    let wrong = |what: String| input(format!("{}: {what}", path.display()));
    let text = std::fs::read(path).map_err(|error| wrong(format!("cannot read: {error}")))?;
    let report = serde_json::from_slice::<BenchReport>(&text);
    let report =
        report.map_err(|error| wrong(format!("no report of `taut bench --json`: {error}")))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem} {}", report.date).trim_end().to_owned();
    Ok(Named { name, report })
}
