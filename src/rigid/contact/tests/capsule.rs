//! Capsules against what they lie on or cross: closed forms, and points taken all along their cores.

use super::super::collide::collide;
use super::super::geometry::Geometry;
use super::super::hull::Hull;
use super::super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::super::workspace::Workspace;
use crate::math::{Quat, Vec3};
use crate::state::{Body, Shape, Weight};
use crate::tests::models::Random;
use std::sync::Arc;

const REACH: f32 = 0.05;

pub(super) fn of(shape: Shape) -> Geometry {
    Geometry::of_body(&Body::new(shape, Weight::Mass(1.0), None).expect("a body"))
}

/// What of a touches b.
pub(super) fn met(a: &Geometry, b: &Geometry, at: &Relative, reach: f32) -> Vec<Manifold> {
    let mut found = Vec::new();
    collide(a, b, at, (reach, None), &mut Workspace::default(), &mut found);
    found
}

/// A manifold's normal and its points' gaps, and the points on a, in a's frame.
pub(super) fn seen(m: &Manifold, at: &Relative) -> (Point, Vec<(f32, Point)>) {
    let normal = match m.reference {
        ReferenceBody::A => m.normal,
        ReferenceBody::B => at.turn.rotate(m.normal),
    };
    let point = |k: usize| {
        let [a, b] = m.points[k].anchors;
        let gap = normal.dot(a - at.center - at.turn.rotate(b));
        (gap - m.radii[0] - m.radii[1], a - normal * m.radii[0])
    };
    (normal, (0..m.count).map(point).collect())
}

/// A core that lies level over a face is held where it comes over it and where it leaves it, or at its own ends, be the box a box
/// or a hull.
#[test]
fn a_level_capsule_is_held_at_the_ends_of_a_face() {
    let half: Point = Vec3::new(0.3, 0.2, 0.25);
    let hull = Geometry::Hull(Arc::new(Hull::of_box(half).expect("a hull")));
    let (radius, height) = (0.12, 0.3);
    let thing = of(Shape::Box([0.3, 0.2, 0.25]));
    for (length, shift) in [(0.6, 0.0), (0.6, -0.15), (0.6, 0.13), (0.6, 0.55), (0.2, 0.03)] {
        let capsule = Geometry::Capsule { half: Vec3::new(length, 0.0, 0.0), radius };
        // A capsule along x, with its middle so high over the box and so far along.
        let at = Relative { center: Vec3::new(-shift, -height, 0.0), turn: Quat::identity() };
        for b in [&thing, &hull] {
            let mut ends = Vec::new();
            for m in met(&capsule, b, &at, REACH) {
                let (normal, points) = seen(&m, &at);
                let [(gap, p)] = points[..] else { panic!("{} points", points.len()) };
                // Beside the face the normal turns over the edge.
                assert!(normal.y > 0.9998, "{normal:?}");
                assert!((gap - (height - half.y - radius)).abs() < 1e-5, "{gap} m");
                ends.push(p.x + shift);
            }
            ends.sort_by(f32::total_cmp);
            let expected = [(shift - length).max(-half.x), (shift + length).min(half.x)];
            let near = |(p, q): (&f32, &f32)| (p - q).abs() < 2e-3;
            assert!(ends.len() == 2 && ends.iter().zip(&expected).all(near), "{shift}: {ends:?}");
        }
    }
}

/// Of two capsules side by side both ends of the shorter are held, whichever is called the first.
#[test]
fn the_shorter_of_two_capsules_is_held_at_its_ends() {
    let [long, short] =
        [1.0, 0.2].map(|x| Geometry::Capsule { half: Vec3::new(x, 0.0, 0.0), radius: 0.1 });
    for (a, b, shift) in [(&long, &short, 0.3), (&short, &long, -0.3)] {
        let at = Relative { center: Vec3::new(shift, 0.19, 0.0), turn: Quat::identity() };
        let mut ends = Vec::new();
        for m in met(a, b, &at, REACH) {
            let (normal, points) = seen(&m, &at);
            let [(gap, p)] = points[..] else { panic!("{} points", points.len()) };
            assert!(normal.y < -1.0 + 1e-6 && (gap + 0.01).abs() < 1e-6, "{normal:?}, {gap} m");
            // From the middle of the shorter.
            ends.push(if shift > 0.0 { p.x - shift } else { p.x });
        }
        for end in [-0.2, 0.2] {
            assert!(ends.iter().any(|x| (x - end).abs() < 1e-6), "{ends:?}");
        }
        assert!(ends.iter().all(|x| x.abs() < 0.2 + 1e-6), "{ends:?}");
    }
}

