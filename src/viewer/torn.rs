//! Surfaces that tear, as they are drawn in any state.

use crate::model::Model;
use crate::state::Snapshot;
use std::borrow::Cow;

/// What may have torn of what a stage shows.
pub(super) struct Torn {
    /// The places of the triangles that are drawn.
    drawn: Vec<usize>,
    /// Corners of triangles that may tear, as authored, and where these begin among the model's.
    authored: Vec<(usize, Vec<[u32; 3]>)>,
    /// The copies that there were when the stage was made, and the vertices that they are of.
    copies: Vec<[u32; 2]>,
}

impl Torn {
    /// Nothing where no surface may tear.
    pub fn of(model: &Model) -> Option<Self> {
        let tears = model.tears().iter();
        let authored = tears.map(|tear| (tear.triangles.start, tear.corners.clone()));
        (!model.tears().is_empty()).then(|| Self {
            drawn: model.bare_places(),
            authored: authored.collect(),
            copies: model.copies().collect(),
        })
    }

    /// Corners that differ from the authored ones, and these.
    fn parted<'a>(&'a self, state: &'a Snapshot) -> impl Iterator<Item = [u32; 2]> + 'a {
        let now = |(first, authored): &'a (usize, Vec<[u32; 3]>)| {
            let now = state.triangles.get(*first..first + authored.len()).unwrap_or_default();
            now.as_flattened().iter().zip(authored.as_flattened())
        };
        let pairs = self.authored.iter().flat_map(now).map(|(now, of)| [*now, *of]);
        pairs.filter(|[now, of]| now != of)
    }

    /// Where particles are drawn (m): copies that are still to come, on their vertices.
    pub fn positions<'a>(&self, state: &'a Snapshot) -> Cow<'a, [[f32; 3]]> {
        let mut waits = vec![false; state.positions.len()];
        self.copies.iter().for_each(|[copy, _]| waits[*copy as usize] = true);
        self.parted(state).for_each(|[now, _]| waits[now as usize] = false);
        let mut positions = Cow::Borrowed(&state.positions[..]);
        for &[copy, of] in self.copies.iter().filter(|[copy, _]| waits[*copy as usize]) {
            positions.to_mut()[copy as usize] = state.positions[of as usize];
        }
        positions
    }

    /// The triangles as they are.
    pub fn triangles(&self, state: &Snapshot) -> Option<Vec<[u32; 3]>> {
        let is_told = !state.triangles.is_empty();
        is_told.then(|| self.drawn.iter().map(|&i| state.triangles[i]).collect())
    }

    /// Gives copies the colors of what they are copies of.
    pub fn paint(&self, state: &Snapshot, colors: &mut [u32]) {
        self.parted(state).for_each(|[now, of]| colors[now as usize] = colors[of as usize]);
    }

    /// Whether a state has torn further than the stage knows of, or less far.
    pub fn differs(&self, state: &Snapshot) -> bool {
        !self.parted(state).eq(self.copies.iter().copied())
    }
}
