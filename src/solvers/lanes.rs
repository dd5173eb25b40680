//! Colored Gauss-Seidel, eight rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool (of a model with parts: a few a substep): every worker walks the same phases, takes its
//! share of each and goes on when all shares are done. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

use super::Solver;
use super::convergence::{Effort, Stop};
use super::crew::{Clock, Crew, PREDICT, VELOCITY, pack, sweeps, told_by_crew};
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::forces::Wind;
use crate::model::Model;
use crate::rigid::{LaneFlying, SharedBodies};
use crate::rows::{Band, Places, Schedule};
use crate::state::Bodies;
use crate::state::Particles;
use crate::subsystem::{Account, LanePart, Moment, Stage};
use crate::threads::{Shared, SharedRecords, Worker};
use crate::timers::Timers;
use std::ops::Range;

/// A core's second-level cache, about, in bytes.
const L2: usize = 1 << 20;

/// The lanes method.
pub struct Lanes {
    crew: Crew,
    schedule: Schedule,
    parts: Vec<Box<dyn LanePart>>,
    /// Whether a phase spreads over more records than a second-level cache holds.
    far: bool,
    flying: LaneFlying,
    wind: Option<Wind>,
}

impl Lanes {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A structure hint that is no coloring.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        Ok(Self::along(Plan::new(model)?, model, threads))
    }

    /// Packs the rows in the authored order (method `ordered`): the scalar result, bit for bit.
    ///
    /// # Errors
    /// None that a valid model can cause.
    pub fn ordered(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        Ok(Self::along(Plan::ordered(model)?, model, threads))
    }

    fn along(plan: Plan, model: &Model, threads: usize) -> (Particles, Self) {
        let particles = model.particles(plan.numbering.clone());
        let far = plan.bands() == 1 && plan.numbering.places() * size_of::<[f32; 4]>() > L2;
        let parts = model.parts().map(|part| part.lanes(model, &plan.numbering));
        let parts = parts.collect();
        let wind = Wind::new(model, &plan.numbering);
        let batches = pack(&plan, model);
        let names = model.parts().map(|part| format!("project {}", part.name()));
        let (crew, schedule) = Crew::new(plan, batches, model, threads, true, names);
        let solver = Self {
            schedule,
            parts,
            flying: LaneFlying::new(&crew.settings, particles.bodies.places()),
            wind,
            far,
            crew,
        };
        (particles, solver)
    }

    /// A substep of a model with parts, which begin and respond between entries into the pool.
    fn substep(&self, parts: &mut [Box<dyn LanePart>], moment: Moment, stage: &Stage) {
        let team = &self.crew.team;
        let begin = |parts: &mut [Box<dyn LanePart>], moment| {
            self.enter(PREDICT);
            let due = |part: &&mut Box<dyn LanePart>| {
                moment != Moment::Iteration || part.each_iteration()
            };
            for part in parts.iter_mut().filter(due) {
                part.begin(moment, team, stage);
            }
        };
        self.enter(PREDICT);
        team.run(|worker| self.predict_all(worker, stage));
        begin(parts, moment);
        let iterations = self.crew.settings.iterations as usize;
        if parts.iter().any(|part| part.each_iteration()) {
            for k in 0..iterations {
                begin(parts, Moment::Iteration);
                team.run(|worker| self.iterate(worker, stage, parts, k..k + 1));
            }
        } else {
            self.crew.gauge.begin_entry();
            team.run(|worker| {
                let mut stop = Stop::new(&self.crew.settings, &self.crew.gauge);
                self.solve(worker, stage, parts, &mut stop);
                if worker.is_first() {
                    stop.report();
                }
            });
        }
        self.enter(VELOCITY);
        team.run(|worker| self.velocity_all(worker, stage));
        for part in parts {
            part.respond(team, stage);
        }
        team.run(|worker| self.crew.rigid_damping(worker, &stage.particles));
    }

    /// A frame step of a model without parts: one worker's share of all of it.
    fn work(&self, worker: &Worker, stage: &Stage) {
        let mut stop = Stop::new(&self.crew.settings, &self.crew.gauge);
        for _ in 0..self.crew.settings.substeps {
            match &self.schedule {
                Schedule::Turns(_) => {
                    let first = worker.is_first();
                    let enter = |phase| first.then(|| self.enter(phase));
                    enter(PREDICT);
                    self.predict_all(worker, stage);
                    self.solve(worker, stage, &[], &mut stop);
                    enter(VELOCITY);
                    self.velocity_all(worker, stage);
                }
                Schedule::Wavefront {
                    bands,
                    reach,
                    group,
                } => {
                    stop.begin();
                    while stop.sweeps().is_some() {
                        self.sweep(worker, stage, bands, *reach, *group);
                    }
                }
            }
            self.crew.rigid_damping(worker, &stage.particles);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    fn solve(&self, worker: &Worker, stage: &Stage, parts: &[Box<dyn LanePart>], stop: &mut Stop) {
        self.crew.solve(worker, &stage.places, stop, |iterations| {
            self.iterate(worker, stage, parts, iterations);
        });
    }

    /// A substep as a wavefront: prediction, every iteration and the velocities are one sweep each.
    fn sweep(&self, worker: &Worker, stage: &Stage, bands: &[Band], reach: usize, group: usize) {
        let clock = self.crew.clock(worker);
        let last = sweeps(&self.crew.settings) - 1;
        self.set_out(worker, stage);
        worker.wavefront(last + 1, bands.len(), reach, group, |sweep, band| {
            let Band { phases, places } = &bands[band];
            if sweep == 0 {
                clock.enter(PREDICT);
                self.predict(places.clone(), stage);
            } else if sweep == last {
                clock.enter(VELOCITY);
                self.velocity(places.clone(), stage);
            } else {
                self.crew
                    .band(phases.clone(), &stage.places, sweep == 1, &clock);
            }
        });
        self.flying.land(worker, &stage.bodies);
    }

    fn enter(&self, phase: usize) {
        let timers = &self.crew.timers;
        timers.lock().expect("one worker times").enter(phase);
    }

    /// Some of a substep's iterations: the rows in turns, then the parts.
    fn iterate(
        &self,
        worker: &Worker,
        stage: &Stage,
        parts: &[Box<dyn LanePart>],
        iterations: Range<usize>,
    ) {
        let Schedule::Turns(turns) = &self.schedule else {
            unreachable!("a wavefront is swept");
        };
        let clock: Clock = self.crew.clock(worker);
        for k in iterations {
            self.crew.walk(worker, turns, &stage.places, k == 0, &clock);
            for (i, part) in parts.iter().enumerate() {
                clock.enter(self.crew.extra(i));
                part.project(worker, stage);
            }
        }
    }

    /// What is done to bodies and velocities before particles are predicted.
    fn set_out(&self, worker: &Worker, stage: &Stage) {
        self.flying.predict(worker, &stage.bodies);
        if let Some(wind) = &self.wind {
            worker.share(wind.len(), |part| {
                let mut state = stage.particles;
                wind.blow(part, &mut state);
            });
        }
    }

    fn predict_all(&self, worker: &Worker, stage: &Stage) {
        self.set_out(worker, stage);
        self.crew.over_all(worker, &stage.particles, |range| {
            self.predict(range, stage);
        });
    }

    fn velocity_all(&self, worker: &Worker, stage: &Stage) {
        self.flying.land(worker, &stage.bodies);
        self.crew.over_all(worker, &stage.particles, |range| {
            self.velocity(range, stage);
        });
    }

    fn predict(&self, range: Range<usize>, stage: &Stage) {
        self.crew.predict(range, &stage.particles, &stage.places);
    }

    fn velocity(&self, range: Range<usize>, stage: &Stage) {
        self.crew.velocity(range, &stage.particles, &stage.places);
    }
}

impl Solver for Lanes {
    fn step(&mut self, particles: &mut Particles) {
        let mut records = self.crew.begin_step();
        let mut parts = std::mem::take(&mut self.parts);
        let start = particles.time;
        particles.time = start + self.crew.settings.dt;
        let mut bodies = std::mem::replace(&mut particles.bodies, Bodies::none());
        let columns = Shared::new(particles);
        let places = match records.is_empty() {
            true => Places::Columns(columns),
            false => Places::Records(SharedRecords::new(&mut records, columns, self.far)),
        };
        let mut stage = Stage {
            particles: columns,
            places,
            time: start,
            bodies: SharedBodies::new(&mut bodies, &self.flying),
        };
        if parts.is_empty() {
            self.crew.team.run(|worker| self.work(worker, &stage));
        } else {
            for substep in 0..self.crew.settings.substeps {
                stage.time = start + f64::from(substep) * self.crew.settings.h();
                self.substep(&mut parts, Moment::of_substep(substep), &stage);
            }
        }
        self.parts = parts;
        self.crew.end_step(records);
        particles.bodies = bodies;
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        let mut all = self.crew.multipliers();
        all.extend(self.parts.iter().map(|part| part.multipliers()));
        all
    }

    fn accounts(&self) -> Vec<Account> {
        self.parts.iter().map(|part| part.account()).collect()
    }

    told_by_crew!();
}
