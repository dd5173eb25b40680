//! The program `taut`: the command line of `SCENE_FORMAT.md`, with no logic of its own.

use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use taut::io::Recorder;
use taut::report::{self, BenchReport, Ceilings, Entry, LadderError, Machine, RunReport, table};
use taut::run::{Opened, Run};
use taut::scenes::SCENES;
use taut::show::{Film, Overlay, Size};
use taut::{Method, constraints, parallel};

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
    /// What a run is made of: rows, colors, packets, bytes, flops
    Inspect(InspectArgs),
}

#[derive(Args)]
struct ListArgs {
    /// Write JSON to FILE; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Args, Default)]
struct BenchArgs {
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

#[derive(Args)]
struct RunArgs {
    /// The run
    run: String,
    /// Frames to simulate
    #[arg(long, value_name = "N", default_value_t = 60)]
    frames: u64,
    /// Settings that replace the scene's, as iterations=20
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    set: Vec<String>,
    /// Write every frame's positions to FILE (JSON)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write JSON to FILE; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write every frame as a picture into DIR
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write an animation to FILE
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// What the pictures' colors tell
    #[arg(long, value_name = "WHAT", default_value = "plain", value_parser = Overlay::ALL.map(Overlay::name))]
    color: String,
    /// Pixels of the pictures; left out: 1280x720, of an animation 640x360
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
}

#[derive(Args)]
struct InspectArgs {
    /// The run
    run: String,
    /// Write JSON to FILE; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// How a command ends when it does not end well.
enum Failure {
    /// Bad input or usage: exit 2.
    Input(String),
    /// The simulation or a check failed: exit 1.
    Failed(String),
}

fn input(error: impl Display) -> Failure {
    Failure::Input(error.to_string())
}

/// Prints a line. A reader that has closed the pipe wants no more: no reason to panic, as `println!` does.
macro_rules! say {
    ($($text:tt)*) => {{
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        None => bench(&BenchArgs::default()),
        Some(Command::List(args)) => list(&args),
        Some(Command::Bench(args)) => bench(&args),
        Some(Command::Run(args)) => run(&args),
        Some(Command::Inspect(args)) => inspect(&args),
    };
    let (code, message) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (2, message),
        Err(Failure::Failed(message)) => (1, message),
    };
    eprintln!("taut: {message}");
    ExitCode::from(code)
}

/// Writes `value` where `--json` says; true where that is standard output, which then carries nothing else.
fn write_json(target: Option<&Path>, value: &impl Serialize) -> Result<bool, Failure> {
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

fn warn(opened: &Opened) {
    for warning in &opened.warnings {
        eprintln!("taut: {}: {warning}", opened.run);
    }
}

/// A progress bar on a terminal, none when piped.
fn progress_bar(len: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the template is a constant");
    let bar = ProgressBar::new(len).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn list(args: &ListArgs) -> Result<(), Failure> {
    let scenes = SCENES.iter().map(|s| (s.name, s.about, s.size));
    let methods = Method::ALL.map(|m| (m.name(), m.about()));
    let kinds = constraints::kinds();
    let json = serde_json::json!({
        "scenes": scenes.clone().map(|(name, about, size)| {
            serde_json::json!({"name": name, "about": about, "size": size})
        }).collect::<Vec<_>>(),
        "methods": methods.map(|(name, about)| {
            serde_json::json!({"name": name, "about": about, "runs": "everything"})
        }),
        "kinds": kinds.iter().map(|kind| serde_json::json!({
            "name": kind.name, "equation": kind.equation, "particles": kind.particles,
            "parameters": kind.params.iter().map(|p| p.name).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    });
    if write_json(args.json.as_deref(), &json)? {
        return Ok(());
    }
    say!("scenes");
    for (name, about, size) in scenes {
        say!("  {:<20} {about}", format!("{name}:{size}"));
    }
    say!("\nmethods (each runs every part of a scene)");
    for (name, about) in methods {
        say!("  {name:<20} {about}");
    }
    say!("\nkinds");
    for kind in kinds {
        let params = kind
            .params
            .iter()
            .map(|p| format!("{} [{}]", p.name, p.unit));
        let params = params.collect::<Vec<_>>().join(", ");
        say!(
            "  {:<20} {} particles; {}; {params}",
            kind.name,
            kind.particles,
            kind.equation
        );
    }
    Ok(())
}

/// Runs of the main job.
const DEFAULT_RUNS: [&str; 3] = ["cloth:64", "cloth:256", "cloth:1024"];
/// Timed seconds a scene, unless said otherwise.
const SECONDS: f64 = 12.0;

fn bench(args: &BenchArgs) -> Result<(), Failure> {
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
    let threads = parallel::cores();
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
        let rungs = report::rungs(scene, threads, &beside);
        let mut progress = |share: f64, run: &Run| {
            bar.set_message(run.to_string());
            bar.set_position(i as u64 * 1000 + (share.min(1.0) * 1000.0) as u64);
        };
        let entries = report::measure(&rungs, seconds, &ceilings, &mut progress).map_err(
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

fn run(args: &RunArgs) -> Result<(), Failure> {
    let run: Run = args.run.parse().map_err(input)?;
    let mut overrides = Vec::new();
    for text in &args.set {
        let wrong = || input(format!("--set \"{text}\": must be KEY=VALUE"));
        overrides.push(text.split_once('=').ok_or_else(wrong)?);
    }
    let mut opened = run.open(&overrides).map_err(input)?;
    warn(&opened);
    let dt = opened.simulation.model().settings.dt;
    let name = opened.run.to_string();
    let recorder = args
        .record
        .as_deref()
        .map(|path| Recorder::create(path, &name, dt));
    let mut recorder = recorder.transpose().map_err(input)?;

    let overlay = Overlay::ALL.into_iter().find(|o| o.name() == args.color);
    let filmed = args.png.is_some() || args.gif.is_some();
    let film = filmed.then(|| Film::new(&opened, overlay.unwrap_or_default(), args.frames));
    let mut film = film.transpose().map_err(input)?;

    let bar = progress_bar(args.frames, "{bar:30} {pos}/{len} frames, {eta} left {msg}");
    if let Some(estimate) = report::estimate(&run, &overrides, args.frames) {
        let text = format!("about {:.0?} for {} frames", estimate, args.frames);
        bar.set_message(format!("({text})"));
        eprintln!("taut: {name}: {text}");
    }
    let mut times = Vec::new();
    for _ in 0..args.frames {
        let started = Instant::now();
        opened.simulation.step();
        times.push(started.elapsed().as_secs_f64() * 1e3);
        if let Some(recorder) = &mut recorder {
            recorder
                .add(&opened.simulation.positions())
                .map_err(input)?;
        }
        if let Some(film) = &mut film {
            film.add(&opened.simulation);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(film) = &film {
        let (png, gif) = (args.png.as_deref(), args.gif.as_deref());
        let written = film.write(&opened.simulation, png, gif, args.size);
        written.map_err(input)?;
    }

    let seen = opened.simulation.observe();
    let mut entry = report::entry(&opened);
    times.sort_by(f64::total_cmp);
    entry.ms_per_step = times.first().copied().unwrap_or(0.0);
    entry.ms_per_step_median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    if entry.ms_per_step > 0.0 {
        entry.projections_per_second = entry.projections() / (entry.ms_per_step / 1e3);
    }
    if let Some(recorder) = recorder {
        recorder.finish(&entry.hash).map_err(input)?;
    }
    let report = RunReport::new(entry, args.frames, &seen);
    if !write_json(args.json.as_deref(), &report)? {
        let RunReport { entry, .. } = &report;
        say!(
            "{name}: {:.2} s simulated, {:.3} ms/step ({:.3} median), {} particles, {} constraints, {} threads, residual {:.2e} m, hash {}",
            opened.simulation.time(),
            entry.ms_per_step,
            entry.ms_per_step_median,
            entry.particles,
            entry.constraints,
            entry.threads,
            entry.residual,
            entry.hash,
        );
    }
    let outcome = opened.check();
    outcome.map_err(|what| Failure::Failed(format!("{name}: the check failed: {what}")))
}

fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let run: Run = args.run.parse().map_err(input)?;
    let file = run.load(&[]).map_err(input)?;
    for warning in &file.warnings {
        eprintln!("taut: {run}: {warning}");
    }
    let found = report::inspect(&file.model).map_err(input)?;
    if write_json(args.json.as_deref(), &found)? {
        return Ok(());
    }
    say!(
        "{run}: {} particles in {} places, {} constraints, M/3N = {:.2} ({}), {} bands\n",
        found.particles,
        found.places,
        found.constraints,
        found.rows_per_unknown,
        found.class,
        found.bands
    );
    let header = [
        "kind",
        "response",
        "rows",
        "colors",
        "bound",
        "balance",
        "lane fill",
        "runs",
        "units/phase",
        "bytes/row",
        "+ particles",
        "flops/row",
        "div",
        "sqrt",
    ];
    let rows = found.kinds.iter().map(|k| {
        vec![
            k.kind.into(),
            k.response.clone(),
            k.rows.to_string(),
            k.colors.to_string(),
            k.clique_bound.to_string(),
            format!("{:.2}", k.balance),
            format!("{:.1} %", 100.0 * k.lane_fill),
            format!("{:.1} %", 100.0 * k.run_share),
            format!("{}..{}", k.units_per_phase.0, k.units_per_phase.1),
            format!("{:.1}", k.bytes_per_row),
            k.particle_bytes_per_row.to_string(),
            k.flops_per_row.to_string(),
            k.divisions_per_row.to_string(),
            k.roots_per_row.to_string(),
        ]
    });
    say!("{}", table(&header, &rows.collect::<Vec<_>>()));
    Ok(())
}
