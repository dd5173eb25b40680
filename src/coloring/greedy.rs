//! First-fit coloring: each row takes the first color that none of its particles has yet.
//!
//! A particle keeps a bit per color, 64 colors a round; rows that find no free bit wait for the next round, so that a hub
//! of any valence is colored in (rows of the hub)²/64 steps and no memory.

use super::{Coloring, RowList};

/// Colors a round of bit masks serves.
const ROUND: usize = 64;

/// Colors `rows` in the order given (all of them, each once); the order decides how many colors come out.
///
/// # Panics
/// If a row names a particle twice, or a particle beyond `particles`: a model refuses both.
pub fn first_fit(rows: RowList, particles: usize, order: impl Iterator<Item = u32>) -> Coloring {
    let mut colors = Vec::new();
    FirstFit::new(particles).fit(rows, order.collect(), &mut colors);
    Coloring::verify(rows, particles, colors).expect("first fit gives a coloring")
}

/// First fit over ranges of a row list, one after another.
pub(super) struct FirstFit {
    /// A bit for each color of the round that a particle has; zero between parts.
    taken: Vec<u64>,
}

impl FirstFit {
    pub(super) fn new(particles: usize) -> Self {
        Self { taken: vec![0; particles] }
    }

    /// Colors the rows `members`, with new colors behind those in `colors`.
    pub(super) fn fit(&mut self, rows: RowList, members: Vec<u32>, colors: &mut Vec<Vec<u32>>) {
        let mut waiting = members;
        while !waiting.is_empty() {
            let first = colors.len();
            let mut next = Vec::new();
            for &row in &waiting {
                let particles = rows.row(row);
                let taken = |used, &i: &u32| used | self.taken[i as usize];
                let color = particles.iter().fold(0, taken).trailing_ones() as usize;
                if color == ROUND {
                    next.push(row);
                    continue;
                }
                for &i in particles {
                    self.taken[i as usize] |= 1 << color;
                }
                if first + color == colors.len() {
                    colors.push(Vec::new());
                }
                colors[first + color].push(row);
            }
            for &i in waiting.iter().flat_map(|&row| rows.row(row)) {
                self.taken[i as usize] = 0;
            }
            waiting = next;
        }
    }
}
