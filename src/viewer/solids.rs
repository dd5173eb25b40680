//! Rigid bodies as surfaces.

use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::render::{Mesh, Paint, color};

/// The bodies of a model as surfaces: those with faces, and the round ones.
pub(super) struct Solids {
    parts: [Solid; 2],
}

/// Surfaces of many bodies.
#[derive(Default)]
struct Solid {
    /// Corners in their bodies' frames, and the bodies.
    corners: Vec<([f32; 3], u32)>,
    triangles: Vec<[u32; 3]>,
    colors: Vec<u32>,
}

/// Of bodies that are fixed.
const FIXED: u32 = 0x5A_6470;

impl Solids {
    pub fn of(model: &Model) -> Self {
        let mut parts = [Solid::default(), Solid::default()];
        for (i, body) in (0..).zip(model.bodies()) {
            let (corners, triangles) = body.shape.surface();
            let part = &mut parts[usize::from(body.shape.is_round())];
            let first = part.corners.len() as u32;
            let paint = match body.fixed {
                true => FIXED,
                false => color::distinct(i as usize),
            };
            part.colors.extend(corners.iter().map(|_| paint));
            part.corners.extend(corners.into_iter().map(|x| (x, i)));
            let moved = triangles.into_iter().map(|t| t.map(|k| first + k));
            part.triangles.extend(moved);
        }
        Self { parts }
    }

    /// Every corner in a state.
    pub fn place(&self, bodies: &[[f32; 7]]) -> [Vec<[f32; 3]>; 2] {
        let place = |&(x, i): &([f32; 3], u32)| {
            let [px, py, pz, qx, qy, qz, qw] = bodies[i as usize];
            let turned = Quat::new(qx, qy, qz, qw).rotate(Vec3::from(x));
            (turned + Vec3::new(px, py, pz)).to_array()
        };
        let all = |part: &Solid| part.corners.iter().map(place).collect();
        self.parts.each_ref().map(all)
    }

    /// The surfaces with their corners where [`place`](Self::place) has put them.
    pub fn meshes<'a>(&'a self, corners: &'a [Vec<[f32; 3]>; 2]) -> [Mesh<'a>; 2] {
        let mesh = |k: usize| Mesh {
            paint: Paint::Each(&self.parts[k].colors),
            smooth: k == 1,
            ..Mesh::new(&corners[k], &self.parts[k].triangles)
        };
        [mesh(0), mesh(1)]
    }
}
