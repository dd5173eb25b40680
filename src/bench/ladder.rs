//! The speed ladder: every rung of a scene timed in turn, in one process, best and median.

use super::ceiling::Ceilings;
use super::entry::Entry;
use super::machine::Machine;
use crate::runs::{Opened, Run, RunError};
use crate::solvers::Method;
use std::time::{Duration, Instant};

/// Untimed steps from the scene's start, after which residual and hash are taken.
const WARM_UP: usize = 10;
/// A sample is a whole number of steps that lasts at least this long.
const SAMPLE: Duration = Duration::from_micros(200);
/// One rung's turn: long enough that its data is back in the caches.
const TURN: Duration = Duration::from_millis(60);

/// For each scene of `asked` its rungs: scalar, colored, lanes on one thread and on `threads`, and what is asked for beside
/// them.
pub fn ladders(asked: &[Run], threads: usize) -> Vec<Vec<Run>> {
    let distinct = |runs: Vec<Run>| {
        let is_first = |i: &usize| !runs[..*i].contains(&runs[*i]);
        let firsts = (0..runs.len()).filter(is_first);
        firsts.map(|i| runs[i].clone()).collect::<Vec<Run>>()
    };
    let ladder = |scene: Run| {
        let mut rungs = vec![
            scene.with(Method::Scalar, None),
            scene.with(Method::Colored, None),
            scene.with(Method::Lanes, Some(1)),
            scene.with(Method::Lanes, Some(threads)),
        ];
        let named = |run: &&Run| run.method.is_some() || run.threads.is_some();
        let beside = asked.iter().filter(|run| run.scene() == scene);
        let beside = beside.filter(named);
        rungs.extend(beside.map(|run| run.with(run.method.unwrap_or(Method::Lanes), run.threads)));
        distinct(rungs)
    };
    let scenes = distinct(asked.iter().map(Run::scene).collect());
    scenes.into_iter().map(ladder).collect()
}

/// A rung under way.
struct Rung {
    opened: Opened,
    entry: Entry,
    steps: usize,
    samples: Vec<f64>,
}

/// Times all `rungs` of a scene for about `seconds` in all, turn by turn. `progress` hears of every step of the work, as a
/// share of the whole.
///
/// # Errors
/// A run that cannot begin, or [`LadderError::Check`] where a scene's check fails: nothing is timed that is wrong.
pub fn measure(
    rungs: &[Run],
    seconds: f64,
    ceilings: &Ceilings,
    progress: &mut dyn FnMut(f64, &Run),
) -> Result<Vec<Entry>, LadderError> {
    let mut ladder = Vec::new();
    for (i, run) in rungs.iter().enumerate() {
        progress(0.4 * i as f64 / rungs.len() as f64, run);
        let mut opened = run.open(&[])?;
        let started = Instant::now();
        for _ in 0..WARM_UP {
            opened.simulation.step();
        }
        let step = started.elapsed() / WARM_UP as u32;
        let failed = |what| LadderError::Check { run: opened.run.to_string(), what };
        opened.check().map_err(failed)?;
        let steps = (SAMPLE.as_nanos() / step.as_nanos().max(1)) as usize + 1;
        opened.simulation.timers().clear();
        let entry = Entry::of(&opened, &opened.simulation.observe());
        ladder.push(Rung { entry, opened, steps, samples: Vec::new() });
    }
    let started = Instant::now();
    let mut done = 0.0;
    while done < 1.0 {
        for rung in &mut ladder {
            progress(0.4 + 0.6 * done, &rung.opened.run);
            let turn = Instant::now();
            while turn.elapsed() < TURN {
                let sample = Instant::now();
                for _ in 0..rung.steps {
                    rung.opened.simulation.step();
                }
                let time = sample.elapsed().as_secs_f64() / rung.steps as f64;
                rung.samples.push(time);
            }
        }
        done = started.elapsed().as_secs_f64() / seconds;
    }
    let finish = |rung| finish(rung, ceilings);
    let mut entries: Vec<Entry> = ladder.into_iter().map(finish).collect();
    let scalar = entries.iter().find(|e| e.method == Method::Scalar.name());
    if let Some(base) = scalar.map(|e| e.ms_per_step) {
        for entry in &mut entries {
            entry.speedup = Some(base / entry.ms_per_step);
        }
    }
    Ok(entries)
}

fn finish(mut rung: Rung, ceilings: &Ceilings) -> Entry {
    let mut entry = rung.entry;
    let steps = rung.steps * rung.samples.len();
    entry.time_phases(rung.opened.simulation.timers().phases(), steps);
    entry.time(rung.samples);
    let footprint = rung.opened.simulation.footprint();
    if entry.constraints > 0 && entry.iterations > 0 {
        let moved = (footprint.rows + footprint.moved) as f64 / entry.constraints as f64;
        let working_set = footprint.rows + footprint.particles;
        let rate = entry.projections_per_second;
        entry.bytes_per_projection = Some(moved);
        let shape = (entry.threads, entry.width);
        entry.bound = Some(ceilings.bound(rate, shape, moved, working_set));
    }
    entry
}

/// Why a ladder was not measured.
#[derive(Debug, thiserror::Error)]
pub enum LadderError {
    /// A run that cannot begin.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A scene whose check fails after the untimed steps.
    #[error("{run}: the check failed after {WARM_UP} steps: {what}")]
    Check { run: String, what: String },
}

/// The report of `taut bench`. One of an earlier version may lack fields.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
pub struct BenchReport {
    /// The engine's version.
    pub taut: String,
    /// The day it was made, as 2026-11-22.
    #[serde(default)]
    pub date: String,
    pub machine: Machine,
    pub ceilings: Ceilings,
    pub runs: Vec<Entry>,
}
