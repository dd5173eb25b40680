//! A cloth as a graph: which of its corners, edges and triangles meet, by indices of its own.

use crate::mesh::{sorted, unique_edges};
use std::collections::BTreeMap;

/// Corners, edges and triangles of a cloth.
pub(super) struct ClothGraph {
    /// The slot of each corner.
    pub(super) slots: Vec<u32>,
    /// The corner in each slot; where there is none, [`u32::MAX`].
    pub(super) corners: Vec<u32>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) edges: Vec<[u32; 2]>,
    /// The triangles of each edge.
    pub(super) sides: Vec<Vec<u32>>,
    /// The edges of each corner.
    spokes: Vec<Vec<u32>>,
    /// The slots around each corner, ascending: what lies close to it by its own making.
    close: Vec<Vec<u32>>,
}

impl ClothGraph {
    /// Of triangles with corners in `slots`, of as many as `slot_count` says; what is within so many `rings` is close.
    pub(super) fn new(
        triangles: &[[u32; 3]],
        slots: &[u32],
        slot_count: usize,
        rings: usize,
    ) -> Self {
        let mut corners = vec![u32::MAX; slot_count];
        for (&slot, corner) in slots.iter().zip(0..) {
            corners[slot as usize] = corner;
        }
        let local = |t: &[u32; 3]| t.map(|slot| corners[slot as usize]);
        let triangles: Vec<_> = triangles.iter().map(local).collect();
        let edges = unique_edges(&triangles);
        let places: BTreeMap<_, _> = edges.iter().map(|&edge| sorted(edge)).zip(0..).collect();
        let (mut sides, mut spokes) =
            (vec![Vec::new(); edges.len()], vec![Vec::new(); slots.len()]);
        for (&[a, b, c], triangle) in triangles.iter().zip(0..) {
            for side in [[a, b], [b, c], [c, a]] {
                let edge: u32 = places[&sorted(side)];
                sides[edge as usize].push(triangle);
            }
        }
        for (edge, k) in edges.iter().zip(0..) {
            edge.iter().for_each(|&corner| spokes[corner as usize].push(k));
        }
        let (slots, close) = (slots.to_vec(), Vec::new());
        let mut graph = Self { slots, corners, triangles, edges, sides, spokes, close };
        let mut walk = Rings::new(graph.len());
        let close = |corner| {
            let around = walk.walk(&graph, &[corner], rings, |_| true);
            let mut slots: Vec<_> =
                around.into_iter().map(|(i, _)| graph.slots[i as usize]).collect();
            slots.sort_unstable();
            slots
        };
        graph.close = (0..graph.len() as u32).map(close).collect();
        graph
    }

    /// How many corners there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Sets how far those of `pairs` that do not lie close by their own making are to stay apart (m); the first slots of each, as
    /// many as `side` says, are of one element.
    pub(super) fn part<const N: usize>(
        &self,
        pairs: &[[u32; N]],
        side: usize,
        thickness: f32,
        apart: &mut [f32],
    ) {
        for (pair, apart) in pairs.iter().zip(apart) {
            let (first, second) = pair.split_at(side);
            let close = |slot: &u32| &self.close[self.corners[*slot as usize] as usize];
            let mut of_first = first.iter().map(close);
            if !of_first.any(|close| second.iter().any(|i| close.binary_search(i).is_ok())) {
                *apart = thickness;
            }
        }
    }

    /// The corners joined to one, and by which edges.
    pub(super) fn neighbors(&self, corner: u32) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.spokes[corner as usize].iter().map(move |&k| {
            let [a, b] = self.edges[k as usize];
            [if a == corner { b } else { a }, k]
        })
    }
}

/// Walks the corners around some, ring by ring.
pub(super) struct Rings {
    /// The walk that came to each corner last.
    stamps: Vec<u32>,
    walk: u32,
}

impl Rings {
    pub(super) fn new(corners: usize) -> Self {
        Self { stamps: vec![0; corners], walk: 0 }
    }

    /// The corners within `most` edges of `from`, itself among them, as far as they are `open`, and how many edges away each
    /// is: the nearest first.
    pub(super) fn walk(
        &mut self,
        graph: &ClothGraph,
        from: &[u32],
        most: usize,
        open: impl Fn(u32) -> bool,
    ) -> Vec<(u32, usize)> {
        self.walk += 1;
        let mut reached = Vec::with_capacity(from.len());
        for &corner in from {
            self.reach(corner, 0, &mut reached);
        }
        let mut next = 0;
        while let Some(&(corner, ring)) = reached.get(next).filter(|(_, ring)| *ring < most) {
            next += 1;
            for [neighbor, _] in graph.neighbors(corner) {
                if open(neighbor) {
                    self.reach(neighbor, ring + 1, &mut reached);
                }
            }
        }
        reached
    }

    fn reach(&mut self, corner: u32, ring: usize, reached: &mut Vec<(u32, usize)>) {
        let stamp = &mut self.stamps[corner as usize];
        if *stamp != self.walk {
            *stamp = self.walk;
            reached.push((corner, ring));
        }
    }
}
