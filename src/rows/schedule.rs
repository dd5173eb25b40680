//! In which order, and shared how, the phases of an iteration are walked.

use super::batch::Batch;
use crate::coloring::Plan;
use crate::math::WIDTH;
use crate::threads::{Tiling, Worker};
use std::mem::replace;
use std::ops::Range;

/// Fewer packets than this stay on the first worker: a barrier costs as much as some twenty packets.
const WORTH_SHARING: usize = 32;
/// Bytes of rows and particles that a worker's passes of a wavefront may have under way: what a second-level cache holds.
const CACHE: usize = 1 << 20;
/// The tiles that each worker of a wavefront goes over must outnumber those by which workers are apart by this much: filling
/// it idles the others.
const TILES_PER_DELAY: usize = 8;

/// Phases that the workers do between two meetings: one together, or one of them several small ones.
#[derive(Clone, Debug)]
pub(crate) struct PhaseGroup {
    pub(crate) phases: Range<usize>,
    pub(crate) shared: bool,
}

/// A stretch of storage, and the phases whose rows begin in it.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    pub(crate) phases: Range<usize>,
    pub(crate) slots: Range<usize>,
}

/// How the tiles are walked.
pub(crate) enum Schedule {
    /// Phase after phase, each shared by all workers.
    Phases(Vec<PhaseGroup>),
    /// Prediction, iterations and velocities of `substeps` as a wavefront over tiles.
    Wavefront { tiles: Vec<Tile>, tiling: Tiling, sharing: PassSharing, substeps: u32 },
}

/// What of a wavefront a worker takes.
pub(crate) enum PassSharing {
    /// So many passes at a time.
    Blocks(usize),
    /// All passes over a strip of tiles; where strips but the last end.
    Strips(Vec<usize>),
}

impl PassSharing {
    /// Passes over tiles, as a wavefront.
    pub(crate) fn walk(
        &self,
        worker: &Worker,
        tiling: &Tiling,
        passes: usize,
        act: impl Fn(usize, usize),
    ) {
        match self {
            Self::Blocks(block) => worker.wavefront(tiling, passes, *block, act),
            Self::Strips(ends) => worker.strips(tiling, passes, ends, act),
        }
    }
}

/// The schedule of a plan on `threads` threads; `passes` go over the particles in a substep, as a wavefront through `waves`
/// substeps; zero: none.
pub(crate) fn schedule(
    plan: &Plan,
    batches: &[Box<dyn Batch<f32>>],
    threads: usize,
    passes: usize,
    waves: u32,
) -> Schedule {
    if waves > 0 && plan.tiles() > 1 {
        let passes = passes * waves as usize;
        let tiling = tiling(plan, batches);
        let halo = tiling.halo();
        // Gathered rows wait for lines that another worker has just written; rows that run over columns are fetched ahead, and
        // gain more from passes that follow each other through a cache.
        let strips = match plan.structured {
            true => None,
            false => strips([plan.tiles(), passes, halo], threads),
        };
        if let Some(ends) = strips {
            let (tiles, sharing) = (tiles(plan, &tiling), PassSharing::Strips(ends));
            return Schedule::Wavefront { tiles, tiling, sharing, substeps: waves };
        }
        let rows: usize = batches.iter().map(|batch| batch.bytes()).sum();
        let particles = plan.permutation.slot_count() * size_of::<[f32; 4]>();
        let tile = (rows + particles) / plan.tiles();
        // As many passes a block as stay in cache and let the next worker start soon, in blocks that come out even over the
        // workers where that is possible.
        let wide = |block: usize| (block - 1) * halo + 1;
        let fits = |&block: &usize| {
            let rounds = passes.div_ceil(block).div_ceil(threads);
            let soon = (wide(block) + halo) * TILES_PER_DELAY <= plan.tiles() * rounds;
            wide(block) * tile <= CACHE && (threads == 1 || soon)
        };
        let even = |&block: &usize| passes.div_ceil(block).is_multiple_of(threads);
        let blocks = || (1..=passes.div_ceil(threads)).rev().filter(fits);
        if let Some(block) = blocks().find(even).or_else(|| blocks().next()) {
            let tiles = tiles(plan, &tiling);
            let sharing = PassSharing::Blocks(block);
            return Schedule::Wavefront { tiles, tiling, sharing, substeps: waves };
        }
    }
    let mut groups: Vec<PhaseGroup> = Vec::new();
    for (i, phase) in plan.phases.iter().enumerate() {
        let batch = &batches[phase.set];
        let units = batch.colors()[phase.color].units();
        let worth = threads > 1 && units >= WORTH_SHARING * threads;
        let shared = worth && batch.colored().is_some();
        match groups.last_mut() {
            Some(PhaseGroup { phases, shared: false })
                if !shared && plan.phases[phases.start].set == phase.set =>
            {
                phases.end = i + 1
            }
            _ => groups.push(PhaseGroup { phases: i..i + 1, shared }),
        }
    }
    Schedule::Phases(groups)
}

