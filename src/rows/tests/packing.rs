//! Which rows go into one packet, what a batch says of itself, and which width is chosen.

use crate::coloring::{Coloring, Permutation, RowList};
use crate::constraints::Distance;
use crate::math::{SIXTEEN, WIDTH};
use crate::model::Model;
use crate::rows::grouping::{ColorStats, Grouping, PADDING, pairs, pairs_first};
use crate::rows::stiffness::RowNumbers;
use crate::rows::width::{is_faster, is_sixteen, measure, rungs};
use crate::rows::{Batch, RowOrder, Stiffness};
use crate::settings::Settings;
use crate::state::Run;
use crate::threads::Team;
use std::time::Duration;

/// What a color of rows at `slots` among `count` is made of.
fn forms(slots: &[[u32; 2]], count: usize) -> ColorStats {
    grouped(slots, count).colors[0]
}

fn grouped(slots: &[[u32; 2]], count: usize) -> Grouping<2> {
    let list = RowList { particles: slots.as_flattened(), arity: 2 };
    let coloring = Coloring::verify(list, count, vec![(0..slots.len() as u32).collect()]);
    let of = |row: u32| slots[row as usize];
    Grouping::new(&of, count, &coloring.expect("rows that share none"), true, &Team::alone())
}

/// Rows from one pair of slots on.
fn rows(count: u32, [a, b]: [u32; 2]) -> Vec<[u32; 2]> {
    (0..count).map(|i| [a + i, b + i]).collect()
}

/// Eight rows on consecutive slots are a run; fewer are a partial one, if the slots behind exist and no row of the color has them.
#[test]
fn ends_of_runs_are_padded_where_there_is_room() {
    let stats = |rows, runs, partial_runs, tail| ColorStats {
        rows,
        runs,
        partial_runs,
        tail,
        ..ColorStats::default()
    };
    assert_eq!(forms(&rows(20, [0, 32]), 56), stats(20, 2, 1, 0));
    assert_eq!(forms(&rows(20, [0, 32]), 55), stats(20, 2, 0, 4));
    // In whatever order the color names them.
    let mut backwards = rows(20, [0, 32]);
    backwards.reverse();
    assert_eq!(forms(&backwards, 56), stats(20, 2, 1, 0));
    // Two rows whose ends lie eight apart have room for six lanes between; at seven they have not.
    assert_eq!(forms(&rows(2, [0, 8]), 16), stats(2, 0, 1, 0));
    assert_eq!(forms(&rows(2, [8, 0]), 16), stats(2, 0, 1, 0));
    assert_eq!(forms(&rows(2, [0, 7]), 16), stats(2, 0, 0, 2));
    assert_eq!(forms(&rows(2, [7, 0]), 16), stats(2, 0, 0, 2));
    // Another row on the last of the padding, or right behind it.
    let beside = |slot| [rows(2, [0, 16]), vec![[slot, 32]]].concat();
    assert_eq!(forms(&beside(7), 40), stats(3, 0, 1, 2));
    assert_eq!(forms(&beside(8), 40), stats(3, 0, 2, 0));
}

/// The packets themselves: slots, rows lane by lane, where the color ends.
#[test]
fn packets_hold_their_rows() {
    let grouping = grouped(&[rows(10, [8, 32]), rows(9, [64, 81])].concat(), 104);
    let firsts = |slots: &[Run; 2]| slots.map(|run| run.first);
    let runs: Vec<_> = grouping.runs.slots.iter().map(firsts).collect();
    assert_eq!(runs, [[8, 32], [64, 81]]);
    assert!(grouping.runs.rows.iter().copied().eq((0..8).chain(10..18)));
    let partial: Vec<_> = grouping.partial_runs.slots.iter().map(|slots| slots[0]).collect();
    assert_eq!(
        partial.iter().map(|run| (run.first, run.live)).collect::<Vec<_>>(),
        [(16, 2), (72, 1)]
    );
    let lanes = |live: &[u32]| [live, &[PADDING; 8][live.len()..]].concat();
    assert_eq!(grouping.partial_runs.rows, [lanes(&[8, 9]), lanes(&[18])].concat());
    assert_eq!((grouping.runs.starts, grouping.partial_runs.starts), (vec![0, 2], vec![0, 2]));
    assert_eq!((grouping.gathers.starts, grouping.tail.starts), (vec![0, 0], vec![0, 0]));
}

/// Two runs are a pair where in every slot one continues the other; pairs come first, each run is in one at most.
#[test]
fn pairs_of_runs_come_first() {
    let order = |firsts: &[[u32; 2]]| -> Vec<u32> {
        let run = |(i, slots): (u32, &[u32; 2])| (slots.map(|first| Run { first }), [i; WIDTH]);
        let runs: Vec<_> = (0..).zip(firsts).map(run).collect();
        pairs_first(&runs).iter().map(|(_, rows)| rows[0]).collect()
    };
    assert!(order(&[]).is_empty());
    assert_eq!(order(&[[8, 100]]), [0]);
    assert_eq!(order(&[[8, 100], [16, 108], [24, 116]]), [0, 1, 2]);
    assert_eq!(order(&[[8, 100], [32, 108], [40, 116], [64, 200], [72, 208]]), [1, 2, 3, 4, 0]);
    // Only one end continues; none does, backwards or with a gap.
    assert_eq!(order(&[[8, 100], [16, 109], [24, 117]]), [1, 2, 0]);
    assert_eq!(order(&[[16, 108], [8, 100], [24, 120], [32, 128]]), [2, 3, 0, 1]);
}

