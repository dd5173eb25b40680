//! The colorings that a kind's rows could have, beside the one they get (S1-28, S1-29).
//!
//! First fit along the storage is what unstructured rows get: its colors are within one or two of the clique bound, and a
//! packet's rows lie near each other. Largest degree first and DSATUR (Brélaz, *New Methods to Color the Vertices of a
//! Graph*, 1979) seek fewer colors and scatter the rows; balanced colors have phases of equal length, and scatter them a
//! little; a generator's own structure gives both runs and few colors where there is one.

use super::greedy::FirstFit;
use super::{Coloring, RowList, balance};
use crate::error::ModelError;
use std::collections::BTreeSet;

/// A way to color rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The generator's own colors.
    Structured,
    /// Rows along the storage take the first color free.
    FirstFit,
    /// The same, rows of the largest degree (rows they share a particle with) first.
    LargestFirst,
    /// The row whose neighbors have the most colors is next.
    Dsatur,
    /// First fit, from whose large colors rows move to small ones.
    Balanced,
}

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 5] = [
        Policy::Structured,
        Policy::FirstFit,
        Policy::LargestFirst,
        Policy::Dsatur,
        Policy::Balanced,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structured => "structured",
            Self::FirstFit => "first fit",
            Self::LargestFirst => "largest first",
            Self::Dsatur => "DSATUR",
            Self::Balanced => "balanced",
        }
    }
}

/// What a policy makes of a set of rows; it is verified to be a coloring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The policy.
    pub policy: Policy,
    /// Colors.
    pub colors: usize,
    /// Largest color over mean.
    pub balance: f64,
    /// Share of rows that follow, in their color, a row of which all particles lie within a cache line's reach (64 slots).
    pub near: f64,
}

/// Particles of more rows than this are colored by policies that do not look at neighbors.
const MOST_NEIGHBORS: usize = 64;
/// DSATUR looks at every neighbor twice a row: some seconds for as many.
const MOST_ROWS: usize = 300_000;

/// Tries every policy on `rows`, whose particles lie at `slot`; `hint` is the generator's color of each row. Rows of a
/// particle that more than 64 name are not colored by their neighbors, nor more than 300 000 rows by DSATUR: too much to look at.
///
/// # Errors
/// A hint that is no coloring.
pub fn compare_colorings(
    rows: RowList,
    particles: usize,
    slot: impl Fn(u32) -> u32,
    hint: Option<&[u16]>,
) -> Result<Vec<Trial>, ModelError> {
    let first = |row: u32| rows.row(row).iter().map(|&i| slot(i)).min();
    let mut along: Vec<u32> = (0..rows.len() as u32).collect();
    along.sort_by_key(|&row| (first(row), row));
    let many = rows.clique_bound(particles) > MOST_NEIGHBORS;
    let mut trials = Vec::new();
    for policy in Policy::ALL {
        let colors = match (policy, hint) {
            (Policy::Structured, Some(hint)) => hint.iter().map(|&color| color.into()).collect(),
            (Policy::Structured, None) => continue,
            (Policy::FirstFit, _) => fitted(rows, particles, &along, false),
            _ if many => continue,
            (Policy::Dsatur, _) if rows.len() > MOST_ROWS => continue,
            (Policy::LargestFirst, _) => {
                let mut order = along.clone();
                let degrees = degrees(rows, particles);
                order.sort_by_key(|&row| std::cmp::Reverse(degrees[row as usize]));
                fitted(rows, particles, &order, false)
            }
            (Policy::Dsatur, _) => dsatur(rows, particles),
            (Policy::Balanced, _) => fitted(rows, particles, &along, true),
        };
        trials.push(trial(policy, rows, particles, &along, &slot, &colors)?);
    }
    Ok(trials)
}

/// The color of each row by first fit in `order`.
fn fitted(rows: RowList, particles: usize, order: &[u32], is_balanced: bool) -> Vec<u32> {
    let mut members = Vec::new();
    FirstFit::new(particles, is_balanced).fit(rows, order.to_vec(), &mut members);
    let mut colors = vec![0; rows.len()];
    for (color, members) in members.iter().enumerate() {
        members.iter().for_each(|&row| colors[row as usize] = color as u32);
    }
    colors
}

/// The rows that name each particle.
fn rows_of(rows: RowList, particles: usize) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); particles];
    for row in 0..rows.len() as u32 {
        for &i in rows.row(row) {
            of[i as usize].push(row);
        }
    }
    of
}

/// How often each row meets one at a particle, itself included.
fn degrees(rows: RowList, particles: usize) -> Vec<usize> {
    let of = rows_of(rows, particles);
    let degree = |row| rows.row(row).iter().map(|&i| of[i as usize].len()).sum();
    (0..rows.len() as u32).map(degree).collect()
}

/// The row whose neighbors have the most colors is next; of equals that of the largest degree.
fn dsatur(rows: RowList, particles: usize) -> Vec<u32> {
    let of = rows_of(rows, particles);
    let degrees = degrees(rows, particles);
    let mut taken = vec![0_u128; particles];
    let used = |taken: &[u128], row| rows.row(row).iter().fold(0, |u, &i| u | taken[i as usize]);
    let key = |taken: &[u128], row: u32| {
        let saturation = used(taken, row).count_ones();
        (saturation, degrees[row as usize], std::cmp::Reverse(row))
    };
    let mut waiting: BTreeSet<_> = (0..rows.len() as u32).map(|row| key(&taken, row)).collect();
    let mut colors = vec![0; rows.len()];
    let mut is_colored = vec![false; rows.len()];
    let mut beyond = u128::BITS;
    while let Some((.., std::cmp::Reverse(row))) = waiting.pop_last() {
        let color = used(&taken, row).trailing_ones();
        is_colored[row as usize] = true;
        colors[row as usize] = color;
        if color == u128::BITS {
            colors[row as usize] = beyond;
            beyond += 1;
            continue;
        }
        for &i in rows.row(row) {
            for &next in &of[i as usize] {
                if !is_colored[next as usize] {
                    waiting.remove(&key(&taken, next));
                }
            }
        }
        for &i in rows.row(row) {
            taken[i as usize] |= 1 << color;
        }
        for &i in rows.row(row) {
            let open = of[i as usize].iter().filter(|&&next| !is_colored[next as usize]);
            waiting.extend(open.map(|&next| key(&taken, next)));
        }
    }
    colors
}

fn trial(
    policy: Policy,
    rows: RowList,
    particles: usize,
    along: &[u32],
    slot: &impl Fn(u32) -> u32,
    colors: &[u32],
) -> Result<Trial, ModelError> {
    let count = colors.iter().max().map_or(0, |&most| most as usize + 1);
    let mut members = vec![Vec::new(); count];
    for &row in along {
        members[colors[row as usize] as usize].push(row);
    }
    members.retain(|color| !color.is_empty());
    let coloring = Coloring::verify(rows, particles, members)?;
    let is_near = |pair: &&[u32]| {
        let slots = rows.row(pair[0]).iter().zip(rows.row(pair[1]));
        slots.clone().all(|(&a, &b)| slot(a).abs_diff(slot(b)) <= 64)
    };
    let pairs = coloring.colors().iter().flat_map(|color| color.windows(2));
    let sizes: Vec<usize> = coloring.colors().iter().map(Vec::len).collect();
    Ok(Trial {
        policy,
        colors: sizes.len(),
        balance: balance(&sizes),
        near: pairs.filter(is_near).count() as f64 / rows.len().max(1) as f64,
    })
}
