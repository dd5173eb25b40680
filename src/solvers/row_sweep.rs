//! A sweep over the rows: phase after phase, there or back.

use super::clock::{Clock, PROJECT};
use super::core::{Core, RowPhase};
use crate::rows::{Batch, PhaseGroup, Tile};
use crate::state::PositionView;
use crate::subsystem::SubsystemWidth;
use crate::threads::Worker;
use std::ops::Range;

/// Fewer rows than this are timed with what comes next: a clock costs as much as a few rows.
const TIMED: usize = 64;

/// Which of `count` comes `i`-th, on the way `back` counted from the last.
pub(super) fn turned(i: usize, count: usize, back: bool) -> usize {
    if back { count - 1 - i } else { i }
}

impl<W: SubsystemWidth> Core<W> {
    /// All rows in iteration `k` of a substep, in groups; in the first from multipliers of zero.
    pub(super) fn project_rows(
        &self,
        worker: &Worker,
        groups: &[PhaseGroup],
        positions: &PositionView<W::Element>,
        k: usize,
        clock: &Clock,
    ) {
        let enter = |set| clock.enter(PROJECT + set);
        let back = self.goes_back(k);
        self.each_rows(worker, groups, back, enter, |batch, color, units| match back {
            true => batch.project_back(color, units, positions),
            false => batch.project(color, units, k == 0, positions),
        });
    }

    /// Does `act` with the rows of all phases once, in groups, from the last to the first on the way `back`; `enter` is told of
    /// each set that takes time.
    pub(super) fn each_rows(
        &self,
        worker: &Worker,
        groups: &[PhaseGroup],
        back: bool,
        enter: impl Fn(usize),
        act: impl Fn(&dyn Batch<W::Element>, usize, Range<usize>),
    ) {
        for i in 0..groups.len() {
            let PhaseGroup { phases, shared } = &groups[turned(i, groups.len(), back)];
            match shared {
                true => {
                    let RowPhase { set, color, .. } = &self.phases[phases.start];
                    let batch = self.batches[*set].as_ref();
                    let colored = batch.colored().expect("rows that workers may share");
                    enter(*set);
                    worker.parallel_color(colored, *color, |range| act(batch, *color, range));
                }
                false => worker.single(|| self.each_phase(phases.clone(), back, &enter, &act)),
            }
        }
    }

    /// The rows of a tile in iteration `k` of a substep, by one worker.
    pub(super) fn project_tile(
        &self,
        tile: &Tile,
        positions: &PositionView<W::Element>,
        k: usize,
        clock: &Clock,
    ) {
        let enter = |set| clock.enter(PROJECT + set);
        self.each_phase(tile.phases.clone(), false, enter, |batch, color, units| {
            batch.project(color, units, k == 0, positions);
        });
    }

    /// Does `act` with the rows of some phases, by one worker.
    pub(super) fn each_phase(
        &self,
        phases: Range<usize>,
        back: bool,
        enter: impl Fn(usize),
        act: impl Fn(&dyn Batch<W::Element>, usize, Range<usize>),
    ) {
        let phases = &self.phases[phases];
        for i in 0..phases.len() {
            let RowPhase { set, color, units } = &phases[turned(i, phases.len(), back)];
            // The first is timed whatever its size, so that nothing counts as the phase before.
            if i == 0 || units.len() >= TIMED {
                enter(*set);
            }
            act(self.batches[*set].as_ref(), *color, units.clone());
        }
    }
}
