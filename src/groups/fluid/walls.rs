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

/// The model's walls: plane colliders that do not move.
pub(super) fn walls<R: Real>(planes: &[[[f64; 3]; 2]]) -> Vec<Wall<R>> {
    let wall = |&[point, normal]: &[[f64; 3]; 2]| Wall {
        point: Vec3::of(point),
        normal: Vec3::of(normal),
    };
    planes.iter().map(wall).collect()
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
