//! The parts of a model as a run uses them: rows, colors, packets, bytes and flops.

use super::cost::{Cost, costs};
use crate::coloring::{Plan, Policy, balance, compare_colorings};
use crate::error::ModelError;
use crate::model::Model;
use crate::observe::{penetration, tangled};
use crate::rows::{ColorStats, RowView};
use crate::settings::Precision;

/// The parts of a model.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Inspection {
    /// N.
    pub particles: usize,
    /// Slots in storage, padding included.
    pub slot_count: usize,
    /// M: rows of all kinds.
    pub constraints: usize,
    pub bodies: usize,
    pub joints: usize,
    /// Triangles that tear, and the copies of vertices that they may take.
    pub tears: [usize; 2],
    /// The deepest overlap of what may touch, at the start (m), a lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penetration: Option<f64>,
    /// Edges of cloths in contact with themselves that pass through triangles at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangled: Option<usize>,
    /// M of M / 3N: equations of rows and subsystems.
    pub equations: usize,
    /// 3N of M / 3N: three for each particle that can move, six for each body.
    pub unknowns: usize,
    /// M / 3N (S1-12).
    pub rows_per_unknown: f64,
    /// "over-determined" or "under-determined" (S1-12).
    pub class: &'static str,
    /// Whether what positions are rounded off by is "carried", or "plain" rounded off.
    pub precision: &'static str,
    /// What rounding does to a particle's way in a substep, as a share of what gravity does.
    pub grain: f64,
    /// Sweeps over the rows: all "one way", or "there and back" by turns.
    pub sweeps: &'static str,
    /// Tiles that every pass goes through, each color by color.
    pub tiles: usize,
    /// Slots of a tile.
    pub tile_slots: usize,
    pub kinds: Vec<KindInspection>,
}

/// The rows of one kind and response.
#[derive(Clone, Debug, serde::Serialize)]
pub struct KindInspection {
    pub kind: &'static str,
    pub response: String,
    pub rows: usize,
    /// Colors in a tile.
    pub colors: usize,
    /// The most rows that name one particle: no coloring has fewer colors.
    pub clique_bound: usize,
    /// Largest color over mean (S1-29).
    pub balance: f64,
    /// Lanes that its runs are computed in: the faster on this machine, or as the settings say.
    pub width: usize,
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
    /// Operations of one projection with compliance, divisions and square roots included.
    pub flops_per_row: usize,
    pub divisions_per_row: usize,
    pub roots_per_row: usize,
    /// The colorings that the rows could have, all tiles as one; the one they get is marked.
    pub colorings: Vec<ColoringInspection>,
}

/// A coloring beside others.
#[derive(Clone, Debug, serde::Serialize)]
pub struct ColoringInspection {
    pub policy: &'static str,
    pub colors: usize,
    /// Largest color over mean (S1-29).
    pub balance: f64,
    /// Share of rows whose particles lie within 64 slots of those of the row before.
    pub near: f64,
    /// The reason why it was taken; absent for the others.
    pub taken: Option<&'static str>,
}

/// The reason why a policy is taken.
fn reason(policy: Policy, structured: bool, balanced: bool) -> Option<&'static str> {
    match (policy, structured) {
        (Policy::Structured, _) => Some("its rows form runs: plain vector loads"),
        (Policy::FirstFit, false) if !balanced => {
            Some("no structure is known; rows stay along the storage")
        }
        (Policy::Balanced, false) if balanced => Some("the settings ask for balanced colors"),
        _ => None,
    }
}

/// Takes a model apart as `lanes` would run it.
///
/// # Errors
/// A model that cannot be simulated.
pub fn inspect(model: &Model) -> Result<Inspection, ModelError> {
    model.settings.validate()?;
    let plan = model.plan()?;
    let costs = costs();
    let sets = model.row_sets().enumerate();
    let kinds = sets.map(|(set, rows)| inspect_set(model, &plan, &costs, set, rows));
    let (equations, unknowns) = (model.equation_count(), model.unknown_count());
    Ok(Inspection {
        particles: model.positions().len(),
        slot_count: plan.permutation.slot_count(),
        constraints: model.constraint_count(),
        bodies: model.bodies().len(),
        joints: model.joints().count(),
        tears: model
            .tears()
            .iter()
            .fold([0; 2], |[t, c], tear| [t + tear.triangles.len(), c + tear.copies.len()]),
        penetration: penetration(model, &model.start()),
        tangled: tangled(model, &model.start()),
        equations,
        unknowns,
        rows_per_unknown: equations as f64 / unknowns.max(1) as f64,
        class: match equations >= unknowns {
            true => "over-determined",
            false => "under-determined",
        },
        precision: match model.is_carried() {
            true => Precision::Carried.name(),
            false => Precision::Plain.name(),
        },
        grain: model.grain(),
        sweeps: match model.is_swept_back() {
            true => "there and back",
            false => "one way",
        },
        tiles: plan.tiles(),
        tile_slots: plan.tile_slots,
        kinds: kinds.collect::<Result<_, _>>()?,
    })
}

fn inspect_set(
    model: &Model,
    plan: &Plan,
    costs: &[(&str, Cost)],
    set: usize,
    rows: RowView,
) -> Result<KindInspection, ModelError> {
    let (list, particles) = (rows.particles, model.positions().len());
    let packed = model.packed(set, plan);
    let colors = &packed.colors;
    let total = |count: fn(&ColorStats) -> usize| colors.iter().map(count).sum::<usize>();
    let packets = total(|c| c.runs + c.partial_runs + c.gathers);
    let in_runs = total(|c| c.rows - c.tail - 8 * c.gathers);
    let count = list.len().max(1) as f64;
    let sizes = plan.color_sizes(set);
    let cost = costs.iter().find(|(name, _)| *name == rows.kind);
    let cost = cost.map_or(Cost::default(), |(_, cost)| *cost);
    let hint = model.layout().and_then(|s| s.colors.get(set));
    let hint = hint.filter(|hint| hint.len() == list.len());
    let slot = |i| plan.permutation.storage(i);
    let trials = compare_colorings(list, particles, slot, hint.map(Vec::as_slice))?;
    let colorings = trials.into_iter().map(|trial| ColoringInspection {
        policy: trial.policy.name(),
        colors: trial.colors,
        balance: trial.balance,
        near: trial.near,
        taken: reason(trial.policy, hint.is_some(), model.settings.balanced_colors),
    });
    let units = || colors.iter().map(ColorStats::units);
    Ok(KindInspection {
        kind: rows.kind,
        response: format!("{:?}", rows.response).to_lowercase(),
        rows: list.len(),
        colors: sizes.len(),
        clique_bound: list.clique_bound(particles),
        balance: balance(&sizes),
        width: packed.lanes,
        lane_fill: count / (packets * 8 + total(|c| c.tail)).max(1) as f64,
        run_share: in_runs as f64 / count,
        units_per_phase: (units().min().unwrap_or(0), units().max().unwrap_or(0)),
        bytes_per_row: packed.bytes as f64 / count,
        particle_bytes_per_row: list.arity * (16 + 12),
        flops_per_row: cost.flops(),
        divisions_per_row: cost.divisions,
        roots_per_row: cost.roots,
        colorings: colorings.collect(),
    })
}
