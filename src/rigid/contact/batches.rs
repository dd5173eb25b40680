//! The contact constraints of all batches, and the ways through them.

use super::batch::{ContactBatch, Scene};
use super::coloring::ContactColoring;
use super::constraint::PassParameters;
use super::manifold::Manifold;
use super::narrow_phase::NarrowPhase;
use super::solver_bodies::SolverBodies;
use crate::state::Width;
use crate::threads::Worker;
use std::ops::Range;

/// Fewer constraints than this a thread are not worth a meeting of the workers (`docs/measured.md`, size and threads).
const WORTH_SHARING: usize = 4;

/// The constraints of all batches, in the order of [`BATCHES`](super::coloring::BATCHES).
pub(super) struct ContactBatches<W: Width>(
    ContactBatch<W, 4, false>,
    ContactBatch<W, 2, false>,
    ContactBatch<W, 1, false>,
    ContactBatch<W, 4, true>,
    ContactBatch<W, 2, true>,
    ContactBatch<W, 1, true>,
);

/// Does `$do` with each batch, in order or from the last to the first.
macro_rules! each_batch {
    ($all:expr, |$batch:ident| $do:expr) => {
        each_batch!(@ $all, $batch, $do, 0 1 2 3 4 5)
    };
    ($all:expr, $reversed:expr, |$batch:ident| $do:expr) => {
        if $reversed {
            each_batch!(@ $all, $batch, $do, 5 4 3 2 1 0)
        } else {
            each_batch!(@ $all, $batch, $do, 0 1 2 3 4 5)
        }
    };
    (@ $all:expr, $batch:ident, $do:expr, $($n:tt)*) => {{
        $({
            let $batch = &$all.$n;
            $do;
        })*
    }};
}

impl<W: Width> ContactBatches<W> {
    pub(super) fn new() -> Self {
        Self(
            ContactBatch::new(),
            ContactBatch::new(),
            ContactBatch::new(),
            ContactBatch::new(),
            ContactBatch::new(),
            ContactBatch::new(),
        )
    }

    /// Writes back to the manifolds what their points did.
    pub(super) fn write_back(&self, manifolds: &mut [Manifold]) {
        each_batch!(self, |batch| batch.write_back(manifolds));
    }

    /// Lays out the constraints of all batches, to be [filled](Self::fill).
    pub(super) fn lay_out(&mut self, coloring: &ContactColoring) {
        let batches = &coloring.batches;
        self.0.lay_out(&batches[0]);
        self.1.lay_out(&batches[1]);
        self.2.lay_out(&batches[2]);
        self.3.lay_out(&batches[3]);
        self.4.lay_out(&batches[4]);
        self.5.lay_out(&batches[5]);
    }

    /// Takes the constraints' numbers from the manifolds: all of them, or the normals only.
    pub(super) fn fill(&self, worker: &Worker, contacts: &NarrowPhase, anew: bool) {
        each_batch!(self, |batch| worker.share(
            batch.len(),
            |range| match anew {
                true => range.for_each(|i| batch.fill(i, contacts)),
                false => range.for_each(|i| batch.turn_normals(i, contacts)),
            }
        ));
    }

    /// A substep begins.
    pub(super) fn begin(&self, worker: &Worker, scene: &Scene<W::Element>, h: W) {
        each_batch!(self, |batch| {
            each_color(worker, &batch.colors, false, |range| {
                batch.begin(range, scene, h);
            })
        });
    }

    /// One pass over all constraints.
    pub(super) fn project(
        &self,
        worker: &Worker,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W>,
    ) {
        each_batch!(self, pass.reversed, |batch| {
            each_color(worker, &batch.colors, pass.reversed, |range| {
                batch.project(range, bodies, pass);
            })
        });
    }
}

/// Every row of every color, those of a color shared among the workers; colors from the last to the first where `reversed`.
pub(super) fn each_color(
    worker: &Worker,
    colors: &[Range<usize>],
    reversed: bool,
    act: impl Fn(Range<usize>),
) {
    let rows = colors.last().map_or(0, |last| last.end);
    let largest = colors.iter().map(|color| color.len()).max().unwrap_or(0);
    if worker.count() == 1 || largest < WORTH_SHARING * worker.count() {
        if rows > 0 {
            worker.alone(|| act(0..rows));
        }
        return;
    }
    for k in 0..colors.len() {
        let color = &colors[if reversed { colors.len() - 1 - k } else { k }];
        worker.share(color.len(), |range| {
            act(color.start + range.start..color.start + range.end);
        });
    }
}
