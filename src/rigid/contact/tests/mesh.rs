//! Which parts of a mesh hold what lies along a normal, against angles that are known.

use super::super::geometry::Geometry;
use super::super::manifold::{Point, Relative};
use super::super::mesh::ContactMesh;
use super::capsule::{met, of, seen};
use super::collide::mesh;
use crate::collision::Feature;
use crate::math::{Quat, Vec3};
use crate::state::Shape;
use std::sync::Arc;

/// Two slopes that meet in a side along z and fall (or rise) from it at an angle.
fn roof(degrees: f64) -> ContactMesh {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let points = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [cos, -sin, 0.5], [-cos, -sin, 0.5]];
    mesh(&points, &[[0, 1, 2], [1, 0, 3]])
}

/// Upward, so many degrees from y to x.
fn towards(degrees: f64) -> Point {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vec3::of([sin, cos, 0.0])
}

/// A ridge holds what lies between the normals of its two sides, seen from either; what is flat or hollow holds nothing there.
#[test]
fn a_ridge_holds_between_its_normals() {
    let ridge = roof(30.0);
    for t in 0..2 {
        for degrees in [-28.0, 0.0, 28.0] {
            assert!(ridge.holds(t, Feature::Side(0), towards(degrees)), "{t}: {degrees}");
        }
        for degrees in [-32.0, 32.0, 80.0, -80.0] {
            assert!(!ridge.holds(t, Feature::Side(0), towards(degrees)), "{t}: {degrees}");
        }
    }
    // What bends by less than a degree is flat.
    for (degrees, stands) in [(0.4, false), (0.6, true)] {
        assert_eq!(roof(degrees).stands_out(0, Feature::Side(0)), stands, "{degrees}");
    }
    for degrees in [0.0, -30.0] {
        let hollow = roof(degrees);
        assert!((0..2).all(|t| !hollow.holds(t, Feature::Side(0), towards(0.0))), "{degrees}");
    }
}

/// Where a tile goes on flat beyond a border, without a corner in common or over a narrow crack, the border holds from above only;
/// where the next one lies lower, is turned or ends, it holds all.
#[test]
fn borders_of_tiles_hold_from_above() {
    let tiles = |gap: f64, drop: f64, length: f64| {
        let at = |x: f64, y: f64, z: f64| [x, y, z];
        let left = [at(-1.0, 0.0, -1.0), at(0.0, 0.0, -1.0), at(0.0, 0.0, 1.0), at(-1.0, 0.0, 1.0)];
        let right = [(gap, -1.0), (1.0, -1.0), (1.0, length), (gap, length)];
        let right = right.map(|(x, z)| at(x, -drop, z));
        let middle = [at(gap, -drop, 0.1)];
        let points = [&left[..], &right, &middle].concat();
        // The right tile has a corner in the midst of the common side.
        mesh(&points, &[[0, 2, 1], [0, 3, 2], [4, 8, 5], [8, 6, 5], [8, 7, 6]])
    };
    let (out, up) = (Vec3::of([1.0, 0.0, 0.0]), Vec3::of([0.0, 1.0, 0.0]));
    // The side of the left tile at x = 0, and its ends.
    let parts = [Feature::Side(1), Feature::Corner(1), Feature::Corner(2)];
    for (gap, drop, length, is_joined) in [
        (0.0, 0.0, 1.0, true),
        (0.01, 0.0, 1.0, true),
        (0.1, 0.0, 1.0, false),
        (0.0, 0.01, 1.0, false),
        (0.0, 0.0, 0.5, false),
    ] {
        let tiles = tiles(gap, drop, length);
        let case = format!("{gap} {drop} {length}");
        assert_eq!(!tiles.holds(0, parts[0], out), is_joined, "{case}");
        assert!(tiles.holds(0, parts[0], up), "{case}");
    }
}

/// A border has nothing beyond: it holds all that does not lie over its own triangle.
#[test]
fn a_border_holds_all_that_is_outside() {
    let ridge = roof(30.0);
    // The side from (0, 0, 1) to the eaves at x > 0; straight out along z.
    let out: Point = Vec3::of([0.0, 0.0, 1.0]);
    let up: Point = ridge.normals[0];
    assert!(up.x > 0.0 && up.y > 0.0);
    assert!(ridge.is_border(0, 1) && !ridge.is_border(0, 0));
    assert!(ridge.holds(0, Feature::Side(1), out));
    assert!(ridge.holds(0, Feature::Side(1), up));
    assert!(!ridge.holds(0, Feature::Side(1), -out));
}

