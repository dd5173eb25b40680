//! Which phases workers share, and how many passes of a wavefront a worker takes at a time.

use crate::coloring::{Coloring, Permutation, Phase, Plan};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::schedule::{block, phase_groups, schedule};
use crate::rows::{Batch, PhaseGroup, RowOrder, Schedule, Stiffness, Tile, Wavefront};
use std::ops::Range;

/// Row i between particles 2 i and 2 i + 1, all of them apart.
fn rungs(rows: u32) -> Model {
    let mut model = Model::new();
    for i in 0..2 * rows {
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0; 3], 1.0).unwrap();
    }
    for i in 0..rows {
        model.add(Distance, [2 * i, 2 * i + 1], [None], Stiffness::Factor(1.0)).unwrap();
    }
    model
}

/// The rows of a model of `rungs`, gathered eight at a time, in colors of so many rows each.
fn gathered(sizes: &[u32]) -> Box<dyn Batch<f32>> {
    let model = rungs(sizes.iter().sum());
    let mut next = 0..;
    let colors = sizes.iter().map(|&size| next.by_ref().take(size as usize).collect()).collect();
    let rows = &model.rows()[0];
    let count = model.positions().len();
    let coloring = Coloring::verify(rows.row_list(), count, colors).expect("rows that share none");
    rows.pack(&coloring, &Permutation::identity(count), false, &model.settings)
}

/// A plan of `slots` in tiles, with phases of tile, set and color.
fn plan(slots: usize, tile_slots: usize, phases: &[[usize; 3]]) -> Plan {
    let phases = phases.iter().map(|&[tile, set, color]| Phase { tile, set, color }).collect();
    Plan { phases, tile_slots, ..Plan::unordered(Permutation::identity(slots)) }
}

fn group(phases: Range<usize>, shared: bool) -> PhaseGroup {
    PhaseGroup { phases, shared }
}

/// A phase is shared where each worker has 1024 slots of it; others stay together as long as they are of one set.
#[test]
fn phases_of_1024_slots_a_worker_are_shared() {
    // 128 packets of 16 slots, 1, 1; and 127, 1: of two workers one packet too few.
    let batches = [gathered(&[1024, 8, 8]), gathered(&[1016, 8])];
    let plan = plan(2080, 2080, &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [0, 1, 1]]);
    let alone = [group(0..3, false), group(3..5, false)];
    let shared = [group(0..1, true), group(1..3, false), group(3..5, false)];
    assert_eq!(phase_groups(&plan, &batches, 1), alone);
    assert_eq!(phase_groups(&plan, &batches, 2), shared);
    assert_eq!(phase_groups(&plan, &batches, 3), alone);
}

/// Two large phases, one after the other, are shared one by one.
#[test]
fn each_shared_phase_is_a_group() {
    let batches = [gathered(&[1024, 1024])];
    let plan = plan(4096, 4096, &[[0, 0, 0], [0, 0, 1]]);
    assert_eq!(phase_groups(&plan, &batches, 2), [group(0..1, true), group(1..2, true)]);
}

/// Rows in a given order may share particles: one worker walks them, however many they are.
#[test]
fn rows_in_a_given_order_are_not_shared() {
    let model = rungs(512);
    let permutation = &Permutation::identity(1024);
    let order = RowOrder { rows: (0..512).collect(), permutation };
    let batches = [model.rows()[0].in_order(order, &model.settings)];
    let groups = phase_groups(&plan(1024, 1024, &[[0, 0, 0]]), &batches, 2);
    assert_eq!(groups, [group(0..1, false)]);
}

