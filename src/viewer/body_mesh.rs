//! Rigid bodies as surfaces.

use crate::model::Model;
use crate::render::{Bounds, Mesh, Paint, color};
use crate::rigid::Shape;
use crate::state::at_pose;

/// The surface of a body; a ball has none, as it is drawn as one.
pub(super) struct BodyMesh {
    /// In the body's own frame (m).
    corners: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    /// Its own color.
    pub color: u32,
    smooth: bool,
    /// Radius of a ball (m).
    ball: Option<f32>,
    /// Of a body thinner than can be seen: along it.
    spine: Option<[[f32; 3]; 2]>,
}

/// Color of bodies that are fixed.
const FIXED: u32 = 0x5A_6470;

impl BodyMesh {
    /// The surfaces of all bodies of a model; those whose half width is below `thin` (m) get a spine.
    pub fn all(model: &Model, thin: f32) -> Vec<Self> {
        let bodies = model.bodies().iter().enumerate().map(|(i, body)| {
            let ball = match body.shape {
                Shape::Sphere(radius) => Some(radius as f32),
                _ => None,
            };
            let shape = if ball.is_some() { &Shape::None } else { &body.shape };
            let (corners, triangles) = shape.surface();
            let color = if body.fixed { FIXED } else { color::distinct(i) };
            let spine = spine(&corners, thin);
            Self { ball, spine, corners, triangles, color, smooth: body.shape.is_round() }
        });
        bodies.collect()
    }

    /// In a pose of the body its center and radius (m), if it is a ball.
    pub fn place_ball(&self, [x, y, z, ..]: [f32; 7]) -> Option<([f32; 3], f32)> {
        Some(([x, y, z], self.ball?))
    }

    /// How many corners it has.
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// Puts its corners where they are in a pose of the body (m).
    pub fn place(&self, pose: [f32; 7], places: &mut [[f32; 3]]) {
        let corners = places.iter_mut().zip(&self.corners);
        corners.for_each(|(place, &corner)| *place = at_pose(pose, corner));
    }

    /// Its spine in a pose of the body (m).
    pub fn place_spine(&self, pose: [f32; 7]) -> Option<[[f32; 3]; 2]> {
        Some(self.spine?.map(|end| at_pose(pose, end)))
    }

    /// The surface with its corners where [`place`](Self::place) has put them.
    pub fn mesh<'a>(&'a self, corners: &'a [[f32; 3]], color: u32) -> Mesh<'a> {
        let (paint, smooth) = (Paint::One(color), self.smooth);
        Mesh { paint, smooth, closed: true, ..Mesh::new(corners, &self.triangles) }
    }
}

/// The line along the longest axis of some corners, where they are less than `thin` (m) from it across both others.
fn spine(corners: &[[f32; 3]], thin: f32) -> Option<[[f32; 3]; 2]> {
    let Bounds { least, most } = Bounds::of(corners)?;
    let half = |k: usize| 0.5 * (most[k] - least[k]);
    let along = (0..3).max_by(|&a, &b| half(a).total_cmp(&half(b)))?;
    let is_thin = (0..3).all(|k| k == along || half(k) < thin) && half(along) > 2.0 * thin;
    let middle: [f32; 3] = std::array::from_fn(|k| 0.5 * (least[k] + most[k]));
    let end = |at: f32| std::array::from_fn(|k| if k == along { at } else { middle[k] });
    is_thin.then(|| [end(least[along]), end(most[along])])
}
