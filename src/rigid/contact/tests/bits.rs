//! Stored bits of the narrow phase: each shape beside each other one in many poses, and their surfaces and sizes by themselves.

use super::super::collide::collide;
use super::super::geometry::Geometry;
use super::super::hull::Hull;
use super::super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::super::workspace::Workspace;
use super::capsule::of;
use super::collide::mesh;
use super::solids::pebble;
use crate::collision::Collider;
use crate::math::{F32x8, Quat, Real, Vec3, each_lane, pack, unpack};
use crate::state::{Part, Shape};
use crate::tests::bits::{Bits, check};
use crate::tests::models::Random;
use std::sync::Arc;

/// Half a right angle's half, as sine and cosine: an eighth of a turn.
const EIGHTH: [f64; 2] = [0.382_683_432_365_089_8, 0.923_879_532_511_286_7];
const QUARTER: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// The sizes that shapes are tried in, and how many poses there are of each.
const SIZES: [(f64, usize); 3] = [(1.0, 90), (0.02, 30), (40.0, 30)];

fn part(shape: Shape, position: [f64; 3], orientation: [f64; 4]) -> Part {
    Part { shape, position, orientation }
}

fn whole(s: f64) -> Shape {
    let side = [QUARTER, 0.0, 0.0, QUARTER];
    let up = [0.0, 0.0, 0.0, 1.0];
    Shape::Compound(Arc::new(vec![
        part(Shape::Box([0.3 * s, 0.05 * s, 0.2 * s]), [0.0; 3], up),
        part(Shape::Capsule([0.05 * s, 0.1 * s]), [-0.2 * s, -0.15 * s, 0.1 * s], up),
        part(Shape::Cone([0.1 * s, 0.1 * s]), [0.2 * s, 0.1 * s, 0.0], side),
        part(Shape::Sphere(0.08 * s), [0.1 * s, 0.2 * s, -0.1 * s], up),
    ]))
}

/// What bodies are.
fn movers(s: f64) -> Vec<(&'static str, Geometry)> {
    let lean = |i: u32| {
        let side = |k: u32, h: f64| if i >> k & 1 == 0 { h } else { -h };
        [side(0, 0.3) + side(1, 0.1), side(1, 0.2), side(2, 0.2)].map(|v| (v * s) as f32)
    };
    let lean = ((0..8).map(lean).collect(), Vec::new());
    let lean = Hull::of_mesh(&lean, Quat::identity()).expect("a hull");
    vec![
        ("sphere", of(Shape::Sphere(0.25 * s))),
        ("capsule", of(Shape::Capsule([0.1 * s, 0.3 * s]))),
        ("needle", of(Shape::Capsule([0.01 * s, 0.5 * s]))),
        ("box", of(Shape::Box([0.3 * s, 0.2 * s, 0.25 * s]))),
        ("plate", of(Shape::Box([0.5 * s, 0.01 * s, 0.3 * s]))),
        ("cylinder", of(Shape::Cylinder([0.2 * s, 0.3 * s]))),
        ("disc", of(Shape::Cylinder([0.4 * s, 0.02 * s]))),
        ("cone", of(Shape::Cone([0.25 * s, 0.2 * s]))),
        ("pebble", pebble(5, 14, [0.02 * s, 0.01 * s, -0.03 * s], s).geometry()),
        ("lean", Geometry::Hull(Arc::new(lean))),
        ("whole", of(whole(s))),
    ]
}

fn height(i: u32, j: u32) -> f64 {
    // Flat in parts, hilly in others.
    if i < 2 { 0.0 } else { 0.06 * f64::from((i * 5 + j * 3) % 4) }
}

