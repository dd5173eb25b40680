//! What parallel phases rest on is checked where rows are packed, in every build.

mod measures;
mod packing;
mod schedules;
mod splits;

use super::overlap::{overlap, overlap_halves};
use super::schedule::{PhaseGroup, Schedule, schedule, tiling};
use super::stiffness::RowNumbers;
use super::{AnyRows, Batch, Residual, Stiffness};
use crate::coloring::{Coloring, Permutation, Plan, RowList, first_fit};
use crate::constraints::Distance;
use crate::model::Model;
use crate::state::{ParticleView, PositionView, RecordView};
use crate::tests::models::{scene, sheet};
use std::cell::RefCell;

/// A sheet's edges, packed by `coloring`.
fn pack(model: &Model, coloring: &Coloring) -> Box<dyn Batch<f32>> {
    let permutation = Permutation::identity(model.positions().len());
    model.rows()[0].pack(coloring, &permutation, false, &model.settings)
}

#[test]
fn rows_are_packed_by_their_own_coloring() {
    let model = sheet(4, 3, Stiffness::Factor(1.0));
    let list = model.rows()[0].row_list();
    let batch = pack(&model, &first_fit(list, 12, 0..list.len() as u32));
    assert_eq!(batch.colors().iter().map(|color| color.rows).sum::<usize>(), list.len());
}

/// A coloring proved on rows that share nothing puts all rows into one color.
#[test]
#[should_panic = "is met twice in color 0"]
fn a_coloring_of_other_rows_is_refused() {
    let model = sheet(4, 3, Stiffness::Factor(1.0));
    let count = model.rows()[0].len() as u32;
    let others: Vec<u32> = (0..count).collect();
    let others = RowList { particles: &others, arity: 1 };
    let coloring = Coloring::verify(others, count as usize, vec![others.particles.to_vec()]);
    pack(&model, &coloring.expect("rows that share nothing"));
}

#[test]
#[should_panic = "a coloring of other rows"]
fn a_coloring_of_fewer_rows_is_refused() {
    let model = sheet(4, 3, Stiffness::Factor(1.0));
    let list = model.rows()[0].row_list();
    let fewer = RowList { particles: &list.particles[..2 * list.arity], ..list };
    pack(&model, &first_fit(fewer, 12, 0..2));
}

/// Particles are predicted eight at a time: a tile that began between would be predicted by two workers.
#[test]
#[should_panic = "tiles of 12 slots"]
fn tiles_begin_at_whole_blocks() {
    let model = sheet(9, 7, Stiffness::Factor(1.0));
    let mut plan = Plan::new(&model.plan_input()).expect("a plan");
    let batches = [pack(&model, &plan.colorings[0])];
    plan.tile_slots = 12;
    tiling(&plan, &batches);
}

/// Two ropes of 19 particles, an end of each pinned: rungs between them form runs, links along them do not.
fn two_ropes() -> Model {
    let mut model = Model::new();
    for i in 0..38 {
        let place = [f64::from(i % 19) * 0.1, 0.0, f64::from(i / 19) * 0.1];
        model.add_particle(place, [0.0; 3], if i % 19 == 0 { 0.0 } else { 10.0 }).unwrap();
    }
    let stiffness = Stiffness::Damped(1e-6, 0.1);
    let rungs = (0..19).map(|i| [i, i + 19]);
    let links = (0..38).filter(|i| i % 19 != 18).map(|i| [i, i + 1]);
    for row in rungs.chain(links) {
        model.add(Distance, row, [None], stiffness).unwrap();
    }
    model
}

/// Packets of all forms and rows one at a time move every particle that can move; for Miri, which sees every access.
#[test]
fn rows_of_all_forms_are_projected() {
    let mut model = two_ropes();
    model.settings.iterations = 2;
    let list = model.rows()[0].row_list();
    let coloring = first_fit(list, 38, 0..list.len() as u32);
    // Padding behind each rope, for padding lanes.
    let storage = (0..38).map(|i| i / 19 * 24 + i % 19).collect();
    let permutation = Permutation::new(storage, 48).expect("distinct slots");
    let pack = |runs| model.rows()[0].pack(&coloring, &permutation, runs, &model.settings);
    let batch = pack(true);
    let forms = batch.colors().iter().fold([0; 4], |sums, color| {
        let forms = [color.runs, color.partial_runs, color.gathers, color.tail];
        std::array::from_fn(|form| sums[form] + forms[form])
    });
    assert!(forms.iter().all(|count| *count > 0), "{forms:?}");
    let gathered = pack(false);
    for (packed, batch) in [(false, &batch), (true, &gathered)] {
        let mut particles = model.particles::<f32>(permutation.clone());
        // Stretched, so that every row has something to correct.
        for (i, x) in (0..).zip(model.positions()) {
            particles.set(i, x.map(|v| 1.5 * v), [0.0; 3]);
        }
        let before = particles.positions();
        let slot = |i: usize| permutation.storage(i as u32) as usize;
        let mut records = vec![[0.0; 4]; particles.slot_count()];
        for (i, [x, y, z]) in before.iter().copied().enumerate() {
            records[slot(i)] = [x, y, z, particles.inverse_mass(i as u32)];
        }
        let columns = ParticleView::new(&mut particles);
        let positions = match packed {
            false => PositionView::Columns(columns),
            true => PositionView::Records(RecordView::new(&mut records, columns, true)),
        };
        for (color, stats) in batch.colors().iter().enumerate() {
            batch.project(color, 0..stats.units(), true, &positions);
            assert!(batch.residual(color, &positions) > 0.0);
        }
        let after: Vec<[f32; 3]> = match packed {
            false => particles.positions(),
            true => (0..38).map(|i| records[slot(i)]).map(|[x, y, z, _]| [x, y, z]).collect(),
        };
        for (i, w) in model.inverse_masses().iter().enumerate() {
            assert_eq!(*w == 0.0, before[i] == after[i], "particle {i}");
        }
        assert!(batch.multipliers().iter().any(|lambda| *lambda != 0.0));
    }
}

