//! Which parts of a mesh hold what lies along a normal, against angles that are known.

use super::super::manifold::Point;
use super::super::mesh::ContactMesh;
use super::collide::mesh;
use crate::collision::Feature;
use crate::math::Vec3;

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
    for degrees in [0.0, -30.0] {
        let hollow = roof(degrees);
        assert!((0..2).all(|t| !hollow.holds(t, Feature::Side(0), towards(0.0))), "{degrees}");
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
