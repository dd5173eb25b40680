//! What a run is made of: rows, colors, packets, bytes and flops.

use super::{Cost, costs};
use crate::coloring::{Plan, Policy, balance, compare_colorings};
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::ColorStats;

/// A model taken apart.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Inspection {
    /// Particles (N).
    pub particles: usize,
    /// Places in storage, ghosts and padding included.
    pub places: usize,
    /// Rows of all kinds (M).
    pub constraints: usize,
    /// M / 3N (S1-12).
    pub rows_per_unknown: f64,
    /// "over-determined" or "under-determined" (S1-12).
    pub class: &'static str,
    /// Bands that the rows are swept in, each color by color.
    pub bands: usize,
    /// One entry per kind and class of response.
    pub kinds: Vec<KindInspection>,
}

/// The rows of one kind and class.
#[derive(Clone, Debug, serde::Serialize)]
pub struct KindInspection {
    /// The kind.
    pub kind: &'static str,
    /// How its rows respond.
    pub response: String,
    /// Rows.
    pub rows: usize,
    /// Colors in a band.
    pub colors: usize,
    /// The most rows that name one particle: no coloring has fewer colors.
    pub clique_bound: usize,
    /// Largest color over mean (S1-29).
    pub balance: f64,
    /// Share of lanes that carry a row.
    pub lane_fill: f64,
    /// Share of rows in run packets.
    pub run_share: f64,
    /// Packets and single rows in the smallest and the largest color.
    pub units_per_phase: (usize, usize),
    /// Bytes of a packed row: indices, parameters, response, multipliers.
    pub bytes_per_row: f64,
    /// Bytes of particle state loaded and stored by one projection.
    pub particle_bytes_per_row: usize,
    /// Floating-point operations of one projection with compliance.
    pub flops_per_row: usize,
    /// Of which divisions.
    pub divisions_per_row: usize,
    /// Of which square roots.
    pub roots_per_row: usize,
    /// The colorings that the rows could have, all bands as one; the one they get is marked.
    pub colorings: Vec<ColoringInspection>,
}

/// A coloring beside others.
#[derive(Clone, Debug, serde::Serialize)]
pub struct ColoringInspection {
    /// The policy.
    pub policy: &'static str,
    /// Colors.
    pub colors: usize,
    /// Largest color over mean (S1-29).
    pub balance: f64,
    /// Share of rows whose particles lie within 64 places of those of the row before.
    pub near: f64,
    /// Why it was taken; nothing of the others.
    pub taken: Option<&'static str>,
}

/// Why a policy is the one taken.
fn reason(policy: Policy, structured: bool) -> Option<&'static str> {
    match policy {
        Policy::Structured => Some("its rows form runs: plain vector loads"),
        Policy::FirstFit if !structured => {
            Some("no structure is known; rows stay along the storage")
        }
        _ => None,
    }
}

/// Takes a model apart as `lanes` would run it.
///
/// # Errors
/// A model that cannot be simulated.
pub fn inspect(model: &Model) -> Result<Inspection, ModelError> {
    model.settings.validate()?;
    let plan = Plan::new(&model.plan_input())?;
    let costs = costs();
    let particles = model.positions().len();
    let mut kinds = Vec::new();
    for (set, rows) in model.rows().iter().enumerate() {
        let coloring = &plan.colorings[set];
        let batch = rows.pack(
            coloring,
            &plan.permutation,
            plan.structured,
            &model.settings,
        );
        let colors = batch.colors();
        let total = |part: fn(&ColorStats) -> usize| colors.iter().map(part).sum::<usize>();
        let packets = total(|c| c.runs + c.partial_runs + c.gathers);
        let in_runs = total(|c| c.rows - c.tail - 8 * c.gathers);
        let count = rows.len().max(1) as f64;
        let sizes = plan.color_sizes(set);
        let cost = costs.iter().find(|(name, _)| *name == rows.name());
        let cost = cost.map_or(Cost::default(), |(_, cost)| *cost);
        let hint = model.layout().and_then(|s| s.colors.get(set));
        let hint = hint.filter(|hint| hint.len() == rows.len());
        let place = |i| plan.permutation.storage(i);
        let trials = compare_colorings(rows.row_list(), particles, place, hint.map(Vec::as_slice))?;
        let colorings = trials.into_iter().map(|trial| ColoringInspection {
            policy: trial.policy.name(),
            colors: trial.colors,
            balance: trial.balance,
            near: trial.near,
            taken: reason(trial.policy, hint.is_some()),
        });
        let units = || colors.iter().map(ColorStats::units);
        kinds.push(KindInspection {
            kind: rows.name(),
            response: format!("{:?}", rows.class()).to_lowercase(),
            rows: rows.len(),
            colors: sizes.len(),
            clique_bound: rows.row_list().clique_bound(particles),
            balance: balance(&sizes),
            lane_fill: count / (packets * 8 + total(|c| c.tail)).max(1) as f64,
            run_share: in_runs as f64 / count,
            units_per_phase: (units().min().unwrap_or(0), units().max().unwrap_or(0)),
            bytes_per_row: batch.bytes() as f64 / count,
            particle_bytes_per_row: rows.row_list().arity * (16 + 12),
            flops_per_row: cost.flops(),
            divisions_per_row: cost.divisions,
            roots_per_row: cost.roots,
            colorings: colorings.collect(),
        });
    }
    let unknowns = 3 * particles;
    let constraints = model.constraint_count();
    Ok(Inspection {
        particles,
        places: plan.permutation.places(),
        constraints,
        rows_per_unknown: constraints as f64 / unknowns.max(1) as f64,
        class: match constraints >= unknowns {
            true => "over-determined",
            false => "under-determined",
        },
        bands: plan.bands(),
        kinds,
    })
}
