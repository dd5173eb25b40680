//! Levels of groups, which are rows of any length.

use crate::coloring::{Coloring, Levels};

/// The groups of each level, in authored order: those of a level share no particle, and that is proved.
pub(super) fn levels_of<'a>(count: usize, members: impl Fn(u32) -> &'a [u32]) -> Coloring {
    let named = |group| members(group).iter().copied();
    let most = (0..count as u32).flat_map(named).max();
    let particles = most.map_or(0, |most| most as usize + 1);
    let mut levels = Levels::new(particles);
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for group in 0..count as u32 {
        let level = levels.next(members(group));
        if groups.len() <= level {
            groups.resize(level + 1, Vec::new());
        }
        groups[level].push(group);
    }
    Coloring::prove(count, members, particles, groups).expect("levels share no particle")
}
