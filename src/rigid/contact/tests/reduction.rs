//! Which points of many are kept.

use super::super::manifold::{FoundPoint, Point};
use super::super::reduction::choose;
use crate::math::Vec3;

/// Where as many as four are as deep as the deepest and no line, those stay, of any size; where they lie on a line, what is less
/// deep comes in beside it.
#[test]
fn the_deepest_stay_and_others_only_beside_a_line() {
    for size in [0.01_f32, 1.0, 100.0] {
        let point = |x: f32, z: f32, gap: f32| -> FoundPoint {
            let p: Point = Vec3::new(x, 0.0, z) * size;
            ([p, p], gap * size)
        };
        let tight = 1e-3 * size;
        let far =
            [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(|(x, z)| point(x, z, 0.0));
        let deep = [(-0.2, -0.1), (-0.2, 0.1), (0.2, -0.1), (0.2, 0.1)];
        let kept = |deep: &[(f32, f32)]| {
            let deep = deep.iter().map(|(x, z)| point(*x, *z, -0.01));
            let mut points: Vec<_> = far.into_iter().chain(deep).collect();
            choose(&mut points, Vec3::new(0.0, 1.0, 0.0), tight);
            let mut gaps: Vec<f32> = points.iter().map(|p| p.1 / size).collect();
            gaps.sort_by(f32::total_cmp);
            gaps
        };
        assert_eq!(kept(&deep), [-0.01; 4], "{size}");
        // Both ends of a line, and one on either side of it.
        assert_eq!(
            kept(&[(-0.2, 0.0), (0.1, 0.0), (0.2, 0.0)]),
            [-0.01, -0.01, 0.0, 0.0],
            "{size}"
        );
    }
}
