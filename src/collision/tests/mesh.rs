//! Contacts with triangles, by a look at every one.

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
        let mut asked = mesh.asked();
        for _ in 0..100 {
            let y0: Point = Vec3::from([0; 3].map(|_| rng.f64() * 3.0 - 1.5));
            let way = [0.0, 0.1, 4.0][round % 3];
            let y1 = y0 + Vec3::from([0; 3].map(|_| (rng.f64() - 0.5) * way));
            let (r, margin) = (0.05, 0.1);
            let (point, normal) = mesh.contact(y0, y1, r, margin);
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
