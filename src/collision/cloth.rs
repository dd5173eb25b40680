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
//! alone; parts that share a corner are no contact. Candidates come from grids of triangle centers and edge middles whose search radius
//! fits a cloth stretched by up to a quarter. Units: metres.

use super::contacts::{Contacts, SelfContact};
use crate::math::{F32x8, Vec3, each_lane, join, transpose};
use crate::subsystem::BuildContext;

/// How much longer edges may be than at rest before contacts are missed.
const STRETCH: f64 = 1.25;

/// A cloth by the slots of its particles.
pub(super) struct Cloth {
    /// In authored order, so that what is found does not depend on how particles are stored.
    pub(super) corners: Vec<u32>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Rest positions by slot.
    pub(super) rest: Vec<[f32; 4]>,
    pub(super) thickness: f64,
    /// Thickness and margin: what is further apart is left alone.
    pub(super) near: f64,
}

impl Cloth {
    /// All cloths of `contacts`.
    pub(super) fn all(contacts: &Contacts, context: &BuildContext) -> Vec<Self> {
        let margin = contacts.margin();
        let cloths = contacts.cloths.iter();
        cloths.map(|cloth| Self::new(cloth, margin, context)).collect()
    }

    fn new(cloth: &SelfContact, margin: f64, context: &BuildContext) -> Self {
        let permutation = context.permutation;
        let mut rest = vec![[0.0; 4]; permutation.slot_count()];
        for (&[x, y, z], &slot) in context.positions.iter().zip(permutation.as_slice()) {
            rest[slot as usize] = [x, y, z, 0.0];
        }
        let mut corners = cloth.triangles.concat();
        corners.sort_unstable();
        corners.dedup();
        let stored = |t: &[u32; 3]| t.map(|i| permutation.storage(i));
        Self {
            corners: corners.into_iter().map(|i| permutation.storage(i)).collect(),
            triangles: cloth.triangles.iter().map(stored).collect(),
            rest,
            thickness: cloth.thickness,
            near: cloth.thickness + margin,
        }
    }

    /// Within which boxes that meet have their middles, where things are as large as `sizes` at rest.
    pub(super) fn search_radius(&self, sizes: impl Iterator<Item = f64>) -> f64 {
        STRETCH * sizes.fold(0.0, f64::max) + self.near
    }

    /// Where a slot is at rest.
    pub(super) fn at_rest(&self, slot: u32) -> Vec3<f64> {
        let [x, y, z, _] = self.rest[slot as usize].map(f64::from);
        Vec3::new(x, y, z)
    }

    /// What boxes are wider than what they hold, on every side (m).
    pub(super) fn more(&self) -> f32 {
        0.5 * self.near as f32
    }
}

/// One point in every lane.
#[inline(always)]
pub(super) fn all([x, y, z, _]: [f32; 4]) -> Vec3<F32x8> {
    Vec3::of([x, y, z].map(f64::from))
}

/// The corners of up to eight triangles or edges, side by side; lanes beyond the last repeat it.
#[inline(always)]
pub(super) fn gather<const N: usize>(at: &[[f32; 4]], items: &[[u32; N]]) -> [Vec3<F32x8>; N] {
    let last = items.len() - 1;
    let mut points = [Vec3::zero(); N];
    for a in (0..N).step_by(2) {
        let b = (a + 1).min(N - 1);
        let row = |lane: usize| {
            let item = items[lane.min(last)];
            join(at[item[a] as usize], at[item[b] as usize])
        };
        let [ax, ay, az, _, bx, by, bz, _] = transpose(each_lane(row));
        points[b] = Vec3::new(bx, by, bz);
        points[a] = Vec3::new(ax, ay, az);
    }
    points
}