/// The tip of a pyramid of slopes of 45 degrees holds what lies between its four normals; a corner of what is flat, nothing.
#[test]
fn a_tip_holds_between_its_normals() {
    let tip = |y: f64| {
        let points =
            [[0.0, y, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];
        mesh(&points, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]])
    };
    let high = tip(1.0);
    for t in 0..4 {
        for degrees in [-44.0, 0.0, 44.0] {
            assert!(high.holds(t, Feature::Corner(0), towards(degrees)), "{t}: {degrees}");
        }
        for degrees in [-46.0, 46.0] {
            assert!(!high.holds(t, Feature::Corner(0), towards(degrees)), "{t}: {degrees}");
        }
        // The sides between the slopes.
        assert!(high.stands_out(t, Feature::Side(0)) && high.stands_out(t, Feature::Face));
        let flat = tip(0.0);
        assert!(!flat.holds(t, Feature::Corner(0), towards(0.0)));
        assert!(!flat.stands_out(t, Feature::Side(0)) && flat.stands_out(t, Feature::Side(1)));
    }
}

/// Beyond a border a ball touches it from before and from beside, and from behind nothing.
#[test]
fn a_border_holds_nothing_from_behind() {
    let points = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [2.0, 0.0, 0.0]];
    let ground = Geometry::Mesh(Arc::new(mesh(&points, &[[0, 1, 2]])));
    let ball = of(Shape::Sphere(0.1));
    let core = Geometry::Capsule { half: Vec3::new(0.0, 0.0, 0.3), radius: 0.1 };
    for thing in [&ball, &core] {
        for (degrees, touches) in
            [(80.0_f64, true), (30.0, true), (2.0, true), (-2.0, false), (-60.0, false)]
        {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let x: Point = Vec3::of([-0.09 * cos, 0.09 * sin, 0.0]);
            let at = Relative::new((x, Quat::identity()), (Vec3::zero(), Quat::identity()));
            let found = met(thing, &ground, &at, 0.02);
            assert_eq!(!found.is_empty(), touches, "{degrees}");
            for m in found {
                let (normal, points) = seen(&m, &at);
                assert!((normal - x * (1.0 / 0.09)).length() < 1e-4, "{degrees}: {normal:?}");
                assert!(points.iter().all(|(gap, _)| (gap + 0.01).abs() < 1e-5));
            }
        }
    }
}

/// A ridge between two valleys, shallow or steep: a box lies along it under its face, and stands on it with an edge across.
#[test]
fn a_ridge_between_valleys_holds_a_box() {
    for slope in [0.1, 0.3, 1.0] {
        let line = |x: f64, y: f64| [[x, y, -3.0], [x, y, 3.0]];
        let rows = [line(-4.0, 0.0), line(-2.0, -2.0 * slope), line(0.0, 0.0)];
        let more = [line(2.0, -2.0 * slope), line(4.0, 0.0)];
        let points = [&rows[..], &more].concat().concat();
        let strip = |i: u32| [[2 * i, 2 * i + 1, 2 * i + 2], [2 * i + 1, 2 * i + 3, 2 * i + 2]];
        let triangles: Vec<_> = (0..4).flat_map(strip).collect();
        let ground = Geometry::Mesh(Arc::new(mesh(&points, &triangles)));
        let at = Relative { center: Vec3::of([0.01, -0.299, 0.02]), turn: Quat::identity() };
        let mut ends = Vec::new();
        for m in met(&of(Shape::Box([0.3; 3])), &ground, &at, 0.005) {
            let (normal, points) = seen(&m, &at);
            assert!(normal.y > 1.0 - 1e-5, "{slope}: {normal:?}");
            for (gap, p) in points.into_iter().filter(|(gap, _)| *gap < 0.0) {
                assert!(
                    (gap + 0.001).abs() < 1e-5 && (p.x - 0.01).abs() < 1e-4,
                    "{slope}: {gap} {p:?}"
                );
                ends.push(p.z);
            }
        }
        ends.sort_by(f32::total_cmp);
        assert!(ends.len() > 1 && (ends[0] + 0.3).abs() < 1e-4, "{slope}: {ends:?}");
        assert!((ends[ends.len() - 1] - 0.3).abs() < 1e-4, "{slope}: {ends:?}");

        let turn = Quat::<f64>::exp(Vec3::new(std::f64::consts::FRAC_PI_4, 0.0, 0.0)).normalized();
        let height = 0.1 * std::f64::consts::SQRT_2 - 0.001;
        let body: (Point, Quat<f32>) = (Vec3::of([0.02, height, 0.3]), Quat::of(turn.to_array()));
        let at = Relative::new(body, (Vec3::zero(), Quat::identity()));
        let found = met(&of(Shape::Box([0.5, 0.1, 0.1])), &ground, &at, 0.005);
        let [m] = &found[..] else { panic!("{slope}: {} manifolds", found.len()) };
        let (normal, points) = seen(m, &at);
        let [(gap, p)] = points[..] else { panic!("{} points", points.len()) };
        let (up, p) = (body.1.rotate(normal), body.0 + body.1.rotate(p));
        assert!(up.y > 1.0 - 1e-5 && (gap + 0.001).abs() < 1e-5, "{slope}: {up:?}, {gap} m");
        assert!((p - Vec3::new(0.0, -0.001, 0.3)).length() < 1e-4, "{slope}: {p:?}");
    }
}
