//! `taut run`.

use super::checkpoints::{Checkpoints, Progress, Resumed};
use super::interrupt::Interrupt;
use super::output::{Failure, Json, agreed, counted, figure, input, note, progress_bar, say};
use super::settings::{Settings, whole};
use super::sinks::{Outputs, Sinks};
use crate::bench::{
    Entry, RunReport, TouchingEvent, estimate, long, spoken, touching_events, touching_pairs,
};
use crate::io::Override;
use crate::runs::{Opened, Run};
use crate::settings::NonFinite;
use crate::simulation::{Breakdown, Simulation};
use clap::Args;
use std::time::{Duration, Instant};

/// Frames to simulate, where nothing is said.
const FRAMES: u64 = 60;

#[derive(Args)]
pub struct RunArgs {
    /// The run
    #[arg(required_unless_present_any = ["resume", "set"])]
    run: Option<String>,
    /// Frames to simulate [default: 60, or what a resumed run has left]
    #[arg(long, value_name = "N", value_parser = whole::<u64>, allow_negative_numbers = true)]
    frames: Option<u64>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    checkpoints: Checkpoints,
    #[command(flatten)]
    json: Json,
}

impl RunArgs {
    /// The run and the settings.
    pub(super) fn run_and_settings(&self) -> Result<(Option<&str>, Vec<Override<'_>>), Failure> {
        self.settings.split(self.run.as_deref())
    }
}

pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let resumed = args.checkpoints.read()?;
    let (name, set) = args.run_and_settings()?;
    let mut run: Run = match (name, &resumed) {
        (Some(name), _) => name.parse().map_err(input)?,
        (None, Some(resumed)) => resumed.run()?,
        (None, None) => return Err(input("run: which? as `taut run cloth:64`, or --resume FILE")),
    };
    let mut overrides = resumed.as_ref().map_or_else(Vec::new, Resumed::overrides);
    overrides.extend(set);
    run.read().map_err(input)?;
    let mut opened = open(&run, &overrides)?;
    let left = resumed.as_ref();
    let left = left.map_or(Ok(FRAMES), |resumed| resumed.resume(&mut opened))?;
    let asked = args.frames.unwrap_or(left);
    let others = [args.json.file(), args.checkpoints.file()];
    let mut sinks = Sinks::open(&args.outputs, &others, &opened, asked)?;
    let expected = estimate(&run, &overrides, &opened.simulation, asked);
    let mut progress = Progress::new(&opened, &overrides, asked);
    let mut add = |opened: &Opened, last: bool| args.checkpoints.write(opened, &mut progress, last);
    add(&opened, false)?;
    let mut events = Vec::new();
    let interrupt = Interrupt::listen();
    let times = simulate(&mut opened, asked, expected, &interrupt, |opened| {
        events.extend(touching_events(&opened.simulation));
        sinks.add(&opened.simulation)?;
        add(opened, false)
    })?;
    add(&opened, true)?;
    let frames = times.len() as u64;
    let seen = opened.simulation.observe();
    let mut entry = Entry::of(&opened, &seen);
    entry.time(times);
    entry.time_phases(opened.simulation.timers().phases(), frames as usize);
    // A signal that has ended the simulation leaves its pictures to be drawn.
    let is_ended = || frames == asked && interrupt.is_asked();
    let early = sinks.finish(&args.outputs, &opened.simulation, &entry.hash, is_ended)?;
    let said = report(args, &opened, RunReport::new(entry, frames, &seen), events);
    if let Err(Failure::Input(_)) = said {
        return said;
    }
    if let Some(broken) = ended(&opened) {
        return Err(Failure::Failed(format!("{}: {broken}", opened.run)));
    }
    let cut = (frames < asked).then(|| counted(frames as usize, "frame"));
    if let Some(done) = cut.or(early) {
        let what = format!("{}: ended by a signal after {done}", opened.run);
        return Err(Failure::Interrupted(what));
    }
    let failed = |what| Failure::Failed(format!("{}: the check failed: {what}", opened.run));
    opened.check().map_err(failed)?;
    said
}

/// Makes a run ready, and says what its user should know.
fn open(run: &Run, overrides: &[Override]) -> Result<Opened, Failure> {
    // A large scene takes its time before there is a frame to count.
    let opening = progress_bar(0, "{msg}");
    opening.set_message(format!("{run} is being made ready"));
    opening.tick();
    let opened = run.open(overrides);
    opening.finish_and_clear();
    let opened = opened.map_err(input)?;
    for warning in &opened.warnings {
        note!("{}: {warning}", opened.run);
    }
    Ok(opened)
}

/// What ended the simulation, where the settings let it be ended.
fn ended(opened: &Opened) -> Option<&Breakdown> {
    let stops = opened.simulation.model().settings.nonfinite == NonFinite::Stop;
    opened.simulation.breakdowns().last().filter(|_| stops)
}

