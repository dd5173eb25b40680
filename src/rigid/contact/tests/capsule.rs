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
    collide(a, b, at, reach, &mut Workspace::default(), &mut found);
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

/// Whatever a capsule is beside, the least gap of what is found is that of the nearest of many points of its core.
#[test]
fn a_capsule_touches_where_it_is_nearest() {
    const STEPS: usize = 400;
    let mut random = Random(53);
    let half: Point = Vec3::new(0.3, 0.2, 0.25);
    let others = [
        Geometry::Hull(Arc::new(Hull::of_box(half).expect("a hull"))),
        of(Shape::Box([0.3, 0.2, 0.25])),
        of(Shape::Cylinder([0.25, 0.3])),
        of(Shape::Cone([0.3, 0.3])),
        of(Shape::Capsule([0.1, 0.3])),
        of(Shape::Sphere(0.25)),
    ];
    let (core, radius): (Point, f32) = (Vec3::new(0.0, 0.4, 0.0), 0.1);
    let capsule = Geometry::Capsule { half: core, radius };
    for (kind, b) in others.iter().enumerate() {
        let mut tried = 0;
        for _ in 0..600 {
            let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0);
            let at = Relative {
                center: Vec3::of(random.point().map(|v| 0.8 * v)),
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
            if least < 0.01 || by_an_end {
                continue;
            }
            let found = met(&capsule, b, &at, REACH);
            let gaps = found.iter().flat_map(|m| seen(m, &at).1).map(|(gap, _)| gap);
            let gap = gaps.fold(f32::INFINITY, f32::min);
            let expected = least - radius;
            match expected < REACH - 2e-3 {
                // Its points lie apart by 2 mm, so that the nearest is a little nearer.
                true => assert!((gap - expected).abs() < 2e-3, "{kind}: {gap} for {expected}"),
                false => assert!(gap > expected - 2e-3, "{kind}: {gap} for {expected}"),
            }
            tried += usize::from(expected < REACH);
        }
        assert!(tried > 20, "{kind}: {tried}");
    }
}
