//! In which batch and color each contact is solved: by first fit, or level by level of a heap.

use super::manifold::Manifold;
use crate::collision::Order;
use crate::coloring::DynamicColoring;
use std::ops::Range;

/// Manifolds solved alike: of one number of points, with one sort of b.
#[derive(Default)]
pub(super) struct BatchColoring {
    /// Which manifolds.
    pub(super) members: Vec<u32>,
    /// Which members, color by color, and where each color lies in that; what found no color is one by itself.
    pub(super) order: Vec<u32>,
    pub(super) colors: Vec<Range<usize>>,
    slots: Vec<[u32; 2]>,
}

impl BatchColoring {
    /// Colors some members, behind what is colored.
    fn color(&mut self, coloring: &mut DynamicColoring, some: Range<usize>, fixed: bool) {
        let (first, slots) = (some.start, &self.slots[some]);
        match fixed {
            // What no contact moves takes no color.
            true => {
                let slots: Vec<_> = slots.iter().map(|pair| [pair[0]]).collect();
                coloring.color(&slots);
            }
            false => coloring.color(slots),
        }
        for color in coloring.colors().chain(coloring.remainder().chunks(1)) {
            let start = self.order.len();
            self.order.extend(color.iter().map(|i| i + first as u32));
            self.colors.push(start..self.order.len());
        }
    }
}

/// The batches: whether no contact moves b, and the most points.
pub(super) const BATCHES: [(bool, usize); 6] = [
    (false, 4),
    (false, 2),
    (false, 1),
    (true, 4),
    (true, 2),
    (true, 1),
];

/// The contacts by batches, colored.
pub(super) struct ContactColoring {
    pub(super) batches: [BatchColoring; BATCHES.len()],
    coloring: DynamicColoring,
    /// Whether colors follow the levels of a heap.
    by_level: bool,
    /// How many contacts each instance is from what never moves.
    levels: Vec<u32>,
}

impl ContactColoring {
    /// For so many instances.
    pub(super) fn new(instances: usize, order: Order) -> Self {
        Self {
            batches: Default::default(),
            coloring: DynamicColoring::new(instances),
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
        for batch in &mut self.batches {
            batch.members.clear();
            batch.slots.clear();
            batch.order.clear();
            batch.colors.clear();
        }
        for (i, m) in manifolds.iter().enumerate() {
            let [a, b] = m.pair.map(&is_resting);
            if !(a && b) {
                let sort = (b, m.count.next_power_of_two());
                let batch = BATCHES.iter().position(|batch| *batch == sort);
                let batch = batch.expect("one to four points");
                self.batches[batch].members.push(i as u32);
            }
        }
        for (batch, (fixed, _)) in self.batches.iter_mut().zip(BATCHES) {
            let level = |i: &u32| {
                let [a, b] = manifolds[*i as usize].pair.map(|i| self.levels[i as usize]);
                a.min(b)
            };
            if self.by_level {
                batch.members.sort_by_key(level);
            }
            let pairs = batch.members.iter().map(|i| manifolds[*i as usize].pair);
            batch.slots.extend(pairs);
            let members = batch.members.clone();
            let mut first = 0;
            for same in members.chunk_by(|a, b| !self.by_level || level(a) == level(b)) {
                let some = first..first + same.len();
                first = some.end;
                batch.color(&mut self.coloring, some, fixed);
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
            let above: Vec<u32> = floor
                .iter()
                .flat_map(|i| touching[*i as usize].iter().copied())
                .collect();
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
