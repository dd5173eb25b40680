//! Room that the routines of the narrow phase work in: nothing is allocated once it has grown.

use super::manifold::{FoundPoint, Point};
use super::mesh::MeshContact;
use super::polygon::Polygon;
use crate::math::{F32x8, Vec3};

/// Edges of b side by side, as a sees them: their directions, and the normals of the two faces beside each, turned about.
/// Zeros behind the last.
pub(super) type SeenEdges = (Vec3<F32x8>, [Vec3<F32x8>; 2]);

/// Room for one worker. What is in it means nothing from one pair to the next.
#[derive(Default)]
pub(super) struct Workspace {
    /// How far an a that has sunk behind a mesh b is to be raised, to stand before it again, in b's frame (m); set for each pair
    /// with a mesh.
    pub(super) raised: Point,
    /// By how much things at rest may overlap, and how far what comes fast is placed below where it would rest (m).
    pub(super) resting: [f32; 2],
    /// Faces across which two hulls may pass each other, and how far each parts them.
    pub(super) near_faces: Vec<(f32, Point)>,
    pub(super) polygon: Polygon,
    pub(super) found: Vec<FoundPoint>,
    /// What a second manifold of a face is of.
    pub(super) more: Vec<FoundPoint>,
    /// Corners of a hull as the other sees them.
    pub(super) corners: Vec<Point>,
    /// The same, side by side.
    pub(super) corner_lanes: Vec<Vec3<F32x8>>,
    /// The ends of edges and the normals beside them; and side by side.
    pub(super) edges: Vec<[[Point; 2]; 2]>,
    pub(super) edge_lanes: Vec<SeenEdges>,
    /// Corners of a face.
    pub(super) around: Vec<Point>,
    /// Triangles of a mesh that are near, what touches them, and that by the cell of its normal and its radius.
    pub(super) triangles: Vec<u32>,
    pub(super) contacts: Vec<MeshContact>,
    pub(super) cells: Vec<([u32; 2], u32)>,
}
