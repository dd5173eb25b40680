//! Levels that keep the authored order's data dependences.
//!
//! A row's level is one more than the last level that touches one of its particles. Rows of a level share no particle, and
//! rows that share one are met in the order in which the author wrote them: level after level, the lanes give the
//! authored-order scalar result bit for bit, for any mix of kinds.
//!
//! Within a level rows may stand in any order, so they are packed along the storage. Filling the first open packet behind a
//! row's last dependence instead (`docs/notes/measured.md`, order-preserving list scheduling) pads less, but meets a mesh's rows in
//! random order: 277 M rows/s against 396 on `sphere:7`, and no threads.

use super::{Coloring, Phase, RowList, Span};
use crate::error::ModelError;

/// The level of one row after another.
pub(crate) struct Levels {
    /// The level that touched a particle last, counted from one.
    touched: Vec<u32>,
}

impl Levels {
    pub(crate) fn new(particles: usize) -> Self {
        Self { touched: vec![0; particles] }
    }

    /// The level of the row of these particles, counted from zero.
    pub(crate) fn next(&mut self, particles: &[u32]) -> usize {
        let last = particles.iter().map(|&i| self.touched[i as usize]).max();
        let level = last.expect("a row names a particle");
        for &i in particles {
            self.touched[i as usize] = level + 1;
        }
        level as usize
    }
}

/// The levels of every row set as its colors, and the order in which they are projected.
pub(super) fn schedule(
    lists: &[RowList],
    particles: usize,
    order: &[Span],
) -> Result<(Vec<Coloring>, Vec<Phase>), ModelError> {
    let mut next = Levels::new(particles);
    let mut levels: Vec<Vec<Vec<u32>>> = vec![Vec::new(); lists.len()];
    for span in order {
        let levels = &mut levels[span.set];
        for row in span.rows.clone() {
            let level = next.next(lists[span.set].row(row as u32));
            if levels.len() <= level {
                levels.resize(level + 1, Vec::new());
            }
            levels[level].push(row as u32);
        }
    }
    let mut phases = Vec::new();
    let mut colorings = Vec::new();
    for (set, levels) in levels.into_iter().enumerate() {
        let (met, colors): (Vec<usize>, Vec<Vec<u32>>) =
            levels.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()).unzip();
        let met = met.into_iter().enumerate();
        phases.extend(met.map(|(color, level)| (level, Phase { tile: 0, set, color })));
        colorings.push(Coloring::verify(lists[set], particles, colors)?);
    }
    phases.sort_by_key(|(level, phase)| (*level, phase.set));
    Ok((colorings, phases.into_iter().map(|(_, phase)| phase).collect()))
}