/// Where the pairs end that each color begins with: two pairs and a run, no pair, one.
#[test]
fn pairs_end_before_the_first_that_is_none() {
    let mut grouping = grouped(&rows(40, [8, 56]), 104);
    assert_eq!(pairs(&grouping.runs), [4]);
    let colors = [vec![8, 16, 48, 56, 80], vec![8, 24], vec![24, 32, 48, 64]];
    let all = colors.concat().into_iter();
    grouping.runs.slots = all.map(|first| [Run { first }, Run { first: first + 200 }]).collect();
    grouping.runs.starts = vec![0, 5, 7, 11];
    assert_eq!(pairs(&grouping.runs), [4, 5, 9]);
}

/// One number for all rows takes the room of one, until a row has another; of zeros the sign counts.
#[test]
fn numbers_that_are_all_the_same_are_kept_once() {
    let kept = |given: &[f32]| {
        let mut numbers = RowNumbers::default();
        given.iter().for_each(|&number| numbers.push(number));
        numbers
    };
    assert_eq!(kept(&[2.0]), RowNumbers::Same(2.0, 1));
    assert_eq!(kept(&[2.0; 4]), RowNumbers::Same(2.0, 4));
    assert_eq!(kept(&[2.0, 2.0, 3.0, 3.0]), RowNumbers::Each(vec![2.0, 2.0, 3.0, 3.0]));
    assert!(matches!(kept(&[0.0, -0.0]), RowNumbers::Each(_)));
    assert_eq!([0, 3, 4].map(|row| kept(&[2.0; 4]).get(row)), [Some(2.0), Some(2.0), None]);
}

/// A model of one rung, which all can pack.
fn rung() -> Model {
    let mut model = Model::new();
    for i in 0..2 {
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0; 3], 1.0).unwrap();
    }
    model.add(Distance, [0, 1], [None], Stiffness::Factor(1.0)).unwrap();
    model
}

/// Batches tell their kind, and the lanes that they are computed in: sixteen for runs alone, where they were asked for.
#[test]
fn batches_tell_kind_and_lanes() {
    let mut model = rung();
    let rows = model.rows()[0].row_list();
    let coloring = Coloring::verify(rows, 2, vec![vec![0]]).expect("a row");
    let permutation = &Permutation::identity(2);
    let widest = if SIXTEEN { 16 } else { 8 };
    for (width, structured, lanes) in [(8, true, 8), (16, true, widest), (16, false, 8)] {
        model.settings.width = Some(width);
        let batch = model.rows()[0].pack(&coloring, permutation, structured, &model.settings);
        assert_eq!((batch.name(), batch.lanes()), ("distance", lanes), "{width}, {structured}");
        assert!(batch.colored().is_some());
    }
    let order = RowOrder { rows: vec![0], permutation };
    let batch: Box<dyn Batch<f32>> = model.rows()[0].in_order(order, &model.settings);
    assert_eq!((batch.name(), batch.lanes()), ("distance", 1));
    assert!(batch.colored().is_none());
    // One color, each row of it alone.
    assert_eq!(batch.colors(), [ColorStats { rows: 1, tail: 1, ..ColorStats::default() }]);
}

/// The width that settings name is taken where the processor has it; else the one whose best time is less, eight lanes if none.
#[test]
fn the_faster_width_is_taken() {
    let chosen = |width| is_sixteen(&Settings { width, ..Settings::default() });
    assert_eq!([Some(8), Some(16)].map(chosen), [false, SIXTEEN]);
    assert!(SIXTEEN || !chosen(None));
    let times = [(2, 1), (1, 2), (2, 2)].map(|(a, b)| [a, b].map(Duration::from_micros));
    assert_eq!(times.map(is_faster), [true, false, false]);
}

/// What is measured is 512 rows, all in runs, 100 sweeps over them: longer than one sweep of a row, shorter than forever.
#[test]
fn both_widths_are_measured_on_runs() {
    let (batches, places) = rungs();
    let expected = ColorStats { rows: 512, runs: 64, ..ColorStats::default() };
    assert_eq!(
        batches.each_ref().map(|batch| batch.colors().to_vec()),
        [(); 2].map(|()| vec![expected])
    );
    assert_eq!(batches.map(|batch| batch.lanes()), [8, 16]);
    assert_eq!(
        (places.len(), places[511], places[512]),
        (1024, [511.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    );
    if !cfg!(miri) {
        let possible = Duration::from_nanos(100)..Duration::from_secs(10);
        assert!(measure().iter().all(|time| possible.contains(time)));
    }
}
