//! Walls of a fluid: plane colliders that do not move. It sees itself in them ([`mirrors`](super::mirrors)).

use super::kernel::Numbers;
use super::shape::beyond_wall;
use crate::math::{Real, Vec3};

/// A wall, in the numbers of a method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall<R> {
    pub(super) point: Vec3<R>,
    pub(super) normal: Vec3<R>,
}

impl<R: Real> Wall<R> {
    /// How far `x` is from it (m).
    #[inline(always)]
    pub(super) fn depth(&self, x: Vec3<R>) -> R {
        (x - self.point).dot(self.normal)
    }
}

/// The cosine of the angle between the normals of planes that face alike.
const ALIKE: f64 = 0.9999;

/// The model's walls: plane colliders that do not move, but those behind another that faces alike.
pub(super) fn walls<R: Real>(planes: &[[[f64; 3]; 2]]) -> Vec<Wall<R>> {
    let planes: Vec<_> = planes.iter().map(|plane| plane.map(Vec3::from)).collect();
    let is_behind = |i: usize, j: usize| {
        let ([p, n], [q, m]) = (planes[i], planes[j]);
        let ahead = (q - p).dot(n);
        n.dot(m) > ALIKE && (ahead > 0.0 || ahead == 0.0 && j < i)
    };
    let last = planes.len();
    let seen = (0..last).filter(|&i| !(0..last).any(|j| j != i && is_behind(i, j)));
    let wall = |i: usize| {
        let [point, normal] = planes[i].map(|v: Vec3<f64>| Vec3::of(v.to_array()));
        Wall { point, normal }
    };
    seen.map(wall).collect()
}

/// What walls take in a sweep from the velocity `v` along them: what lies beyond moves the opposite way, the faster the further it is
/// from the wall, so that nothing moves at it.
#[inline(always)]
pub(super) fn drag<R: Real>(
    walls: &[Wall<R>],
    numbers: &Numbers<R>,
    [x, v]: [Vec3<R>; 2],
    strength: R,
) -> Vec3<R> {
    let mut all = Vec3::zero();
    for wall in walls {
        let share = numbers.beside(beyond_wall(wall.depth(x) * numbers.inverse));
        let along = v - wall.normal * v.dot(wall.normal);
        all += along * (strength * share).min(R::of(1.0));
    }
    all
}
