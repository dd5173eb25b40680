//! Who may move together: rows of one color share no particle (S1-28).
//!
//! A [`Coloring`] can only be obtained through [`Coloring::verify`], which checks directly that it is disjoint, complete and
//! in range: holding one is the proof that the parallel phases rest on. (Equal hashes over thread counts prove nothing: a
//! broken coloring passed that test in the prototype.)

mod dynamic;
mod greedy;
mod laboratory;
mod ordered;
mod permutation;
mod plan;
mod renumber;
mod split;

pub use dynamic::{DynamicColoring, MOST_COLORS};
pub use greedy::first_fit;
pub use laboratory::{Policy, Trial, laboratory};
pub(crate) use ordered::Levels;
pub use permutation::Numbering;
pub use plan::{Phase, Plan};
pub use renumber::reverse_cuthill_mckee;
pub use split::{Copied, Split};

use crate::error::ModelError;

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

/// A partition of rows into colors, proved.
#[derive(Clone, Debug)]
pub struct Coloring {
    colors: Vec<Vec<u32>>,
}

impl Coloring {
    /// Proves that `colors` is a coloring of `rows`: every row once, no particle twice in a color.
    ///
    /// # Errors
    /// [`ModelError::Coloring`] with the row or particle that breaks it.
    pub fn verify(
        rows: RowList,
        particles: usize,
        colors: Vec<Vec<u32>>,
    ) -> Result<Self, ModelError> {
        Self::prove(rows.len(), |row| rows.row(row), particles, colors)
    }

    /// [`verify`](Self::verify) of `count` rows of any length, of which `members` says the particles.
    pub(crate) fn prove<'a>(
        count: usize,
        members: impl Fn(u32) -> &'a [u32],
        particles: usize,
        colors: Vec<Vec<u32>>,
    ) -> Result<Self, ModelError> {
        let refuse = |what: String| Err(ModelError::Coloring(what));
        let mut seen = vec![false; count];
        let mut last_color = vec![u32::MAX; particles];
        for (color, rows) in colors.iter().enumerate() {
            for &row in rows {
                match seen.get_mut(row as usize) {
                    None => return refuse(format!("row {row} of {count} does not exist")),
                    Some(seen) if *seen => return refuse(format!("row {row} is in it twice")),
                    Some(seen) => *seen = true,
                }
                for &particle in members(row) {
                    let Some(last) = last_color.get_mut(particle as usize) else {
                        return refuse(format!("row {row} names particle {particle}"));
                    };
                    if *last == color as u32 {
                        return refuse(format!(
                            "two rows of color {color} share particle {particle}"
                        ));
                    }
                    *last = color as u32;
                }
            }
        }
        match seen.iter().position(|seen| !seen) {
            Some(row) => refuse(format!("row {row} has no color")),
            None => Ok(Self { colors }),
        }
    }

    /// The rows of each color.
    pub fn colors(&self) -> &[Vec<u32>] {
        &self.colors
    }
}

/// The largest of sizes over their mean: 1 is perfect balance (S1-29).
pub fn balance(sizes: &[usize]) -> f64 {
    let all: usize = sizes.iter().sum();
    let largest = sizes.iter().max().copied().unwrap_or(0);
    match all {
        0 => 1.0,
        all => largest as f64 * sizes.len() as f64 / all as f64,
    }
}

/// What a generator knows of its model's structure: an order of storage and a color of each row, in which eight rows of a
/// color name eight consecutive places, slot by slot. Taken only if it proves to be a coloring.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Where the particles lie.
    pub numbering: Numbering,
    /// Places of a layer (a grid row, a slice of a block): bands are made of whole layers.
    pub layer: usize,
    /// A color for each row of each row set, in the model's order of sets.
    pub colors: Vec<Vec<u16>>,
}