/// Packets pass through three or four stages: each is loaded, projected and stored once, what is stored is what was projected.
#[test]
fn packets_under_way_do_not_mix() {
    for packets in [0..0, 4..4, 4..5, 4..6, 4..7, 0..9] {
        let stored = RefCell::new(Vec::new());
        let load = |i: usize| 100 * i;
        let project = |i: usize, loaded: usize| loaded + i;
        overlap(packets.clone(), 7, load, project, |i, value| stored.borrow_mut().push((i, value)));
        let expected: Vec<_> = packets.clone().map(|i| (i, 101 * i)).collect();
        assert_eq!(stored.take(), expected);
        let half = |i: usize, loaded: usize| (loaded, i);
        let other_half = |k: usize, (loaded, i)| {
            assert_eq!(k, i);
            loaded + i
        };
        let store = |i: usize, value| stored.borrow_mut().push((i, value));
        overlap_halves(packets, (7, (8, 9)), load, half, other_half, store);
        assert_eq!(stored.into_inner(), expected);
    }
}

/// r = |C| / |∇C|, the sum of squares and the largest; without a gradient C itself, and what is no number is infinite.
#[test]
fn residuals_are_lengths() {
    let mut sum = Residual::default();
    sum.add(-6.0, 2.0);
    sum.add(4.0, 0.0);
    assert_eq!((sum.squares, sum.largest, sum.count), (25.0, 4.0, 2));
    sum.add(2.5, 0.5);
    assert_eq!((sum.squares, sum.largest, sum.count), (50.0, 5.0, 3));
    sum.add(f64::NAN, 1.0);
    assert_eq!(sum.largest, f64::INFINITY);
}

/// A scene of the catalogue as `lanes` walks it.
fn planned(name: &str, size: usize) -> (Plan, Vec<Box<dyn Batch<f32>>>) {
    let model = scene(name, size);
    let plan = Plan::new(&model.plan_input()).expect("a plan");
    let pack = |(rows, coloring): (&dyn AnyRows, _)| {
        rows.pack(coloring, &plan.permutation, plan.structured, &model.settings)
    };
    let sets = model.rows().iter().map(|rows| &**rows);
    let batches = sets.zip(&plan.colorings).map(pack).collect();
    (plan, batches)
}

/// Numbers of rows are those that were given, whether they are all the same or not.
#[test]
fn numbers_of_rows_are_those_given() {
    for given in [&[][..], &[2.0], &[2.0, 3.0], &[2.0; 4], &[2.0, 2.0, 2.0, 5.0, 2.0], &[0.0, -0.0]]
    {
        let mut numbers = RowNumbers::default();
        given.iter().for_each(|&number| numbers.push(number));
        let bits = |numbers: Vec<f32>| numbers.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(numbers.iter().collect()), bits(given.to_vec()));
        let each = (0..given.len()).map(|row| numbers.get(row).expect("a number"));
        assert_eq!(bits(each.collect()), bits(given.to_vec()));
    }
}

/// Phases follow each other; one is shared where each worker has 32 packets of it, and small ones of a kind stay together.
#[test]
fn large_phases_are_shared() {
    let (plan, batches) = planned("sheet", if cfg!(miri) { 8 } else { 40 });
    let units = |at: usize| {
        let phase = &plan.phases[at];
        batches[phase.set].colors()[phase.color].units()
    };
    let set = |at: usize| plan.phases[at].set;
    for threads in [1, 2, 3, 8, 1000] {
        let Schedule::Phases(groups) = schedule(&plan, &batches, threads, 12, 0) else {
            panic!("a wavefront of no waves");
        };
        let phases: Vec<usize> = groups.iter().flat_map(|group| group.phases.clone()).collect();
        assert!(phases.into_iter().eq(0..plan.phases.len()));
        for group in &groups {
            let mut sizes = group.phases.clone().map(units);
            let kind = set(group.phases.start);
            assert!(group.phases.clone().all(|at| set(at) == kind));
            match group.shared {
                true => assert!(threads > 1 && group.phases.len() == 1),
                false => assert!(threads == 1 || sizes.all(|units| units < 32 * threads)),
            }
            assert!(!group.shared || units(group.phases.start) >= 32 * threads);
        }
        let apart = |pair: &[PhaseGroup]| {
            pair[0].shared
                || pair[1].shared
                || set(pair[0].phases.start) != set(pair[1].phases.start)
        };
        assert!(groups.windows(2).all(apart), "{threads} threads");
    }
}
