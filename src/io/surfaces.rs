//! What other programs are shown of a model: vertices and triangles.

use crate::model::{Model, Skin};
use crate::state::{Shape, Snapshot, at_pose};
use std::borrow::Cow;

/// A surface of its own vertices.
pub(super) struct Surface {
    /// A word: `particles`, `skin_0`, `body_0`.
    pub name: String,
    /// By the surface's own vertices.
    pub triangles: Vec<[u32; 3]>,
    pub rides: Rides,
}

/// What moves a surface.
pub(super) enum Rides {
    /// Its vertices are all particles, so many.
    Particles(usize),
    Skin(Skin),
    /// It is that body, with corners in the body's own frame (m).
    Body(usize, Vec<[f32; 3]>),
}

impl Surface {
    /// All of a model: the particles, unless skins stand for all of them that have a surface; skins; bodies.
    pub fn all(model: &Model) -> Vec<Self> {
        let bare = model.bare_triangles();
        let is_bare = model.skins().is_empty() || !bare.is_empty();
        let particles = is_bare.then(|| Self::particles(model, bare));
        let skins = model.skins().iter().enumerate().map(|(i, skin)| Self {
            name: format!("skin_{i}"),
            triangles: skin.triangles().to_vec(),
            rides: Rides::Skin(skin.clone()),
        });
        particles.into_iter().chain(skins).chain(Self::bodies(model)).collect()
    }

    /// All particles, with triangles.
    pub fn particles(model: &Model, triangles: Vec<[u32; 3]>) -> Self {
        let rides = Rides::Particles(model.positions().len());
        Self { name: "particles".into(), triangles, rides }
    }

    /// The bodies that have a shape.
    pub fn bodies(model: &Model) -> impl Iterator<Item = Self> {
        let bodies = model.bodies().iter().enumerate();
        bodies.filter(|(_, body)| body.shape != Shape::None).map(|(i, body)| {
            let (corners, triangles) = body.shape.surface();
            Self { name: format!("body_{i}"), triangles, rides: Rides::Body(i, corners) }
        })
    }

    /// How many vertices it has.
    pub fn count(&self) -> usize {
        match &self.rides {
            Rides::Particles(count) => *count,
            Rides::Skin(skin) => skin.count(),
            Rides::Body(_, corners) => corners.len(),
        }
    }

    /// Where its vertices are (m) in a state of the model.
    pub fn vertices<'a>(&self, state: &'a Snapshot) -> Cow<'a, [[f32; 3]]> {
        match &self.rides {
            Rides::Particles(_) => Cow::Borrowed(&state.positions),
            Rides::Skin(skin) => Cow::Owned(skin.positions(&state.positions)),
            Rides::Body(i, corners) => {
                let place = |corner: &[f32; 3]| at_pose(state.bodies[*i], *corner);
                Cow::Owned(corners.iter().map(place).collect())
            }
        }
    }
}
