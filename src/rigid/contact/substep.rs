//! What a substep does with contacts of bodies.

use super::manifold::Fill;
use super::narrow_phase::NarrowPhase;
use super::runtime::{BROAD, BodyContactsRuntime, COLOR, NARROW, PACK, RESPOND, State};
use crate::state::Width;
use crate::subsystem::{Note, StepContext, StepPhase};
use crate::threads::Worker;
use std::sync::atomic::Ordering;

impl<W: Width> BodyContactsRuntime<W> {
    /// Finds contacts, where they are due, and starts from what they did before.
    pub(super) fn begin_substep(
        &self,
        phase: StepPhase,
        worker: &Worker,
        step: &StepContext<W::Element>,
    ) {
        let settings = &self.settings;
        if phase != StepPhase::Frame && self.is_at_rest() {
            return worker.single(|| self.state.write().reversed ^= true);
        }
        self.bodies.begin::<W>(worker, &step.bodies);
        self.lap(worker, None);
        worker.single(|| {
            let state = &mut *self.state.write();
            state.place_fixed(&self.bodies, &step.bodies, [step.time, settings.h]);
            state.reversed ^= true;
            self.rests.store(false, Ordering::Relaxed);
            self.thrown.store(false, Ordering::Relaxed);
            if state.part() {
                self.join_particles(state);
            }
            if let (Some(events), StepPhase::Frame) = (&mut state.events, phase) {
                events.begin_frame();
            }
        });
        let mut fill = None;
        if settings.is_due(phase) {
            self.look(worker);
            worker.single(|| *self.plan.write() = self.state.write().contacts.plan());
            let [anew, search] = *self.plan.read();
            fill = Some(if anew { self.find(worker, search) } else { Fill::None });
        }
        self.lap(worker, Some(BROAD));
        // From here on nobody changes it in this substep.
        let state = &*self.state.read();
        if let Some(fill) = fill {
            state.batches.fill(worker, &state.contacts, fill);
            self.particles.iter().for_each(|p| p.find(worker, step, &state.contacts));
        }
        self.find_direct(worker, state, fill);
        let pass = self.settings.position_pass(state.reversed);
        self.solve(worker, |worker| self.warm_start(worker, step, state, &pass));
        self.particles.iter().for_each(|p| p.begin(worker, step, &self.bodies, settings));
        self.lap(worker, Some(PACK));
    }

    /// Finds contacts anew; which constraints are to be filled then.
    fn find(&self, worker: &Worker, search: bool) -> Fill {
        let state = || self.state.read();
        if search {
            let chunks = || state().contacts.cache.sweep.chunks.len();
            worker.parallel_uneven(chunks, |range| {
                let NarrowPhase { cache, instances, .. } = &state().contacts;
                cache.search(instances, range);
            });
        }
        worker.single(|| self.state.write().contacts.list_pairs(search));
        self.lap(worker, Some(BROAD));
        worker.parallel_for_len(
            || state().batches.packets(),
            |range| state().batches.write_back(range, &state().contacts, true),
        );
        let chunks = || state().contacts.chunk_count();
        // What lies still costs nothing.
        worker.parallel_uneven(chunks, |range| state().contacts.collide(range));
        worker.single(|| {
            let others = self.state.write().contacts.count();
            self.others.store(others, Ordering::Relaxed);
        });
        let others = self.others.load(Ordering::Relaxed);
        if others {
            let packets = || state().batches.packets();
            worker.parallel_for_len(packets, |range| {
                state().batches.write_back(range, &state().contacts, false);
            });
        }
        worker.parallel_for_len(chunks, |range| state().contacts.collect(range, others));
        self.lap(worker, Some(NARROW));
        if others {
            worker.single(|| {
                let State { batches, contacts, .. } = &mut *self.state.write();
                contacts.exchange();
                contacts.color();
                batches.lay_out(&contacts.coloring, contacts.manifolds.as_slice());
            });
        }
        self.lap(worker, Some(COLOR));
        if others { Fill::All } else { Fill::New }
    }

    /// One iteration.
    pub(super) fn iterate(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if self.is_at_rest() {
            return;
        }
        let (state, h) = (&*self.state.read(), W::of(self.settings.h));
        let pass = self.settings.position_pass(state.reversed);
        self.solve(worker, |worker| {
            self.bodies.gather(worker, &step.bodies, h);
            state.batches.project(worker, &self.bodies, &pass);
            self.solve_directly(worker, step, state, true);
            self.bodies.correct(worker, &step.bodies, h);
        });
        self.particles.iter().for_each(|p| p.project(worker, step));
    }

    /// Tells `note` how far contacts are violated (m).
    pub(super) fn note_residual(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        note: Note,
    ) {
        let (state, h) = (&*self.state.read(), W::of(self.settings.h));
        self.bodies.gather(worker, &step.bodies, h);
        let pass = self.settings.position_pass(state.reversed);
        state.batches.residual(worker, &self.bodies, &pass, note);
        self.particles.iter().for_each(|p| p.residual(worker, step, note));
    }

    /// What contacts do to velocities; at the end of a frame, who sleeps.
    pub(super) fn end_substep(&self, worker: &Worker, step: &StepContext<W::Element>) {
        if self.is_at_rest() {
            worker.meet();
            worker.single(|| self.end_alone(step));
            return;
        }
        self.lap(worker, None);
        let settings = &self.settings;
        self.solve(worker, |worker| self.bodies.gather_final::<W>(worker, &step.bodies));
        self.particles.iter().for_each(|p| p.take_back(worker, step, &self.bodies));
        self.solve(worker, |worker| {
            let state = &*self.state.read();
            if settings.needs.impacts {
                let bodies = (&self.bodies, &step.bodies);
                state.batches.strike::<W>(worker, bodies, settings, &self.struck);
            }
            let pass = settings.velocity_pass(state.reversed);
            let act = |_| state.batches.project(worker, &self.bodies, &pass);
            (0..settings.velocity_passes).for_each(act);
            self.solve_directly(worker, step, state, false);
            if settings.needs.impacts && self.struck[0][0].load(Ordering::Relaxed) {
                worker.meet();
                self.bodies.carry_struck::<W>(worker, &step.bodies);
            }
        });
        let threshold = self.settings.threshold;
        self.particles.iter().for_each(|p| p.respond(worker, step, &self.bodies, threshold));
        self.bodies.write_back::<W>(worker, &step.bodies);
        if self.ends_alone {
            worker.meet();
            worker.single(|| self.end_alone(step));
        }
        self.lap(worker, Some(RESPOND));
    }
}
