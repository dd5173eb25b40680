//! Segments beside boxes and other segments, against points taken all along them.

use super::super::manifold::Point;
use super::super::segment::{beside_box, beside_segment, over_box_face};
use crate::collision::Shape;
use crate::math::Vec3;
use crate::tests::models::Random;

const STEPS: usize = 200;

fn along([p, q]: [Point; 2], t: f32) -> Point {
    p + (q - p) * t
}

/// Nowhere on the segment is nearer to the box than where it says, unless the segment enters the box.
#[test]
fn a_segment_is_closest_to_a_box_where_it_says() {
    let (mut random, mut beside) = (Random(31), 0);
    let half: Point = Vec3::new(0.3, 0.2, 0.4);
    let shape = Shape::Box { half_size: half.to_array().map(f64::from) };
    let distance = |p: Point| shape.surface(p).0;
    for k in 0..500 {
        let mut ends = [0, 1].map(|_| Vec3::<f32>::of(random.point()));
        if k % 3 == 0 {
            // Along a face or an edge.
            ends[1] =
                Vec3::new(ends[1].x, ends[0].y, if k % 2 == 0 { ends[0].z } else { ends[1].z });
        }
        let least = (0..=STEPS).map(|i| distance(along(ends, i as f32 / STEPS as f32)));
        let least = least.fold(f32::INFINITY, f32::min);
        match beside_box(ends[0], ends[1], half) {
            Some(t) => {
                assert!((0.0..=1.0).contains(&t), "{ends:?}: {t}");
                let found = distance(along(ends, t));
                assert!(found <= least + 1e-5, "{ends:?}: {found} m at {t}, {least} m elsewhere");
                beside += 1;
            }
            None => assert!(least < 1e-2, "{ends:?} is {least} m off"),
        }
    }
    assert!(beside > 200);
}

/// What is said to lie over a face has its normal all the way, and nothing of the segment beyond has.
#[test]
fn a_segment_lies_over_a_face_where_it_says() {
    let (mut random, mut over) = (Random(37), 0);
    let half: Point = Vec3::new(0.3, 0.2, 0.4);
    let shape = Shape::Box { half_size: half.to_array().map(f64::from) };
    for _ in 0..300 {
        let mut ends = [0, 1].map(|_| Vec3::<f32>::of(random.point()));
        // Level, above the box.
        (ends[0].y, ends[1].y) = (0.3, 0.3);
        let Some(t) = beside_box(ends[0], ends[1], half) else {
            panic!("above the box");
        };
        let Some([low, high]) = over_box_face(ends[0], ends[1] - ends[0], t, half) else {
            continue;
        };
        for i in 0..=STEPS {
            let s = i as f32 / STEPS as f32;
            let (_, n) = shape.surface(along(ends, s));
            let up = n.y > 0.9999;
            let inside = s > low + 1e-3 && s < high - 1e-3;
            // A point just beyond an edge still sees nearly up.
            let outside = s < low - 0.05 || s > high + 0.05;
            assert!(up || !inside, "{ends:?} at {s}: {n:?}");
            assert!(!up || !outside, "{ends:?} at {s}: {n:?}");
        }
        over += 1;
    }
    assert!(over > 50, "{over}");
}

/// Of two segments, and of parallel ones the middle of what lies side by side.
#[test]
fn a_segment_is_closest_to_a_segment_where_it_says() {
    let mut random = Random(41);
    for _ in 0..200 {
        let [p, q] = [0, 1].map(|_| [0, 1].map(|_| Vec3::<f32>::of(random.point())));
        let to_q = |x: Point| {
            let apart = (0..=STEPS).map(|i| (along(q, i as f32 / STEPS as f32) - x).length());
            apart.fold(f32::INFINITY, f32::min)
        };
        let found = to_q(along(p, beside_segment(p, q)));
        let least = (0..=STEPS).map(|i| to_q(along(p, i as f32 / STEPS as f32)));
        assert!(found <= least.fold(f32::INFINITY, f32::min) + 5e-3);
    }
    let row = |from: f32, to: f32, y: f32| [Vec3::new(from, y, 0.0), Vec3::new(to, y, 0.0)];
    // From 1 to 4 beside 2 to 8: the middle is at 3.
    let t = beside_segment(row(1.0, 4.0, 0.0), row(8.0, 2.0, 1.0));
    assert!((t - 2.0 / 3.0).abs() < 1e-6, "{t}");
}

/// What is all so many times as large is closest at the same parts, also where it is all but parallel.
#[test]
fn segments_of_any_size_are_closest_alike() {
    let mut random = Random(43);
    let half: Point = Vec3::new(0.3, 0.2, 0.4);
    for k in 0..60 {
        let mut q = [0, 1].map(|_| Vec3::<f32>::of(random.point()));
        let p = [0, 1].map(|_| Vec3::<f32>::of(random.point()));
        if k % 2 == 0 {
            // By two thousandths of a radian.
            q[1] = q[0] + (p[1] - p[0]) + Vec3::<f32>::of(random.point()) * 2e-3;
        }
        let (one, beside) = (beside_segment(p, q), beside_box(p[0], p[1], half));
        for size in [1.0 / 64.0, 64.0] {
            let [p, q] = [p, q].map(|s| s.map(|v| v * size));
            assert!((beside_segment(p, q) - one).abs() < 1e-4, "{size}");
            let found = beside_box(p[0], p[1], half * size);
            assert_eq!(found.is_some(), beside.is_some());
            assert!(found.zip(beside).is_none_or(|(t, u)| (t - u).abs() < 1e-4), "{size}");
        }
    }
}