/// Where the strips of `workers` workers end in the first of `passes`, so that all are done at about the same time; none
/// where that is worth nothing.
///
/// ```text
/// strip s of width w_s begins when those before it are through their first pass:  t = Σ w_r (r < s) + passes w_s
/// ends come back by the halo with each pass:  the first strip saves halo passes (passes - 1) / 2, the last has as much more
/// ```
pub(super) fn strips([tiles, passes, halo]: [usize; 3], workers: usize) -> Option<Vec<usize>> {
    if workers < 2 {
        return None;
    }
    let drift = (halo * passes * (passes - 1) / 2) as f64;
    let ends = |time: f64| {
        let mut end = 0.0;
        let strip = |s: usize| {
            let saved = match s {
                0 => drift,
                s if s + 1 == workers => -drift,
                _ => 0.0,
            };
            end += (time - end + saved) / passes as f64;
            end
        };
        (0..workers).map(strip).collect::<Vec<f64>>()
    };
    // The last end is linear in the time; it must be that of all tiles.
    let [zero, one] = [0.0, 1.0].map(|time| ends(time)[workers - 1]);
    let ends = ends((tiles as f64 - zero) / (one - zero));
    let ends: Vec<usize> = ends[..workers - 1].iter().map(|&end| end.round() as usize).collect();
    let widths = ends.iter().scan(0, |begin, &end| Some(end.saturating_sub(replace(begin, end))));
    // In the last pass the first strip must not have vanished, nor may others be narrower than what they wait for.
    let is_wide = ends[0] > passes * halo && widths.into_iter().all(|width| width > halo);
    is_wide.then_some(ends)
}

/// The phases and slots of each tile.
///
/// # Panics
/// If the phases do not follow the tiles.
fn tiles(plan: &Plan, tiling: &Tiling) -> Vec<Tile> {
    let mut end = 0;
    let tile = |tile: usize| {
        let begin = end;
        let own = plan.phases[begin..].iter();
        end += own.take_while(|phase| phase.tile == tile).count();
        Tile { phases: begin..end, slots: tiling.slots(tile) }
    };
    let tiles = (0..tiling.len()).map(tile).collect();
    assert_eq!(end, plan.phases.len(), "phases out of the order of their tiles");
    tiles
}

/// The plan's tiles, and how far their rows reach beyond them: read off the packets themselves, padding lanes included.
///
/// # Panics
/// If tiles do not begin at whole blocks of eight (particles are predicted eight at a time), or a row lies before its tile.
pub(super) fn tiling(plan: &Plan, batches: &[Box<dyn Batch<f32>>]) -> Tiling {
    assert!(plan.tile_slots.is_multiple_of(WIDTH), "tiles of {} slots", plan.tile_slots);
    Tiling::new(plan.permutation.slot_count(), plan.tile_slots, |touch| {
        for phase in &plan.phases {
            let batch = &batches[phase.set];
            batch.slots(phase.color, &mut |slot| touch(phase.tile, slot));
        }
    })
}
