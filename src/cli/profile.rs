//! `taut profile`.

use super::interrupt::Interrupt;
use super::output::{Failure, input, progress_bar, say};
use super::phases::{OTHER, Phases};
use super::settings::positive_seconds;
use crate::bench::{Machine, table};
use crate::files::{OutputFile, check_output};
use crate::runs::{Opened, Run};
use crate::timers::PhaseTime;
use clap::Args;
use pprof::{Frames, ProfilerGuard, ProfilerGuardBuilder, Report, flamegraph};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct ProfileArgs {
    /// The run
    run: String,
    /// Sampled for so long; many systems give no more than 250 samples a second
    #[arg(long, value_name = "S", default_value_t = 15.0, value_parser = positive_seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// The flamegraph (SVG: a browser zooms and searches in it)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Samples a second of processor time; prime, so that it does not beat with the steps.
const FREQUENCY: i32 = 997;
/// Steps before the first sample: caches, clocks and pages warm.
const WARM_UP: usize = 10;

pub fn profile(args: &ProfileArgs) -> Result<(), Failure> {
    let length = Duration::try_from_secs_f64(args.seconds);
    let length = length
        .map_err(|_| input(format!("--seconds {}: must be a number of seconds", args.seconds)))?;
    let mut run: Run = args.run.parse().map_err(input)?;
    run.read().map_err(input)?;
    check_output(&args.out).map_err(input)?;
    let mut opened = run.open(&[]).map_err(input)?;
    for _ in 0..WARM_UP {
        opened.simulation.step();
    }
    opened.simulation.timers().clear();
    let profiler = start()?;
    let steps = sample(&mut opened, length);
    let phases = Phases::of(&opened.simulation);
    let report = profiler.report().frames_post_processor(move |frames| phases.name(frames)).build();
    drop(profiler);
    let report = report.map_err(|error| Failure::Failed(format!("the profiler: {error}")))?;
    opened
        .check()
        .map_err(|what| Failure::Failed(format!("{}: the check failed: {what}", opened.run)))?;
    if report.data.is_empty() {
        return Err(Failure::Failed(format!("{}: no sample in {} s", opened.run, args.seconds)));
    }
    draw(&report, &opened, &args.out)?;
    say!("{}: {steps} steps, {}\n", opened.run, args.out.display())?;
    tell(&report, opened.simulation.timers().phases())
}

fn start() -> Result<ProfilerGuard<'static>, Failure> {
    // Unwinding must not meet a lock that a library holds, so what is in these is not sampled.
    let profiler = ProfilerGuardBuilder::default()
        .frequency(FREQUENCY)
        .blocklist(&["libc", "libgcc", "pthread", "vdso"])
        .build();
    profiler.map_err(|error| Failure::Failed(format!("the profiler: {error}")))
}

/// Steps for so long, or until a signal; how many.
fn sample(opened: &mut Opened, length: Duration) -> u64 {
    let bar = progress_bar(length.as_millis() as u64, "{bar:30} {percent:>3}% {msg}");
    bar.set_message(opened.run.to_string());
    let (interrupt, started, mut steps) = (Interrupt::listen(), Instant::now(), 0);
    while started.elapsed() < length && !interrupt.is_asked() {
        opened.simulation.step();
        steps += 1;
        bar.set_position(started.elapsed().as_millis() as u64);
    }
    bar.finish_and_clear();
    steps
}

fn draw(report: &Report, opened: &Opened, path: &Path) -> Result<(), Failure> {
    let mut options = flamegraph::Options::default();
    options.title = format!("taut {}", opened.run);
    let Machine { cores, cpu, backend, .. } = Machine::here();
    options.subtitle = Some(format!("{cores} cores of {cpu}; {backend}"));
    options.count_name = "samples".into();
    let mut file = OutputFile::create(path).map_err(input)?;
    let drawn = report.flamegraph_with_options(&mut file, &mut options);
    drawn.map_err(|error| Failure::Failed(format!("the flamegraph: {error}")))?;
    file.finish().map_err(input)
}

/// Shares of samples beside shares of the first worker's time.
fn tell(report: &Report, timers: &[PhaseTime]) -> Result<(), Failure> {
    let mut samples: BTreeMap<String, f64> = BTreeMap::new();
    for (frames, &count) in &report.data {
        *samples.entry(phase(frames)).or_default() += count as f64;
    }
    let all: f64 = samples.values().sum();
    let time = |phase: &PhaseTime| phase.time.as_secs_f64();
    let total: f64 = timers.iter().map(time).sum();
    let mut names: Vec<&str> = samples.keys().map(String::as_str).collect();
    names.extend(timers.iter().filter(|phase| time(phase) > 0.0).map(|phase| phase.name.as_str()));
    names.sort_unstable();
    names.dedup();
    let percent = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole.max(1e-9));
    let count = |name: &str| samples.get(name).copied().unwrap_or(0.0);
    let sampled = |name: &str, text: String| samples.get(name).map_or("-".into(), |_| text);
    let timed = |name: &str| {
        timers.iter().filter(|phase| phase.name == name).map(time).reduce(|a, b| a + b)
    };
    let text = table(
        &names,
        &[
            ("phase", &|name| (*name).into()),
            ("samples", &|name| sampled(name, count(name).to_string())),
            ("of all", &|name| sampled(name, percent(count(name), all))),
            ("by the timers", &|name| timed(name).map_or("-".into(), |time| percent(time, total))),
        ],
    );
    let named = percent(all - count(OTHER), all);
    say!("{text}\n{all} samples, {named} in named phases")
}

/// The phase a sample fell into: the outermost that its stack names.
fn phase(frames: &Frames) -> String {
    let mut names = frames.frames.iter().flatten().rev().map(|symbol| symbol.name());
    names.find(|name| Phases::is_phase(name)).unwrap_or_else(|| OTHER.into())
}
