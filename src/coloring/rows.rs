//! Rows as colorings see them: lists of particle indices, and stretches of them.

use std::ops::Range;
use std::slice::ChunksExact;

/// The rows to color: `arity` particles each, one row after another.
#[derive(Clone, Copy, Debug)]
pub struct RowList<'a> {
    /// Particle indices, `arity` to a row.
    pub particles: &'a [u32],
    /// Particles of a row.
    pub arity: usize,
}

impl<'a> RowList<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.particles.len() / self.arity
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.particles.is_empty()
    }

    /// The particles of each row.
    pub fn rows(&self) -> ChunksExact<'a, u32> {
        self.particles.chunks_exact(self.arity)
    }

    /// The particles of a row.
    #[inline]
    pub fn row(&self, row: u32) -> &'a [u32] {
        let first = row as usize * self.arity;
        &self.particles[first..first + self.arity]
    }

    /// The most rows that name one particle: no coloring has fewer colors (the clique bound).
    pub fn clique_bound(&self, particles: usize) -> usize {
        let mut valence = vec![0_u32; particles];
        for &i in self.particles {
            valence[i as usize] += 1;
        }
        valence.into_iter().max().unwrap_or(0) as usize
    }
}

/// A run of rows of one kind in the authored order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Index of the row set, in order of first appearance.
    pub set: usize,
    /// The rows within that set.
    pub rows: Range<usize>,
}

/// One color of one row set in one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The tile.
    pub tile: usize,
    /// The row set.
    pub set: usize,
    /// The color, an index into the set's [`Coloring`](super::Coloring).
    pub color: usize,
}
