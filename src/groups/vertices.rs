//! A vertex of a closed surface, as the sum over the surface's triangles sees it.
//!
//! Σ (x1 × x2)·x3 over all triangles has the gradient Σ xj × xk at a vertex, over the triangles (i, j, k) around it, and is
//! itself a third of Σ x·g. Positions are taken from an origin on the surface, so that one far from zero does not cancel; a
//! closed surface has the same sum and gradient from anywhere.

use super::members::{GroupKind, Member, Pose};
use crate::math::{Real, Vec3};
use crate::state::{PositionView, Width};

/// A vertex, or as many as there are lanes, and the triangles around it.
pub(super) struct Vertex<W: Width> {
    slot: W::Slots,
    /// j and k of each triangle (i, j, k).
    ring: Box<[[W::Slots; 2]]>,
}

impl<E: Width<Slots = u32>> Vertex<E> {
    pub(super) fn new(slot: u32, ring: impl Iterator<Item = [u32; 2]>) -> Self {
        let ring = ring.collect();
        Self { slot, ring }
    }
}

/// Closed surfaces as groups of vertices.
pub(super) struct Surfaces;

impl GroupKind for Surfaces {
    type Member<W: Width> = Vertex<W>;
    const POSED: bool = false;

    /// A shorter ring is filled with the vertex itself, whose product is zero and changes no bit of a sum that began at zero.
    fn side_by_side<W: Width>(vertices: &[Vertex<W::Element>]) -> Vertex<W> {
        let longest = vertices.iter().map(|vertex| vertex.ring.len()).max();
        let side = |at: usize, end: usize| {
            W::slots(|lane| {
                let vertex = &vertices[lane];
                vertex.ring.get(at).map_or(vertex.slot, |pair| pair[end])
            })
        };
        let ring = (0..longest.unwrap_or(0)).map(|at| [side(at, 0), side(at, 1)]);
        Vertex { slot: W::slots(|lane| vertices[lane].slot), ring: ring.collect() }
    }

    /// C = Σ (x1 × x2)·x3 - k 6 V0.
    fn constraint<R: Real>(_: R, sum: R, target: R) -> (R, R) {
        (sum * R::of(1.0 / 3.0) - target, R::of(1.0))
    }
}

impl<W: Width> Member<W> for Vertex<W> {
    fn slot(&self) -> W::Slots {
        self.slot
    }

    #[inline(always)]
    fn gradient(
        &self,
        u: Vec3<W>,
        origin: Vec3<W>,
        _: &Pose<W>,
        positions: &PositionView<W::Element>,
    ) -> (Vec3<W>, W) {
        let mut g = Vec3::zero();
        for &pair in &self.ring {
            let [j, k] = positions.load(pair);
            g += (j.x - origin).cross(k.x - origin);
        }
        (g, u.dot(g))
    }
}
