//! Rows between bodies, particles and the world, colored, as many side by side as there are lanes. Lanes beyond the last row
//! of a color repeat it: they load, compute and store the very same numbers.

use crate::coloring::{Coloring, RowList, first_fit};
use crate::state::Width;
use crate::subsystem::{Runtime, StepContext, StepPhase};
use crate::threads::Worker;
use std::ops::Range;

/// Fewer packets than this a thread are not worth a meeting of the workers (`docs/measured.md`, size and threads).
const WORTH_SHARING: usize = 8;

/// Rows of one block or kind whose ends are of the same kinds.
pub(super) trait RowBatch<W: Width>: Send + Sync {
    /// Multipliers to zero; what depends on where bodies are at the start of the substep. Called by one worker.
    fn begin(&self, step: &StepContext<W::Element>);
    /// Once, all workers together.
    fn project(&self, worker: &Worker, step: &StepContext<W::Element>);
    /// Gives the multipliers: row, number of the equation, value.
    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32));
}

/// Which rows are side by side.
pub(super) struct Packets {
    /// The rows of each packet, lane by lane.
    pub(super) rows: Vec<u32>,
    /// The packets of each color.
    pub(super) colors: Vec<Range<usize>>,
}

impl Packets {
    /// `names`: what each row's ends are numbered as, `arity` a row.
    pub(super) fn new(names: &[u32], arity: usize, most: usize, lanes: usize) -> Self {
        let list = RowList {
            particles: names,
            arity,
        };
        let coloring: Coloring = first_fit(list, most, 0..list.len() as u32);
        let mut all = Self {
            rows: Vec::new(),
            colors: Vec::new(),
        };
        for color in coloring.colors() {
            let first = all.rows.len() / lanes;
            for members in color.chunks(lanes) {
                let row = |lane: usize| members[lane.min(members.len() - 1)];
                all.rows.extend((0..lanes).map(row));
            }
            all.colors.push(first..all.rows.len() / lanes);
        }
        all
    }

    /// Projects the packets of one color after another, shared where they are worth it.
    pub(super) fn project(&self, worker: &Worker, project: impl Fn(Range<usize>)) {
        let colors = &self.colors;
        let largest = colors.iter().map(|c| c.len()).max().unwrap_or(0);
        if worker.count() == 1 || largest < WORTH_SHARING * worker.count() {
            worker.alone(|| project(0..colors.last().map_or(0, |last| last.end)));
            return;
        }
        for color in colors {
            worker.share(color.len(), |part| {
                project(color.start + part.start..color.start + part.end);
            });
        }
    }
}

/// All batches of a subsystem.
pub(super) struct BatchRuntime<W> {
    pub(super) batches: Vec<Box<dyn RowBatch<W>>>,
    /// Where the multipliers of each row begin, and how many there are.
    pub(super) offsets: (Vec<usize>, usize),
}

impl<W: Width> Runtime<W> for BatchRuntime<W> {
    fn begin(&self, _: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        worker.alone(|| self.batches.iter().for_each(|batch| batch.begin(step)));
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let batches = self.batches.iter();
        batches.for_each(|batch| batch.project(worker, step));
    }

    fn multipliers(&self) -> Vec<f32> {
        let (starts, len) = &self.offsets;
        let mut out = vec![0.0; *len];
        for batch in &self.batches {
            batch.multipliers(&mut |row, k, l| out[starts[row as usize] + k] = l);
        }
        out
    }
}
