//! `taut bench`: the main job.

use super::interrupt::Interrupt;
use super::output::{Failure, Json, input, progress_bar, say};
use super::pictures::time_pictures;
use super::report_page::{Named, page};
use super::settings::positive_seconds;
use crate::bench::{
    BenchReport, Ceilings, Entry, LadderError, Machine, ladders, measure, table, today,
};
use crate::files::{OutputFile, check_output};
use crate::runs::Run;
use crate::solvers::Method;
use crate::threads::cores;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args, Default)]
pub struct BenchArgs {
    /// Scenes and runs; left out: cloth:64 cloth:256 cloth:1024
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// Time for each scene's timed steps [default: 12; of pictures 5]
    #[arg(long, value_name = "S", value_parser = positive_seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Write a page to FILE: ladder, ceilings, colors, phases, sizes, pictures
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Time the viewer's pictures instead, of all scenes unless runs are named
    #[arg(long, conflicts_with_all = ["html", "json"])]
    pictures: bool,
    #[command(flatten)]
    json: Json,
}

impl BenchArgs {
    /// The main job, and its page.
    pub fn with_page(html: PathBuf) -> Self {
        Self { html: Some(html), ..Self::default() }
    }
}

/// Runs of the main job.
const DEFAULT_RUNS: [&str; 3] = ["cloth:64", "cloth:256", "cloth:1024"];
/// Timed seconds a scene, unless said otherwise.
const SECONDS: f64 = 12.0;
/// Seconds that pictures of a scene are timed.
const PICTURE_SECONDS: f64 = 5.0;

pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    Interrupt::end_at_once();
    let seconds = args.seconds.unwrap_or(SECONDS);
    let asked = match args.runs.is_empty() && !args.pictures {
        true => DEFAULT_RUNS.map(str::parse).into_iter().collect(),
        false => args.runs.iter().map(|name| name.parse()).collect(),
    };
    let mut asked = Result::<Vec<Run>, _>::map_err(asked, input)?;
    Run::read_all(&mut asked).map_err(input)?;
    if args.pictures {
        return time_pictures(&asked, args.seconds.unwrap_or(PICTURE_SECONDS));
    }
    args.json.check()?;
    args.html.as_deref().map_or(Ok(()), check_output).map_err(input)?;
    let report = measure_all(&asked, seconds, args.json.fills_stdout())?;
    args.json.write(&report)?;
    let named = Named { name: report.date.clone(), report };
    let Some(path) = args.html.as_deref() else {
        return Ok(());
    };
    write_page(path, &[named])?;
    match args.json.fills_stdout() {
        true => Ok(()),
        false => say!("the page is {}", path.display()),
    }
}

/// Measures the ladders of the runs, and says what it finds unless `quiet`.
pub fn measure_all(asked: &[Run], seconds: f64, quiet: bool) -> Result<BenchReport, Failure> {
    let ladders = ladders(asked, cores());
    let machine = Machine::here();
    if !quiet {
        say!("{machine}; best and median of interleaved repeats\n")?;
    }
    let ceilings = Ceilings::measure();
    if !quiet {
        say!("one core: {ceilings}\n")?;
    }
    let bar = progress_bar(ladders.len() as u64 * 1000, "{bar:30} {percent:>3}% {msg}");
    let mut runs = Vec::new();
    for (i, rungs) in ladders.iter().enumerate() {
        let mut progress = |share: f64, run: &Run| {
            bar.set_message(run.to_string());
            bar.set_position(i as u64 * 1000 + (share.min(1.0) * 1000.0) as u64);
        };
        let entries = measure(rungs, seconds, &ceilings, &mut progress);
        let entries = entries.map_err(|error| match error {
            LadderError::Run(error) => input(error),
            LadderError::Check { .. } => Failure::Failed(error.to_string()),
        })?;
        if !quiet {
            bar.suspend(|| say!("{}", ladder_table(&entries)))?;
        }
        runs.extend(entries);
    }
    bar.finish_and_clear();
    let taut = env!("CARGO_PKG_VERSION").into();
    Ok(BenchReport { taut, date: today(), machine, ceilings, runs })
}

/// Writes the page of the last of some reports, oldest first.
pub fn write_page(path: &Path, reports: &[Named]) -> Result<(), Failure> {
    let bar = progress_bar(0, "drawing {msg}");
    let html = page(reports, &mut |scene| {
        bar.set_message(scene.to_owned());
        bar.tick();
    });
    bar.finish_and_clear();
    OutputFile::write(path, html.map_err(input)?.as_bytes()).map_err(input)?;
    Ok(())
}

fn ladder_table(entries: &[Entry]) -> String {
    let colored = entries.iter().find(|e| e.method == Method::Colored.name());
    let colored = colored.map(|colored| colored.ms_per_step);
    let times = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.2}"));
    let bound = |e: &Entry| {
        let bound = e.bound.as_ref().filter(|bound| bound.tells())?;
        Some(format!("{} {:.0} %", bound.what, 100.0 * bound.share))
    };
    table(
        entries,
        &[
            ("run", &|e| e.run.clone()),
            ("constraints", &|e| e.constraints.to_string()),
            ("ms/step", &|e| format!("{:.3}", e.ms_per_step)),
            ("median", &|e| format!("{:.3}", e.ms_per_step_median)),
            ("M proj/s", &|e| format!("{:.1}", e.projections_per_second / 1e6)),
            ("x scalar", &|e| times(e.speedup)),
            ("x colored", &|e| times(colored.map(|ms| ms / e.ms_per_step))),
            ("residual", &|e| format!("{:.2e}", e.residual)),
            ("overlap", &|e| e.penetration.map_or("-".into(), |depth| format!("{depth:.1e}"))),
            ("bound by", &|e| bound(e).unwrap_or("-".into())),
            ("hash", &|e| e.hash.clone()),
        ],
    )
}
