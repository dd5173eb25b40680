//! The contact constraints of all batches, and the ways through them.

use super::batch::{Batch, ContactBatch, Scene};
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
pub(super) struct ContactBatches<W: Width>(Vec<Box<dyn Batch<W>>>);

impl<W: Width> ContactBatches<W> {
    pub(super) fn new() -> Self {
        Self(vec![
            Box::new(ContactBatch::<W, 4, false>::new()),
            Box::new(ContactBatch::<W, 2, false>::new()),
            Box::new(ContactBatch::<W, 1, false>::new()),
            Box::new(ContactBatch::<W, 4, true>::new()),
            Box::new(ContactBatch::<W, 2, true>::new()),
            Box::new(ContactBatch::<W, 1, true>::new()),
        ])
    }

    /// Writes back to the manifolds what their points did.
    pub(super) fn write_back(&self, manifolds: &mut [Manifold]) {
        self.0.iter().for_each(|batch| batch.write_back(manifolds));
    }

    /// Lays out all constraints, to be [filled](Self::fill).
    pub(super) fn lay_out(&mut self, coloring: &ContactColoring) {
        for (batch, coloring) in self.0.iter_mut().zip(&coloring.batches) {
            batch.lay_out(coloring);
        }
    }

    /// Takes the constraints' numbers from the manifolds: all of them, or where nothing is `new` the normals only.
    pub(super) fn fill(&self, worker: &Worker, contacts: &NarrowPhase, new: bool) {
        for batch in &self.0 {
            let len = batch.colors().last().map_or(0, |last| last.end);
            worker.share(len, |range| batch.fill(range, contacts, new));
        }
    }

    /// A substep begins.
    pub(super) fn begin(&self, worker: &Worker, scene: &Scene<W::Element>, h: W) {
        for batch in &self.0 {
            each_color(worker, batch.colors(), false, |range| {
                batch.begin(range, scene, h);
            });
        }
    }

    /// One pass over all constraints.
    pub(super) fn project(
        &self,
        worker: &Worker,
        bodies: &SolverBodies<W::Element>,
        pass: &PassParameters<W>,
    ) {
        for k in 0..self.0.len() {
            let last = self.0.len() - 1;
            let batch = &self.0[if pass.reversed { last - k } else { k }];
            each_color(worker, batch.colors(), pass.reversed, |range| {
                batch.project(range, bodies, pass);
            });
        }
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