/// Where nothing but the cache is in the way, a worker has as many tiles under way as take 1 MiB: one for each of its passes, those
/// of a halo between them too.
#[test]
fn blocks_stay_in_cache() {
    let (kib, mib) = (1 << 10, 1 << 20);
    let alone = |halo, bytes| block(12, 1, [2, halo], bytes);
    assert_eq!(alone(1, 32 * kib), Some(12));
    assert_eq!(alone(1, 128 * kib), Some(8));
    assert_eq!(alone(1, 128 * kib + 1), Some(7));
    assert_eq!(alone(2, 128 * kib), Some(4)); // 7 tiles
    assert_eq!(alone(3, 128 * kib), Some(3)); // 7 tiles
    assert_eq!(alone(0, mib), Some(12));
    assert_eq!(alone(1, mib), Some(1));
    assert_eq!(alone(1, mib + 1), None);
}

/// Workers start one after the other: the tiles of all rounds outnumber those by which they are apart eight times.
#[test]
fn workers_start_soon() {
    let two = |tiles| block(12, 2, [tiles, 1], 1);
    // Six passes are 6 tiles wide, and 1 more apart: 56 tiles. Five would leave a third block to one of two workers.
    assert_eq!(two(56), Some(6));
    assert_eq!(two(55), Some(3));
    // One pass at a time, in six rounds: 16 tiles, of which each round has three.
    assert_eq!([3, 2].map(two), [Some(1), None]);
    // Three are 5 tiles wide where the halo is 2, and 2 more apart: 56.
    assert_eq!([56, 55].map(|tiles| block(6, 2, [tiles, 2], 1)), [Some(3), Some(1)]);
}

/// Blocks come out even over the workers where they can.
#[test]
fn blocks_come_out_even() {
    let three = |passes| block(passes, 3, [1000, 1], 1);
    assert_eq!([7, 8, 9].map(three), [Some(3); 3]);
    assert_eq!(three(4), Some(2)); // 2 blocks, as no size makes 3
    assert_eq!(three(5), Some(2)); // 3 blocks
}

/// Without rows a tile takes 16 bytes a slot: 1 MiB of it is one that passes may go over, a row or eight slots more is not.
#[test]
fn a_tile_is_rows_and_particles() {
    let wavefront = |plan: &Plan, batches: &[_]| match schedule(plan, batches, 1, 12, 3) {
        Schedule::Wavefront(waves) => Some((waves.block, waves.substeps)),
        Schedule::Phases(_) => None,
    };
    let slots = 1 << 16;
    assert_eq!(wavefront(&plan(2 * slots, slots, &[]), &[]), Some((36, 3)));
    assert_eq!(wavefront(&plan(2 * slots + 16, slots + 8, &[]), &[]), None);
    let row = [gathered(&[1])];
    assert_eq!(wavefront(&plan(2 * slots, slots, &[[0, 0, 0]]), &row), None);
    assert_eq!(wavefront(&plan(2 * slots - 16, slots - 8, &[[0, 0, 0]]), &row), Some((36, 3)));
    // One tile is not walked as a wavefront.
    assert_eq!(wavefront(&plan(8, 8, &[[0, 0, 0]]), &row), None);
}

/// Each tile has its slots and the phases of its number, one after another; a tile without rows has none.
#[test]
fn tiles_have_their_phases() {
    let batches = [gathered(&[1, 1, 1])];
    // Rows 0, 1 and 2 lie at slots 0 to 5: all in tile 0.
    let plan = plan(24, 8, &[[0, 0, 0], [0, 0, 1], [0, 0, 2]]);
    let Schedule::Wavefront(waves) = schedule(&plan, &batches, 1, 4, 1) else {
        panic!("no wavefront");
    };
    let Wavefront { tiles, tiling, .. } = waves;
    let tile = |phases, slots| Tile { phases, slots };
    assert_eq!(tiles, [tile(0..3, 0..8), tile(3..3, 8..16), tile(3..3, 16..24)]);
    assert_eq!((tiling.len(), tiling.halo()), (3, 0));
}

#[test]
#[should_panic = "phases out of the order of their tiles"]
fn phases_follow_their_tiles() {
    let batches = [gathered(&[4, 4])];
    // The second color's rows lie at slots 8 to 15.
    schedule(&plan(16, 8, &[[1, 0, 1], [0, 0, 0]]), &batches, 1, 4, 1);
}
