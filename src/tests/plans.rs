//! Plans against what graphs of known shape allow: numberings and tiles.

use super::models::{Random, scene};
use crate::coloring::{Permutation, Plan, RowList, balance, reverse_cuthill_mckee};

/// The numbers below `count` in a random order.
fn shuffled(random: &mut Random, count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        order.swap(i, random.below(i + 1));
    }
    order
}

/// The farthest that two particles of a row lie apart.
fn bandwidth(rows: &[[u32; 2]], permutation: &Permutation) -> u32 {
    let apart = |[a, b]: &[u32; 2]| permutation.storage(*a).abs_diff(permutation.storage(*b));
    rows.iter().map(apart).max().unwrap_or(0)
}

/// A path of any numbering is laid out along itself, a grid within two of its rows; particles of no row lie behind.
#[test]
fn neighbors_lie_close() {
    let mut random = Random(12);
    for _ in 0..20 {
        let name = shuffled(&mut random, 60);
        let path: Vec<[u32; 2]> = name[..50].windows(2).map(|w| [w[0], w[1]]).collect();
        let list = RowList { particles: path.as_flattened(), arity: 2 };
        let permutation = reverse_cuthill_mckee(&[list], 60);
        assert_eq!(bandwidth(&path, &permutation), 1);
        assert!(name[50..].iter().all(|&i| permutation.storage(i) >= 50));
        // Rows said more than once change nothing.
        let some = RowList { particles: &list.particles[10..40], arity: 2 };
        let again = reverse_cuthill_mckee(&[list, some, some], 60);
        assert_eq!(again.as_slice(), permutation.as_slice());
        let name = shuffled(&mut random, 4 * 25);
        let right = (0..99).filter(|i| i % 4 != 3).map(|i| [name[i], name[i + 1]]);
        let down = (0..96).map(|i| [name[i], name[i + 4]]);
        let grid: Vec<[u32; 2]> = right.chain(down).collect();
        let list = RowList { particles: grid.as_flattened(), arity: 2 };
        assert!(bandwidth(&grid, &reverse_cuthill_mckee(&[list], 100)) <= 8);
    }
}

/// Rows of a color stand in the order of their first slots, those of one slot as authored.
#[test]
fn rows_stand_in_the_order_of_their_slots() {
    for (name, size) in [("cloth", 20), ("sheet", 9), ("sphere", 3), ("cloth", 90)] {
        let model = scene(name, size);
        let plan = Plan::new(&model.plan_input()).expect("a plan");
        let lists = model.row_lists();
        for (list, coloring) in lists.iter().zip(&plan.colorings) {
            let key = |&row: &u32| {
                let slots = list.row(row).iter().map(|&i| plan.permutation.storage(i));
                (slots.min(), row)
            };
            assert!(coloring.colors().iter().all(|rows| rows.is_sorted_by_key(key)), "{name}");
        }
    }
}

#[test]
fn balance_is_the_largest_over_the_mean() {
    assert_eq!([&[][..], &[0], &[7], &[4, 4]].map(balance), [1.0; 4]);
    assert_eq!([&[3, 1][..], &[6, 0, 0], &[1, 2, 3]].map(balance), [1.5, 3.0, 1.5]);
}

/// New particles lie behind all slots there were, padding included.
#[test]
fn an_extended_numbering_keeps_its_slots() {
    let permutation = Permutation::new(vec![2, 0, 1], 3).unwrap();
    let more = permutation.extended(9);
    assert_eq!(more.as_slice(), [2, 0, 1, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    assert_eq!(more.slot_count(), 24);
}

/// A grid is cut into whole layers, into many tiles or none at all; where subsystems follow the rows, never.
#[test]
fn tiles_are_whole_layers() {
    for size in [20, 60, 100, 200] {
        let mut model = scene("cloth", size);
        let plan = Plan::new(&model.plan_input()).unwrap();
        let layer = model.layout().unwrap().layer;
        assert!(plan.tile_slots.is_multiple_of(8), "cloth:{size}");
        assert_eq!(plan.tiles(), plan.permutation.slot_count().div_ceil(plan.tile_slots));
        assert_eq!(plan.tiles() > 1, size > 20, "cloth:{size}: {} tiles", plan.tiles());
        if plan.tiles() > 1 {
            assert!(plan.tile_slots.is_multiple_of(layer), "cloth:{size}: layers of {layer}");
            // Enough of them for workers to start apart, each small beside a second-level cache of 1 MB.
            assert!(plan.tiles() >= 10, "cloth:{size}: {} tiles", plan.tiles());
            let slots: usize =
                model.rows().iter().map(|rows| rows.row_list().particles.len()).sum();
            assert!((4 * slots + 16 * size * size) / plan.tiles() < 64 << 10, "cloth:{size}");
        }
        model.settings.hierarchy = 2;
        assert_eq!(Plan::new(&model.plan_input()).unwrap().tiles(), 1);
    }
}
