//! Pairs of shapes whose contact is known, and the same seen from the other side and of another size.

use super::super::geometry::Geometry;
use super::super::hull::Hull;
use super::super::manifold::{Point, ReferenceBody, Relative};
use super::super::mesh::ContactMesh;
use super::capsule::{met, of, seen};
use crate::collision::ColliderMesh;
use crate::math::{Quat, UPRIGHT, Vec3};
use crate::state::{BOX_FACES, Part, Shape, box_corner};
use crate::tests::models::Random;
use std::sync::Arc;

fn upright(center: [f64; 3]) -> Relative {
    Relative { center: Vec3::of(center), turn: Quat::identity() }
}

/// A ball and a box above the smaller ball of a dumbbell touch that one alone, whichever of the two is called the first.
#[test]
fn a_whole_is_met_from_both_sides() {
    let ball =
        |r, x| Part { shape: Shape::Sphere(r), position: [x, 0.0, 0.0], orientation: UPRIGHT };
    let bell = of(Shape::Compound(Arc::new(vec![ball(0.1, -0.3), ball(0.05, 0.3)])));
    // Of masses 8 to 1 the center lies a ninth of the way from the larger to the smaller.
    let x = 0.6 * 8.0 / 9.0;
    for thing in [of(Shape::Sphere(0.1)), of(Shape::Box([0.1; 3]))] {
        // The thing stands 1 cm deep in the ball.
        let at = upright([-x, -0.14, 0.0]);
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

/// A square pyramid whose tip is 0.2 above its base, of half size 0.5, all times `size`; the tip is the k-th corner from the last.
fn pyramid(size: f64, k: usize) -> Geometry {
    let points =
        [[0.0, 0.2, 0.0], [-0.5, 0.0, -0.5], [-0.5, 0.0, 0.5], [0.5, 0.0, 0.5], [0.5, 0.0, -0.5]];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    let triangles = triangles.map(|t: [u32; 3]| [0, 1, 2].map(|i| t[(i + k) % 3]));
    Geometry::Mesh(Arc::new(mesh(&points.map(|p| p.map(|v| size * v)), &triangles)))
}

/// The tip of a pyramid under the middle of a box is one point, with the box's normal; of any size.
#[test]
fn a_tip_holds_a_box_under_its_face() {
    for (size, k) in [(0.01, 0), (1.0, 0), (1.0, 1), (1.0, 2), (100.0, 0)] {
        let thing = of(Shape::Box([0.3 * size; 3]));
        // Its face is 1 % below the tip, which stands off its middle.
        let at = upright([0.1 * size, -(0.3 + 0.19) * size, 0.05 * size]);
        let found = met(&thing, &pyramid(size, k), &at, 0.02 * size as f32);
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

/// The hull of a box whose frame begins so far off its middle.
fn hull_off(half: [f64; 3], middle: [f64; 3]) -> Geometry {
    let corner = |i| {
        let corner = box_corner(half.map(|h| h as f32), i);
        [0, 1, 2].map(|k| corner[k] + middle[k] as f32)
    };
    let quads = BOX_FACES.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]);
    let surface = ((0..8).map(corner).collect(), quads.collect());
    Geometry::Hull(Arc::new(Hull::of_mesh(&surface, Quat::identity()).expect("a hull")))
}

/// Two boxes that stand on edges at right angles touch where these cross: a point on either, one right above the other; as boxes
/// and as hulls, wherever the frames of these begin, and of any size.
#[test]
fn crossing_edges_touch_where_they_cross() {
    let (half, other) = ([1.0, 0.1, 0.1], [0.1, 0.1, 0.8]);
    let eighth = std::f64::consts::FRAC_PI_4;
    let turned = |v: [f64; 3]| Quat::<f64>::exp(Vec3::of(v)).normalized();
    let edge = 0.1 * std::f64::consts::SQRT_2;
    let near =
        |p: Vec3<f64>, q: [f64; 3], size: f64| (p - Vec3::of(q) * size).length() < 2e-5 * size;
    for (size, is_hull, off) in [
        (1.0, false, 0.0),
        (0.01, true, 0.0),
        (1.0, true, 0.0),
        (1.0, true, 3.0),
        (1.0, true, -3.0),
        (100.0, true, 0.0),
    ] {
        // The first lies along x, the second along z above it, 1 % too low.
        let low = ([0.0; 3], turned([eighth, 0.0, 0.0]), [0.4 * off, off, -off]);
        let high = ([0.3, 2.0 * edge - 0.01, 0.2], turned([0.0, 0.0, eighth]), [off, 0.0, off]);
        let place = |(center, q, middle): ([f64; 3], Quat<f64>, [f64; 3])| {
            let x = (Vec3::of(center) - q.rotate(Vec3::of(middle))) * size;
            (Vec3::<f32>::of(x.to_array()), Quat::<f32>::of(q.to_array()))
        };
        let (one, two) = (place(low), place(high));
        let shape = |half: [f64; 3], middle: [f64; 3]| match is_hull {
            true => hull_off(half.map(|h| h * size), middle.map(|m| m * size)),
            false => of(Shape::Box(half.map(|h| h * size))),
        };
        let at = Relative::new(one, two);
        let found = met(&shape(half, low.2), &shape(other, high.2), &at, 0.02 * size as f32);
        let [m] = &found[..] else { panic!("{size}, {off}: {} manifolds", found.len()) };
        let (normal, _) = seen(m, &at);
        assert!((one.1.rotate(normal) - Vec3::new(0.0, -1.0, 0.0)).length() < 1e-5);
        assert_eq!(m.count, 1);
        let wide = |(x, q): (Point, Quat<f32>), p: Point| {
            let p = x + q.rotate(p);
            Vec3::<f64>::of(p.to_array().map(f64::from))
        };
        let [p, q] = m.points[0].anchors;
        let (p, q) = (wide(one, p), wide(two, q));
        assert!(near(p, [0.3, edge, 0.0], size), "{size}, {off}: {p:?}");
        assert!(near(q, [0.3, edge - 0.01, 0.0], size), "{size}, {off}: {q:?}");
    }
}

/// Where the faces of two boxes part them alike, the first's goes before the second's.
#[test]
fn of_equal_faces_the_first_one_holds() {
    let half = [0.2; 3];
    for (a, b) in [
        (of(Shape::Box(half)), of(Shape::Box(half))),
        (hull_off(half, [0.0; 3]), hull_off(half, [0.0; 3])),
    ] {
        for height in [0.395, -0.395] {
            let found = met(&a, &b, &upright([0.05, height, 0.0]), 0.02);
            let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
            assert_eq!((m.reference, m.count), (ReferenceBody::A, 4));
        }
    }
}

/// A ball between two slopes touches both, each along its own normal.
#[test]
fn a_ball_in_a_valley_touches_both_slopes() {
    let points = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [2.0, 1.0, 0.0], [-2.0, 1.0, 0.0]];
    let valley = Geometry::Mesh(Arc::new(mesh(&points, &[[0, 1, 2], [1, 0, 3]])));
    // y = |x| / 2: a ball of r that touches both has its center at r sqrt(5) / 2.
    let [r, root] = [0.3, 5.0_f64.sqrt()];
    let at = upright([0.0, -(r * root / 2.0 - 0.01), 0.1]);
    let mut normals = Vec::new();
    for m in met(&of(Shape::Sphere(r)), &valley, &at, 0.02) {
        let (normal, points) = seen(&m, &at);
        let [(gap, _)] = points[..] else { panic!("{} points", points.len()) };
        assert!((f64::from(gap) + 0.01 * 2.0 / root).abs() < 1e-6, "{gap} m");
        assert!((f64::from(normal.y) - 2.0 / root).abs() < 1e-6, "{normal:?}");
        normals.push(normal.x);
    }
    normals.sort_by(f32::total_cmp);
    let near = |(n, sign): (&f32, f64)| (f64::from(*n) - sign / root).abs() < 1e-6;
    assert!(normals.len() == 2 && normals.iter().zip([-1.0, 1.0]).all(near), "{normals:?}");
}

/// A ridge along z from -1 to 1 with slopes of 45 degrees, that rises beyond both its ends; the corners of all triangles begin at
/// the k-th.
fn ridge(k: usize) -> Geometry {
    let points = [
        [0.0, 0.0, -1.0],
        [0.0, 0.0, 1.0],
        [2.0, -2.0, 0.0],
        [-2.0, -2.0, 0.0],
        [0.0, 1.0, 2.0],
        [0.0, 1.0, -2.0],
    ];
    let triangles = [[0, 1, 2], [1, 0, 3], [1, 4, 2], [4, 1, 3], [5, 0, 2], [0, 5, 3]];
    let from = |t: [u32; 3]| [0, 1, 2].map(|i| t[(i + k) % 3]);
    Geometry::Mesh(Arc::new(mesh(&points, &triangles.map(from))))
}

/// On a ridge a box lies along a line under its face, or stands where an edge of it crosses, whatever corner a triangle begins at.
#[test]
fn a_ridge_holds_a_box_along_a_line_or_at_a_crossing() {
    for k in 0..3 {
        let ground = ridge(k);
        let at = upright([-0.05, -(0.3 - 0.01), -0.1]);
        let found = met(&of(Shape::Box([0.3; 3])), &ground, &at, 0.02);
        let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
        let (normal, points) = seen(m, &at);
        assert!(normal.y > 1.0 - 1e-6, "{normal:?}");
        let mut ends: Vec<_> = points.iter().map(|(_, p)| (p.x + 0.05, p.z + 0.1)).collect();
        ends.sort_by(|p, q| p.1.total_cmp(&q.1));
        let near = |(p, q): (&(f32, f32), f32)| p.0.abs() < 1e-5 && (p.1 - q).abs() < 1e-5;
        assert!(ends.len() == 2 && ends.iter().zip([-0.2, 0.4]).all(near), "{k}: {ends:?}");
        assert!(points.iter().all(|(gap, _)| (gap + 0.01).abs() < 1e-5), "{points:?}");

        let turn = Quat::<f64>::exp(Vec3::new(std::f64::consts::FRAC_PI_4, 0.0, 0.0)).normalized();
        let height = 0.1 * std::f64::consts::SQRT_2 - 0.01;
        let body = (Vec3::of([0.1, height, 0.3]), Quat::of(turn.to_array()));
        let at = Relative::new(body, (Vec3::zero(), Quat::identity()));
        let found = met(&of(Shape::Box([0.5, 0.1, 0.1])), &ground, &at, 0.02);
        let [m] = &found[..] else { panic!("{} manifolds", found.len()) };
        let (normal, points) = seen(m, &at);
        let [(gap, p)] = points[..] else { panic!("{} points", points.len()) };
        let (up, p) = (body.1.rotate(normal), body.0 + body.1.rotate(p));
        assert!(up.y > 1.0 - 1e-6 && (gap + 0.01).abs() < 1e-5, "{k}: {up:?}, {gap} m");
        assert!((p - Vec3::new(0.0, -0.01, 0.3)).length() < 1e-5, "{k}: {p:?}");
    }
}

/// The upright box around a shape that is turned anyhow, by closed forms.
#[test]
fn extents_are_those_of_the_closed_forms() {
    let mut random = Random(71);
    let [r, h, s] = [0.4, 1.5, 0.9];
    for _ in 0..50 {
        let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 3.0).normalized();
        let rows = turn.columns();
        let part = |axis: usize, k: usize| rows[axis].to_array()[k].abs();
        // How far a disk across y reaches along the k-th axis.
        let disk = |k: usize| (1.0 - part(1, k) * part(1, k)).max(0.0).sqrt();
        type Along<'a> = &'a dyn Fn(usize) -> f64;
        let forms: [(Shape, Along); 5] = [
            (Shape::Box([r, h, s]), &|k| r * part(0, k) + h * part(1, k) + s * part(2, k)),
            (Shape::Sphere(r), &|_| r),
            (Shape::Capsule([r, h]), &|k| h * part(1, k) + r),
            (Shape::Cylinder([r, h]), &|k| h * part(1, k) + r * disk(k)),
            // Its center is a quarter of its height above its base.
            (Shape::Cone([r, h]), &|k| {
                (1.5 * h * part(1, k)).max(0.5 * h * part(1, k) + r * disk(k))
            }),
        ];
        for (shape, along) in forms {
            let found = of(shape.clone()).extent(Quat::of(turn.to_array())).to_array();
            for (k, found) in found.into_iter().enumerate() {
                let off = f64::from(found) - along(k);
                assert!(off.abs() < 1e-5, "{shape:?}, {k}: {off}");
            }
        }
    }
}
