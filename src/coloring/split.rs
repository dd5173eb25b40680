//! Coloring with few colors: where they run out, a particle is split into copies (S1-33; Fratarcangeli and Pellacini,
//! *Scalable Partitioning for Parallel Position Based Dynamics*, 2015).
//!
//! Rows of all sets are colored together, first fit in the colored order. A row that finds no color free at all of its
//! particles takes the one free at most of them, and a new copy of each of the others: at most `colors` colors, and with one
//! color a copy for every row of a particle. A particle named by few enough rows stays whole.

use super::{Coloring, Permutation, Phase, Plan, PlanInput, RowList};
use crate::error::ModelError;

/// A slot of storage and the copies that lie behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The particle's own slot: no row names it.
    pub slot: u32,
    /// Copies, at the slots `slot + 1` to `slot + copies`, in the order of their first rows.
    pub copies: u32,
}

/// A model's rows on particles and copies.
pub struct Split {
    /// Permutation (of the particles' own slots), colorings and order.
    pub plan: Plan,
    /// The slots that the rows of each set name, authored order of rows.
    pub slots: Vec<Vec<u32>>,
    /// The particles that are split; none where the plan had colors enough.
    pub copied: Vec<Copied>,
}

/// The copies of one particle while rows are colored: for each the colors that it still has.
#[derive(Clone, Default)]
struct Open {
    free: Vec<u64>,
    /// Copies before this one have no color left.
    first: usize,
}

impl Open {
    fn colors(&self) -> u64 {
        self.free[self.first..].iter().fold(0, |all, free| all | free)
    }

    /// Takes `color` at the first copy that has it, or at a new one; which copy.
    fn take(&mut self, color: u32, all: u64) -> u32 {
        let has = |free: &u64| free >> color & 1 == 1;
        let found = self.free[self.first..].iter().position(has);
        let copy = found.map_or(self.free.len(), |at| at + self.first);
        if copy == self.free.len() {
            self.free.push(all);
        }
        self.free[copy] &= !(1 << color);
        while self.free.get(self.first) == Some(&0) {
            self.first += 1;
        }
        copy as u32
    }
}

impl Split {
    /// The colors that a word's bits tell apart; more are never used.
    pub(crate) const MOST: u32 = u64::BITS;

    /// The plan itself where it has no more than `colors` colors, else copies.
    ///
    /// # Errors
    /// A layout that is no coloring, or of another model.
    pub fn new(input: &PlanInput, colors: u32) -> Result<Self, ModelError> {
        let plan = Plan::new(input)?;
        let lists = input.lists();
        if plan.colors() <= colors as usize {
            let slot = |list: &RowList| {
                list.particles.iter().map(|&i| plan.permutation.storage(i)).collect()
            };
            return Ok(Self { slots: lists.iter().map(slot).collect(), plan, copied: Vec::new() });
        }
        let all = match colors {
            Split::MOST.. => u64::MAX,
            colors => (1 << colors) - 1,
        };
        let mut particles = vec![Open::default(); input.particles];
        // Copies for now, slots later.
        let mut slots: Vec<Vec<u32>> = lists.iter().map(|l| vec![0; l.particles.len()]).collect();
        let mut members = vec![vec![Vec::new(); lists.len()]; all.count_ones() as usize];
        for phase in &plan.phases {
            let list = lists[phase.set];
            for &row in &plan.colorings[phase.set].colors()[phase.color] {
                let named = list.row(row);
                let color = best_color(named.iter().map(|&i| match &particles[i as usize] {
                    none if none.free.is_empty() => all,
                    open => open.colors(),
                }));
                let first = row as usize * list.arity;
                for (slot, &i) in slots[phase.set][first..].iter_mut().zip(named) {
                    *slot = particles[i as usize].take(color, all);
                }
                members[color as usize][phase.set].push(row);
            }
        }
        name_slots(&plan, &lists, &particles, slots, members)
    }
}

/// The first of the colors that most of `free` have.
pub(crate) fn best_color(free: impl Iterator<Item = u64> + Clone) -> u32 {
    let common = free.clone().fold(u64::MAX, |all, free| all & free);
    if common != 0 {
        return common.trailing_zeros();
    }
    let having = |color: &u32| free.clone().filter(|free| free >> color & 1 == 1).count();
    let any = free.clone().fold(0, |all, free| all | free).max(1);
    // `max_by_key` takes the last of equals.
    let colors = (0..Split::MOST).rev().filter(|color| any >> color & 1 == 1);
    colors.max_by_key(having).unwrap_or(0)
}

/// The plan's order with copies behind their particle.
fn lay_out(plan: &Plan, particles: &[Open]) -> (Permutation, Vec<Copied>) {
    let mut order: Vec<u32> = (0..particles.len() as u32).collect();
    order.sort_unstable_by_key(|&i| plan.permutation.storage(i));
    let mut storage = vec![0; particles.len()];
    let mut copied = Vec::new();
    let mut next = 0;
    for i in order {
        storage[i as usize] = next;
        let copies = particles[i as usize].free.len() as u32;
        if copies > 1 {
            copied.push(Copied { slot: next, copies });
            next += copies;
        }
        next += 1;
    }
    let permutation = Permutation::new(storage, next as usize);
    (permutation.expect("slots follow each other"), copied)
}

/// The plan of the rows on slots with copies.
fn name_slots(
    plan: &Plan,
    lists: &[RowList],
    particles: &[Open],
    mut slots: Vec<Vec<u32>>,
    members: Vec<Vec<Vec<u32>>>,
) -> Result<Split, ModelError> {
    let (permutation, copied) = lay_out(plan, particles);
    for (slots, list) in slots.iter_mut().zip(lists) {
        for (slot, &i) in slots.iter_mut().zip(list.particles) {
            let split = particles[i as usize].free.len() > 1;
            *slot = permutation.storage(i) + if split { 1 + *slot } else { 0 };
        }
    }
    let mut phases = Vec::new();
    let mut colors = vec![Vec::new(); lists.len()];
    for color in members {
        for (set, rows) in color.into_iter().enumerate().filter(|(_, r)| !r.is_empty()) {
            phases.push(Phase { tile: 0, set, color: colors[set].len() });
            colors[set].push(rows);
        }
    }
    let colorings = colors.into_iter().zip(&slots).zip(lists).map(|((colors, slots), list)| {
        let slots = RowList { particles: slots, ..*list };
        Coloring::verify(slots, permutation.slot_count(), colors)
    });
    Ok(Split {
        plan: Plan {
            structured: false,
            colorings: colorings.collect::<Result<_, _>>()?,
            phases,
            tile_slots: permutation.slot_count(),
            permutation,
        },
        slots,
        copied,
    })
}
