//! Hulls against closed forms, and those of meshes.

use super::super::hull::Hull;
use super::super::manifold::Point;
use crate::collision;
use crate::math::{F32x8, Quat, Real, Vec3, WIDTH, each_lane, pack, unpack};
use crate::mesh::{Exact, MOST_HULL_CORNERS, convex_hull};
use crate::state::{Body, Shape, Weight};
use crate::tests::models::Random;

/// A box as a hull is as far from anything as the closed form says, one point or eight at a time.
#[test]
fn a_hull_is_as_far_as_the_closed_form() {
    let mut random = Random(11);
    let half: Point = Vec3::new(0.3, 0.2, 0.5);
    let hull = Hull::of_box(half).expect("a hull");
    let half_size = half.to_array().map(f64::from);
    let shape = collision::Shape::Box { half_size };
    for _ in 0..200 {
        let mut points = [Vec3::zero(); WIDTH];
        points.fill_with(|| Vec3::of(random.point()));
        let axis = |k: usize| pack(each_lane(|lane| points[lane].to_array()[k]));
        let within = F32x8::of(0.4);
        let eight = hull.surface8(Vec3::new(axis(0), axis(1), axis(2)), within);
        let normals = eight.1.to_array().map(unpack);
        for (lane, y) in points.into_iter().enumerate() {
            let (expected, normal) = shape.surface::<f32>(y);
            let (d, n) = hull.surface(y, f32::INFINITY).expect("a distance");
            assert!((d - expected).abs() < 1e-6, "{y:?}: {d} for {expected}");
            assert!((n - normal).length() < 1e-5, "{y:?}: {n:?} for {normal:?}");
            let d8 = unpack(eight.0)[lane];
            if d < 0.4 && hull.surface(y, 0.4).is_some() {
                assert_eq!((d8, normals.map(|n| n[lane])), (d, n.to_array()));
            } else {
                assert!(d8 >= 0.4, "{d8} for {d}");
            }
        }
    }
}

/// A mesh keeps its corners, however its principal axes lie: each is on the hull.
#[test]
fn the_hull_of_a_mesh_holds_its_corners() {
    let mut random = Random(4);
    for _ in 0..20 {
        let corners: Vec<[f32; 3]> = (0..4).map(|_| random.point().map(|v| v as f32)).collect();
        let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let flipped = faces.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        let made = [faces.clone(), flipped].into_iter().find_map(|triangles| {
            let shape = Shape::Mesh(std::sync::Arc::new((corners.clone(), triangles)));
            Body::new(shape, Weight::Density(1.0), None).ok()
        });
        let body = made.expect("one of the two is wound outward");
        let Shape::Mesh(mesh) = &body.shape else {
            panic!("a mesh");
        };
        let hull = Hull::of_mesh(mesh, Quat::of(body.axes)).expect("a hull");
        assert_eq!((hull.points.len(), hull.faces.len(), hull.edges.len()), (4, 4, 6));
        let q = Quat::<f32>::of(body.axes);
        for corner in &mesh.0 {
            let (d, _) = hull.surface(q.unrotate(Vec3::from(*corner)), 1.0).expect("near");
            assert!(d.abs() < 1e-5, "a corner {d} m off its hull");
        }
    }
}

/// The shared meshes: how much of them their hulls leave out, and how long finding a hull and a contact takes.
#[test]
#[ignore = "needs ../shared: real meshes"]
fn hulls_of_the_shared_meshes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/meshes");
    for name in
        ["bunny_3k.obj", "bunny_10k.obj", "spot_lowres.obj", "sphere_642.obj", "pbd_torus.obj"]
    {
        let path = std::path::Path::new(folder).join(name);
        let mesh = crate::io::read_mesh(&path).expect("a mesh");
        let points: Vec<Exact> =
            mesh.positions.iter().map(|x| Vec3::of(x.map(f64::from))).collect();
        let whole = convex_hull(&points, usize::MAX).expect("a hull");
        let hull = convex_hull(&points, MOST_HULL_CORNERS).expect("a hull");
        let reach = points.iter().map(|p| (*p - points[0]).length()).fold(0.0, f64::max);
        let parts = hull.left_out / reach;
        println!(
            "{name}: {} of {} corners of {} points, left out {:.2} % of its size",
            hull.corners.len(),
            whole.corners.len(),
            points.len(),
            100.0 * parts
        );
        assert!(hull.corners.len() <= MOST_HULL_CORNERS && hull.corners.len() > 20);
        assert!(parts < 0.04, "{parts} of its size left out");
        assert!(whole.left_out <= 1e-5 * 2.0 * reach, "{}", whole.left_out);
    }
}
