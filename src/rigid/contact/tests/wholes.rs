//! Solids of several parts, and solids of many corners, against what their parts and corners do.

use super::super::geometry::Geometry;
use super::super::hull::Hull;
use super::super::manifold::{Manifold, Relative};
use super::capsule::{met, of, seen};
use super::collide::mesh;
use super::solids::{Parting, Solid, exact, pebble};
use crate::math::{Quat, Vec3};
use crate::mesh::Exact;
use crate::state::{Part, Shape};
use crate::tests::models::Random;
use std::sync::Arc;

fn least(found: &[Manifold], at: &Relative) -> f64 {
    let gaps = found.iter().flat_map(|m| seen(m, at).1).map(|(gap, _)| f64::from(gap));
    gaps.fold(f64::INFINITY, f64::min)
}

/// Two parts of one mass, on either side of the center and turned anyhow: a whole's frame is its parts' middle, its axes aside.
fn whole(random: &mut Random) -> (Geometry, Vec<(Solid, Exact, Quat<f64>)>) {
    let x: Exact = Vec3::of(random.point()) * 0.3;
    let sizes = [0.1, 0.2];
    let parts: Vec<Part> = [1.0, -1.0]
        .map(|sign| {
            let q = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0).normalized();
            Part {
                shape: Shape::Capsule(sizes),
                position: (x * sign).to_array(),
                orientation: q.to_array(),
            }
        })
        .into();
    let geometry = of(Shape::Compound(Arc::new(parts)));
    let Geometry::Compound(compound) = &geometry else { panic!("a compound") };
    let placed = compound.parts.iter().map(|part| {
        let q = Quat::of(part.q.to_array().map(f64::from));
        (Solid::Capsule(sizes), exact(part.x), q)
    });
    let placed = placed.collect();
    (geometry, placed)
}

/// A whole touches as deep as the deepest of its parts does, from either side; it reaches as far as they do, and fits in its box.
#[test]
fn a_whole_is_its_parts() {
    let mut random = Random(107);
    let mut parting = Parting::new(109);
    let mut touched = 0;
    for k in 0..40 {
        let (geometry, parts) = whole(&mut random);
        let other =
            if k % 2 == 0 { Solid::Box([0.2, 0.15, 0.25]) } else { Solid::Cone([0.2, 0.15]) };
        let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0).normalized();
        let center = Vec3::of(random.point()) * 0.6;
        // How the other is seen by each part.
        let gaps: Vec<f64> = parts
            .iter()
            .map(|(solid, x, q)| {
                let center: [f64; 3] = q.unrotate(center - *x).to_array();
                let turn = q.conjugate() * turn;
                let at = Relative { center: Vec3::of(center), turn: Quat::of(turn.to_array()) };
                parting.widest(solid, &other, &at).0
            })
            .collect();
        let least_gap = gaps.iter().copied().fold(f64::INFINITY, f64::min);
        let at = Relative { center: Vec3::of(center.to_array()), turn: Quat::of(turn.to_array()) };
        // A core within has no nearest point.
        if least_gap < -0.09 {
            continue;
        }
        let thing = other.geometry();
        let back = at.reversed();
        for found in [
            least(&met(&geometry, &thing, &at, 0.05), &at),
            least(&met(&thing, &geometry, &back, 0.05), &back),
        ] {
            match least_gap < 0.045 {
                true => assert!((found - least_gap).abs() < 4e-3, "{k}: {found} for {gaps:?}"),
                false => assert!(found > least_gap - 4e-3, "{k}: {found} for {gaps:?}"),
            }
        }
        touched += usize::from(least_gap < 0.045);
        let reach = parts.iter().map(|(_, x, _)| x.length() + 0.3).fold(0.0, f64::max);
        assert!((f64::from(geometry.reach()) - reach).abs() < 1e-5);
        let box_of = geometry.extent(Quat::identity()).to_array();
        for (axis, half) in box_of.into_iter().enumerate() {
            let unit: Exact = Vec3::of([0, 1, 2].map(|i| if i == axis { 1.0 } else { 0.0 }));
            let along = |sign: f64| {
                let d = unit * sign;
                let far = parts.iter().map(|(s, x, q)| d.dot(*x) + s.reach(q.unrotate(d)));
                far.fold(f64::MIN, f64::max)
            };
            let most = along(1.0).max(along(-1.0));
            assert!(
                f64::from(half) > most - 1e-5 && f64::from(half) < most + 1e-5,
                "{half} for {most}"
            );
        }
    }
    assert!(touched > 10, "{touched}");
}

