//! The shortest vector and the least reach of sets whose support is known, in closed form and of any size.

use super::super::epa::least_reach;
use super::super::gjk::shortest;
use crate::math::Vec3;
use crate::mesh::Exact;
use crate::tests::models::Random;

/// The corner of a box that lies farthest along d.
fn corner(center: Exact, half: Exact, d: Exact) -> Exact {
    let side = |d: f64, h: f64| if d < 0.0 { -h } else { h };
    center + Vec3::new(side(d.x, half.x), side(d.y, half.y), side(d.z, half.z))
}

/// A box about a point is as far from the origin as its slabs say, or holds it.
#[test]
fn the_shortest_vector_of_a_box_is_that_of_its_slabs() {
    let mut random = Random(83);
    let (mut apart, mut within) = (0, 0);
    for k in 0..600 {
        let size = [1e-3, 1.0, 1e3][k % 3];
        let half = Vec3::of([0.3, 0.5, 0.2].map(|h| h * size));
        let center: Exact = Vec3::of(random.point()) * size;
        let first: Exact = Vec3::of(random.point());
        let out = |c: f64, h: f64| c - c.clamp(-h, h);
        let expected =
            Vec3::new(out(center.x, half.x), out(center.y, half.y), out(center.z, half.z));
        match shortest(first, |d| corner(center, half, d)) {
            Some(v) => {
                assert!((v - expected).length() < 1e-7 * size, "{size}: {v:?} for {expected:?}");
                apart += 1;
            }
            None => {
                assert!(expected.length() < 1e-6 * size, "{size}: none for {expected:?}");
                within += 1;
            }
        }
    }
    assert!(apart > 300 && within > 20, "{apart} apart, {within} within");
}

/// A box that holds the origin reaches least far through its nearest side.
#[test]
fn a_box_reaches_least_far_through_its_nearest_side() {
    let mut random = Random(89);
    for k in 0..300 {
        let size = [1e-3, 1.0, 1e3][k % 3];
        let half = Vec3::of([0.3, 0.5, 0.2].map(|h| h * size));
        let [x, y, z] = random.point().map(|v| 0.95 * v);
        let center: Exact = Vec3::new(x * half.x, y * half.y, z * half.z);
        let depths = [half.x - center.x.abs(), half.y - center.y.abs(), half.z - center.z.abs()];
        let expected = depths.into_iter().fold(f64::INFINITY, f64::min);
        let found = least_reach(1e-6 * size, |d| corner(center, half, d)).expect("a direction");
        let reach = found.dot(corner(center, half, found));
        assert!((found.length() - 1.0).abs() < 1e-9);
        assert!((reach - expected).abs() < 3e-6 * size, "{size}: {reach} for {expected}");
    }
}
