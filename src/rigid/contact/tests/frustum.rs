//! Cylinders and cones against what is convex, beside directions tried one by one.

use super::super::convex::{Convex, Form};
use super::super::frustum::Frustum;
use super::super::frustum_pair::{collide_frustum, widest};
use super::super::geometry::Geometry;
use super::super::hull::Hull;
use super::super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::super::workspace::Workspace;
use super::capsule::{met, of};
use super::collide::mesh;
use crate::collision;
use crate::math::{Quat, Vec3};
use crate::state::Shape;
use crate::tests::models::Random;
use std::sync::Arc;

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

/// The line of a box farthest along a direction is its edge where that is level, and a corner twice where none is.
#[test]
fn the_line_of_a_box_is_its_level_edge() {
    let half: Point = Vec3::new(0.15, 0.3, 0.2);
    let hull = Hull::of_box(half).expect("a hull");
    let at = Relative { center: Vec3::zero(), turn: Quat::identity() };
    let b = Convex { form: Form::Hull(&hull), at: &at };
    let root = 0.5_f32.sqrt();
    let [mut p, mut q] = b.line_along(Vec3::new(root, root, 0.0), 0.99);
    if p.z > q.z {
        (p, q) = (q, p);
    }
    assert!((p - Vec3::new(half.x, half.y, -half.z)).length() < 1e-6, "{p:?}");
    assert!((q - half).length() < 1e-6, "{q:?}");
    let [p, q] = b.line_along(Vec3::new(0.6, 0.64, 0.48), 0.99);
    assert!((p - half).length() < 1e-6 && (q - half).length() < 1e-6, "{p:?} {q:?}");
}

/// Where the side or a rim of a cylinder or a cone meets something along the outward normal there, a ball about a point of the axis
/// touches it; where an end does, it is held at the point itself.
#[test]
fn what_is_round_is_held_on_its_axis() {
    let mut random = Random(113);
    for [ends, radii] in
        [[[-0.3, 0.3], [0.2, 0.2]], [[-0.1, 0.3], [0.25, 0.0]], [[-0.3, 0.1], [0.0, 0.2]]]
    {
        let a = frustum(ends, radii);
        let slope = (radii[1] - radii[0]) / (ends[1] - ends[0]);
        for k in 0..60 {
            let (sine, cosine) = (random.unit() * 7.0).sin_cos();
            let t = random.within(0.05, 0.95);
            let wide = usize::from(radii[1] > radii[0]);
            // Of the side, or of the rim of the wider end: any direction between the two normals there.
            let (y, r, up) = match k % 3 {
                0 => (
                    ends[0] + t * (ends[1] - ends[0]),
                    radii[0] + t * (radii[1] - radii[0]),
                    -slope,
                ),
                _ => (ends[wide], radii[wide], -slope + t * if wide == 1 { 4.0 } else { -4.0 }),
            };
            let p: Point = Vec3::of([r * cosine, y, r * sine]);
            let d: Point = Vec3::of([cosine, up, sine]);
            let d = d * (1.0 / d.length());
            let (c, radius) = a.held(p, d);
            assert!(
                radius > 0.0 && c.x.abs() < 1e-6 && c.z.abs() < 1e-6,
                "{c:?} {radius} at {p:?}"
            );
            assert!((c + d * radius - p).length() < 1e-5, "{c:?} {radius} at {p:?}");
            let end: Point = Vec3::of([0.0, if wide == 1 { 1.0 } else { -1.0 }, 0.0]);
            let (c, radius) = a.held(p, end);
            assert!(radius == 0.0 && (c - p).length() == 0.0);
        }
    }
}

