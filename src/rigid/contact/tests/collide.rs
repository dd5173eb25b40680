//! Pairs of shapes whose contact is known, and the same seen from the other side and of another size.

use super::super::geometry::Geometry;
use super::super::manifold::{Point, Relative};
use super::super::mesh::ContactMesh;
use super::capsule::{met, of, seen};
use crate::collision::ColliderMesh;
use crate::math::{Quat, Vec3};
use crate::state::{Part, Shape};
use std::sync::Arc;

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn upright(center: [f64; 3]) -> Relative {
    Relative { center: Vec3::of(center), turn: Quat::identity() }
}

/// A ball and a box above one ball of a dumbbell touch that one alone, whichever of the two is called the first.
#[test]
fn a_whole_is_met_from_both_sides() {
    let ball =
        |x| Part { shape: Shape::Sphere(0.1), position: [x, 0.0, 0.0], orientation: UPRIGHT };
    let bell = of(Shape::Compound(Arc::new(vec![ball(-0.3), ball(0.3)])));
    for (thing, height) in [(of(Shape::Sphere(0.1)), 0.19), (of(Shape::Box([0.1; 3])), 0.19)] {
        // The thing stands 1 cm deep in the ball at x = 0.3.
        let at = upright([-0.3, -height, 0.0]);
        for (a, b, at, up) in [(&thing, &bell, at, 1.0), (&bell, &thing, at.reversed(), -1.0)] {
            let found = met(a, b, &at, 0.02);
            let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
            let (normal, points) = seen(m, &at);
            let [(gap, _)] = points[..] else { panic!("{} points", points.len()) };
            assert!((normal.y - up).abs() < 1e-6, "{normal:?}");
            assert!((gap + 0.01).abs() < 1e-6, "{gap} m");
        }
    }
}

/// A mesh whose triangles face up.
pub(super) fn mesh(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> ContactMesh {
    ContactMesh::new(&Arc::new(ColliderMesh::new(points, triangles).expect("a mesh")))
}

/// A square pyramid whose tip is 0.2 above its base, of half size 0.5, all times `size`.
fn pyramid(size: f64) -> Geometry {
    let points =
        [[0.0, 0.2, 0.0], [-0.5, 0.0, -0.5], [-0.5, 0.0, 0.5], [0.5, 0.0, 0.5], [0.5, 0.0, -0.5]];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    Geometry::Mesh(Arc::new(mesh(&points.map(|p| p.map(|v| size * v)), &triangles)))
}

/// The tip of a pyramid under the middle of a box is one point, with the box's normal; of any size.
#[test]
fn a_tip_holds_a_box_under_its_face() {
    for size in [0.01, 1.0, 100.0] {
        let thing = of(Shape::Box([0.3 * size; 3]));
        // Its face is 1 % below the tip, which stands off its middle.
        let at = upright([0.1 * size, -(0.3 + 0.19) * size, 0.05 * size]);
        let found = met(&thing, &pyramid(size), &at, 0.02 * size as f32);
        let [m] = &found[..] else { panic!("{size}: {} manifolds", found.len()) };
        let (normal, points) = seen(m, &at);
        let [(gap, p)] = points[..] else { panic!("{size}: {} points", points.len()) };
        assert!(normal.y > 1.0 - 1e-6, "{size}: {normal:?}");
        assert!((f64::from(gap) / size + 0.01).abs() < 1e-5, "{size}: {gap} m");
        let off = p - Vec3::of([0.1, -0.3, 0.05].map(|v| v * size));
        assert!(off.length() < 1e-4 * size as f32, "{size}: {p:?}");
    }
}

/// Nothing catches on the inner edges of what is flat: a box that tilts over a fine grid touches it along the grid's normal alone,
/// at its lowest edge, whatever the size.
#[test]
fn a_tilted_box_meets_a_flat_grid_as_a_plane() {
    const CELLS: u32 = 20;
    for size in [0.01, 1.0, 100.0] {
        let line = |i: u32| size * (0.1 * f64::from(i) - 1.0);
        let corner = |i: u32| [line(i % (CELLS + 1)), 0.0, line(i / (CELLS + 1))];
        let points: Vec<_> = (0..(CELLS + 1) * (CELLS + 1)).map(corner).collect();
        let mut triangles = Vec::new();
        for z in 0..CELLS {
            for x in 0..CELLS {
                let i = z * (CELLS + 1) + x;
                triangles.push([i, i + CELLS + 1, i + 1]);
                triangles.push([i + 1, i + CELLS + 1, i + CELLS + 2]);
            }
        }
        let ground = Geometry::Mesh(Arc::new(mesh(&points, &triangles)));
        let thing = of(Shape::Box([0.4 * size; 3]));
        for degrees in [1.0_f64, 4.0, 8.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turn = Quat::exp(Vec3::new(0.0, 0.0, degrees.to_radians())).normalized();
            // The lower edge 1 % deep.
            let height = (0.4 * (sin + cos) - 0.01) * size;
            let body: (Point, Quat<f32>) =
                (Vec3::of([0.03 * size, height, 0.02 * size]), Quat::of(turn.to_array()));
            let at = Relative::new(body, (Vec3::zero(), Quat::identity()));
            let found = met(&thing, &ground, &at, (0.05 * size) as f32);
            let mut deepest = f32::INFINITY;
            for m in &found {
                let (normal, points) = seen(m, &at);
                let up = body.1.rotate(normal);
                assert!(up.y > 1.0 - 1e-5, "{size}, {degrees} degrees: {up:?}");
                deepest = points.iter().fold(deepest, |d, (gap, _)| d.min(*gap));
            }
            assert!((f64::from(deepest) / size + 0.01).abs() < 1e-4, "{size}: {deepest} m");
        }
    }
}
