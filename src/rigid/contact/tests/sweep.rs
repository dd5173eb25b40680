//! Boxes that meet: all pairs where bodies lie side by side, a bounded number where they lie in one place.

use super::super::manifold::Point;
use super::super::sweep::{Bounds, Sweep};
use crate::math::Vec3;
use crate::tests::models::Random;

fn cube(center: Point, half: Point) -> Bounds {
    Some([center - half, center + half])
}

fn pairs(bounds: &[Bounds]) -> Vec<[u32; 2]> {
    let mut sweep = Sweep::default();
    sweep.sort(bounds);
    sweep.search(0..sweep.chunks.len(), |_, _| true);
    sweep.collect(bounds, |_, _| true);
    sweep.pairs
}

/// A floor touches every one of many bodies, whatever lies in one place besides.
#[test]
fn a_floor_keeps_all_its_pairs() {
    let small = Vec3::splat(0.4);
    let mut bounds = vec![cube(Vec3::zero(), Vec3::new(1000.0, 1.0, 1000.0))];
    let count = 900;
    bounds.extend((0..count).map(|i| cube(Vec3::new(i as f32, 1.0, 0.0), small)));
    assert_eq!(pairs(&bounds).len(), count);
    let heap = 300;
    bounds.extend((0..heap).map(|_| cube(Vec3::new(-50.0, 1.0, 0.0), small)));
    let found = pairs(&bounds);
    let on_floor = found.iter().filter(|[a, _]| *a == 0).count();
    assert_eq!(on_floor, count + heap);
    assert!(found.len() <= 32 * bounds.len() && found.len() > 20 * heap, "{}", found.len());
}

/// A long thin pole, along any axis, is as large as it is long: it keeps its pairs too.
#[test]
fn a_pole_keeps_all_its_pairs() {
    for k in 0..3 {
        let along = |far: f32, beside: f32| {
            let mut v = [beside; 3];
            v[k] = far;
            Vec3::from(v)
        };
        let mut bounds = vec![cube(Vec3::zero(), along(1000.0, 1e-4))];
        let count = 900;
        bounds.extend((0..count).map(|i| cube(along(i as f32, 0.0), along(0.4, 0.4))));
        // What makes the many too many to list.
        bounds.extend((0..3000).map(|_| cube(along(-50.0, 5.0), along(0.4, 0.4))));
        let on_pole = pairs(&bounds).iter().filter(|[a, _]| *a == 0).count();
        assert_eq!(on_pole, count, "{k}");
    }
}

/// Far more than a chunk lists, and few enough to be remembered.
#[test]
fn many_in_one_place() {
    let half = Vec3::splat(1.0);
    for (count, expected) in [(40, 40 * 39 / 2), (3000, 32 * (3000 - 32) + 31 * 32 / 2)] {
        let bounds = vec![cube(Vec3::zero(), half); count];
        assert_eq!(pairs(&bounds).len(), expected);
    }
}

/// Boxes of any sizes anywhere, few and so many that they are cut into strips, meet where each two of them do, tried two by two;
/// what has no box meets nothing.
#[test]
fn boxes_meet_where_each_two_do() {
    let mut random = Random(97);
    let spreads = [[4.0, 1.0, 1.0], [1.0, 4.0, 1.0], [1.0, 1.0, 4.0], [2.0, 1.0, 4.0]];
    for (spread, count) in spreads.into_iter().flat_map(|spread| [(spread, 400), (spread, 2000)]) {
        let mut bounds: Vec<Bounds> = (0..count)
            .map(|i| {
                let at = random.point();
                let center = Vec3::of([0, 1, 2].map(|k| 3.0 * spread[k] * at[k]));
                let size = if i % 100 == 0 { 5.0 } else { 1.2 };
                cube(center, Vec3::of(random.point().map(|v| size * v.abs())))
            })
            .collect();
        (bounds[7], bounds[200]) = (None, None);
        let meet = |a: usize, b: usize| {
            let [[low, high], [least, most]] =
                [bounds[a]?, bounds[b]?].map(|b| b.map(Vec3::to_array));
            (0..3).all(|k| low[k] < most[k] && least[k] < high[k]).then_some([a as u32, b as u32])
        };
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let expected: Vec<[u32; 2]> = all.filter_map(|[a, b]| meet(a, b)).collect();
        assert!(expected.len() > 300, "{}", expected.len());
        assert_eq!(pairs(&bounds), expected);
    }
}
