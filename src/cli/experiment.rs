//! `taut experiment`.

use super::interrupt::Interrupt;
use super::output::{Failure, input, say};
use crate::bench::{Machine, Plot};
use crate::experiments::{self, Experiment, Figure, Report};
use crate::files::{OutputFile, create_folder};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

#[derive(Args)]
pub struct ExperimentArgs {
    /// The experiments to make
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Make all of them
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// List them, with what each shows
    #[arg(long, conflicts_with_all = ["names", "all"])]
    list: bool,
    /// Folder of the tables and pictures
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn experiment(args: &ExperimentArgs) -> Result<(), Failure> {
    Interrupt::end_at_once();
    if args.list {
        return list();
    }
    if args.names.is_empty() && !args.all {
        return Err(input(
            "experiment: which? NAME.. or --all; `taut experiment --list` names them",
        ));
    }
    let Some(folder) = &args.out else {
        return Err(input("experiment: --out DIR says where tables and pictures go"));
    };
    let named = args.names.iter().map(|name| experiments::find(name));
    let chosen: Vec<&Experiment> = match args.all {
        true => experiments::all().collect(),
        false => named.collect::<Result<_, _>>().map_err(input)?,
    };
    create_folder(folder).map_err(input)?;
    let origin = origin();
    let mut failed = Vec::new();
    for experiment in chosen {
        let started = Instant::now();
        let report = (experiment.run)().map_err(|e| input(format!("{}: {e}", experiment.name)))?;
        let seconds = started.elapsed().as_secs_f64();
        say!("{} ({}), {seconds:.1} s", experiment.name, experiment.ids.join(" "))?;
        for figure in &report.figures {
            write(folder, experiment, figure, &origin)?;
        }
        if let Some(table) = &report.table {
            let path = folder.join(experiment.name).with_extension("md");
            OutputFile::write(path, table.as_bytes()).map_err(input)?;
        }
        failed.extend(tell(experiment, &report)?);
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed(failed.join("\n"))),
    }
}

fn list() -> Result<(), Failure> {
    for experiment in experiments::all() {
        let ids = experiment.ids.join(" ");
        say!("{:<22} {:<30} {}", experiment.name, ids, experiment.about)?;
    }
    Ok(())
}

/// Prints what came out; the claims that do not hold.
fn tell(experiment: &Experiment, report: &Report) -> Result<Vec<String>, Failure> {
    for claim in &report.claims {
        say!("  {}  {}", if claim.holds { "holds" } else { "FAILS" }, claim.what)?;
    }
    for note in &report.notes {
        say!("  found  {note}")?;
    }
    let failed = report.claims.iter().filter(|claim| !claim.holds);
    Ok(failed
        .map(|claim| format!("{}: it does not hold: {}", experiment.name, claim.what))
        .collect())
}

/// Writes a figure's table and picture.
fn write(
    folder: &Path,
    experiment: &Experiment,
    figure: &Figure,
    origin: &str,
) -> Result<(), Failure> {
    let name = [experiment.name, figure.name].join("-");
    let path = folder.join(name.trim_end_matches('-'));
    OutputFile::write(path.with_extension("csv"), figure.csv().as_bytes()).map_err(input)?;
    let ids = experiment.ids.join(", ");
    let caption = [figure.settings.clone(), format!("{ids}; {origin}")];
    let plot = Plot {
        most: Some(figure.most),
        caption: &caption,
        ..Plot::new(&figure.title, figure.axes, figure.logarithmic, &figure.curves)
    };
    plot.write(&path.with_extension("svg")).map_err(input)
}

/// Program, commit of its sources where they are at hand, and machine.
fn origin() -> String {
    let machine = Machine::here().to_string();
    let machine = machine.lines().next().unwrap_or_default();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        let output = git.arg("-C").arg(env!("CARGO_MANIFEST_DIR")).args(arguments).output();
        let text = String::from_utf8(output.ok().filter(|o| o.status.success())?.stdout).ok()?;
        Some(text.trim().to_owned())
    };
    match git(&["describe", "--always", "--dirty", "--abbrev=9", "--exclude=*"]) {
        Some(commit) => format!("{machine}; commit {commit}"),
        None => machine.to_owned(),
    }
}
