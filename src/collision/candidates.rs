//! Numbers found eight at a time.

use crate::math::WIDTH;

/// The most numbers that a list takes.
pub(crate) const MOST: usize = 256;

/// The lanes of every set of eight bits, ascending; what follows them is of no account. (As `u8` the table is a quarter, and
/// widening what is read costs a fifth of a search.)
const LANES: [[u32; WIDTH]; 256] = {
    let mut all = [[0; WIDTH]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < WIDTH {
            if bits >> lane & 1 == 1 {
                all[bits][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    all
};

/// A list that begins anew with each search.
pub(crate) struct Candidates {
    /// Eight are written at a time, however few are meant.
    list: [u32; MOST + WIDTH],
    len: usize,
}

impl Default for Candidates {
    fn default() -> Self {
        Self { list: [0; MOST + WIDTH], len: 0 }
    }
}

impl Candidates {
    pub(crate) fn list(&self) -> &[u32] {
        &self.list[..self.len]
    }

    /// Writes `at` + k for every bit k behind the first `len`, without a branch: which bits are set cannot be foretold.
    /// Returns how many there are then.
    #[inline(always)]
    pub(crate) fn write(&mut self, len: usize, at: usize, bits: u32) -> usize {
        let lanes = LANES[bits as usize % LANES.len()];
        let free = &mut self.list[len..len + WIDTH];
        for (free, lane) in free.iter_mut().zip(lanes) {
            *free = at as u32 + lane;
        }
        (len + bits.count_ones() as usize).min(MOST)
    }

    /// Ends the list.
    pub(crate) fn end(&mut self, len: usize) {
        self.len = len;
    }
}
