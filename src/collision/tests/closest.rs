//! Points closest to triangles.

use super::super::closest::{closest_point, distance};
use crate::math::Vec3;
use proptest::prelude::*;

fn point() -> impl Strategy<Value = Vec3<f64>> {
    prop::array::uniform3(-1.0..1.0_f64).prop_map(Vec3::of)
}

proptest! {
    /// Two ways to one number: regions of the plane, and plane or nearest side.
    #[test]
    fn distance_is_that_of_the_closest_point(p in point(), t in [point(), point(), point()]) {
        let (closest, _) = closest_point(p, t);
        let (found, _) = distance(p, t);
        prop_assert!((found - (p - closest).length()).abs() < 1e-3 * (1.0 + found));
    }
}