/// What only colliders are.
fn grounds(s: f64) -> Vec<(&'static str, Geometry)> {
    let (up, zero) = ([0.0, 0.0, 0.0, 1.0], [0.0; 3]);
    let rows = (0..5).map(|j| (0..6).map(|i| height(i, j) * s).collect());
    let rows: Vec<Vec<f64>> = rows.collect();
    let tilted = [0.36 * s, 0.48 * s, 0.8 * s];
    let collider = |made: Result<Collider, _>| Geometry::of_collider(&made.expect("a collider"));
    let tip = [[0.0, 0.3, 0.0], [-0.4, 0.0, -0.3], [-0.3, 0.0, 0.5], [0.5, 0.0, 0.1]];
    let tip = tip.map(|p: [f64; 3]| p.map(|v| v * s));
    let open = mesh(&tip, &[[0, 1, 2], [0, 2, 3], [0, 3, 1]]);
    // A ridge whose two slopes have corners of their own; zeros of either sign are one place.
    let slopes = [(0.5, 0.0), (-0.5, -0.0)].map(|(x, zero)| {
        let ridge = [[zero, 0.2, -0.4], [zero, 0.2, 0.4], [x, zero, -0.4], [x, zero, 0.4]];
        ridge.map(|p: [f64; 3]| p.map(|v| v * s))
    });
    let split = mesh(slopes.as_flattened(), &[[0, 1, 2], [2, 1, 3], [5, 4, 6], [5, 6, 7]]);
    vec![
        ("plane", collider(Collider::plane(zero, [0.0, 1.0, 0.0]))),
        ("slope", collider(Collider::plane(zero, [0.36, 0.8, 0.48]))),
        ("field", collider(Collider::height_field(zero, [0.3 * s, 0.4 * s], &rows))),
        ("tip", Geometry::Mesh(Arc::new(open))),
        ("stones", pebble(3, 10, [0.0; 3], 1.2 * s).surface()),
        ("post", collider(Collider::cuboid(zero, [0.1 * s, 0.5 * s, 0.1 * s], up))),
        ("pipe", collider(Collider::cylinder(zero, tilted, 0.2 * s))),
        ("rod", collider(Collider::capsule(zero, tilted, 0.1 * s))),
        ("spike", collider(Collider::cone(zero, tilted, 0.3 * s))),
        ("split", Geometry::Mesh(Arc::new(split))),
    ]
}

/// A turn: none, quarters and eighths of one, on a corner, anyhow; each alone or off by a little.
fn turn(random: &mut Random) -> Quat<f64> {
    let [s, c] = EIGHTH;
    let exact = [
        [0.0, 0.0, 0.0, 1.0],
        [QUARTER, 0.0, 0.0, QUARTER],
        [0.0, QUARTER, 0.0, QUARTER],
        [0.0, 0.0, QUARTER, QUARTER],
        [1.0, 0.0, 0.0, 0.0],
        [s, 0.0, 0.0, c],
        [0.0, s, 0.0, c],
        [0.0, 0.0, s, c],
        [0.325, 0.0, -0.325, 0.888],
    ];
    let off = random.pick(&[0.0, 0.0, 1e-4, 0.003, 0.03, 0.06, 0.3, 3.0]);
    let spin = if random.one_in(3) { random.within(-3.0, 3.0) } else { 0.0 };
    let by = Quat::exp(Vec3::of(random.point()) * off) * Quat::exp(Vec3::new(0.0, spin, 0.0));
    (by * Quat::of(random.pick(&exact))).normalized()
}

/// A place of b beside a: boxes around them touch along an axis of one of them, or overlap, and are shifted across it.
fn place(random: &mut Random, [a, b]: [&Geometry; 2], size: f64) -> Relative {
    let q = Quat::of(turn(random).to_array());
    let seen_by_b = !matches!(b, Geometry::Capsule { .. }) && !random.one_in(3);
    let is_ground = matches!(b, Geometry::Plane { .. } | Geometry::Mesh(_));
    let (first, second) = if seen_by_b || is_ground { (b, a) } else { (a, b) };
    let [p, r] = [first.extent(Quat::identity()), second.extent(q)].map(|v| v.to_array());
    let axis = if is_ground { 1 } else { random.below(3) };
    let side = if is_ground || random.one_in(2) { 1.0 } else { -1.0 };
    let apart = random.pick(&[-0.3, -0.1, -0.05, -0.02, -0.005, 0.0, 0.004, 0.015]) * size;
    let mut center = [0.0; 3];
    for k in 0..3 {
        let (p, r) = (f64::from(p[k]), f64::from(r[k]));
        center[k] = match random.below(6) {
            _ if k == axis => side * (p + r + apart),
            0 => 0.0,
            1 => p - r,
            2 => random.pick(&[-1.0, 1.0]) * (p + r - 0.01 * size),
            _ => random.within(-0.8, 0.8) * (p + 0.5 * r),
        };
    }
    let of_second = Relative { center: Vec3::of(center), turn: q };
    if std::ptr::eq(first, a) { of_second } else { of_second.reversed() }
}

fn add(bits: &mut Bits, m: &Manifold) {
    bits.add(
        u64::from(m.part) << 8 | (m.count as u64) << 1 | u64::from(m.reference == ReferenceBody::A),
    );
    bits.add_point(m.normal);
    bits.add_all(&m.radii);
    for point in &m.points[..m.count] {
        point.anchors.iter().for_each(|p| bits.add_point(*p));
    }
    if let Some(base) = m.base {
        bits.add_point(base.center);
        bits.add_turn(base.turn);
    }
}

