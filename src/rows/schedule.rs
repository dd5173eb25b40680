//! In which order, and shared how, the phases of an iteration are walked.

use super::batch::Batch;
use crate::coloring::Plan;
use crate::math::WIDTH;
use crate::threads::Tiling;
use std::ops::Range;

/// Fewer slots of particles than this a worker stay on the first: each worker fetches what the other has written since, which costs
/// the more the further the cores lie apart. `cloth:32` on two threads of a Xeon took 0.18 ms where half as many were shared, 0.035 now.
const WORTH_SHARING: usize = 1024;
/// Bytes of rows and particles that a worker's passes of a wavefront may have under way: what a second-level cache holds.
const CACHE: usize = 1 << 20;
/// The tiles that each worker of a wavefront goes over must outnumber those by which workers are apart by this much: filling
/// it idles the others.
const TILES_PER_DELAY: usize = 8;

/// Phases between two meetings of the workers: one that all share, or several small ones that one worker does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PhaseGroup {
    pub(crate) phases: Range<usize>,
    pub(crate) shared: bool,
}

/// A stretch of storage, and the phases whose rows begin in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tile {
    pub(crate) phases: Range<usize>,
    pub(crate) slots: Range<usize>,
}

/// How the tiles are walked.
pub(crate) enum Schedule {
    /// Phase after phase, each shared by all workers.
    Phases(Vec<PhaseGroup>),
    Wavefront(Wavefront),
}

/// Prediction, iterations and velocities of `substeps` as a wavefront over tiles, `block` passes a worker.
pub(crate) struct Wavefront {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) tiling: Tiling,
    pub(crate) block: usize,
    pub(crate) substeps: u32,
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
        let rows: usize = batches.iter().map(|batch| batch.bytes()).sum();
        let particles = plan.permutation.slot_count() * size_of::<[f32; 4]>();
        let tile = (rows + particles) / plan.tiles();
        if let Some(block) = block(passes, threads, [plan.tiles(), halo], tile) {
            let tiles = tiles(plan, &tiling);
            return Schedule::Wavefront(Wavefront { tiles, tiling, block, substeps: waves });
        }
    }
    Schedule::Phases(phase_groups(plan, batches, threads))
}

/// How many of `passes` over `tiles`, which reach `halo` tiles beyond their own and take `bytes` each, a worker takes at a time: as
/// many as stay in cache and let the next worker start soon, in blocks that come out even over the workers where that is
/// possible; none if one pass is too many.
pub(super) fn block(
    passes: usize,
    threads: usize,
    [tiles, halo]: [usize; 2],
    bytes: usize,
) -> Option<usize> {
    let wide = |block: usize| (block - 1) * halo + 1;
    let fits = |&block: &usize| {
        let rounds = passes.div_ceil(block).div_ceil(threads);
        let soon = (wide(block) + halo) * TILES_PER_DELAY <= tiles * rounds;
        wide(block) * bytes <= CACHE && (threads == 1 || soon)
    };
    let even = |&block: &usize| passes.div_ceil(block).is_multiple_of(threads);
    let blocks = || (1..=passes.div_ceil(threads)).rev().filter(fits);
    blocks().find(even).or_else(|| blocks().next())
}

/// The phases of a plan in order, each shared by all workers if it is worth it.
pub(crate) fn phase_groups(
    plan: &Plan,
    batches: &[Box<dyn Batch<f32>>],
    threads: usize,
) -> Vec<PhaseGroup> {
    let mut groups: Vec<PhaseGroup> = Vec::new();
    for (i, phase) in plan.phases.iter().enumerate() {
        let batch = &batches[phase.set];
        let mut slots = 0;
        batch.slots(phase.color, &mut |_| slots += 1);
        let worth = threads > 1 && slots >= WORTH_SHARING * threads;
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
    groups
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
