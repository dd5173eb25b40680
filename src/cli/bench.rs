//! `taut bench`: the main job.

use super::{Failure, input, progress_bar, write_json};
use clap::Args;
use std::path::{Path, PathBuf};
use taut::bench::{self, BenchReport, Ceilings, Entry, LadderError, Machine, table};
use taut::io::Run;
use taut::{Method, threads};

#[derive(Args, Default)]
pub struct BenchArgs {
    /// Scenes and runs; left out: cloth:64 cloth:256 cloth:1024
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// Time for each scene's timed steps
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Write JSON to FILE; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs of the main job.
const DEFAULT_RUNS: [&str; 3] = ["cloth:64", "cloth:256", "cloth:1024"];
/// Timed seconds a scene, unless said otherwise.
const SECONDS: f64 = 12.0;

pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let seconds = args.seconds.unwrap_or(SECONDS);
    if !(seconds >= 0.0 && seconds.is_finite()) {
        return Err(input(format!(
            "--seconds {seconds}: must be a number of seconds"
        )));
    }
    let names: Vec<&str> = match args.runs.is_empty() {
        true => DEFAULT_RUNS.to_vec(),
        false => args.runs.iter().map(String::as_str).collect(),
    };
    let asked: Vec<Run> = names
        .iter()
        .map(|n| n.parse())
        .collect::<Result<_, _>>()
        .map_err(input)?;
    let mut scenes: Vec<Run> = Vec::new();
    for run in &asked {
        if !scenes.contains(&run.scene()) {
            scenes.push(run.scene());
        }
    }
    let machine = Machine::here();
    let quiet = args.json.as_deref() == Some(Path::new("-"));
    let threads = threads::cores();
    if !quiet {
        say!(
            "taut {}, {} cores of {}",
            env!("CARGO_PKG_VERSION"),
            machine.cores,
            machine.cpu
        );
        say!(
            "{}; {}; {}; best and median of interleaved repeats\n",
            machine.backend,
            machine.isa,
            machine.rustc
        );
    }
    let ceilings = Ceilings::measure();
    if !quiet {
        println!("one core: {}\n", describe(&ceilings));
    }
    let bar = progress_bar(scenes.len() as u64 * 1000, "{bar:30} {percent:>3}% {msg}");
    let mut report = BenchReport {
        taut: env!("CARGO_PKG_VERSION"),
        machine,
        ceilings,
        runs: Vec::new(),
    };
    for (i, scene) in scenes.iter().enumerate() {
        let beside: Vec<Run> = asked
            .iter()
            .filter(|run| run.scene() == *scene && (run.method.is_some() || run.threads.is_some()))
            .map(|run| run.with(run.method.unwrap_or(Method::Lanes), run.threads))
            .collect();
        let rungs = bench::rungs(scene, threads, &beside);
        let mut progress = |share: f64, run: &Run| {
            bar.set_message(run.to_string());
            bar.set_position(i as u64 * 1000 + (share.min(1.0) * 1000.0) as u64);
        };
        let entries = bench::measure(&rungs, seconds, &ceilings, &mut progress).map_err(
            |error| match error {
                LadderError::Run(error) => input(error),
                LadderError::Check { .. } => Failure::Failed(error.to_string()),
            },
        )?;
        if !quiet {
            bar.suspend(|| say!("{}", ladder_table(&entries)));
        }
        report.runs.extend(entries);
    }
    bar.finish_and_clear();
    write_json(args.json.as_deref(), &report)?;
    Ok(())
}

fn describe(c: &Ceilings) -> String {
    let giga = |bytes: f64| format!("{:.0} GB/s", bytes / 1e9);
    format!(
        "distance rows from registers {:.0} M/s; read + write in L2 {}, L3 {}, DRAM {}",
        c.register_rows_per_second / 1e6,
        giga(c.l2_bytes_per_second),
        giga(c.l3_bytes_per_second),
        giga(c.dram_bytes_per_second),
    )
}

fn ladder_table(entries: &[Entry]) -> String {
    let header = [
        "run",
        "constraints",
        "ms/step",
        "median",
        "M proj/s",
        "x scalar",
        "x colored",
        "residual",
        "bound by",
        "hash",
    ];
    let colored = entries.iter().find(|e| e.method == Method::Colored.name());
    let times = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.2}"));
    let row = |e: &Entry| {
        vec![
            e.run.clone(),
            e.constraints.to_string(),
            format!("{:.3}", e.ms_per_step),
            format!("{:.3}", e.ms_per_step_median),
            format!("{:.1}", e.projections_per_second / 1e6),
            times(e.speedup),
            times(colored.map(|c| c.ms_per_step / e.ms_per_step)),
            format!("{:.2e}", e.residual),
            e.bound.map_or("-".into(), |b| {
                format!("{} {:.0} %", b.what, 100.0 * b.share)
            }),
            e.hash.clone(),
        ]
    };
    table(&header, &entries.iter().map(row).collect::<Vec<_>>())
}
