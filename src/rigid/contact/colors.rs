//! In which color each contact is solved: by first fit, or floor by floor of a heap.

use super::manifold::Manifold;
use crate::collision::Order;
use crate::coloring::DynamicColoring;
use std::ops::Range;

/// Manifolds solved alike: of one number of points, with one sort of b.
pub(super) struct Class {
    /// Which manifolds.
    pub(super) members: Vec<u32>,
    /// Which members, color by color, and where each color lies in that; what found no color is one by itself.
    pub(super) order: Vec<u32>,
    pub(super) colors: Vec<Range<usize>>,
    slots: Vec<[u32; 2]>,
}

impl Class {
    fn new() -> Self {
        Self {
            members: Vec::new(),
            order: Vec::new(),
            colors: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Colors some members, behind what is colored.
    fn color(&mut self, coloring: &mut DynamicColoring, some: Range<usize>, still: bool) {
        let (first, slots) = (some.start, &self.slots[some]);
        match still {
            // What stands still takes no color.
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

/// The classes: whether b stands still, and the most points.
pub(super) const CLASSES: [(bool, usize); 6] = [
    (false, 4),
    (false, 2),
    (false, 1),
    (true, 4),
    (true, 2),
    (true, 1),
];

/// The contacts by classes, colored.
pub(super) struct Colors {
    pub(super) classes: [Class; CLASSES.len()],
    coloring: DynamicColoring,
    /// Whether colors follow the floors of a heap.
    by_level: bool,
    /// How many contacts each thing is from what never moves.
    levels: Vec<u32>,
}

impl Colors {
    /// For so many things.
    pub(super) fn new(things: usize, order: Order) -> Self {
        Self {
            classes: CLASSES.map(|_| Class::new()),
            coloring: DynamicColoring::new(things),
            by_level: order == Order::Levels,
            levels: vec![0; things],
        }
    }

    /// Colors the manifolds of things of which these stand still now, and these for ever.
    pub(super) fn color(
        &mut self,
        manifolds: &[Manifold],
        is_still: impl Fn(u32) -> bool,
        is_fixed: impl Fn(u32) -> bool,
    ) {
        if self.by_level {
            self.find_levels(manifolds, is_fixed);
        }
        for class in &mut self.classes {
            class.members.clear();
            class.slots.clear();
            class.order.clear();
            class.colors.clear();
        }
        for (i, m) in manifolds.iter().enumerate() {
            let [a, b] = m.pair.map(&is_still);
            if !(a && b) {
                let sort = (b, m.count.next_power_of_two());
                let class = CLASSES.iter().position(|class| *class == sort);
                let class = &mut self.classes[class.expect("one to four points")];
                class.members.push(i as u32);
            }
        }
        for (class, (still, _)) in self.classes.iter_mut().zip(CLASSES) {
            let level = |i: &u32| {
                let [a, b] = manifolds[*i as usize].pair.map(|i| self.levels[i as usize]);
                a.min(b)
            };
            if self.by_level {
                class.members.sort_by_key(level);
            }
            let pairs = class.members.iter().map(|i| manifolds[*i as usize].pair);
            class.slots.extend(pairs);
            let members = class.members.clone();
            let mut first = 0;
            for floor in members.chunk_by(|a, b| !self.by_level || level(a) == level(b)) {
                let some = first..first + floor.len();
                first = some.end;
                class.color(&mut self.coloring, some, still);
            }
        }
    }

    /// Finds how many contacts each thing is from what never moves, floor by floor.
    fn find_levels(&mut self, manifolds: &[Manifold], is_fixed: impl Fn(u32) -> bool) {
        let things = self.levels.len();
        let mut near = vec![Vec::new(); things];
        for [a, b] in manifolds.iter().map(|m| m.pair) {
            near[a as usize].push(b);
            near[b as usize].push(a);
        }
        self.levels.fill(u32::MAX);
        let mut floor: Vec<u32> = (0..things as u32).filter(|i| is_fixed(*i)).collect();
        floor.iter().for_each(|i| self.levels[*i as usize] = 0);
        let mut level = 0;
        while !floor.is_empty() {
            level += 1;
            let above: Vec<u32> = floor
                .iter()
                .flat_map(|i| near[*i as usize].iter().copied())
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