/// A shape beside all others; what each of these comes to, by name, and how often they touched.
fn beside_all(i: usize, found: &mut Vec<(String, Bits)>) {
    let mut random = Random(i as u64 + 1);
    let all = SIZES.map(|(s, poses)| (movers(s), grounds(s), s, poses));
    let (mut room, mut out) = (Workspace::default(), Vec::new());
    for j in 0..all[0].0.len() + all[0].1.len() {
        let (mut bits, mut touched) = (Bits::new(), 0);
        for (movers, grounds, s, poses) in &all {
            let (a, b) = (&movers[i].1, &movers.iter().chain(grounds).nth(j).expect("a shape").1);
            for _ in 0..*poses {
                let mut at = place(&mut random, [a, b], *s);
                // Closer, until they touch.
                for _ in 0..5 {
                    out.clear();
                    collide(a, b, &at, (0.02 * *s as f32, None), &mut room, &mut out);
                    if !out.is_empty() {
                        break;
                    }
                    at.center = at.center * 0.85;
                }
                out.iter().for_each(|m| add(&mut bits, m));
                touched += usize::from(!out.is_empty());
            }
        }
        let [a, b] = [i, j].map(|k| all[0].0.iter().chain(&all[0].1).nth(k).expect("a shape").0);
        assert!(touched > 40, "{a} on {b}: {touched}");
        found.push((format!("{a}-{b}"), bits));
    }
}

fn pairs(group: &str, which: std::ops::Range<usize>) {
    let mut found = Vec::new();
    which.for_each(|i| beside_all(i, &mut found));
    check(group, &found);
}

#[test]
fn round_pairs() {
    pairs("round-pairs", 0..3);
}

#[test]
fn box_pairs() {
    pairs("box-pairs", 3..5);
}

#[test]
fn frustum_pairs() {
    pairs("frustum-pairs", 5..8);
}

#[test]
fn hull_pairs() {
    pairs("hull-pairs", 8..10);
}

#[test]
fn whole_pairs() {
    pairs("whole-pairs", 10..11);
}

/// Points on, in and around a shape, some on its axes and planes.
fn points(random: &mut Random, reach: f64) -> Vec<Point> {
    let mut one = || {
        let p = random.point().map(|v| v * random.pick(&[0.3, 1.0, 1.5]) * reach);
        let p = p.map(|v| if random.one_in(5) { 0.0 } else { v });
        Vec3::of(p)
    };
    (0..64).map(|_| one()).collect()
}

/// How far the shapes are from points, how far they reach, and what hulls are made of.
#[test]
fn surfaces() {
    let mut found = Vec::new();
    for (s, _) in SIZES {
        let mut random = Random(77);
        for (name, geometry) in movers(s).into_iter().chain(grounds(s)) {
            let mut bits = Bits::new();
            bits.add_all(&[geometry.reach()]);
            for _ in 0..12 {
                bits.add_point(geometry.extent(Quat::of(turn(&mut random).to_array())));
            }
            let points = points(&mut random, 0.5 * s);
            for (k, y) in points.iter().enumerate() {
                let within = [f32::INFINITY, 0.1 * s as f32][k % 2];
                if let Some((d, n, r)) = geometry.surface(*y, within) {
                    bits.add_all(&[d, r]);
                    bits.add_point(n);
                }
            }
            for eight in points.chunks(8) {
                let axis = |k: usize| pack(each_lane(|lane| eight[lane].to_array()[k]));
                let y = Vec3::new(axis(0), axis(1), axis(2));
                if let Some((d, n)) = geometry.surface8(y, F32x8::of(0.1 * s)) {
                    let d = unpack(d);
                    let near = (0..8).filter(|k| d[*k] < 0.1 * s as f32);
                    let n = n.to_array().map(unpack);
                    near.for_each(|k| bits.add_all(&[d[k], n[0][k], n[1][k], n[2][k]]));
                }
            }
            if let Some(hull) = geometry.hull() {
                add_hull(&mut bits, hull);
            }
            found.push((format!("{name}-{s}"), bits));
        }
    }
    check("surfaces", &found);
}

fn add_hull(bits: &mut Bits, hull: &Hull) {
    hull.points.iter().for_each(|p| bits.add_point(*p));
    for face in &hull.faces {
        bits.add_point(face.normal);
        bits.add_all(&[face.offset]);
        face.corners.iter().for_each(|i| bits.add(u64::from(*i)));
    }
    hull.edges.as_flattened().iter().for_each(|i| bits.add(u64::from(*i)));
    bits.add_point(hull.middle);
    bits.add_point(hull.half);
    bits.add_all(&[hull.reach, hull.thin]);
}
