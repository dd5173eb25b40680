//! Elements of a mesh that share a corner.

use crate::coloring::Lists;
use crate::math::WIDTH;

/// Which elements share a corner with each element of a set.
pub(super) struct SharedCorners {
    /// Of each, every eight elements of which some do, and a bit for each that does.
    eights: Lists<[u32; 2]>,
}

impl SharedCorners {
    pub(super) fn new(first: &[[u32; 3]], second: &[[u32; 3]], slots: usize) -> Self {
        let mut holders = vec![Vec::new(); slots];
        for (j, element) in second.iter().enumerate() {
            element.iter().for_each(|&slot| holders[slot as usize].push(j));
        }
        let mut eights = Lists::new();
        for element in first {
            let mut all: Vec<usize> =
                element.iter().flat_map(|&slot| &holders[slot as usize]).copied().collect();
            all.sort_unstable();
            let same = |a: &usize, b: &usize| a / WIDTH == b / WIDTH;
            eights.push(all.chunk_by(same).map(|of| {
                let bits = of.iter().fold(0, |bits, j| bits | 1 << (j % WIDTH));
                [(of[0] / WIDTH) as u32, bits]
            }));
        }
        Self { eights }
    }

    /// Those of element `i`.
    pub(super) fn of(&self, i: usize) -> &[[u32; 2]] {
        self.eights.get(i)
    }
}
