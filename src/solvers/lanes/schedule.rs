//! In which order, and shared how, the phases of an iteration are swept.

use crate::batch::Batch;
use crate::coloring::Plan;
use std::ops::Range;

/// Fewer packets than this stay on the first worker: a barrier costs as much as some twenty packets.
const WORTH_SHARING: usize = 32;
/// Iterations of a wavefront that one worker keeps in its cache.
const GROUP: usize = 5;

/// Phases that the workers do between two meetings: one together, or one of them several small ones.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) phases: Range<usize>,
    pub(super) shared: bool,
}

/// How the bands are swept.
pub(super) enum Schedule {
    /// Phase after phase, each shared by all workers.
    Turns(Vec<Turn>),
    /// Iterations as a wavefront over bands, given as ranges of phases; `lag` bands apart, `group` iterations a worker.
    Wavefront {
        bands: Vec<Range<usize>>,
        lag: usize,
        group: usize,
    },
}

/// Bands must outnumber the lags of a wavefront by this much to be worth it: filling it idles the others.
const BANDS_PER_LAG: usize = 8;

/// The schedule of a plan on `threads` threads.
pub(super) fn schedule(
    plan: &Plan,
    batches: &[Box<dyn Batch>],
    threads: usize,
    iterations: usize,
) -> Schedule {
    let lag = reach(plan, batches) + 1;
    // As many iterations a group as fit, in groups that come out even over the threads where that is possible.
    let fits = |&group: &usize| plan.bands() >= BANDS_PER_LAG * lag * group;
    let even = |&group: &usize| iterations.div_ceil(group).is_multiple_of(threads);
    let most = iterations.div_ceil(threads).clamp(1, GROUP);
    let group = (1..=most).rev().filter(fits).find(even);
    let group = group.or_else(|| (1..=most).rev().find(fits));
    if let Some(group) = group.filter(|_| plan.bands() > 1) {
        let phases = plan.phases.chunk_by(|a, b| a.band == b.band);
        let mut end = 0;
        let bands = phases.map(|phases| {
            end += phases.len();
            end - phases.len()..end
        });
        return Schedule::Wavefront {
            bands: bands.collect(),
            lag,
            group,
        };
    }
    let mut turns: Vec<Turn> = Vec::new();
    for (i, phase) in plan.phases.iter().enumerate() {
        let units = batches[phase.set].colors()[phase.color].units();
        let shared = threads > 1 && units >= WORTH_SHARING * threads;
        match turns.last_mut() {
            Some(Turn {
                phases,
                shared: false,
            }) if !shared && plan.phases[phases.start].set == phase.set => phases.end = i + 1,
            _ => turns.push(Turn {
                phases: i..i + 1,
                shared,
            }),
        }
    }
    Schedule::Turns(turns)
}

/// The most bands that two phases with a place in common lie apart: what a wavefront rests on, read off the packets
/// themselves, padding lanes included.
fn reach(plan: &Plan, batches: &[Box<dyn Batch>]) -> usize {
    let mut first = vec![usize::MAX; plan.numbering.places()];
    let mut reach = 0;
    for phase in &plan.phases {
        // Phases are sorted by band, so the first band that touches a place is met first.
        batches[phase.set].places(phase.color, &mut |place| {
            let first = &mut first[place as usize];
            *first = phase.band.min(*first);
            reach = reach.max(phase.band - *first);
        });
    }
    reach
}
