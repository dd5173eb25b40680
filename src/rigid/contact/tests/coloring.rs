//! In which colors contacts are solved: as few as first fit needs, none of which meets a body twice.

use super::super::coloring::{BATCHES, ContactColoring};
use super::super::manifold::{Manifold, ReferenceBody};
use crate::collision::Order;
use crate::math::Vec3;
use std::collections::BTreeSet;

fn touch(pair: [u32; 2], points: usize) -> Manifold {
    let found = vec![([Vec3::zero(); 2], 0.0); points];
    let n = Vec3::new(0.0, 1.0, 0.0);
    let m = Manifold::new(n, ReferenceBody::A, [0.0; 2], &found).expect("points");
    Manifold { pair, ..m }
}

/// Pairs that share no body are one color, a row of bodies two; what is fixed counts for nothing; every contact is solved once, in
/// the batch of its number of points.
#[test]
fn colors_are_few_and_meet_no_body_twice() {
    let apart: Vec<_> = (0..20).map(|i| touch([2 * i, 2 * i + 1], 1)).collect();
    let row: Vec<_> = (0..30).map(|i| touch([i, i + 1], 2)).collect();
    let floor: Vec<_> = (0..30).map(|i| touch([i, 40], 3)).collect();
    let mixed: Vec<_> = (0..30).map(|i| touch([i, i + 1 + i % 5], 1 + i as usize % 4)).collect();
    for order in [Order::default(), Order::Levels] {
        for (manifolds, most) in [(&apart, 1), (&row, 2), (&floor, 1), (&mixed, 9)] {
            let mut coloring = ContactColoring::new(41, order, 8);
            let is_fixed = |i: u32| i == 40;
            coloring.color(manifolds, is_fixed, is_fixed);
            let mut solved = Vec::new();
            for (batch, (fixed, points)) in coloring.batches.iter().zip(BATCHES) {
                // By levels each level has colors of its own: here all bodies that touch the floor are one.
                assert!(batch.colors.len() <= most, "{order:?}: {}", batch.colors.len());
                for color in &batch.colors {
                    let rows = &batch.rows[color.start * 8..color.end * 8];
                    let rows: BTreeSet<u32> = rows.iter().copied().collect();
                    let mut bodies = BTreeSet::new();
                    for m in rows.iter().map(|i| &manifolds[*i as usize]) {
                        assert_eq!((m.pair[1] == 40, m.count.next_power_of_two()), (fixed, points));
                        let moved = m.pair.into_iter().filter(|i| *i != 40);
                        assert!(moved.into_iter().all(|i| bodies.insert(i)), "{:?}", m.pair);
                    }
                    solved.extend(rows);
                }
            }
            solved.sort_unstable();
            assert!(solved.into_iter().eq(0..manifolds.len() as u32), "{order:?}");
        }
    }
}
