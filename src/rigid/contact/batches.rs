//! The contact batches, and the ways through all of them.

use super::batch::{Batch, ContactBatch, Scene};
use super::coloring::ContactColoring;
use super::direct_point::Place;
use super::held_joints::HeldJoints;
use super::impact_pairs::ImpactPairs;
use super::manifold::{Fill, Manifold};
use super::narrow_phase::NarrowPhase;
use super::pass::PassParameters;
use super::settings::{ContactSettings, Needs};
use super::solver_bodies::SolverBodies;
use super::width::WIDE;
use crate::math::Scalar;
use crate::rigid::packets::each_color;
use crate::state::{BodyView, Lanes, OneLane, Width};
use crate::subsystem::{BuildContext, Note};
use crate::threads::{Worker, lock};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fewer constraints of a color than this a worker are not shared.
const WORTH_SHARING: usize = 64;
/// The most rounds of impacts in a substep: a blow goes through a row of as many balls at least.
pub(super) const ROUNDS: usize = 100;

/// The constraints of all batches, in the order of [`BATCHES`](super::coloring::BATCHES).
pub(super) struct ContactBatches<E: Scalar> {
    pub(super) batches: Vec<Box<dyn Batch<E>>>,
    needs: Needs,
    /// Where anything may rebound, the pairs that are struck at once.
    pairs: Option<Mutex<ImpactPairs>>,
    /// How many constraints are side by side in a packet.
    pub(super) lanes: usize,
}

impl<E: OneLane> ContactBatches<E> {
    /// For constraints as many side by side as `W` has lanes, or twice as many.
    pub(super) fn new<W: Width<Element = E>>(
        needs: Needs,
        is_wide: bool,
        context: &BuildContext,
    ) -> Self {
        // What a build leaves out must be known when it is compiled.
        let all = if WIDE && is_wide { Self::of::<W::Wide>(needs) } else { Self::of::<W>(needs) };
        let pairs = || ImpactPairs::new(HeldJoints::new(context, |_| true), context.bodies.len());
        Self { pairs: needs.impacts.then(|| Mutex::new(pairs())), ..all }
    }

    fn of<W: Lanes<Element = E>>(needs: Needs) -> Self {
        let batches: Vec<Box<dyn Batch<E>>> = vec![
            Box::new(ContactBatch::<W, 4, false>::new()),
            Box::new(ContactBatch::<W, 2, false>::new()),
            Box::new(ContactBatch::<W, 1, false>::new()),
            Box::new(ContactBatch::<W, 4, true>::new()),
            Box::new(ContactBatch::<W, 2, true>::new()),
            Box::new(ContactBatch::<W, 1, true>::new()),
        ];
        Self { batches, needs, pairs: None, lanes: W::LANES }
    }

    /// How many packets there are.
    pub(super) fn packets(&self) -> usize {
        self.batches.iter().map(|batch| batch.packets().len()).sum()
    }

    /// Does `act` with some of the packets, counted through all batches.
    pub(super) fn each_packet(
        &self,
        range: Range<usize>,
        act: impl Fn(&dyn Batch<E>, Range<usize>),
    ) {
        let mut first = 0;
        for batch in &self.batches {
            let len = batch.packets().len();
            let [from, to] = [range.start, range.end].map(|i| i.clamp(first, first + len) - first);
            if from < to {
                act(&**batch, from..to);
            }
            first += len;
        }
    }

    /// Does `act` with the place of each manifold, and with its number.
    pub(super) fn each_manifold(&self, mut act: impl FnMut(Place, u32)) {
        for (n, batch) in self.batches.iter().enumerate() {
            for (packet, rows) in batch.packets().rows.chunks(self.lanes).enumerate() {
                // Lanes behind the last row of a color repeat it.
                let is_new = |lane: &usize| *lane == 0 || rows[*lane] != rows[*lane - 1];
                let new = (0..rows.len()).filter(is_new);
                new.for_each(|lane| act(Place { batch: n, packet, lane, k: 0 }, rows[lane]));
            }
        }
    }

    /// Fewer packets of a color than this a worker are not shared.
    fn worth(&self) -> usize {
        WORTH_SHARING / self.lanes
    }

    /// Whether most packets are in colors that so many workers may share.
    pub(super) fn is_worth(&self, workers: usize) -> bool {
        let colors = self.batches.iter().flat_map(|batch| &batch.packets().colors);
        let lengths = colors.map(ExactSizeIterator::len);
        let shared: usize = lengths.filter(|len| *len >= self.worth() * workers).sum();
        2 * shared > self.packets()
    }

