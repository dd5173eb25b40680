//! The phases of a substep in which subsystems act, and those at its end.

use super::clock::{Clock, PREDICT, PROJECT, RESPOND, SEARCH, VELOCITY};
use super::convergence::IterationControl;
use super::core::{Core, over_all, passes};
use crate::rows::{Tile, Wavefront};
use crate::subsystem::{StepContext, StepPhase, SubsystemWidth};
use crate::threads::Worker;

impl<W: SubsystemWidth> Core<W> {
    /// A substep but for what acts on velocities: `iterate` projects the rows, then the subsystems.
    pub(super) fn substep(
        &self,
        substep: u32,
        worker: &Worker,
        step: &StepContext<W::Element>,
        stop: &mut IterationControl,
        clock: &Clock,
        iterate: impl Fn(usize),
    ) {
        self.predict(worker, step, clock);
        self.begin(StepPhase::of_substep(substep), worker, step, clock);
        self.iterate(worker, step, stop, |k| {
            if k > 0 {
                self.begin(StepPhase::Iteration, worker, step, clock);
            }
            iterate(k);
        });
        self.update(worker, step, clock);
    }

    /// Coarse levels move what was predicted; subsystems find neighbors and contacts.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn begin(
        &self,
        phase: StepPhase,
        worker: &Worker,
        step: &StepContext<W::Element>,
        clock: &Clock,
    ) {
        let again = phase == StepPhase::Iteration;
        if let Some((levels, phase)) = self.hierarchy.as_ref().filter(|_| !again) {
            clock.enter(*phase);
            levels.project(worker, step);
        }
        let all = self.subsystems.iter().enumerate();
        let mut due = all.filter(|(_, s)| !again || s.each_iteration()).peekable();
        if due.peek().is_some() {
            // A worker that is late still reads what subsystems are about to change.
            worker.meet();
            clock.enter(SEARCH);
        }
        for (i, subsystem) in due {
            if !again {
                // Not among its corrections, which are counted.
                subsystem.place(worker, step);
            }
            let begin = || subsystem.begin(phase, worker, step);
            match subsystem.begins_with_corrections() {
                true => self.around(i, worker, step, begin),
                false => begin(),
            }
        }
    }

    /// Subsystems in authored order in iteration `k` of a substep; those that ask for it in several rounds.
    pub(super) fn project_subsystems(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        k: usize,
        clock: &Clock,
    ) {
        for due in self.subsystem_order(k) {
            clock.enter(PROJECT + self.batches.len() + due.0);
            self.project_subsystem(due, worker, step);
        }
    }

    /// Which subsystem is projected after which in iteration `k`, and in which round.
    pub(super) fn subsystem_order(&self, k: usize) -> impl Iterator<Item = (usize, usize)> {
        let all = &self.subsystems;
        let rounds = all.iter().map(|s| s.rounds()).max().unwrap_or(0);
        (0..rounds).flat_map(move |round| {
            let due = move |&i: &usize| round < all[i].rounds() || all[i].follows();
            let due = (0..all.len()).filter(due).filter(move |&i| self.is_due(i, k));
            due.map(move |i| (i, round))
        })
    }

    /// One of them; beyond its own rounds it follows those of another.
    pub(super) fn project_subsystem(
        &self,
        (i, round): (usize, usize),
        worker: &Worker,
        step: &StepContext<W::Element>,
    ) {
        let subsystem = &self.subsystems[i];
        self.around(i, worker, step, || match round < subsystem.rounds() {
            true => subsystem.project(worker, step),
            false => subsystem.follow(worker, step),
        });
    }

    /// Does `act` of a subsystem; where it corrects from outside, that is counted.
    fn around(
        &self,
        i: usize,
        worker: &Worker,
        step: &StepContext<W::Element>,
        act: impl FnOnce(),
    ) {
        let counted = || match &self.internal_torque {
            Some(torque) if self.external[i] => torque.around::<W>(worker, step, act),
            _ => act(),
        };
        match &self.linkages {
            Some(linkages) => linkages.around::<W>(i, worker, step, counted),
            None => counted(),
        }
    }

    /// v <- (x - x_prev) / h, damped; poses of bodies first.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn update(&self, worker: &Worker, step: &StepContext<W::Element>, clock: &Clock) {
        clock.enter(VELOCITY);
        if let Some(linkages) = &self.linkages {
            linkages.begin::<W>(true, worker, step);
        }
        self.bodies.finalize(worker, &step.bodies);
        if let Some(torque) = &self.internal_torque {
            torque.measure::<W>(worker, step);
        }
        over_all::<W>(worker, step, |range| self.update_range(range, step));
        if let Some(torque) = &self.internal_torque {
            torque.apply::<W>(worker, step);
        }
        if let Some(linkages) = &self.linkages {
            linkages.end::<W>(worker, step);
        }
    }

    /// The substeps of a wavefront but for what acts on velocities: `iterate` projects the rows of a tile. Where internal torque
    /// is taken out, velocities wait for all tiles.
    pub(super) fn waves(
        &self,
        Wavefront { tiles, tiling, block, substeps }: &Wavefront,
        worker: &Worker,
        step: &StepContext<W::Element>,
        stop: &mut IterationControl,
        clock: &Clock,
        iterate: impl Fn(&Tile, usize),
    ) {
        let passes = passes(&self.settings);
        self.before_prediction(worker, step);
        worker.wavefront(tiling, passes * *substeps as usize, *block, |pass, tile| {
            let (tile, pass) = (&tiles[tile], pass % passes);
            if pass == 0 {
                clock.enter(PREDICT);
                self.predict_range(tile.slots.clone(), step);
            } else if pass + 1 < passes {
                iterate(tile, pass - 1);
            } else {
                clock.enter(VELOCITY);
                if self.internal_torque.is_none() {
                    self.update_range(tile.slots.clone(), step);
                }
            }
        });
        match self.internal_torque {
            Some(_) => self.update(worker, step, clock),
            None => self.bodies.finalize(worker, &step.bodies),
        }
        stop.all_done();
    }

    /// What subsystems do to velocities; then PBD's damping, where the settings ask for it.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn respond(&self, worker: &Worker, step: &StepContext<W::Element>, clock: &Clock) {
        if !self.subsystems.is_empty() || self.rigid_damping.is_some() {
            clock.enter(RESPOND);
        }
        for subsystem in &self.subsystems {
            subsystem.respond(worker, step);
        }
        if let Some(damping) = &self.rigid_damping {
            worker.parallel_for(damping.len(), |bodies| {
                let mut state = step.particles;
                damping.damp(bodies, &mut state);
            });
        }
    }
}
