//! What becomes of the pairs of a chunk: their manifolds stay, or others take their places.

use super::manifold::Manifold;
use super::workspace::Workspace;
use crate::threads::Cells;
use std::ops::Range;

/// A pair's manifolds: where they were among all, and where in the chunk those are that take their places, if any do.
struct PairEntry {
    old: Range<usize>,
    new: Option<Range<usize>>,
}

/// Some pairs, one after another.
#[derive(Default)]
pub(super) struct Chunk {
    found: Vec<Manifold>,
    entries: Vec<PairEntry>,
    pub(super) room: Workspace,
    /// How many manifolds its pairs had, and how many they have.
    pub(super) counts: [usize; 2],
    /// Whether the solver may keep what it had: every new manifold goes where one like it was.
    pub(super) is_like: bool,
    /// Where its manifolds begin among all.
    pub(super) first: usize,
}

impl Chunk {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.entries.clear();
        (self.counts, self.is_like) = ([0; 2], true);
    }

    /// Adds a pair that had the manifolds `old` of `all`. `find` adds to what it is given those that take their places, or leaves
    /// it as it is and says false: then they stay.
    pub(super) fn add(
        &mut self,
        all: &[Manifold],
        old: Range<usize>,
        find: impl FnOnce(&[Manifold], &mut Workspace, &mut Vec<Manifold>) -> bool,
    ) {
        let Self { found, entries, room, counts, is_like, .. } = self;
        let (before, first) = (&all[old.clone()], found.len());
        let anew = find(before, room, found);
        let new = &mut found[first..];
        new.sort_unstable_by_key(|m| m.part);
        let like = before.len() == new.len() && before.iter().zip(&*new).all(|(m, n)| m.is_like(n));
        *is_like &= !anew || like;
        counts[0] += before.len();
        counts[1] += if anew { new.len() } else { before.len() };
        entries.push(PairEntry { old, new: anew.then_some(first..found.len()) });
    }

    /// Puts what is new where it belongs among all manifolds, each like the one that was there.
    pub(super) fn replace(&self, all: &Cells<Manifold>) {
        for PairEntry { old, new } in &self.entries {
            let new = new.clone().into_iter().flatten();
            old.clone().zip(new).for_each(|(to, from)| all.set(to, self.found[from]));
        }
    }

    /// Writes all manifolds of its pairs, old and new, into their places.
    pub(super) fn write(&self, before: &[Manifold], all: &Cells<Manifold>) {
        let manifolds = self.entries.iter().flat_map(|PairEntry { old, new }| match new {
            Some(new) => &self.found[new.clone()],
            None => &before[old.clone()],
        });
        (self.first..).zip(manifolds).for_each(|(to, manifold)| all.set(to, *manifold));
    }
}
