//! Cylinders and cones against what is convex, beside directions tried one by one.

use super::super::convex::{Convex, Form};
use super::super::frustum::Frustum;
use super::super::frustum_pair::{collide_frustum, widest};
use super::super::hull::Hull;
use super::super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::super::workspace::Workspace;
use crate::collision;
use crate::math::{Quat, Vec3};
use crate::tests::models::Random;

fn frustum(ends: [f64; 2], radii: [f64; 2]) -> Frustum {
    Frustum::new(collision::Frustum { ends, radii })
}

/// Directions all over the sphere.
fn directions() -> Vec<Point> {
    let n = 4000;
    let one = |i: i32| {
        let y = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(n);
        let (sine, cosine) = (2.399_963_229_728_653 * f64::from(i)).sin_cos();
        let r = (1.0 - y * y).sqrt();
        Vec3::of([r * cosine, y, r * sine])
    };
    (0..n).map(one).collect()
}

/// The points of a manifold in a's frame, on the surfaces, and its normal.
fn seen(m: &Manifold, at: &Relative) -> (Vec<[Point; 2]>, Point) {
    let normal = match m.reference {
        ReferenceBody::A => m.normal,
        ReferenceBody::B => at.turn.rotate(m.normal),
    };
    let surface = |k: usize| {
        let [a, b] = m.points[k].anchors;
        let b = at.center + at.turn.rotate(b);
        [a - normal * m.radii[0], b + normal * m.radii[1]]
    };
    ((0..m.count).map(surface).collect(), normal)
}

/// No direction parts them by more than what is found, however deep they overlap, but for a hair; points lie on both and as far
/// apart as that says.
#[test]
fn the_widest_direction_is_found() {
    let mut random = Random(23);
    let all = directions();
    let shapes = [frustum([-0.3, 0.3], [0.2, 0.2]), frustum([-0.1, 0.3], [0.25, 0.0])];
    let hull = Hull::of_box(Vec3::new(0.15, 0.3, 0.2)).expect("a hull");
    let (mut met, mut room) = (0, Workspace::default());
    for k in 0..3000 {
        let a = &shapes[k % 2];
        let form = match k % 3 {
            0 => Form::Hull(&hull),
            i => Form::Frustum(&shapes[i - 1]),
        };
        let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0);
        let at = Relative {
            center: Vec3::of(random.point().map(|v| 0.8 * v)),
            turn: Quat::of(turn.to_array()),
        };
        let (b, reach) = (Convex { form, at: &at }, 0.03);
        let parts = |n: Point| -a.most(-n) - b.most(n);
        let most = all.iter().map(|n| parts(*n)).fold(f32::NEG_INFINITY, f32::max);
        let Some((s, n)) = widest(a, &b, reach) else {
            assert!(most > reach - 0.01, "missed at {at:?}: {most}");
            continue;
        };
        assert!((parts(n) - s).abs() < 1e-5 && (n.length() - 1.0).abs() < 1e-4);
        // Faces, ends, sides and what is between go before each other by a hundredth of the thinner.
        let slack = 0.03 * a.thin.min(b.thin());
        assert!(s > most - slack, "{s} found, {most} possible at {at:?} for {k}");
        let mut manifolds = Vec::new();
        collide_frustum(a, form, &at, reach, &mut room, &mut manifolds);
        if !(-0.015..=0.0).contains(&s) {
            continue;
        }
        met += 1;
        let seen: Vec<_> = manifolds.iter().map(|m| seen(m, &at)).collect();
        let gaps = seen.iter().flat_map(|(points, n)| points.iter().map(|[p, q]| n.dot(*p - *q)));
        let least = gaps.fold(f32::INFINITY, f32::min);
        assert!((least - s).abs() < 0.02, "{least} for {s} at {at:?} for {k}");
        for (points, n) in seen {
            for [p, q] in points {
                let (d, _) = a.shape.surface(p);
                assert!(d.abs() < 0.02, "{p:?} is {d} off its surface along {n:?} for {k}");
                assert!((p - q - n * n.dot(p - q)).length() < 0.02);
            }
        }
    }
    println!("{met} touch");
    assert!(met > 30);
}

/// Of a box the face is found that looks most along a direction, unless one does so by more than the reach; it is as thin as its
/// least half size.
#[test]
fn the_face_of_a_box_is_the_one_that_looks_along() {
    let hull = Hull::of_box(Vec3::new(0.15, 0.3, 0.2)).expect("a hull");
    let at = Relative { center: Vec3::new(1.0, 2.0, 3.0), turn: Quat::identity() };
    let b = Convex { form: Form::Hull(&hull), at: &at };
    assert!((b.thin() - 0.15).abs() < 1e-6);
    let d: Point = Vec3::new(0.6, -0.64, 0.48);
    let (most, n) = b.widest_face(1.0, |n| n.dot(d)).expect("a face");
    assert!((most - 0.64).abs() < 1e-6 && (n - Vec3::new(0.0, -1.0, 0.0)).length() < 1e-6);
    assert!(b.widest_face(0.6, |n| n.dot(d)).is_none());
}