/// A stone whose lowest face is a square of four corners, with four more 2 mm above and farther out.
fn stone() -> Geometry {
    let corner = |i: u32, half: f64, y: f64| {
        let side = |k: u32| if (i >> k) & 1 == 0 { half } else { -half };
        [side(0) as f32, y as f32, side(1) as f32]
    };
    let rows = [(0.1, -0.2), (0.3, -0.198), (0.2, 0.2)];
    let corners = rows.iter().flat_map(|(half, y)| (0..4).map(|i| corner(i, *half, *y)));
    let surface = (corners.collect(), Vec::new());
    Geometry::Hull(Arc::new(Hull::of_mesh(&surface, Quat::identity()).expect("a hull")))
}

/// What lies on its lowest corners is held by these, though others farther out are within reach: on a plane, a box, a hull and
/// triangles, and as the ground of a box.
#[test]
fn the_lowest_corners_hold() {
    let ground = [[-1.0, 0.2, -1.0], [-1.0, 0.2, 1.0], [1.0, 0.2, 1.0], [1.0, 0.2, -1.0]];
    let slab = |i: u32| {
        let side = |k: u32, h: f64| if (i >> k) & 1 == 0 { h } else { -h };
        [side(0, 1.0) as f32, side(1, 0.2) as f32, side(2, 1.0) as f32]
    };
    let slab = Hull::of_mesh(&((0..8).map(slab).collect(), Vec::new()), Quat::identity());
    let plane = Geometry::Plane { normal: Vec3::new(0.0, 1.0, 0.0) };
    let grounds = [
        (plane, 0.0),
        (of(Shape::Box([1.0, 0.2, 1.0])), 0.2),
        (Geometry::Hull(Arc::new(slab.expect("a hull"))), 0.2),
        (Geometry::Mesh(Arc::new(mesh(&ground, &[[0, 1, 2], [0, 2, 3]]))), 0.2),
    ];
    for (other, top) in grounds {
        let height = 0.2 + top - 0.001;
        let at = Relative { center: Vec3::of([0.03, -height, 0.02]), turn: Quat::identity() };
        let found = met(&stone(), &other, &at, 0.02);
        let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
        let (normal, points) = seen(m, &at);
        assert!(normal.y > 1.0 - 1e-6 && points.len() == 4, "{normal:?} {points:?}");
        for (gap, p) in points {
            assert!((gap + 0.001).abs() < 1e-5, "{gap} m");
            assert!((p.x.abs() - 0.1).abs() < 1e-5 && (p.z.abs() - 0.1).abs() < 1e-5, "{p:?}");
        }
    }
}

/// A box that turns flat on another, or on triangles, is held by four corners or ends of what the two share, which span it.
#[test]
fn four_points_span_what_lies_flat() {
    let (half, slab) = ([0.2, 0.1, 0.15], [0.22, 0.3, 0.12]);
    let corners = |i: u32| {
        let side = |k: u32| if (i >> k) & 1 == 0 { slab[k as usize] } else { -slab[k as usize] };
        Vec3::of([side(0), side(1), side(2)])
    };
    let ground = Solid::Hull((0..8).map(corners).collect());
    let thing = of(Shape::Box(half));
    for (k, other) in [of(Shape::Box(slab)), ground.geometry(), ground.surface()].iter().enumerate()
    {
        for step in 0..24 {
            let angle = 0.13 + f64::from(step) * 0.26;
            let turn = Quat::<f64>::exp(Vec3::new(0.0, angle, 0.0)).normalized();
            let at = Relative {
                center: Vec3::of([0.05, -0.399, -0.03]),
                turn: Quat::of(turn.to_array()),
            };
            // What both hold of a fine grid.
            let mut shared = Vec::new();
            for i in -40..=40 {
                for j in -40..=40 {
                    let p: Exact =
                        Vec3::new(0.2 * f64::from(i) / 40.0, -0.1, 0.15 * f64::from(j) / 40.0);
                    let q = turn.unrotate(p - exact(at.center));
                    if q.x.abs() <= slab[0] && q.z.abs() <= slab[2] {
                        shared.push(p);
                    }
                }
            }
            let area = shared.len() as f64 * (0.2 / 40.0) * (0.15 / 40.0);
            let found = met(&thing, other, &at, 0.02);
            let [m] = &found[..] else { panic!("{k}: {} manifolds", found.len()) };
            let (_, points) = seen(m, &at);
            assert_eq!(points.len(), 4, "{k} {angle}");
            let middle = points.iter().fold(Vec3::zero(), |sum, (_, p)| sum + exact(*p)) * 0.25;
            let mut around: Vec<Exact> = points.iter().map(|(_, p)| exact(*p) - middle).collect();
            around.sort_by(|p, q| p.z.atan2(p.x).total_cmp(&q.z.atan2(q.x)));
            let twice = |i: usize| {
                around[i].x * around[(i + 1) % 4].z - around[i].z * around[(i + 1) % 4].x
            };
            let spanned: f64 = (0..4).map(twice).sum::<f64>() / 2.0;
            // The largest four-sided part of what is convex is at least 2/pi of it (Sas 1939); ours need not be the largest.
            assert!(
                spanned > 0.55 * area && spanned < 1.06 * area,
                "{k} {angle}: {spanned} of {area}"
            );
            assert!(points.iter().all(|(gap, _)| (gap + 0.001).abs() < 1e-4));
        }
    }
}

