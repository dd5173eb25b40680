//! Each two solids wherever they touch, beside the direction that parts them most.

use super::super::geometry::Geometry;
use super::super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::capsule::met;
use super::solids::{Parting, Solid, exact, pebble};
use crate::math::Vec3;

const REACH: f32 = 0.02;
/// What goes before another by a hair, how many steps a direction is looked for, and rounding (m).
const SLACK: f64 = 0.004;

/// A manifold's points on a's surface and on b's, in their own frames, with its gap; and its normal in a's frame.
fn seen(m: &Manifold, at: &Relative) -> (Point, Vec<(f64, [Point; 2])>) {
    let normal = match m.reference {
        ReferenceBody::A => m.normal,
        ReferenceBody::B => at.turn.rotate(m.normal),
    };
    let point = |k: usize| {
        let [a, b] = m.points[k].anchors;
        let [p, q] = [a - normal * m.radii[0], b + at.turn.unrotate(normal) * m.radii[1]];
        let gap = normal.dot(p - at.center - at.turn.rotate(q));
        (f64::from(gap), [p, q])
    };
    (normal, (0..m.count).map(point).collect())
}

/// The least gap of what is found.
fn least(found: &[Manifold], at: &Relative) -> f64 {
    let gaps = found.iter().flat_map(|m| seen(m, at).1).map(|(gap, _)| gap);
    gaps.fold(f64::INFINITY, f64::min)
}

/// Tries places of b beside a, where `thing` is a and `other` is b: the least gap is as far as the best direction parts them, and
/// points lie on both. What is wrong, and how often they overlapped.
fn touch(
    [a, b]: [&Solid; 2],
    [thing, other]: [&Geometry; 2],
    seed: u64,
    wrong: &mut Vec<String>,
) -> usize {
    let (mut parting, mut overlaps) = (Parting::new(seed), 0);
    let is_round = |s: &Solid| matches!(s, Solid::Ball(_) | Solid::Capsule(_));
    for k in 0..24 {
        let apart = [-0.03, -0.015, -0.005, 0.01][k / 2 % 4];
        let at = parting.place(a, b, k % 2 == 0, apart);
        let (s, n) = parting.widest(a, b, &at);
        let found = met(thing, other, &at, REACH);
        let gap = least(&found, &at);
        let mut check = |holds: bool, what: &str| {
            if !holds {
                wrong.push(format!("{what}: {a:?} {b:?} {k}: {gap} for {s} along {n:?}"));
            }
        };
        if s < 0.0 {
            overlaps += 1;
            // The deepest corner of what lies flat may be beyond the other's face.
            let flat = if is_round(a) || is_round(b) { 0.0 } else { 0.5 * s.abs() };
            check(gap > s - SLACK && gap < s + flat + SLACK, "depth");
        } else {
            // Faces and edges part no more than corners that are apart.
            check(found.is_empty() || gap > -SLACK && gap < 2.0 * s + SLACK, "distance");
        }
        for m in &found {
            let (normal, points) = seen(m, &at);
            check((normal.length() - 1.0).abs() < 1e-5, "normal");
            for (_, [p, q]) in points {
                check(a.off(exact(p)).abs() < 3.0 * SLACK, "on a");
                check(b.off(exact(q)).abs() < 3.0 * SLACK, "on b");
            }
        }
    }
    overlaps
}

fn solids() -> [Solid; 7] {
    [
        Solid::Ball(0.2),
        Solid::Capsule([0.1, 0.25]),
        Solid::Box([0.25, 0.15, 0.2]),
        Solid::Cylinder([0.2, 0.15]),
        Solid::Cone([0.2, 0.2]),
        pebble(5, 14, [0.4, -0.2, 0.3], 1.0),
        Solid::Box([0.1, 0.4, 0.15]),
    ]
}

/// Whatever two solids are, in whatever order and wherever they touch, they do so as deep as they overlap, and at their surfaces.
#[test]
fn solids_touch_as_deep_as_they_overlap() {
    let (all, mut wrong) = (solids(), Vec::new());
    for (i, a) in all.iter().enumerate() {
        let mut overlaps = 0;
        for (j, b) in all.iter().enumerate() {
            let [thing, other] = [a, b].map(Solid::geometry);
            overlaps += touch([a, b], [&thing, &other], (7 * i + j) as u64, &mut wrong);
        }
        assert!(overlaps > 60, "{a:?}: {overlaps}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The triangles of a convex solid hold what is round as the solid does.
#[test]
fn triangles_touch_as_the_solid_that_they_bound() {
    let corner = |i: u32| {
        let side = |k: u32, h: f64| if i >> k & 1 == 0 { h } else { -h };
        Vec3::of([side(0, 0.3), side(1, 0.2), side(2, 0.25)])
    };
    let grounds = [pebble(3, 10, [0.1, 0.2, -0.1], 1.0), Solid::Hull((0..8).map(corner).collect())];
    let mut wrong = Vec::new();
    for ground in &grounds {
        let surface = ground.surface();
        for (i, a) in solids().iter().take(2).enumerate() {
            let seed = 90 + i as u64;
            let overlaps = touch([a, ground], [&a.geometry(), &surface], seed, &mut wrong);
            assert!(overlaps > 8, "{a:?}: {overlaps}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