/// Simulates up to `frames` frames, fewer where a signal ends the run, and gives each to `add`; returns their times (s). A run of
/// which it is not known how long it takes says so after its first frame.
fn simulate(
    opened: &mut Opened,
    frames: u64,
    expected: Option<Duration>,
    interrupt: &Interrupt,
    mut add: impl FnMut(&Opened) -> Result<(), Failure>,
) -> Result<Vec<f64>, Failure> {
    let bar = progress_bar(frames, "{bar:30} {pos}/{len} frames, {eta} left {msg}");
    let run = opened.run.to_string();
    let announce = |time: Duration| {
        let text = format!("about {} for {}", spoken(time), counted(frames as usize, "frame"));
        bar.set_message(format!("({text})"));
        note!("{run}: {text}");
    };
    expected.into_iter().for_each(announce);
    // What a checkpoint brought in quarantine has been named by the run that it is of.
    let (mut times, mut named) = (Vec::new(), opened.simulation.breakdowns().len());
    while (times.len() as u64) < frames && !interrupt.is_asked() {
        let started = Instant::now();
        opened.simulation.step();
        let time = started.elapsed().as_secs_f64();
        if ended(opened).is_some() {
            break; // the frame that broke is undone
        }
        times.push(time);
        let broken = &opened.simulation.breakdowns()[named..];
        broken.iter().for_each(|broken| note!("{run}: in quarantine: {broken}"));
        named += broken.len();
        add(opened)?;
        bar.inc(1);
        if times.len() == 1 && frames > 1 && expected.is_none() {
            long(times[0] * frames as f64).into_iter().for_each(announce);
        }
    }
    bar.finish_and_clear();
    Ok(times)
}

/// What the run was and did, as JSON or in lines.
fn report(
    args: &RunArgs,
    opened: &Opened,
    report: RunReport,
    events: Vec<TouchingEvent>,
) -> Result<(), Failure> {
    let contacts = touching_pairs(&opened.simulation);
    let events = contacts.is_some().then_some(events);
    let stopped = ended(opened).map(Breakdown::to_string);
    let report = RunReport { contacts, events, stopped, ..report };
    if !args.json.write(&report)? {
        summarize(opened, &report.entry)?;
    }
    if !args.json.is_asked() {
        statistics(&opened.simulation, report.frames)?;
    }
    Ok(())
}

fn summarize(opened: &Opened, entry: &Entry) -> Result<(), Failure> {
    say!(
        "{}: {:.2} s simulated, {:.3} ms/step best, {:.3} median, {}, {}, {}, residual {} m, hash {}",
        opened.run,
        opened.simulation.time(),
        entry.ms_per_step,
        entry.ms_per_step_median,
        counted(entry.particles, "particle"),
        counted(entry.constraints, "constraint"),
        counted(entry.threads, "thread"),
        figure(entry.residual),
        entry.hash,
    )?;
    if let Some(depth) = entry.penetration {
        say!("the deepest overlap is {} m", figure(depth))?;
    }
    if let Some(count @ 1..) = entry.tangled {
        let pass = if count == 1 { "passes" } else { "pass" };
        say!("{} {pass} through triangles", counted(count, "edge"))?;
    }
    if let Some(error) = entry.largest_error {
        let velocity = entry.velocity_iterations_used;
        let velocity = velocity.map_or(String::new(), |n| format!(" and {n} for velocities"));
        say!(
            "the last step took {} of {}{velocity}; the largest error left is {} m",
            entry.iterations_used,
            counted(entry.iterations as usize, "iteration"),
            figure(error),
        )?;
    }
    Ok(())
}

/// What has torn; the subsystems' counts, and their times in a step.
fn statistics(simulation: &Simulation, frames: u64) -> Result<(), Failure> {
    if let Some([(what, n), (others, more)]) = simulation.torn() {
        say!("  {}, {}", agreed(n, what), agreed(more, others))?;
    }
    for account in simulation.subsystem_statistics() {
        let found = account.counts.iter().filter(|(_, n)| *n > 0);
        let counts = found.map(|(what, n)| agreed(*n, what));
        let times = account.times.iter().map(|phase| {
            let ms = phase.time.as_secs_f64() * 1e3 / frames.max(1) as f64;
            format!("{} {ms:.3}", phase.name)
        });
        let [counts, times]: [Vec<String>; 2] = [counts.collect(), times.collect()];
        match (counts.is_empty(), times.is_empty()) {
            (true, _) => {}
            (false, true) => say!("  {}", counts.join(", "))?,
            (false, false) => say!("  {}; ms/step: {}", counts.join(", "), times.join(", "))?,
        }
    }
    Ok(())
}
