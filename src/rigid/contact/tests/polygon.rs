//! Segments.

use super::super::manifold::Point;
use super::super::polygon::closest;
use crate::math::Vec3;
use crate::tests::models::Random;

/// Segments: the closest points against many points of both.
#[test]
fn closest_points_of_segments() {
    let mut random = Random(23);
    for _ in 0..200 {
        let [p, q] = [0, 1].map(|_| [0, 1].map(|_| Vec3::<f32>::of(random.point())));
        let [x, y] = closest(p, q);
        let found = (x - y).length();
        for i in 0..=40 {
            for j in 0..=40 {
                let at = |s: [Point; 2], k: i32| s[0] + (s[1] - s[0]) * (k as f32 / 40.0);
                assert!((at(p, i) - at(q, j)).length() >= found - 1e-5);
            }
        }
    }
}
