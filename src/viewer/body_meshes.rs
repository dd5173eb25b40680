//! Rigid bodies as surfaces.

use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::render::{Mesh, Paint, color};

/// The bodies of a model as two surfaces: those with faces, and the round ones.
#[derive(Default)]
pub(super) struct BodyMeshes([Bodies; 2]);

/// Surfaces of many bodies.
#[derive(Default)]
struct Bodies {
    /// Corners in their bodies' frames, and the bodies.
    corners: Vec<([f32; 3], u32)>,
    triangles: Vec<[u32; 3]>,
    colors: Vec<u32>,
}

/// Color of bodies that are fixed.
const FIXED: u32 = 0x5A_6470;

impl BodyMeshes {
    pub fn of(model: &Model) -> Self {
        let mut all = Self::default();
        for (i, body) in (0..).zip(model.bodies()) {
            let (corners, triangles) = body.shape.surface();
            let mesh = &mut all.0[usize::from(body.shape.is_round())];
            let first = mesh.corners.len() as u32;
            let paint = match body.fixed {
                true => FIXED,
                false => color::distinct(i as usize),
            };
            mesh.colors.extend(corners.iter().map(|_| paint));
            mesh.corners.extend(corners.into_iter().map(|x| (x, i)));
            let moved = triangles.into_iter().map(|t| t.map(|k| first + k));
            mesh.triangles.extend(moved);
        }
        all
    }

    /// Every corner in a state.
    pub fn place(&self, bodies: &[[f32; 7]]) -> [Vec<[f32; 3]>; 2] {
        let place = |&(x, i): &([f32; 3], u32)| carried(bodies[i as usize], x);
        let all = |mesh: &Bodies| mesh.corners.iter().map(place).collect();
        self.0.each_ref().map(all)
    }

    /// The surfaces with their corners where [`place`](Self::place) has put them.
    pub fn meshes<'a>(&'a self, corners: &'a [Vec<[f32; 3]>; 2]) -> [Mesh<'a>; 2] {
        [0, 1].map(|k| Mesh {
            paint: Paint::Each(&self.0[k].colors),
            smooth: k == 1,
            ..Mesh::new(&corners[k], &self.0[k].triangles)
        })
    }
}

/// Where a body of that pose carries a point of its own frame (m).
pub(super) fn carried([x, y, z, qx, qy, qz, qw]: [f32; 7], point: [f32; 3]) -> [f32; 3] {
    let arm = Quat::new(qx, qy, qz, qw).rotate(Vec3::from(point));
    (arm + Vec3::new(x, y, z)).to_array()
}
