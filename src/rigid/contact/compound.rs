//! Several shapes as one: each touches by itself.

use super::geometry::PlacedGeometry;
use super::manifold::{Manifold, ReferenceBody, Relative};

impl PlacedGeometry {
    /// How the part sees b, where the whole is a; or how a sees the part, where the whole is b.
    pub(super) fn seen(&self, at: &Relative, whole: ReferenceBody) -> Relative {
        match whole {
            ReferenceBody::A => Relative {
                center: self.q.unrotate(at.center - self.x),
                turn: self.q.conjugate() * at.turn,
            },
            ReferenceBody::B => {
                Relative { center: at.center + at.turn.rotate(self.x), turn: at.turn * self.q }
            }
        }
    }

    /// A manifold of the part, which is the `number`-th, as one of the whole. Points of parts are never kept: what is, is all that
    /// two bodies have.
    pub(super) fn of_whole(&self, mut m: Manifold, whole: ReferenceBody, number: u32) -> Manifold {
        let end = usize::from(whole == ReferenceBody::B);
        for point in &mut m.points[..m.count] {
            point.anchors[end] = self.x + self.q.rotate(point.anchors[end]);
        }
        if m.reference == whole {
            m.normal = self.q.rotate(m.normal);
        }
        // Another number for each part of a part: the product puts small numbers that differ far apart (Fibonacci hashing).
        let part = m.part.wrapping_mul(0x9e37_79b1) ^ (number + 1);
        Manifold { part, base: None, ..m }
    }
}
