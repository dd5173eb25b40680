//! Coloring of rows that are made anew each step: first fit in one pass, 64 colors, in the order of the rows.
//!
//! A slot keeps a bit for each color its rows have; a row takes the first bit that none of its slots has and sets it in all
//! of them, so the rows of a color share no slot, and a second pass proves it each time: parallel phases rest on it. Rows that find no bit free are the remainder, to be solved one after another. Nothing is
//! allocated once the buffers have grown to the most rows met.

use super::Stamps;

/// Colors at most.
pub const MOST_COLORS: usize = u64::BITS as usize;

/// Rows by color.
pub struct DynamicColoring {
    taken: Vec<u64>,
    stamps: Stamps,
    color: Vec<u8>,
    order: Vec<u32>,
    /// Where each color begins in the order, then the remainder, then the end.
    starts: [usize; MOST_COLORS + 2],
}

impl DynamicColoring {
    /// For rows on `slots` slots (particles, bodies).
    pub fn new(slots: usize) -> Self {
        Self {
            taken: vec![0; slots],
            stamps: Stamps::new(slots),
            color: Vec::new(),
            order: Vec::new(),
            starts: [0; MOST_COLORS + 2],
        }
    }

    /// Colors `rows`, each of N different slots.
    ///
    /// # Panics
    /// If a row names a slot that does not exist.
    pub fn color<const N: usize>(&mut self, rows: &[[u32; N]]) {
        self.taken.fill(0);
        self.color.clear();
        let mut counts = [0; MOST_COLORS + 1];
        for row in rows {
            let mut taken = 0;
            for &slot in row {
                taken |= self.taken[slot as usize];
            }
            let color = taken.trailing_ones();
            // No bit for the remainder.
            let bit = 1_u64.checked_shl(color).unwrap_or(0);
            for &slot in row {
                self.taken[slot as usize] |= bit;
            }
            counts[color as usize] += 1;
            self.color.push(color as u8);
        }
        self.starts[0] = 0;
        for (color, count) in counts.into_iter().enumerate() {
            self.starts[color + 1] = self.starts[color] + count;
        }
        let mut next = self.starts;
        self.order.resize(rows.len(), 0);
        for (row, &color) in self.color.iter().enumerate() {
            let next = &mut next[usize::from(color)];
            self.order[*next] = row as u32;
            *next += 1;
        }
        self.prove(rows);
    }

    /// # Panics
    /// If two rows of a color share a slot, or a row names one twice.
    pub(crate) fn prove<const N: usize>(&mut self, rows: &[[u32; N]]) {
        for color in self.starts.windows(2).take(MOST_COLORS) {
            self.stamps.next_color();
            for &row in &self.order[color[0]..color[1]] {
                for &slot in &rows[row as usize] {
                    let is_first = self.stamps.meet(slot) == Some(true);
                    assert!(is_first, "slot {slot} is met twice by rows of one color");
                }
            }
        }
    }

    /// All rows, color by color, then the remainder; those of a color in their own order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The rows of each color.
    pub fn colors(&self) -> impl Iterator<Item = &[u32]> {
        let colors = self.starts.windows(2).take(MOST_COLORS);
        let colors = colors.take_while(|at| at[0] < at[1]);
        colors.map(|at| &self.order[at[0]..at[1]])
    }

    /// The rows left uncolored.
    pub fn remainder(&self) -> &[u32] {
        &self.order[self.starts[MOST_COLORS]..]
    }
}
