//! First-fit coloring: each row takes the first color that none of its particles has yet.
//!
//! A particle keeps a bit per color, 64 colors a round; rows that find no free bit wait for the next round, so that a hub
//! of any valence is colored in (rows of the hub)²/64 steps and no memory.

use super::{Coloring, RowList};

/// Colors a round of bit masks serves.
const ROUND: usize = 64;
/// Rows that are balanced together first: colors stay even along the storage too, so that each thread meets the particles that it
/// met in the color before.
const STRETCH: usize = 1024;

/// Colors `rows` in the order given (all of them, each once); the order decides how many colors come out.
///
/// # Panics
/// If a row names a particle twice, or a particle beyond `particles`: a model refuses both.
pub fn first_fit(rows: RowList, particles: usize, order: impl Iterator<Item = u32>) -> Coloring {
    let mut colors = Vec::new();
    FirstFit::new(particles, false).fit(rows, order.collect(), &mut colors);
    Coloring::verify(rows, particles, colors).expect("first fit gives a coloring")
}

/// First fit over ranges of a row list, one after another.
pub(super) struct FirstFit {
    /// A bit for each color of the round that a particle has; zero between parts.
    taken: Vec<u64>,
    /// Whether rows then move from colors that have more than the mean to those that have less.
    is_balanced: bool,
}

impl FirstFit {
    pub(super) fn new(particles: usize, is_balanced: bool) -> Self {
        Self { taken: vec![0; particles], is_balanced }
    }

    /// Colors the rows `members`, with new colors behind those in `colors`.
    pub(super) fn fit(&mut self, rows: RowList, members: Vec<u32>, colors: &mut Vec<Vec<u32>>) {
        let mut waiting = members;
        while !waiting.is_empty() {
            let (mut colored, mut next) = (Vec::new(), Vec::new());
            for &row in &waiting {
                let color = self.taken(rows.row(row)).trailing_ones() as usize;
                if color == ROUND {
                    next.push(row);
                    continue;
                }
                for &i in rows.row(row) {
                    self.taken[i as usize] |= 1 << color;
                }
                colored.push((row, color));
            }
            if self.is_balanced {
                let count = colored.iter().map(|(_, color)| color + 1).max().unwrap_or(0);
                let stretches = colored.chunks_mut(STRETCH);
                stretches.for_each(|stretch| self.balance(rows, stretch, count));
                self.balance(rows, &mut colored, count);
            }
            let first = colors.len();
            for &(row, color) in &colored {
                colors.resize(colors.len().max(first + color + 1), Vec::new());
                colors[first + color].push(row);
            }
            for &i in waiting.iter().flat_map(|&row| rows.row(row)) {
                self.taken[i as usize] = 0;
            }
            waiting = next;
        }
    }

    /// The colors that particles of a row have, as bits.
    fn taken(&self, particles: &[u32]) -> u64 {
        particles.iter().fold(0, |taken, &i| taken | self.taken[i as usize])
    }

    /// Moves rows of colors above the mean to the smallest color that is free to them, until none can be moved to one below it
    /// (S1-29).
    fn balance(&mut self, rows: RowList, colored: &mut [(u32, usize)], count: usize) {
        let mut sizes = vec![0; count];
        colored.iter().for_each(|&(_, color)| sizes[color] += 1);
        let mean = colored.len().div_ceil(count.max(1));
        let mut is_moving = true;
        while is_moving {
            is_moving = false;
            for (row, color) in &mut *colored {
                if sizes[*color] <= mean {
                    continue;
                }
                let taken = self.taken(rows.row(*row));
                let free = (0..count).filter(|c| taken >> c & 1 == 0 && sizes[*c] < mean);
                let Some(to) = free.min_by_key(|&c| sizes[c]) else { continue };
                for &i in rows.row(*row) {
                    self.taken[i as usize] ^= 1 << *color | 1 << to;
                }
                (sizes[*color], sizes[to]) = (sizes[*color] - 1, sizes[to] + 1);
                (*color, is_moving) = (to, true);
            }
        }
    }
}
