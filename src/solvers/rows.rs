//! A method's rows made ready in the order of a plan: packed for lanes, or one at a time.

use super::core::{Core, RowPhase, passes};
use super::sweeps::Sweeps;
use crate::coloring::{Plan, RowList, Span};
use crate::error::ModelError;
use crate::math::F32x8;
use crate::model::Model;
use crate::rows::{Packing, PhaseGroup, RowElement, RowOrder, Schedule, schedule};
use crate::subsystem::SubsystemWidth;
use crate::threads::{Team, cores};

/// Fewer constraints than this are not worth a second thread (`docs/notes/measured.md`, size and threads).
const ROWS_PER_THREAD: usize = 5_000;
/// A body that may touch others is about as much work as so many constraints: heaps have three contacts a body.
const ROWS_OF_A_BODY: usize = 5;

impl Core<F32x8> {
    /// Rows packed for lanes, for so many `threads`; zero lets the engine choose. `copies` are the slots that the rows of each
    /// set name, where particles have copies.
    ///
    /// # Errors
    /// Threads that the system refuses.
    pub(super) fn packed(
        model: &Model,
        sweeps: Sweeps,
        plan: &Plan,
        copies: Option<&[Vec<u32>]>,
        threads: usize,
        extras: &[&str],
    ) -> Result<Self, ModelError> {
        let team = Team::new(choose_threads(model, threads))?;
        let sets = model.rows().iter().zip(&plan.colorings).enumerate();
        let pack = sets.map(|(i, (set, coloring))| {
            let arity = set.row_list().arity;
            set.pack_by(&Packing {
                coloring,
                permutation: &plan.permutation,
                copies: copies.map(|slots| RowList { particles: &slots[i], arity }),
                structured: plan.structured,
                settings: &sweeps.settings,
                team: &team,
            })
        });
        let batches = pack.collect();
        Ok(Self::new(model, sweeps, plan, batches, team, extras))
    }

    /// How its rows are walked: as a wavefront through `waves` substeps, where that is worth it.
    pub(super) fn schedule(&self, plan: &Plan, waves: u32) -> Schedule {
        // A wavefront has iterations under way together, so there is no state between them to check.
        let waves = if self.settings.tolerance > 0.0 { 0 } else { waves };
        schedule(plan, &self.batches, self.team.threads(), passes(&self.settings), waves)
    }
}

/// The threads that a model is worth, where the user leaves it to the engine (zero).
fn choose_threads(model: &Model, threads: usize) -> usize {
    match threads {
        0 => {
            let touching = if model.contacts().is_some() { model.bodies().len() } else { 0 };
            let rows = model.constraint_count() + ROWS_OF_A_BODY * touching;
            (rows / ROWS_PER_THREAD).clamp(1, cores())
        }
        given => given,
    }
}

/// A number that scalar loops are run in.
pub(crate) trait ScalarElement: RowElement + SubsystemWidth {}
impl<E: RowElement + SubsystemWidth> ScalarElement for E {}

impl<E: ScalarElement> Core<E> {
    /// Rows one at a time, `rows[set]` in that order, in runs as `order` says; and their phases, in one group.
    pub(super) fn scalar(
        model: &Model,
        sweeps: Sweeps,
        plan: &Plan,
        rows: Vec<Vec<u32>>,
        order: &[Span],
        extras: &[&str],
    ) -> (Self, PhaseGroup) {
        let permutation = &plan.permutation;
        let sets = model.rows().iter().zip(rows);
        let batches = sets.map(|(set, rows)| {
            E::in_order(set.as_ref(), RowOrder { rows, permutation }, &sweeps.settings)
        });
        let batches = batches.collect();
        let mut core = Self::new(model, sweeps, plan, batches, Team::alone(), extras);
        let phase = |span: &Span| RowPhase { set: span.set, color: 0, units: span.rows.clone() };
        core.phases = order.iter().map(phase).collect();
        let group = PhaseGroup { phases: 0..core.phases.len(), shared: false };
        (core, group)
    }
}
