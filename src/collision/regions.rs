//! Regions of a cloth that contours cut off: what edges join that pass through no triangle.
//!
//! (Baraff, Witkin and Kass, *Untangling Cloth*, 2003: of the regions on the two sides of a contour the smaller is the one that
//! has passed through.) A region with a particle that cannot move is taken as four times as large.

use super::cloth_graph::ClothGraph;
use super::contours::Crossing;
use crate::coloring::UnionFind;

/// So many times larger counts a region that is held.
const HELD: usize = 4;

/// The regions of a cloth, each by its least corner.
pub(super) struct Regions {
    /// The region of each corner.
    of: Vec<u32>,
    /// The size of each region, at its least corner.
    sizes: Vec<usize>,
}

impl Regions {
    /// Of a cloth that passes through itself at `crossings`; `masses` are zero where a corner cannot move.
    pub(super) fn new(graph: &ClothGraph, crossings: &[Crossing], masses: &[f64]) -> Self {
        let mut cut = vec![false; graph.edges.len()];
        crossings.iter().for_each(|crossing| cut[crossing.edge as usize] = true);
        let mut sets = UnionFind::new(graph.len());
        let whole = graph.edges.iter().zip(&cut).filter(|(_, cut)| !**cut);
        whole.for_each(|(&[a, b], _)| sets.join(a, b));
        let of: Vec<_> = (0..graph.len() as u32).map(|corner| sets.root(corner)).collect();
        let (mut sizes, mut held) = (vec![0; graph.len()], vec![1; graph.len()]);
        for (&region, &mass) in of.iter().zip(masses) {
            sizes[region as usize] += 1;
            if mass <= 0.0 {
                held[region as usize] = HELD;
            }
        }
        sizes.iter_mut().zip(held).for_each(|(size, held)| *size *= held);
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
