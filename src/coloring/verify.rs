//! A coloring, and the proof that it is one.

use super::{RowList, Stamps};
use crate::error::ModelError;

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
        let mut stamps = Stamps::new(particles);
        for (color, rows) in colors.iter().enumerate() {
            stamps.next_color();
            for &row in rows {
                match seen.get_mut(row as usize) {
                    None => return refuse(format!("row {row} of {count} does not exist")),
                    Some(seen) if *seen => return refuse(format!("row {row} is in it twice")),
                    Some(seen) => *seen = true,
                }
                for &particle in members(row) {
                    match stamps.meet(particle) {
                        None => return refuse(format!("row {row} names particle {particle}")),
                        Some(true) => {}
                        Some(false) => {
                            return refuse(format!(
                                "two rows of color {color} share particle {particle}"
                            ));
                        }
                    }
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
