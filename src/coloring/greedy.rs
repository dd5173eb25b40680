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
    let mut colors: Vec<Vec<u32>> = Vec::new();
    let mut taken = vec![0_u64; particles];
    let mut waiting: Vec<u32> = order.collect();
    while !waiting.is_empty() {
        let first = colors.len();
        let mut next = Vec::new();
        for &row in &waiting {
            let particles = rows.row(row);
            let used = particles
                .iter()
                .fold(0, |used, &i| used | taken[i as usize]);
            let color = used.trailing_ones() as usize;
            if color == ROUND {
                next.push(row);
                continue;
            }
            for &i in particles {
                taken[i as usize] |= 1 << color;
            }
            if first + color == colors.len() {
                colors.push(Vec::new());
            }
            colors[first + color].push(row);
        }
        for &row in &next {
            for &i in rows.row(row) {
                taken[i as usize] = 0;
            }
        }
        waiting = next;
    }
    Coloring::verify(rows, particles, colors).expect("first fit gives a coloring")
}
