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
    /// Where its triangles stand among those of a state, if they may tear.
    torn: Option<Vec<usize>>,
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
        let bare = model.bare_places();
        let is_bare = model.skins().is_empty() || !bare.is_empty();
        let particles = is_bare.then(|| Self::of(model, bare));
        let skins = model.skins().iter().enumerate().map(|(i, skin)| Self {
            name: format!("skin_{i}"),
            triangles: skin.triangles().to_vec(),
            rides: Rides::Skin(skin.clone()),
            torn: None,
        });
        particles.into_iter().chain(skins).chain(Self::bodies(model)).collect()
    }

    /// All particles, with all triangles.
    #[cfg(feature = "files")]
    pub fn particles(model: &Model) -> Self {
        Self::of(model, (0..model.triangles().len()).collect())
    }

    /// All particles, with these of the model's triangles.
    fn of(model: &Model, bare: Vec<usize>) -> Self {
        Self {
            name: "particles".into(),
            triangles: bare.iter().map(|&i| model.triangles()[i]).collect(),
            rides: Rides::Particles(model.positions().len()),
            torn: (!model.tears().is_empty()).then_some(bare),
        }
    }

    /// The bodies that have a shape.
    pub fn bodies(model: &Model) -> impl Iterator<Item = Self> {
        let bodies = model.bodies().iter().enumerate();
        bodies.filter(|(_, body)| body.shape != Shape::None).map(|(i, body)| {
            let (corners, triangles) = body.shape.surface();
            let rides = Rides::Body(i, corners);
            Self { name: format!("body_{i}"), triangles, rides, torn: None }
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

    /// Whether its triangles may tear.
    #[cfg(feature = "files")]
    pub fn may_tear(&self) -> bool {
        self.torn.is_some()
    }

    /// Its triangles in a state of the model.
    pub fn triangles_in(&self, state: &Snapshot) -> Cow<'_, [[u32; 3]]> {
        match &self.torn {
            Some(places) if !state.triangles.is_empty() => {
                Cow::Owned(places.iter().map(|&i| state.triangles[i]).collect())
            }
            _ => Cow::Borrowed(&self.triangles),
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

/// Particles that no triangle shows; copies of what may tear are none of them.
#[cfg(feature = "files")]
pub(super) fn bare_particles(model: &Model) -> Vec<u32> {
    let mut is_shown = vec![false; model.positions().len()];
    let copies = model.tears().iter().flat_map(|tear| tear.copies.clone());
    let corners = model.triangles().as_flattened().iter().copied();
    corners.chain(copies).for_each(|i| is_shown[i as usize] = true);
    (0..is_shown.len() as u32).filter(|&i| !is_shown[i as usize]).collect()
}
