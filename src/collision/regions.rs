//! Regions of a cloth that contours cut off: a flood fill that no edge carries on that passes through a triangle.
//!
//! (Baraff, Witkin and Kass, *Untangling Cloth*, 2003: of the regions on the two sides of a contour the smaller is the one that
//! has passed through.) A region with a particle that cannot move is taken as four times as large.

use super::cloth_graph::ClothGraph;
use super::contours::Crossing;

/// So many times larger counts a region that is held.
const HELD: usize = 4;

/// The regions of a cloth.
pub(super) struct Regions {
    /// The region of each corner.
    of: Vec<u32>,
    sizes: Vec<usize>,
}

impl Regions {
    /// Of a cloth that passes through itself at `crossings`; `masses` are zero where a corner cannot move.
    pub(super) fn flood(graph: &ClothGraph, crossings: &[Crossing], masses: &[f64]) -> Self {
        let mut cut = vec![false; graph.edges.len()];
        crossings.iter().for_each(|crossing| cut[crossing.edge as usize] = true);
        let (mut of, mut sizes) = (vec![u32::MAX; graph.len()], Vec::new());
        for start in 0..graph.len() as u32 {
            if of[start as usize] != u32::MAX {
                continue;
            }
            let region = sizes.len() as u32;
            of[start as usize] = region;
            let (mut open, mut size, mut held) = (vec![start], 0, false);
            while let Some(corner) = open.pop() {
                size += 1;
                held |= masses[corner as usize] <= 0.0;
                for [neighbor, edge] in graph.neighbors(corner) {
                    if !cut[edge as usize] && of[neighbor as usize] == u32::MAX {
                        of[neighbor as usize] = region;
                        open.push(neighbor);
                    }
                }
            }
            sizes.push(if held { HELD * size } else { size });
        }
        Self { of, sizes }
    }

    /// The region of a corner.
    pub(super) fn region(&self, corner: u32) -> u32 {
        self.of[corner as usize]
    }

    /// Of an edge with ends in two regions, the end that has passed through, then the other.
    pub(super) fn inner(&self, [p, q]: [u32; 2]) -> Option<[u32; 2]> {
        let rank = |corner: u32| {
            let region = self.region(corner);
            (self.sizes[region as usize], region)
        };
        match rank(p).cmp(&rank(q)) {
            std::cmp::Ordering::Less => Some([p, q]),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some([q, p]),
        }
    }
}