/// The ends, sides and lines of cylinders and cones are those farthest along a direction.
#[test]
fn ends_and_lines_are_the_farthest_along() {
    let mut random = Random(127);
    for [ends, radii] in
        [[[-0.3, 0.3], [0.2, 0.2]], [[-0.1, 0.3], [0.25, 0.0]], [[-0.3, 0.1], [0.0, 0.2]]]
    {
        let a = frustum(ends, radii);
        let slope = (radii[1] - radii[0]) / (ends[1] - ends[0]);
        // Each end's normal, of a tip that of the other; each end and each line farthest along a direction.
        let normals = a.end_normals().map(|n| n.y);
        let expected = [[-1.0, 1.0], [-1.0, -1.0], [1.0, 1.0]];
        let which = radii.iter().position(|r| *r == 0.0).map_or(0, |tip| 2 - tip);
        assert_eq!(normals, expected[which]);
        for _ in 0..40 {
            let d: Point = Vec3::of(random.point());
            let d = d * (1.0 / d.length());
            let mut corners = Vec::new();
            let n = a.end_along(d, &mut corners);
            let end = usize::from(d.y > 0.0);
            assert_eq!(
                n.map(|n| n.y),
                (radii[end] > 0.0).then_some(if end == 1 { 1.0 } else { -1.0 })
            );
            for corner in &corners {
                let off = [
                    f64::from(corner.y) - ends[end],
                    f64::from(corner.x.hypot(corner.z)) - radii[end],
                ];
                assert!(off.iter().all(|off| off.abs() < 1e-6), "{corner:?}");
            }
            let along = |p: &Point| p.dot(d);
            let most = a.most(d);
            let [p, q] = a.line_along(d, -1.0);
            assert!((along(&p).max(along(&q)) - most).abs() < 1e-6, "{d:?}");
            if let Some(far) = corners.iter().map(along).reduce(f32::max) {
                let rim = f64::from(d.y) * ends[end] + radii[end] * f64::from(d.x.hypot(d.z));
                assert!((f64::from(far) - rim).abs() < 1e-6, "{d:?}");
            }
            let single = a.line_along(d, 1.1);
            assert!(single[0] == single[1] && (along(&single[0]) - most).abs() < 1e-6);
            let side = a.side_along(d);
            assert!((side.length() - 1.0).abs() < 1e-6);
            assert!((f64::from(side.y) + slope * f64::from(side.x.hypot(side.z))).abs() < 1e-6);
        }
    }
}

/// A cone that lies on its side on a plane or on triangles touches along it: at its rim and at its tip, each by its own radius.
#[test]
fn a_cone_lies_on_its_side() {
    let [r, h] = [0.2_f64, 0.25];
    let cone = of(Shape::Cone([r, h]));
    let ground = [[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
    let plane = Geometry::Plane { normal: Vec3::new(0.0, 1.0, 0.0) };
    let triangles = Geometry::Mesh(Arc::new(mesh(&ground, &[[0, 1, 2], [0, 2, 3]])));
    // Its axis is so steep that the side is level: its tip is one and a half heights from the center.
    let length = (4.0 * h * h + r * r).sqrt();
    let tilt = (r / (2.0 * h)).atan() + std::f64::consts::FRAC_PI_2;
    let turn = Quat::<f64>::exp(Vec3::new(0.0, 0.0, tilt)).normalized();
    let height = 1.5 * h * r / length - 0.001;
    for (k, other) in [plane, triangles].iter().enumerate() {
        let body: (Point, Quat<f32>) = (Vec3::of([0.1, height, 0.05]), Quat::of(turn.to_array()));
        let at = Relative::new(body, (Vec3::zero(), Quat::identity()));
        let mut ends = Vec::new();
        for m in met(&cone, other, &at, 0.02) {
            let (points, normal) = seen(&m, &at);
            assert!(normal.length() > 0.999);
            for [p, q] in points {
                let (p, up) = (body.0 + body.1.rotate(p), body.1.rotate(normal));
                assert!(up.y > 1.0 - 1e-5 && (p.y + 0.001).abs() < 1e-4, "{k}: {p:?} {up:?}");
                assert!((p.z - 0.05).abs() < 1e-3, "{k}: {p:?}");
                assert!((body.0 + body.1.rotate(q)).y.abs() < 1e-4);
                ends.push(p.x);
            }
        }
        ends.sort_by(f32::total_cmp);
        let span = f64::from(ends[ends.len() - 1] - ends[0]);
        assert!((span - length).abs() < 1e-3, "{k}: {ends:?} for {length}");
    }
}

/// A cylinder that lies on a plane or on another along it rolls on its axis: two points of one manifold, with the radii of both.
#[test]
fn cylinders_roll_on_their_axes() {
    let long = of(Shape::Cylinder([0.1, 0.3]));
    let plane = Geometry::Plane { normal: Vec3::new(0.0, 1.0, 0.0) };
    let quarter = Quat::<f64>::exp(Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_4 * 2.0));
    let lying = Quat::<f32>::of(quarter.normalized().to_array());
    let other = of(Shape::Cylinder([0.2, 0.4]));
    for (b, height, turn, radius) in
        [(&plane, 0.099, Quat::identity(), 0.0), (&other, 0.299, lying, 0.2)]
    {
        let at = Relative::new((Vec3::new(0.05, height, 0.0), lying), (Vec3::zero(), turn));
        for (found, radii) in [
            (met(&long, b, &at, 0.02), [0.1, radius]),
            (met(b, &long, &at.reversed(), 0.02), [radius, 0.1]),
        ] {
            if let (Geometry::Plane { .. }, true) = (b, radii[1] == 0.1) {
                continue; // a plane is never the first
            }
            let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
            assert_eq!(m.count, 2);
            let off = [m.radii[0] - radii[0], m.radii[1] - radii[1]];
            assert!(off.iter().all(|off| off.abs() < 1e-5), "{:?} for {radii:?}", m.radii);
        }
    }
}
