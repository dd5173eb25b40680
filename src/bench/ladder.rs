//! The speed ladder: every rung of a scene timed in turn, in one process, best and median.

use super::{Ceilings, Entry, Machine, entry};
use crate::io::{Opened, Run, RunError};
use crate::solvers::Method;
use std::time::{Duration, Instant};

/// Untimed steps from the scene's start, after which residual and hash are taken.
const WARM_UP: usize = 10;
/// A sample is a whole number of steps that lasts at least this long.
const SAMPLE: Duration = Duration::from_micros(200);
/// One rung's turn: long enough that its data is back in the caches.
const TURN: Duration = Duration::from_millis(60);

/// The runs of one scene: scalar, colored, lanes on one thread and on `threads`, and those asked for beside them.
pub fn rungs(scene: &Run, threads: usize, asked: &[Run]) -> Vec<Run> {
    let mut rungs = vec![
        scene.with(Method::Scalar, None),
        scene.with(Method::Colored, None),
        scene.with(Method::Lanes, Some(1)),
        scene.with(Method::Lanes, Some(threads)),
    ];
    rungs.extend_from_slice(asked);
    let mut seen = Vec::new();
    rungs.retain(|run| {
        !seen.contains(run) && {
            seen.push(run.clone());
            true
        }
    });
    rungs
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
        check(&opened)?;
        let steps = (SAMPLE.as_nanos() / step.as_nanos().max(1)) as usize + 1;
        ladder.push(Rung {
            entry: entry(&opened),
            opened,
            steps,
            samples: Vec::new(),
        });
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
    rung.samples.sort_by(f64::total_cmp);
    let best = rung.samples[0];
    rung.entry.ms_per_step = best * 1e3;
    rung.entry.ms_per_step_median = rung.samples[rung.samples.len() / 2] * 1e3;
    let rate = rung.entry.projections() / best;
    rung.entry.projections_per_second = rate;
    let footprint = rung.opened.simulation.footprint();
    if rung.entry.constraints > 0 && rung.entry.iterations > 0 {
        let row_bytes = footprint.rows as f64 / rung.entry.constraints as f64;
        let moved = row_bytes + footprint.moved as f64 / rung.entry.constraints as f64;
        let working_set = footprint.rows + footprint.particles;
        rung.entry.bound = Some(ceilings.bound(rate, rung.entry.threads, moved, working_set));
    }
    rung.entry
}

fn check(opened: &Opened) -> Result<(), LadderError> {
    opened.check().map_err(|what| LadderError::Check {
        run: opened.run.to_string(),
        what,
    })
}

/// Why a ladder was not measured.
#[derive(Debug, thiserror::Error)]
pub enum LadderError {
    /// A run that cannot begin.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A scene whose check fails after the untimed steps.
    #[error("{run}: the check failed after {WARM_UP} steps: {what}")]
    Check {
        /// The run.
        run: String,
        /// What is wrong.
        what: String,
    },
}

/// The report of `taut bench`.
#[derive(Clone, Debug, serde::Serialize)]
pub struct BenchReport {
    /// The engine's version.
    pub taut: &'static str,
    /// Where it was measured.
    pub machine: Machine,
    /// What that machine allows, one core.
    pub ceilings: Ceilings,
    /// Every rung.
    pub runs: Vec<Entry>,
}
