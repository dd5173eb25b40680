//! In which batch and color each contact is solved: by first fit, or level by level of a heap.

use super::manifold::Manifold;
use crate::collision::Order;
use crate::coloring::DynamicColoring;
use crate::rigid::packets::Packets;

/// The batches: whether no contact moves b, and the most points.
pub(super) const BATCHES: [(bool, usize); 6] =
    [(false, 4), (false, 2), (false, 1), (true, 4), (true, 2), (true, 1)];

/// The contacts by batches, colored.
pub(super) struct ContactColoring {
    /// What found no color is one by itself.
    pub(super) batches: [Packets; BATCHES.len()],
    coloring: DynamicColoring,
    /// How many manifolds lie side by side.
    lanes: usize,
    /// Whether colors follow the levels of a heap.
    by_level: bool,
    /// How many contacts each instance is from what never moves.
    levels: Vec<u32>,
}

impl ContactColoring {
    /// For so many instances.
    pub(super) fn new(instances: usize, order: Order, lanes: usize) -> Self {
        Self {
            batches: Default::default(),
            coloring: DynamicColoring::new(instances),
            lanes,
            by_level: order == Order::Levels,
            levels: vec![0; instances],
        }
    }

    /// Colors the manifolds of instances of which these rest now, and these for ever.
    pub(super) fn color(
        &mut self,
        manifolds: &[Manifold],
        is_resting: impl Fn(u32) -> bool,
        is_fixed: impl Fn(u32) -> bool,
    ) {
        if self.by_level {
            self.find_levels(manifolds, is_fixed);
        }
        let mut members: [Vec<u32>; BATCHES.len()] = Default::default();
        for (i, m) in manifolds.iter().enumerate() {
            let [a, b] = m.pair.map(&is_resting);
            if !(a && b) {
                let sort = (b, m.count.next_power_of_two());
                let batch = BATCHES.iter().position(|batch| *batch == sort);
                members[batch.expect("one to four points")].push(i as u32);
            }
        }
        let pair = |i: u32| manifolds[i as usize].pair;
        let level = |i: &u32| {
            let [a, b] = pair(*i).map(|i| self.levels[i as usize]);
            a.min(b)
        };
        let coloring = &mut self.coloring;
        for ((batch, mut members), (fixed, _)) in self.batches.iter_mut().zip(members).zip(BATCHES)
        {
            batch.clear();
            if self.by_level {
                members.sort_by_key(level);
            }
            for same in members.chunk_by(|a, b| !self.by_level || level(a) == level(b)) {
                let pairs = same.iter().map(|i| pair(*i));
                match fixed {
                    // What no contact moves takes no color.
                    true => coloring.color(&pairs.map(|[a, _]| [a]).collect::<Vec<_>>()),
                    false => coloring.color(&pairs.collect::<Vec<_>>()),
                }
                for color in coloring.colors().chain(coloring.remainder().chunks(1)) {
                    let color: Vec<u32> = color.iter().map(|i| same[*i as usize]).collect();
                    batch.push(&color, self.lanes);
                }
            }
        }
    }

    /// Finds how many contacts each instance is from what never moves, level by level.
    fn find_levels(&mut self, manifolds: &[Manifold], is_fixed: impl Fn(u32) -> bool) {
        let instances = self.levels.len();
        let mut touching = vec![Vec::new(); instances];
        for [a, b] in manifolds.iter().map(|m| m.pair) {
            touching[a as usize].push(b);
            touching[b as usize].push(a);
        }
        self.levels.fill(u32::MAX);
        let mut floor: Vec<u32> = (0..instances as u32).filter(|i| is_fixed(*i)).collect();
        floor.iter().for_each(|i| self.levels[*i as usize] = 0);
        let mut level = 0;
        while !floor.is_empty() {
            level += 1;
            let above = floor.iter().flat_map(|i| &touching[*i as usize]);
            let above: Vec<u32> = above.copied().collect();
            floor.clear();
            for i in above {
                if self.levels[i as usize] == u32::MAX {
                    self.levels[i as usize] = level;
                    floor.push(i);
                }
            }
        }
    }
}