/// A hull is a convex solid: what of it is thin, how far it reaches, its middle and its edges fit its corners.
#[test]
fn a_hull_knows_its_sizes() {
    for seed in 1..6 {
        let solid = pebble(seed, 16, [0.2, -0.3, 0.1], 1.0);
        let Geometry::Hull(hull) = solid.geometry() else { panic!("a hull") };
        let Solid::Hull(corners) = &solid else { panic!("a hull") };
        let reach = corners.iter().map(|p| p.length()).fold(0.0, f64::max);
        assert!((f64::from(hull.reach) - reach).abs() < 1e-6);
        assert!((-solid.off(exact(hull.middle)) - f64::from(hull.thin)).abs() < 1e-6);
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let d: Exact = Vec3::of(axis);
            let most = solid.reach(d).max(solid.reach(-d));
            assert!((exact(hull.half).dot(d) - most).abs() < 1e-6);
        }
        // Euler: corners and faces are two more than edges.
        assert_eq!(hull.points.len() + hull.faces.len(), hull.edges.len() + 2);
        for [i, j, f, g] in &hull.edges {
            for (face, corner) in [(f, i), (f, j), (g, i), (g, j)] {
                let face = &hull.faces[*face as usize];
                let height = face.normal.dot(hull.points[*corner as usize]) - face.offset;
                assert!(height.abs() < 1e-5, "{height}");
            }
        }
    }
}

/// What stands on a blunt tip is held on all sides of it, though it has a face on one of them only.
#[test]
fn a_blunt_tip_is_held_on_all_sides() {
    let tip = [[0.0, -0.2, 0.0], [0.2, -0.199, 0.2], [0.2, -0.199, -0.2], [-0.2, -0.199, -0.2]];
    let rest = [
        [-0.2, -0.199, 0.2],
        [0.1, 0.2, 0.1],
        [0.1, 0.2, -0.1],
        [-0.1, 0.2, -0.1],
        [-0.1, 0.2, 0.1],
    ];
    let moved = |by: f32| {
        let corners = tip.iter().chain(&rest).map(|p: &[f32; 3]| [p[0] + by, p[1], p[2] - by]);
        let surface = (corners.collect(), Vec::new());
        Geometry::Hull(Arc::new(Hull::of_mesh(&surface, Quat::identity()).expect("a hull")))
    };
    let slab = |by: f32| {
        let corner = |i: u32| {
            let side = |k: u32, h: f32| if (i >> k) & 1 == 0 { h } else { -h };
            [side(0, 1.0) + by, side(1, 0.2), side(2, 1.0) + by]
        };
        let surface = ((0..8).map(corner).collect(), Vec::new());
        Geometry::Hull(Arc::new(Hull::of_mesh(&surface, Quat::identity()).expect("a hull")))
    };
    for by in [0.0_f32, 3.0, -3.0] {
        // The tip is above the middle of the slab, wherever the frames of both begin.
        let at = Relative { center: Vec3::new(0.0, -0.395, -2.0 * by), turn: Quat::identity() };
        let found = met(&moved(by), &slab(by), &at, 0.02);
        let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
        let (normal, points) = seen(m, &at);
        assert!(normal.y > 0.9999, "{normal:?}");
        let sides: Vec<_> = points.iter().map(|(_, p)| (p.x - by, p.z + by)).collect();
        for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
            assert!(sides.iter().any(|p| p.0 * x + p.1 * z > 0.1), "{by}: {sides:?}");
        }
    }
}
