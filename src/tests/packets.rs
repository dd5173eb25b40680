//! Packets, seen from outside: which slots a unit of work touches, found by poisoning one slot after another.
//!
//! A lane that loads a slot that is not a number writes not-a-number to its other slots, with weight or without: so the
//! poison shows padding lanes too, which otherwise write back what they read and would be seen by a race alone.

use super::models::{Random, sheet};
use crate::coloring::Permutation;
use crate::coloring::{Coloring, first_fit};
use crate::model::Model;
use crate::rows::Stiffness;
use crate::state::{ParticleView, PositionView};
use std::collections::BTreeSet;

/// Storage orders of a grid of `columns`: as authored, backwards, even columns before odd ones without padding between
/// (so that what follows a run is alive), and shuffled among padding.
pub fn permutations(columns: usize, rows: usize) -> Vec<Permutation> {
    let count = columns * rows;
    let even_odd = |i: usize| {
        let (x, z) = (i % columns, i / columns);
        z * columns + x / 2 + if x % 2 == 1 { columns.div_ceil(2) } else { 0 }
    };
    let mut shuffled: Vec<usize> = (0..2 * count).collect();
    let mut random = Random(count as u64);
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, random.below(i + 1));
    }
    let orders: [(&dyn Fn(usize) -> usize, usize); 4] = [
        (&|i| i, count),
        (&|i| count - 1 - i, count),
        (&even_odd, count),
        (&|i| shuffled[i], 2 * count),
    ];
    let permutation = |(slot, len): (&dyn Fn(usize) -> usize, usize)| {
        let storage = (0..count).map(|i| slot(i) as u32).collect();
        Permutation::new(storage, len).unwrap()
    };
    orders.map(permutation).into_iter().collect()
}

/// The slots that `unit` of `color` joins, as pairs of one lane.
fn joined(
    model: &Model,
    coloring: &Coloring,
    permutation: &Permutation,
) -> Vec<Vec<BTreeSet<[usize; 2]>>> {
    let batch = model.rows()[0].pack(coloring, permutation, true, &model.settings);
    let mut particles = model.particles::<f32>(permutation.clone());
    // None is pinned, so that what moves one end of a row moves the other.
    (0..model.positions().len() as u32).for_each(|i| particles.set_inverse_mass(i, 1.0));
    let clean: Vec<[f32; 3]> = (0..particles.slot_count()).map(|i| [i as f32, 0.5, 0.25]).collect();
    // Where a unit leaves the slots, one of them having been moved before.
    let mut projected = |color: usize, unit: usize, moved: Option<usize>| -> Vec<[f32; 3]> {
        for (slot, x) in clean.iter().enumerate() {
            let raised = if moved == Some(slot) { 0.3 } else { 0.0 };
            particles.position.write(slot, [x[0], x[1] + raised, x[2]]);
        }
        let view = PositionView::Columns(ParticleView::new(&mut particles));
        batch.project(color, unit..unit + 1, true, &view);
        let [x, y, z] = particles.position.as_slices();
        (0..clean.len()).map(|i| [x[i], y[i], z[i]]).collect()
    };
    let mut unit_pairs = |color: usize, unit: usize| {
        let mut pairs = BTreeSet::new();
        let before = projected(color, unit, None);
        for moved in 0..clean.len() {
            let after = projected(color, unit, Some(moved));
            let others =
                (0..clean.len()).filter(|&slot| slot != moved && after[slot] != before[slot]);
            pairs.extend(others.map(|slot| [moved.min(slot), moved.max(slot)]));
        }
        pairs
    };
    let colors = batch.colors().iter().enumerate();
    colors
        .map(|(color, stats)| (0..stats.units()).map(|unit| unit_pairs(color, unit)).collect())
        .collect()
}

/// Every row is in exactly one unit of its color, and no two units of a color touch one slot, padding lanes included:
/// what the parallel phases' `unsafe` rests on (S1-28, S1-34).
#[test]
fn units_of_a_color_touch_disjoint_places() {
    let (mut runs, mut partial_runs, mut gathers, mut tail) = (0, 0, 0, 0);
    for (columns, rows) in [(2, 2), (3, 3), (5, 4), (9, 7), (17, 3), (10, 10), (18, 5)] {
        let model = sheet(columns, rows, Stiffness::Factor(0.5));
        let list = model.rows()[0].row_list();
        let coloring = first_fit(list, columns * rows, 0..list.len() as u32);
        for permutation in permutations(columns, rows) {
            let slot = |i: &u32| permutation.storage(*i) as usize;
            let colors = joined(&model, &coloring, &permutation);
            for (units, members) in colors.iter().zip(coloring.colors()) {
                let mut touched = BTreeSet::new();
                for pairs in units {
                    let slot_count: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
                    assert!(
                        touched.is_disjoint(&slot_count),
                        "{columns} x {rows}: two units touch one slot"
                    );
                    touched.extend(slot_count);
                }
                for &row in members {
                    let (a, b) = (slot(&list.row(row)[0]), slot(&list.row(row)[1]));
                    let holds =
                        |pairs: &&BTreeSet<[usize; 2]>| pairs.contains(&[a.min(b), a.max(b)]);
                    assert_eq!(
                        units.iter().filter(holds).count(),
                        1,
                        "{columns} x {rows}: row {row}"
                    );
                }
            }
            let batch = model.rows()[0].pack(&coloring, &permutation, true, &model.settings);
            for stats in batch.colors() {
                runs += stats.runs;
                partial_runs += stats.partial_runs;
                gathers += stats.gathers;
                tail += stats.tail;
            }
        }
    }
    let forms = [runs, partial_runs, gathers, tail];
    assert!(forms.into_iter().all(|count| count > 10), "a form of packet was not met: {forms:?}");
}
