//! A vertex of a closed surface, as the sum over the surface's triangles sees it.
//!
//! Σ (x1 × x2)·x3 over all triangles has the gradient Σ xj × xk at a vertex, over the triangles (i, j, k) around it, and is
//! itself a third of Σ x·g. Positions are taken from an origin on the surface, so that one far from zero does not cancel; a
//! closed surface has the same sum and gradient from anywhere.

use super::members::{Member, Pose};
use crate::math::{Real, Vec3, WIDTH};
use crate::rows::Store;

/// A vertex, or eight, and the triangles around it.
pub(super) struct Vertex<I> {
    slot: I,
    /// j and k of each triangle (i, j, k).
    ring: Box<[[I; 2]]>,
}

impl Vertex<u32> {
    pub(super) fn new(slot: u32, ring: impl Iterator<Item = [u32; 2]>) -> Self {
        let ring = ring.collect();
        Self { slot, ring }
    }
}

impl Vertex<[u32; WIDTH]> {
    /// Eight vertices side by side. A shorter ring is filled with the vertex itself, whose product is zero and changes no
    /// bit of a sum that began at zero.
    pub(super) fn new(eight: &[Vertex<u32>]) -> Self {
        let longest = eight.iter().map(|vertex| vertex.ring.len()).max();
        let side = |at: usize, end: usize| {
            let of = |v: &Vertex<u32>| v.ring.get(at).map_or(v.slot, |pair| pair[end]);
            std::array::from_fn(|lane| of(&eight[lane]))
        };
        let ring = (0..longest.unwrap_or(0)).map(|at| [side(at, 0), side(at, 1)]);
        Self {
            slot: std::array::from_fn(|lane| eight[lane].slot),
            ring: ring.collect(),
        }
    }
}

/// The slots of a vertex, for either width.
pub(super) trait Slots: Copy + Send + Sync {}
impl Slots for u32 {}
impl Slots for [u32; WIDTH] {}

impl<I: Slots, R: Real> Member<I, R> for Vertex<I> {
    const POSED: bool = false;

    fn slot(&self) -> I {
        self.slot
    }

    #[inline(always)]
    fn gradient(
        &self,
        u: Vec3<R>,
        origin: Vec3<R>,
        _: &Pose<R>,
        store: &impl Store<I, R>,
    ) -> (Vec3<R>, R) {
        let mut g = Vec3::zero();
        for &pair in &self.ring {
            let [j, k] = store.load(pair);
            g += (j.x - origin).cross(k.x - origin);
        }
        (g, u.dot(g))
    }

    /// C = Σ (x1 × x2)·x3 - k 6 V0.
    fn constraint(_: R, sum: R, target: R) -> (R, R) {
        (sum * R::of(1.0 / 3.0) - target, R::of(1.0))
    }
}

/// The lanes' own vertex.
pub(super) type Packet = Vertex<[u32; WIDTH]>;
