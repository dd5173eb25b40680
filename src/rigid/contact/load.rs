//! What is known of a contact from the substep before: where its load was.
//!
//! ```text
//! c = Σ λ_i p_i / Σ λ_i
//! ```
//!
//! A round end is held at four points only. It tips as a round one does where two of them lie beside c (docs/rigid.md).

use super::manifold::{Manifold, Point};
use crate::math::Vec3;

/// Where the load was, and the middle of the first two points of a manifold, both as a sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) center: Point,
    pub(super) corner: Point,
}

impl Load {
    /// That of the manifolds that two had.
    pub(super) fn of<'a>(manifolds: impl Iterator<Item = &'a Manifold>) -> Option<Self> {
        let (mut corner, mut sum, mut total) = (None, Vec3::zero(), 0.0);
        for m in manifolds {
            let [first, second] = [0, m.count.min(2) - 1].map(|k| m.points[k].anchors[0]);
            corner = corner.or(Some((first + second) * 0.5));
            for point in &m.points[..m.count] {
                sum += point.anchors[0] * point.lambda;
                total += point.lambda;
            }
        }
        let corner = corner?;
        let center = if total > 0.0 { sum * (1.0 / total) } else { Vec3::zero() };
        Some(Self { center, corner })
    }

    /// The same in another frame.
    pub(super) fn seen(self, place: impl Fn(Point) -> Point) -> Self {
        Self { center: place(self.center), corner: place(self.corner) }
    }
}
