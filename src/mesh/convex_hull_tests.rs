//! Convex hulls of points.

use super::convex_hull::{Convex, Exact, convex_hull};
use crate::math::Vec3;
use crate::tests::models::Random;
use std::collections::BTreeMap;

/// Every face's plane has all points below it, every side is shared by two faces, and V - E + F = 2.
fn check(points: &[Exact], hull: &Convex) {
    let size = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let mut sides = BTreeMap::new();
    for face in &hull.faces {
        let [a, b, c] = [0, 1, 2].map(|k| hull.corners[face[k] as usize]);
        let normal = (b - a).cross(c - a);
        let normal = normal * (1.0 / normal.length());
        for p in points {
            let above = normal.dot(*p - a);
            let most = 1e-4 * size + hull.left_out;
            assert!(above <= most, "{above} m above a face");
        }
        for (k, i) in face.iter().enumerate() {
            let j = face[(k + 1) % face.len()];
            *sides.entry([*i.min(&j), *i.max(&j)]).or_insert(0) += 1;
        }
    }
    assert!(sides.values().all(|count| *count == 2), "an open hull");
    assert_eq!(hull.corners.len() + hull.faces.len(), sides.len() + 2);
}

/// A grid of points in a box: six faces of four corners, whatever their order.
#[test]
fn a_grid_is_a_box() {
    let mut points = Vec::new();
    for i in 0..5 * 4 * 6 {
        let [x, y, z] = [i % 5, i / 5 % 4, i / 20].map(f64::from);
        points.push(Vec3::of([0.1 * x, 0.3 * y, 0.17 * z]));
    }
    for _ in 0..2 {
        let hull = convex_hull(&points, 64).expect("a hull");
        check(&points, &hull);
        assert_eq!((hull.corners.len(), hull.faces.len()), (8, 6));
        assert!(hull.faces.iter().all(|face| face.len() == 4));
        points.reverse();
    }
}

/// Random points, and points on a sphere, turned: closed, convex, and no more corners than asked for.
#[test]
fn hulls_are_closed_and_convex() {
    let mut random = Random(7);
    for round in [false, true] {
        for count in [4, 5, 20, 300] {
            let point = || {
                let p = Vec3::of(random.point());
                p * if round { 1.0 / p.length() } else { 1.0 }
            };
            let points: Vec<Exact> = std::iter::repeat_with(point).take(count).collect();
            for most in [16, 1000] {
                let hull = convex_hull(&points, most).expect("a hull");
                check(&points, &hull);
                assert!(hull.corners.len() <= most);
                if round && most > count {
                    assert_eq!(hull.corners.len(), count, "all points are corners");
                }
                println!("{count}: {} corners, {} m", hull.corners.len(), hull.left_out);
            }
        }
    }
}

/// What is flat has no hull, nor has what is in line.
#[test]
fn what_is_flat_has_no_hull() {
    let mut random = Random(3);
    let mut flat = |thick: f64| {
        let point = || {
            let [x, y, z] = random.point();
            Vec3::of([x + 0.3 * y, y - 0.2 * x, x + y + thick * z])
        };
        let points: Vec<Exact> = std::iter::repeat_with(point).take(50).collect();
        convex_hull(&points, 64).is_some()
    };
    assert!(!flat(0.0) && flat(0.1));
    let line: Vec<Exact> = (0..9).map(|i| Vec3::of([f64::from(i); 3])).collect();
    assert!(convex_hull(&line, 64).is_none() && convex_hull(&[], 64).is_none());
}
