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
    /// Room: the manifolds of each batch, the bodies of those that are colored, and one color.
    members: [Vec<u32>; BATCHES.len()],
    pairs: Vec<[u32; 2]>,
    singles: Vec<[u32; 1]>,
    color: Vec<u32>,
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
            members: Default::default(),
            pairs: Vec::new(),
            singles: Vec::new(),
            color: Vec::new(),
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
        self.members.iter_mut().for_each(Vec::clear);
        for (i, m) in manifolds.iter().enumerate() {
            let [a, b] = m.pair.map(&is_resting);
            if !(a && b || m.is_sensor) {
                let sort = (b, m.count.next_power_of_two());
                let batch = BATCHES.iter().position(|batch| *batch == sort);
                self.members[batch.expect("one to four points")].push(i as u32);
            }
        }
        let Self { coloring, by_level, levels, pairs, singles, .. } = self;
        let pair = |i: u32| manifolds[i as usize].pair;
        let level = |i: &u32| {
            let [a, b] = pair(*i).map(|i| levels[i as usize]);
            a.min(b)
        };
        let batches = self.batches.iter_mut().zip(&mut self.members).zip(BATCHES);
        for ((batch, members), (fixed, _)) in batches {
            batch.clear();
            if *by_level {
                members.sort_by_key(level);
            }
            for same in members.chunk_by(|a, b| !*by_level || level(a) == level(b)) {
                pairs.clear();
                pairs.extend(same.iter().map(|i| pair(*i)));
                match fixed {
                    // What no contact moves takes no color.
                    true => {
                        singles.clear();
                        singles.extend(pairs.iter().map(|[a, _]| [*a]));
                        coloring.color(singles);
                    }
                    false => coloring.color(pairs),
                }
                for color in coloring.colors().chain(coloring.remainder().chunks(1)) {
                    self.color.clear();
                    self.color.extend(color.iter().map(|i| same[*i as usize]));
                    batch.push(&self.color, self.lanes);
                }
            }
        }
    }

    /// Finds how many contacts each instance is from what never moves, level by level.
    fn find_levels(&mut self, manifolds: &[Manifold], is_fixed: impl Fn(u32) -> bool) {
        let instances = self.levels.len();
        let mut touching = vec![Vec::new(); instances];
        for [a, b] in manifolds.iter().filter(|m| !m.is_sensor).map(|m| m.pair) {
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
