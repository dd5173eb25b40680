//! Room that the routines of the narrow phase work in: nothing is allocated once it has grown.

use super::manifold::{FoundPoint, Point};
use super::mesh::MeshContact;
use super::polygon::Polygon;

/// An edge of b as a sees it, and the normals of the two faces beside it, turned about.
pub(super) type SeenEdge = ([Point; 2], [Point; 2]);

/// Room for one worker. What is in it means nothing from one pair to the next.
#[derive(Default)]
pub(super) struct Workspace {
    /// How far an a that has sunk behind a mesh b is to be raised, to stand before it again, in b's frame (m); set for each pair
    /// with a mesh.
    pub(super) raised: Point,
    pub(super) polygon: Polygon,
    pub(super) found: Vec<FoundPoint>,
    /// Corners of a hull as the other sees them.
    pub(super) corners: Vec<Point>,
    pub(super) edges: Vec<SeenEdge>,
    /// Corners of a face.
    pub(super) around: Vec<Point>,
    /// Triangles of a mesh that are near, what touches them, and that by the cell of its normal and its radius.
    pub(super) triangles: Vec<u32>,
    pub(super) contacts: Vec<MeshContact>,
    pub(super) cells: Vec<([u32; 2], u32)>,
}
