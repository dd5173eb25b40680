//! Two shapes that pass each other: what slides over a floor of slabs comes near the side of the next one, but overlaps it in height
//! by no more than it overlaps the slab that carries it. The side is what parts them most there, and it would stop it dead (a ghost
//! collision, as of interior edges: Terdiman, *Contact generation for meshes*, 2015; Catto, *Ghost Collisions*, 2020).
//!
//! ```text
//! they pass where  s(m) - max(0, s(n)) |n·m| > -slop        for a face m across n, the axis that parts them most
//! ```
//!
//! s(m) is less by the second term when they have come together along n. Once they overlap along n by more than the slop, m parts
//! them more, and they touch along m. A riser that is higher than the slop stops what comes.

use super::manifold::Point;

/// How far shapes may overlap and still pass each other, in parts of the thinner one: as edges of true things are rounded.
const ROUNDED: f32 = 4e-4;
/// The same at most, whatever else overlaps.
const MOST: f32 = 0.05;
/// What bodies that come fast fall on their way until they meet, at most, in the same parts.
const MOST_FALLEN: f32 = 0.2;
/// Faces that look less alike than this lie across an axis: the sine of 6°. What is oblique may be struck.
const ACROSS: f32 = 0.1;

/// By how much two may overlap and pass, where the least half size is `thin`: what is rounded off, as much as things at rest overlap
/// by, and as much as what they rest on will have kept them from falling until they meet (m).
pub(super) fn slop(thin: f32, [resting, fallen]: [f32; 2]) -> f32 {
    (ROUNDED * thin + resting).min(MOST * thin) + fallen.min(MOST_FALLEN * thin)
}

/// Whether two shapes pass each other along a face of normal m that parts them by t; n parts them most, by s.
pub(super) fn pass_along((t, m): (f32, Point), (s, n): (f32, Point), slop: f32) -> bool {
    let alike = m.dot(n).abs();
    alike < ACROSS && t - s.max(0.0) * alike > -slop
}
