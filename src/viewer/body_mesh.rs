//! Rigid bodies as surfaces.

use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::render::{Mesh, Paint, color};

/// The surface of a body.
pub(super) struct BodyMesh {
    /// In the body's own frame (m).
    corners: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    color: u32,
    smooth: bool,
}

/// Color of bodies that are fixed.
const FIXED: u32 = 0x5A_6470;

impl BodyMesh {
    /// The surfaces of all bodies of a model.
    pub fn all(model: &Model) -> Vec<Self> {
        let bodies = model.bodies().iter().enumerate().map(|(i, body)| {
            let (corners, triangles) = body.shape.surface();
            let color = if body.fixed { FIXED } else { color::distinct(i) };
            Self { corners, triangles, color, smooth: body.shape.is_round() }
        });
        bodies.collect()
    }

    /// Its corners in a pose of the body (m).
    pub fn place(&self, pose: [f32; 7]) -> Vec<[f32; 3]> {
        self.corners.iter().map(|&corner| carried(pose, corner)).collect()
    }

    /// The surface with its corners where [`place`](Self::place) has put them.
    pub fn mesh<'a>(&'a self, corners: &'a [[f32; 3]]) -> Mesh<'a> {
        let (paint, smooth) = (Paint::One(self.color), self.smooth);
        Mesh { paint, smooth, ..Mesh::new(corners, &self.triangles) }
    }
}

/// Where a body of that pose carries a point of its own frame (m).
pub(super) fn carried([x, y, z, qx, qy, qz, qw]: [f32; 7], point: [f32; 3]) -> [f32; 3] {
    let arm = Quat::new(qx, qy, qz, qw).rotate(Vec3::from(point));
    (arm + Vec3::new(x, y, z)).to_array()
}
