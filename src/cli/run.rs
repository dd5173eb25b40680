//! `taut run`.

use super::{Failure, input, progress_bar, warn, write_json};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;
use taut::bench::{self, RunReport};
use taut::io::Run;
use taut::io::{ObjSequence, Recorder};
use taut::viewer::{Film, Overlay, Size};

#[derive(Args)]
pub struct RunArgs {
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
    /// Write every frame's surfaces as an OBJ file into DIR
    #[arg(long, value_name = "DIR")]
    obj: Option<PathBuf>,
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

pub fn run(args: &RunArgs) -> Result<(), Failure> {
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
    let sequence = args.obj.as_deref().map(ObjSequence::create);
    let mut sequence = sequence.transpose().map_err(input)?;

    let overlay = Overlay::ALL.into_iter().find(|o| o.name() == args.color);
    let filmed = args.png.is_some() || args.gif.is_some();
    let film = filmed.then(|| Film::new(&opened, overlay.unwrap_or_default(), args.frames));
    let mut film = film.transpose().map_err(input)?;

    let bar = progress_bar(args.frames, "{bar:30} {pos}/{len} frames, {eta} left {msg}");
    if let Some(estimate) = bench::estimate(&run, &overrides, args.frames) {
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
                .add(&opened.simulation.positions(), &opened.simulation.bodies())
                .map_err(input)?;
        }
        if let Some(sequence) = &mut sequence {
            let simulation = &opened.simulation;
            let added = sequence.add(simulation.model(), &simulation.positions());
            added.map_err(input)?;
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
    let mut entry = bench::entry(&opened);
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
        if let Some(error) = entry.largest_error {
            let velocity = entry.velocity_iterations_used;
            let velocity = velocity.map_or(String::new(), |n| format!(" and {n} for velocities"));
            say!(
                "the last step took {} iterations{velocity} of {}; largest error left {error:.2e} m",
                entry.iterations_used,
                entry.iterations,
            );
        }
    }
    if args.json.is_none() {
        for account in opened.simulation.accounts() {
            let counts = account.counts.iter().map(|(what, n)| format!("{n} {what}"));
            let times = account.times.iter().map(|phase| {
                let ms = phase.time.as_secs_f64() * 1e3 / args.frames.max(1) as f64;
                format!("{} {ms:.3}", phase.name)
            });
            let [counts, times]: [Vec<String>; 2] = [counts.collect(), times.collect()];
            if !counts.is_empty() {
                say!("  {}; ms a frame: {}", counts.join(", "), times.join(", "));
            }
        }
    }
    let outcome = opened.check();
    outcome.map_err(|what| Failure::Failed(format!("{name}: the check failed: {what}")))
}
