//! Coloring of rows that are made anew each step: first fit in the order of the rows, 64 colors a pass.
//!
//! A slot keeps a bit for each color its rows have; a row takes the first bit that none of its slots has and sets it in all
//! of them, so the rows of a color share no slot, and another pass proves it each time: parallel phases rest on it. Rows that
//! find no bit free are colored by the next pass, and those that the last one leaves are the remainder, to be solved one after
//! another: where thousands touch one slot. Nothing is allocated once the buffers have grown to the most rows met.

use super::Stamps;

/// Colors of a pass.
const PASS: usize = u64::BITS as usize;
/// Colors at most.
pub const MOST_COLORS: usize = 8 * PASS;

/// Rows by color.
pub struct DynamicColoring {
    taken: Vec<u64>,
    stamps: Stamps,
    color: Vec<u16>,
    /// Rows that have no color yet.
    left: Vec<u32>,
    order: Vec<u32>,
    /// Where each color of the passes made begins in the order, then the remainder, then the end.
    starts: Vec<usize>,
    /// Where the next row of each goes.
    next: Vec<usize>,
}

impl DynamicColoring {
    /// For rows on `slots` slots (particles, bodies).
    pub fn new(slots: usize) -> Self {
        Self {
            taken: vec![0; slots],
            stamps: Stamps::new(slots),
            color: Vec::new(),
            left: Vec::new(),
            order: Vec::new(),
            starts: vec![0; 2],
            next: Vec::new(),
        }
    }

    /// Colors `rows`, each of N different slots.
    ///
    /// # Panics
    /// If a row names a slot that does not exist.
    pub fn color<const N: usize>(&mut self, rows: &[[u32; N]]) {
        let Self { taken, color, left, order, starts, next, .. } = self;
        color.clear();
        color.resize(rows.len(), MOST_COLORS as u16);
        left.clear();
        left.extend(0..rows.len() as u32);
        // How many there are of each, one place on; summed up, where each begins.
        starts.clear();
        starts.resize(2, 0);
        let mut base = 0;
        while !left.is_empty() && base < MOST_COLORS {
            starts.resize(base + PASS + 2, 0);
            taken.fill(0);
            left.retain(|&row| {
                let slots = &rows[row as usize];
                let of_slots = slots.iter().fold(0, |bits, &slot| bits | taken[slot as usize]);
                let free = of_slots.trailing_ones();
                let Some(bit) = 1_u64.checked_shl(free) else {
                    return true;
                };
                slots.iter().for_each(|&slot| taken[slot as usize] |= bit);
                let own = base + free as usize;
                color[row as usize] = own as u16;
                starts[own + 1] += 1;
                false
            });
            base += PASS;
        }
        starts[base + 1] = left.len();
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        next.clear();
        next.extend_from_slice(starts);
        order.resize(rows.len(), 0);
        for (row, &color) in color.iter().enumerate() {
            let next = &mut next[usize::from(color).min(base)];
            order[*next] = row as u32;
            *next += 1;
        }
        self.prove(rows);
    }

    /// # Panics
    /// If two rows of a color share a slot, or a row names one twice.
    pub(crate) fn prove<const N: usize>(&mut self, rows: &[[u32; N]]) {
        for color in self.starts[..self.starts.len() - 1].windows(2) {
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
        let colors = self.starts[..self.starts.len() - 1].windows(2);
        let colors = colors.take_while(|at| at[0] < at[1]);
        colors.map(|at| &self.order[at[0]..at[1]])
    }

    /// The rows left uncolored.
    pub fn remainder(&self) -> &[u32] {
        &self.order[self.starts[self.starts.len() - 2]..]
    }
}
