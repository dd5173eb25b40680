//! Trees of boxes.

use super::super::boxes::Bounds;
use super::super::bvh::Bvh;
use proptest::prelude::*;

/// Corners among few places, so that boxes coincide and touch.
fn boxes() -> impl Strategy<Value = Bounds> {
    let corner = prop::array::uniform3(0..6_i8);
    (corner.clone(), corner).prop_map(|(a, b)| {
        let each = |of: fn(i8, i8) -> i8| [0, 1, 2].map(|k| f32::from(of(a[k], b[k])));
        [each(i8::min), each(i8::max)]
    })
}

proptest! {
    /// What the tree finds is what a look at every box finds.
    #[test]
    fn finds_all_that_meet(list in prop::collection::vec(boxes(), 0..200), query in boxes()) {
        let meets = |b: &Bounds| (0..3).all(|k| b[0][k] <= query[1][k] && b[1][k] >= query[0][k]);
        let expected: Vec<u32> =
            (0..list.len() as u32).filter(|i| meets(&list[*i as usize])).collect();
        let mut found = Vec::new();
        Bvh::new(list.iter().copied()).meet(query, |i| found.push(i));
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}

/// Boxes as far apart as numbers go, and beyond.
#[test]
fn takes_any_numbers() {
    let list: Vec<Bounds> = (0..300)
        .map(|i| [[f32::MAX / 2.0_f32.powi(i); 3]; 2])
        .chain([[[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]], [[f32::INFINITY; 3]; 2]])
        .collect();
    let tree = Bvh::new(list.iter().copied());
    let mut found = 0;
    tree.meet([[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]], |_| found += 1);
    assert_eq!(found, list.len());
}