/// Whatever a capsule is beside, the least gap of what is found is that of the nearest of many points of its core; of any size.
#[test]
fn a_capsule_touches_where_it_is_nearest() {
    for size in [0.1, 1.0, 10.0] {
        let [a, b, c] = [0.3, 0.2, 0.25].map(|v| v * size);
        let half: Point = Vec3::of([a, b, c]);
        let others = [
            Geometry::Hull(Arc::new(Hull::of_box(half).expect("a hull"))),
            of(Shape::Box([a, b, c])),
            of(Shape::Cylinder([c, a])),
            of(Shape::Cone([a, a])),
            of(Shape::Capsule([0.1 * size, a])),
            of(Shape::Sphere(c)),
        ];
        for (kind, b) in others.iter().enumerate() {
            let tried = touches_where_nearest(b, size as f32);
            assert!(tried > 5, "{kind} of {size}: {tried}");
        }
    }
}

/// Tries many places of a capsule about b; how often it touched.
fn touches_where_nearest(b: &Geometry, size: f32) -> usize {
    const STEPS: usize = 200;
    let (core, radius): (Point, f32) = (Vec3::new(0.0, 0.4, 0.0) * size, 0.1 * size);
    let capsule = Geometry::Capsule { half: core, radius };
    let (mut random, mut tried, reach) = (Random(53), 0, REACH * size);
    for _ in 0..120 {
        let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0);
        let at = Relative {
            center: Vec3::of(random.point().map(|v| 0.8 * v)) * size,
            turn: Quat::of(turn.to_array()),
        };
        let distance = |k: usize| {
            let y = at.to_b(core * (2.0 * k as f32 / STEPS as f32 - 1.0));
            b.surface(y, f32::INFINITY).expect("a distance").0
        };
        let nearest = (0..=STEPS).map(|k| (distance(k), k));
        let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0));
        let (least, k) = nearest.expect("many points");
        // Of a core within there is no nearest point. What is close to an end counts as the end.
        let by_an_end = (1..STEPS / 40).contains(&k.min(STEPS - k));
        if least < 0.01 * size || by_an_end {
            continue;
        }
        let found = met(&capsule, b, &at, reach);
        let gaps = found.iter().flat_map(|m| seen(m, &at).1).map(|(gap, _)| gap);
        let gap = gaps.fold(f32::INFINITY, f32::min);
        let expected = least - radius;
        // The points of the core lie apart by 1 % of it, so that the nearest is a little nearer.
        match expected < reach - 2e-3 * size {
            true => assert!((gap - expected).abs() < 2e-3 * size, "{gap} for {expected}"),
            false => assert!(gap > expected - 2e-3 * size, "{gap} for {expected}"),
        }
        tried += usize::from(expected < reach);
    }
    tried
}

/// A core that ends over a face and leaves it is held where it leaves it too, as long as its slope is below 0.05, of any size.
#[test]
fn a_core_that_leans_is_held_at_its_end_alone() {
    for size in [0.1, 1.0, 10.0] {
        let thing = of(Shape::Box([0.3 * size, 0.2 * size, 0.25 * size]));
        let core = 0.6 * size as f32;
        let capsule =
            Geometry::Capsule { half: Vec3::new(core, 0.0, 0.0), radius: 0.1 * size as f32 };
        for (slope, expected) in [(0.0_f64, 2), (0.045, 2), (0.055, 1), (0.2, 1)] {
            let turn = Quat::<f64>::exp(Vec3::new(0.0, 0.0, slope.asin())).normalized();
            // Its lower end is over the middle of the face, which it touches.
            let cosine = (1.0 - slope * slope).sqrt();
            let middle = [0.6 * size * cosine, 0.3 * size + 0.6 * size * slope, 0.0];
            let body: (Point, Quat<f32>) = (Vec3::of(middle), Quat::of(turn.to_array()));
            let at = Relative::new(body, (Vec3::zero(), Quat::identity()));
            let found = met(&capsule, &thing, &at, 0.1 * size as f32);
            assert_eq!(found.len(), expected, "{size}, {slope}");
            for (m, x) in found.iter().zip([0.0, 0.3]) {
                let [(_, p)] = seen(m, &at).1[..] else { panic!("one point") };
                let p = body.0 + body.1.rotate(p);
                assert!((f64::from(p.x) / size - x).abs() < 6e-3, "{size}, {slope}: {p:?}");
            }
        }
    }
}
