//! In which order, and shared how, the phases of an iteration are swept.

use super::batch::Batch;
use crate::coloring::Plan;
use std::ops::Range;

/// Fewer packets than this stay on the first worker: a barrier costs as much as some twenty packets.
const WORTH_SHARING: usize = 32;
/// Bytes of rows and particles that a worker's sweeps of a wavefront may have under way: what a second-level cache holds.
const CACHE: usize = 1 << 20;
/// Bands must outnumber those by which workers of a wavefront are apart by this much: filling it idles the others.
const BANDS_PER_DELAY: usize = 16;

/// Phases that the workers do between two meetings: one together, or one of them several small ones.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) phases: Range<usize>,
    pub(crate) shared: bool,
}

/// A stretch of storage, and the phases whose rows begin in it.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    pub(crate) phases: Range<usize>,
    pub(crate) places: Range<usize>,
}

/// How the bands are swept.
pub(crate) enum Schedule {
    /// Phase after phase, each shared by all workers.
    Turns(Vec<Turn>),
    /// Prediction, iterations and velocities as a wavefront over bands, `group` sweeps a worker.
    Wavefront {
        bands: Vec<Band>,
        reach: usize,
        group: usize,
    },
}

/// The schedule of a plan on `threads` threads; `sweeps` go over the particles in a substep, as a wavefront where `waves`
/// allows one.
pub(crate) fn schedule(
    plan: &Plan,
    batches: &[Box<dyn Batch<f32>>],
    threads: usize,
    sweeps: usize,
    waves: bool,
) -> Schedule {
    if waves && plan.bands() > 1 {
        let reach = reach(plan, batches);
        let rows: usize = batches.iter().map(|batch| batch.bytes()).sum();
        let particles = plan.permutation.places() * size_of::<[f32; 4]>();
        let band = (rows + particles) / plan.bands();
        // As many sweeps a group as stay in cache and let the next worker start soon, in groups that come out even over the
        // workers where that is possible.
        let wide = |group: usize| (group - 1) * reach + 1;
        let fits = |&group: &usize| {
            let soon = (wide(group) + reach) * BANDS_PER_DELAY <= plan.bands();
            wide(group) * band <= CACHE && (threads == 1 || soon)
        };
        let even = |&group: &usize| sweeps.div_ceil(group).is_multiple_of(threads);
        let groups = || (1..=sweeps.div_ceil(threads)).rev().filter(fits);
        if let Some(group) = groups().find(even).or_else(|| groups().next()) {
            return Schedule::Wavefront {
                bands: bands(plan),
                reach,
                group,
            };
        }
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

fn bands(plan: &Plan) -> Vec<Band> {
    let places = plan.permutation.places();
    let mut end = 0;
    let band = |band: usize| {
        let begin = end;
        let own = plan.phases[begin..].iter();
        end += own.take_while(|phase| phase.band == band).count();
        let first = band * plan.band_places;
        Band {
            phases: begin..end,
            places: first..(first + plan.band_places).min(places),
        }
    };
    (0..plan.bands()).map(band).collect()
}

/// The most bands that a row's places lie beyond the band it belongs to, read off the packets themselves, padding lanes
/// included: bands further apart have no place in common.
fn reach(plan: &Plan, batches: &[Box<dyn Batch<f32>>]) -> usize {
    let mut reach = 0;
    for phase in &plan.phases {
        batches[phase.set].slots(phase.color, &mut |place| {
            reach = reach.max(place as usize / plan.band_places - phase.band);
        });
    }
    reach
}
