//! What manifolds and places are to each other.

use super::super::geometry::Geometry;
use super::super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::capsule::{met, of};
use crate::math::{Quat, Vec3};
use crate::state::{Part, Shape};
use crate::tests::models::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

fn turn(v: Point) -> Quat<f32> {
    Quat::<f32>::exp(v).normalized()
}

fn place(random: &mut Random) -> (Point, Quat<f32>) {
    let mut vector = |size: f32| Vec3::<f32>::of(random.point()) * size;
    (vector(5.0), turn(vector(3.0)))
}

/// A point of the world is where both see it, and both see each other; each sees the other's center and axes.
#[test]
fn two_places_see_each_other() {
    let mut random = Random(101);
    for _ in 0..50 {
        let (a, b) = (place(&mut random), place(&mut random));
        let at = Relative::new(a, b);
        let p = Vec3::<f32>::of(random.point());
        let world = a.0 + a.1.rotate(p);
        assert!((at.to_b(p) - b.1.unrotate(world - b.0)).length() < 1e-5);
        assert!((at.center_in_b() - at.to_b(Vec3::zero())).length() < 1e-5);
        let back = at.reversed();
        assert!((back.center - b.1.unrotate(a.0 - b.0)).length() < 1e-5);
        assert!((back.to_b(at.to_b(p)) - p).length() < 1e-5);
        for (k, axis) in at.axes().into_iter().enumerate() {
            let unit = Vec3::of([0, 1, 2].map(|i| if i == k { 1.0 } else { 0.0 }));
            assert!((a.1.rotate(axis) - b.1.rotate(unit)).length() < 1e-5);
        }
    }
}

/// A place is near another by less than a way and by less than an angle, wherever the two are.
#[test]
fn near_is_by_less_than_a_way_and_an_angle() {
    let mut random = Random(103);
    for _ in 0..50 {
        let (center, q) = place(&mut random);
        let other = Relative { center, turn: q };
        let unit = |random: &mut Random| {
            let v = Vec3::<f32>::of(random.point());
            v * (1.0 / v.length())
        };
        let (way, about) = (unit(&mut random), unit(&mut random));
        for (far, turned, near) in [
            (0.0, 0.0, true),
            (0.09, 0.0, true),
            (0.11, 0.0, false),
            (0.0, 0.018, true),
            (0.0, 0.022, false),
        ] {
            let at = Relative { center: center + way * far, turn: turn(about * turned) * q };
            assert_eq!(at.is_near(&other, 0.1, 0.02), near, "{far} m, {turned} rad");
        }
    }
}

/// A point goes on with what the nearest within reach did, each of them once; sliding on one of the two is no way.
#[test]
fn points_go_on_as_the_nearest_did() {
    let x = |v: f32| Vec3::new(v, 0.0, 0.0);
    let with = |points: &[[f32; 2]]| {
        let found: Vec<_> = points.iter().map(|p| ([x(p[0]), x(p[1])], 0.0)).collect();
        Manifold::new(Vec3::new(0.0, 1.0, 0.0), ReferenceBody::A, [0.0; 2], &found).expect("points")
    };
    let mut before = with(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]);
    for (k, point) in before.points.iter_mut().enumerate().take(3) {
        (point.lambda, point.friction) = (k as f32 + 1.0, x(k as f32 + 0.5));
    }
    before.torque = x(7.0);
    let goes_on = |points: &[[f32; 2]]| {
        let mut now = with(points);
        now.inherit(&before, 0.3);
        (
            now.points[..now.count].iter().map(|p| (p.lambda, p.friction.x)).collect::<Vec<_>>(),
            now.torque.x,
        )
    };
    assert_eq!(goes_on(&[[1.2, 1.2], [0.1, 0.0]]), (vec![(2.0, 1.5), (1.0, 0.5)], 7.0));
    // Too far on both; on one of them only.
    assert_eq!(goes_on(&[[1.4, 1.4]]), (vec![(0.0, 0.0)], 0.0));
    assert_eq!(goes_on(&[[1.4, 1.1], [2.2, 1.5]]), (vec![(2.0, 1.5), (3.0, 2.5)], 7.0));
    // The second of two near one finds it taken.
    assert_eq!(goes_on(&[[0.1, 0.1], [0.05, 0.05]]), (vec![(1.0, 0.5), (0.0, 0.0)], 7.0));
}

/// Seen from the other side a manifold has its points, radii and normal the other way round, twice is not at all.
#[test]
fn reversed_it_is_the_same_contact() {
    let at = Relative { center: Vec3::new(0.0, -0.29, 0.02), turn: turn(Vec3::new(0.0, 0.3, 0.0)) };
    let (a, b) = (of(Shape::Box([0.1; 3])), of(Shape::Box([0.2; 3])));
    let found = met(&a, &b, &at, 0.02);
    let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
    let back = m.reversed();
    assert_eq!(back.normal.to_array(), (-m.normal).to_array());
    assert!(back.reference != m.reference && back.reversed().reference == m.reference);
    assert_eq!(back.points[0].anchors[1].to_array(), m.points[0].anchors[0].to_array());
    let base = back.base.expect("it may be kept");
    assert!((base.center - at.reversed().center).length() < 1e-6);
}

/// Of two heaps of capsules in one place each two parts touch, and no two of their manifolds have one number.
#[test]
fn parts_of_parts_have_numbers_of_their_own() {
    let part = |i: usize| {
        let angle = i as f64;
        let orientation = [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()];
        Part { shape: Shape::Capsule([0.1, 0.3]), position: [0.001 * angle, 0.0, 0.0], orientation }
    };
    let heap = of(Shape::Compound(Arc::new((0..12).map(part).collect())));
    assert!(matches!(heap, Geometry::Compound(_)));
    let at = Relative { center: Vec3::new(0.05, 0.02, 0.0), turn: turn(Vec3::new(0.4, 0.0, 0.2)) };
    let found = met(&heap, &heap, &at, 0.02);
    let numbers: BTreeSet<u32> = found.iter().map(|m| m.part).collect();
    assert!(found.len() > 12 * 12, "{}", found.len());
    assert_eq!(numbers.len(), found.len());
}