    /// Lays out all constraints, to be [filled](Self::fill).
    pub(super) fn lay_out(&mut self, coloring: &ContactColoring, manifolds: &[Manifold]) {
        for (batch, packets) in self.batches.iter_mut().zip(&coloring.batches) {
            batch.lay_out(packets, self.needs);
        }
        if let Some(pairs) = &self.pairs {
            let mark = |place: Place| self.batches[place.batch].pair(place);
            let mut pairs = lock(pairs);
            pairs.find(manifolds, |act| self.each_manifold(act), mark);
        }
    }

    /// Takes the constraints' numbers from the manifolds.
    pub(super) fn fill(&self, worker: &Worker, contacts: &NarrowPhase, which: Fill) {
        worker.parallel_for(self.packets(), |range| {
            self.each_packet(range, |batch, range| batch.fill(range, contacts, which));
        });
    }

    /// Writes back to the manifolds what some packets did: those of what has `moved`, or all.
    pub(super) fn write_back(&self, range: Range<usize>, contacts: &NarrowPhase, moved: bool) {
        let NarrowPhase { manifolds, cache, .. } = contacts;
        let moved = moved.then(|| cache.moved.as_slice());
        self.each_packet(range, |batch, range| batch.write_back(range, manifolds, moved));
    }

    /// A substep begins.
    pub(super) fn begin(&self, worker: &Worker, scene: &Scene<E>, pass: &PassParameters<E>) {
        for batch in &self.batches {
            let act = |range| batch.begin(range, scene, pass);
            each_color(worker, &batch.packets().colors, false, self.worth(), &act);
        }
    }

    /// Takes back the warm start of the constraints of thrown bodies.
    pub(super) fn release(&self, worker: &Worker, bodies: &SolverBodies<E>) {
        self.each(worker, |batch, range| batch.release(range, bodies));
    }

    /// One pass over all constraints.
    pub(super) fn project(
        &self,
        worker: &Worker,
        bodies: &SolverBodies<E>,
        pass: &PassParameters<E>,
    ) {
        for k in 0..self.batches.len() {
            let last = self.batches.len() - 1;
            let batch = &self.batches[if pass.reversed { last - k } else { k }];
            let act = |range| batch.project(range, bodies, pass);
            each_color(worker, &batch.packets().colors, pass.reversed, self.worth(), &act);
        }
    }

    /// Tells `note` the largest residual (m).
    pub(super) fn residual(
        &self,
        worker: &Worker,
        bodies: &SolverBodies<E>,
        pass: &PassParameters<E>,
        note: Note,
    ) {
        worker.parallel_for(self.packets(), |range| {
            self.each_packet(range, |batch, range| note(batch.residual(range, bodies, pass)));
        });
    }

    /// Does `act` with all constraints, color by color; all workers meet afterwards.
    fn each(&self, worker: &Worker, act: impl Fn(&dyn Batch<E>, Range<usize>)) {
        for batch in &self.batches {
            let act = |range| act(&**batch, range);
            each_color(worker, &batch.packets().colors, false, self.worth(), &act);
        }
        worker.meet();
    }

    /// Turns about what comes together fast, after the positions are solved: see [`impacts`](super::impacts). `struck` are as
    /// many flags as there are rounds, each of what was struck and what waits.
    pub(super) fn strike<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        (bodies, view): (&SolverBodies<E>, &BodyView<E>),
        settings: &ContactSettings,
        struck: &[[AtomicBool; 2]],
    ) {
        let clear = |flag: &AtomicBool| flag.store(false, Ordering::Relaxed);
        worker.single(|| struck.as_flattened().iter().for_each(clear));
        bodies.begin_impacts::<W>(worker, view, [settings.h, settings.keep]);
        worker.meet();
        let strike = settings.strike();
        for round in struck {
            self.each(worker, |batch, range| {
                let any = batch.strike(range, bodies, &strike);
                let said = round.iter().zip(any).filter(|(_, any)| *any);
                said.for_each(|(flag, _)| flag.store(true, Ordering::Relaxed));
            });
            let [any, waits] = round;
            if waits.load(Ordering::Relaxed) {
                self.with_pairs(worker, |pairs| {
                    if pairs.strike(&self.batches, bodies, &settings.strike()) {
                        any.store(true, Ordering::Relaxed);
                    }
                });
            }
            if !any.load(Ordering::Relaxed) {
                break;
            }
        }
        if struck[0][0].load(Ordering::Relaxed) {
            bodies.take_struck::<W>(worker);
            worker.meet();
            self.each(worker, |batch, range| batch.settle(range, bodies));
            self.with_pairs(worker, |pairs| pairs.settle(bodies));
        }
    }

    /// Does `act` on one worker; all meet afterwards.
    fn with_pairs(&self, worker: &Worker, act: impl Fn(&mut ImpactPairs)) {
        worker.single(|| {
            if let Some(pairs) = &self.pairs {
                act(&mut lock(pairs));
            }
        });
        worker.meet();
    }
}
