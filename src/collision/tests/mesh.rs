//! Contacts with triangles, by a look at every one.

use super::super::asked_mesh::AskedMesh;
use super::super::{ColliderMesh, closest_point};
use crate::math::Vec3;

type Point = Vec3<f64>;

/// Triangles of any size anywhere in a cube.
fn soup(rng: &mut fastrand::Rng) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    for _ in 0..80 {
        let at = [0; 3].map(|_| rng.f64() * 2.0 - 1.0);
        let size = 0.02 + 1.5 * rng.f64() * rng.f64();
        points.extend([0; 3].map(|_| at.map(|v| v + (rng.f64() - 0.5) * size)));
    }
    (points, (0..80).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect())
}

/// Where a path first goes through a triangle: its parameter, by the volumes of tetrahedra.
fn first_crossing(faces: &[[Point; 3]], y0: Point, y1: Point) -> Option<f64> {
    let volume = |a: Point, b: Point, c: Point, d: Point| (b - a).cross(c - a).dot(d - a);
    let crossing = |&[a, b, c]: &[Point; 3]| {
        let [above, below] = [y0, y1].map(|y| volume(a, b, c, y));
        let sides = [[a, b], [b, c], [c, a]].map(|[p, q]| volume(y0, y1, p, q) > 0.0);
        let goes_through = (above > 0.0) != (below > 0.0) && sides == [sides[0]; 3];
        goes_through.then(|| above / (above - below))
    };
    faces.iter().filter_map(crossing).min_by(f64::total_cmp)
}

#[test]
fn contacts_are_with_the_first_or_the_nearest_triangle() {
    let mut rng = fastrand::Rng::with_seed(3);
    let (mut crossed, mut near, mut apart) = (0, 0, 0);
    for round in 0..40 {
        let (points, triangles) = soup(&mut rng);
        let mesh = ColliderMesh::new(&points, &triangles).expect("sound");
        let faces: Vec<[Point; 3]> = mesh.faces().collect();
        let mut asked = AskedMesh::new(&mesh);
        for _ in 0..100 {
            let y0: Point = Vec3::from([0; 3].map(|_| rng.f64() * 3.0 - 1.5));
            let way = [0.0, 0.1, 4.0][round % 3];
            let y1 = y0 + Vec3::from([0; 3].map(|_| (rng.f64() - 0.5) * way));
            let (r, margin) = (0.05, 0.1);
            let (point, normal) = AskedMesh::new(&mesh).contact(y0, y1, r, margin);
            let on = point - normal * r;
            // What was asked before changes no answer.
            let again = asked.contact(y0, y1, r, margin);
            assert_eq!([again.0, again.1].map(Vec3::to_array), [point, normal].map(Vec3::to_array));
            if let Some(at) = first_crossing(&faces, y0, y1) {
                crossed += 1;
                assert!((on - (y0 + (y1 - y0) * at)).length() < 1e-9, "{at}");
                continue;
            }
            let distances = faces.iter().map(|face| (y1 - closest_point(y1, *face).0).length());
            let nearest = distances.fold(f64::INFINITY, f64::min);
            if nearest < r + margin + (y1 - y0).length() {
                near += 1;
                assert!((on - y1).length() - nearest < 1e-12, "{nearest}");
                assert!(((y1 - on).dot(normal) - nearest).abs() < 1e-12, "{nearest}");
            } else {
                apart += 1;
                assert_eq!(normal.length(), 0.0);
            }
        }
    }
    assert!(crossed > 50 && near > 500 && apart > 100, "{crossed} {near} {apart}");
}

/// In the corner of a room a ball meets floor and walls; on a floor of many triangles, flat or with a wall beside it, one of them alone, as
/// an edge between two would stop what slides.
#[test]
fn in_a_corner_each_face_is_met() {
    let mut rng = fastrand::Rng::with_seed(11);
    let n = 8;
    let grid = |u: [f64; 3], v: [f64; 3], points: &mut Vec<[f64; 3]>, faces: &mut Vec<[u32; 3]>| {
        let first = points.len() as u32;
        let at = |i: usize, j: usize| first + (i * (n + 1) + j) as u32;
        for i in 0..=n {
            for j in 0..=n {
                let (s, t) = (i as f64 / n as f64, j as f64 / n as f64);
                points.push([0, 1, 2].map(|k| u[k] * s + v[k] * t));
            }
        }
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    };
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for (u, v) in [(x, y), (y, z), (z, x)] {
        grid(u, v, &mut points, &mut faces);
    }
    let mesh = ColliderMesh::new(&points, &faces).expect("sound");
    let (r, margin) = (0.05, 0.02);
    for _ in 0..500 {
        // Over the floor, over floor and wall, in the corner; each perhaps too deep, as if it came from r away.
        let walls = 1 + rng.usize(..3);
        let place = |k: usize, depth: f64| if k < walls { depth } else { 0.2 + 0.3 * (k as f64) };
        let depths = [0; 3].map(|_| 0.03 + 0.03 * rng.f64());
        let y0 = Vec3::from([0, 1, 2].map(|k| place(k, r) + 1e-3 * depths[k]));
        let y1 = Vec3::from([0, 1, 2].map(|k| place(k, depths[k])));
        let met = AskedMesh::new(&mesh).contacts(y0, y1, r, margin);
        let count = met.iter().filter(|(_, normal)| normal.length() > 0.0).count();
        assert_eq!(count, walls, "{y1:?}: {met:?}");
        for (k, axis) in [x, y, z].into_iter().take(walls).enumerate() {
            let of_wall = met.iter().filter(|(_, normal)| normal.dot(Vec3::from(axis)) > 0.999);
            let heights: Vec<f64> = of_wall.map(|(point, _)| point.to_array()[k]).collect();
            assert!(heights.len() == 1 && (heights[0] - r).abs() < 1e-12, "{heights:?}");
        }
    }
}
