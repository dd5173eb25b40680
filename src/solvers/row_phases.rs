//! Rows made ready, and the phases in which they are projected.

use crate::coloring::{Plan, Span};
use crate::model::Model;
use crate::rows::{Batch, Packing, RowElement, RowOrder};
use crate::settings::Settings;
use crate::threads::Team;
use std::ops::Range;

/// Some rows of one color of one row set.
#[derive(Clone, Debug)]
pub(super) struct RowPhase {
    pub(super) set: usize,
    pub(super) color: usize,
    pub(super) units: Range<usize>,
}

/// The rows of a plan, packed for lanes by a team.
pub(super) fn pack(
    plan: &Plan,
    model: &Model,
    settings: &Settings,
    team: &Team,
) -> Vec<Box<dyn Batch<f32>>> {
    let sets = model.rows().iter().zip(&plan.colorings);
    let pack = sets.map(|(set, coloring)| {
        set.pack_by(&Packing {
            coloring,
            permutation: &plan.permutation,
            copies: None,
            structured: plan.structured,
            settings,
            team,
        })
    });
    pack.collect()
}

/// Rows as scalar loops take them, `rows[set]` in that order.
pub(super) fn scalar_batches<E: RowElement>(
    model: &Model,
    settings: &Settings,
    plan: &Plan,
    rows: Vec<Vec<u32>>,
) -> Vec<Box<dyn Batch<E>>> {
    let permutation = &plan.permutation;
    let sets = model.rows().iter().zip(rows);
    let batches = sets.map(|(set, rows)| {
        let order = RowOrder { rows, permutation };
        E::in_order(set.as_ref(), order, settings)
    });
    batches.collect()
}

/// Runs of rows as phases.
pub(super) fn row_phases(order: &[Span]) -> Vec<RowPhase> {
    let phase = |span: &Span| RowPhase { set: span.set, color: 0, units: span.rows.clone() };
    order.iter().map(phase).collect()
}
