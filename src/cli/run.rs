//! `taut run`.

use super::output::{Failure, Json, input, progress_bar, say};
use crate::bench::{Entry, RunReport, estimate};
use crate::io::{ObjSequence, Opened, Recorder, Run};
use crate::simulation::Simulation;
use crate::viewer::{Film, Overlay, Size};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

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
    #[command(flatten)]
    json: Json,
    /// Write every frame as a picture into DIR
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write every frame's surfaces as an OBJ file into DIR
    #[arg(long, value_name = "DIR")]
    obj: Option<PathBuf>,
    /// Write an animation to FILE
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// What the pictures' colors show
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
    for warning in &opened.warnings {
        eprintln!("taut: {}: {warning}", opened.run);
    }
    let mut sinks = Sinks::open(args, &opened)?;
    let bar = progress_bar(args.frames, "{bar:30} {pos}/{len} frames, {eta} left {msg}");
    if let Some(time) = estimate(&run, &overrides, args.frames) {
        let text = format!("about {time:.0?} for {} frames", args.frames);
        bar.set_message(format!("({text})"));
        eprintln!("taut: {}: {text}", opened.run);
    }
    let mut times = Vec::new();
    for _ in 0..args.frames {
        let started = Instant::now();
        opened.simulation.step();
        times.push(started.elapsed().as_secs_f64());
        sinks.add(&opened.simulation)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut entry = Entry::of(&opened);
    entry.time(times);
    sinks.finish(args, &opened.simulation, &entry.hash)?;
    let report = RunReport::new(entry, args.frames, &opened.simulation.observe());
    if !args.json.write(&report)? {
        summarize(&opened, &report.entry);
    }
    if !args.json.is_asked() {
        statistics(&opened.simulation, args.frames);
    }
    let failed = |what| Failure::Failed(format!("{}: the check failed: {what}", opened.run));
    opened.check().map_err(failed)
}

/// The files that frames are written to.
struct Sinks {
    recorder: Option<Recorder>,
    sequence: Option<ObjSequence>,
    film: Option<Film>,
}

impl Sinks {
    fn open(args: &RunArgs, opened: &Opened) -> Result<Self, Failure> {
        let (name, dt) = (
            opened.run.to_string(),
            opened.simulation.model().settings.dt,
        );
        let record = args.record.as_deref();
        let recorder = record.map(|path| Recorder::create(path, &name, dt));
        let recorder = recorder.transpose().map_err(input)?;
        let sequence = args.obj.as_deref().map(ObjSequence::create);
        let sequence = sequence.transpose().map_err(input)?;
        let overlay = Overlay::ALL.into_iter().find(|o| o.name() == args.color);
        let filmed = args.png.is_some() || args.gif.is_some();
        let film = filmed.then(|| Film::new(opened, overlay.unwrap_or_default(), args.frames));
        Ok(Self {
            recorder,
            sequence,
            film: film.transpose().map_err(input)?,
        })
    }

    fn add(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if let Some(recorder) = &mut self.recorder {
            let added = recorder.add(&simulation.positions(), &simulation.bodies());
            added.map_err(input)?;
        }
        if let Some(sequence) = &mut self.sequence {
            let added = sequence.add(simulation.model(), &simulation.positions());
            added.map_err(input)?;
        }
        if let Some(film) = &mut self.film {
            film.add(simulation);
        }
        Ok(())
    }

    fn finish(self, args: &RunArgs, simulation: &Simulation, hash: &str) -> Result<(), Failure> {
        let size = |width, height| args.size.unwrap_or(Size(width, height));
        if let (Some(film), Some(folder)) = (&self.film, &args.png) {
            let written = film.write_png(simulation, folder, size(1280, 720));
            written.map_err(input)?;
        }
        if let (Some(film), Some(path)) = (&self.film, &args.gif) {
            let written = film.write_gif(simulation, path, size(640, 360));
            written.map_err(input)?;
        }
        self.recorder
            .map_or(Ok(()), |recorder| recorder.finish(hash).map_err(input))
    }
}

fn summarize(opened: &Opened, entry: &Entry) {
    say!(
        "{}: {:.2} s simulated, {:.3} ms/step ({:.3} median), {} particles, {} constraints, {} threads, residual {:.2e} m, hash {}",
        opened.run,
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

/// The subsystems' counts, and their times in a frame.
fn statistics(simulation: &Simulation, frames: u64) {
    for account in simulation.statistics() {
        let counts = account.counts.iter().map(|(what, n)| format!("{n} {what}"));
        let times = account.times.iter().map(|phase| {
            let ms = phase.time.as_secs_f64() * 1e3 / frames.max(1) as f64;
            format!("{} {ms:.3}", phase.name)
        });
        let [counts, times]: [Vec<String>; 2] = [counts.collect(), times.collect()];
        if !counts.is_empty() {
            say!("  {}; ms a frame: {}", counts.join(", "), times.join(", "));
        }
    }
}
