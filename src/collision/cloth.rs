//! A cloth that may touch itself, as corners, edges and triangles by slots.
//!
//! A row keeps the side on which its two parts were at the start of the substep, where nothing had passed through anything:
//!
//! ```text
//! face       C = ±(q - x1)·n - h        where q's foot lies in the triangle (S1-24; the kind `triangle`)
//! crossing   C = ±|p - q| - h           of two edges; the sign turns where they have passed each other (`edge_edge`)
//! ```
//!
//! h is the thickness, but no more than the distance the two have at rest, so that what lies close by its own making is left
//! alone (of a cloth that starts tangled, what is joined by few edges); parts that share a corner are no contact. Candidates are
//! kept over several substeps (`near_pairs.rs`). Units: metres.

use super::cloth_graph::ClothGraph;
use super::contacts::{Contacts, SelfContact};
use super::tangle::tangles;
use crate::math::{F32x8, Vec3, WIDTH, each_index, side_by_side, transpose_both};
use crate::settings::Tangled;
use crate::subsystem::BuildContext;
use std::sync::Arc;

/// How much further apart than contacts candidates are, in mean edges: few more than contacts, and found seldom.
const SKIN: f64 = 0.25;

/// What is further than so many edges away on a cloth that starts tangled does not lie close by its own making.
const MOST_RINGS: f64 = 5.0;

/// A cloth by the slots of its particles.
pub(crate) struct Cloth {
    /// In authored order, so that what is found does not depend on how particles are stored.
    pub(super) corners: Vec<u32>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Rest positions by slot.
    pub(super) rest: Vec<[f32; 4]>,
    pub(super) thickness: f64,
    /// Thickness and margin: what is further apart is left alone.
    pub(super) near: f64,
    /// How it is joined, where it starts tangled and is to be repaired.
    pub(super) graph: Option<Arc<ClothGraph>>,
}

impl Cloth {
    /// All cloths of `contacts`.
    pub(super) fn all(contacts: &Contacts, context: &BuildContext) -> Vec<Self> {
        let near = |cloth: &SelfContact| {
            // Not by the radius: with more margin than edges are long, every corner touches its neighbors.
            cloth.thickness + contacts.margin.unwrap_or(0.5 * cloth.thickness)
        };
        let cloths = contacts.cloths.iter();
        cloths.map(|cloth| Self::new(cloth, near(cloth), context)).collect()
    }

    fn new(cloth: &SelfContact, near: f64, context: &BuildContext) -> Self {
        let permutation = context.permutation;
        let mut rest = vec![[0.0; 4]; permutation.slot_count()];
        for (&[x, y, z], &slot) in context.positions.iter().zip(permutation.as_slice()) {
            rest[slot as usize] = [x, y, z, 0.0];
        }
        let mut corners = cloth.triangles.concat();
        corners.sort_unstable();
        corners.dedup();
        let stored = |t: &[u32; 3]| t.map(|i| permutation.storage(i));
        let mut cloth_of_slots = Self {
            corners: corners.into_iter().map(|i| permutation.storage(i)).collect(),
            triangles: cloth.triangles.iter().map(stored).collect(),
            rest,
            thickness: cloth.thickness,
            near,
            graph: None,
        };
        let is_tangled = || tangles(context.positions, &cloth.triangles) > 0;
        if cloth.tangled == Tangled::Repair && is_tangled() {
            cloth_of_slots.graph = Some(Arc::new(cloth_of_slots.joined()));
        }
        cloth_of_slots
    }

    /// How it is joined; what lies close to a corner by its own making is within twice its thickness.
    fn joined(&self) -> ClothGraph {
        let rings = 1 + (2.0 * self.thickness / self.mean_edge()).min(MOST_RINGS) as usize;
        ClothGraph::new(&self.triangles, &self.corners, self.rest.len(), rings)
    }

    /// How much further apart than contacts candidates are kept (m).
    pub(super) fn skin(&self) -> f64 {
        SKIN * self.mean_edge()
    }

    /// The mean length of its edges at rest (m).
    fn mean_edge(&self) -> f64 {
        let sides = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let length = |[a, b]: [u32; 2]| (self.at_rest(a) - self.at_rest(b)).length();
        let sum: f64 = sides.map(length).sum();
        sum / (3 * self.triangles.len()) as f64
    }

    /// Where a slot is at rest.
    fn at_rest(&self, slot: u32) -> Vec3<f64> {
        Vec3::of(point(&self.rest, slot).map(f64::from))
    }
}

/// The position in a slot.
#[inline(always)]
pub(super) fn point(at: &[[f32; 4]], slot: u32) -> [f32; 3] {
    let [x, y, z, _] = at[slot as usize];
    [x, y, z]
}

/// The corners of up to eight triangles or edges, side by side; lanes beyond the last repeat it.
#[inline(always)]
pub(super) fn gather<const N: usize>(at: &[[f32; 4]], items: &[[u32; N]]) -> [Vec3<F32x8>; N] {
    let last = items.len() - 1;
    each_index(
        #[inline(always)]
        |corner| column(at, |lane| items[lane.min(last)][corner]),
    )
}

/// The points in the slots of eight lanes, side by side.
#[inline(always)]
pub(super) fn column(at: &[[f32; 4]], slot: impl Fn(usize) -> u32) -> Vec3<F32x8> {
    let record = |lane| bytemuck::cast(at[slot(lane) as usize]);
    let [x, y, z, _] = transpose_both(each_index(
        #[inline(always)]
        |lane| side_by_side(record(lane), record(lane + WIDTH / 2)),
    ));
    Vec3::new(x, y, z)
}
