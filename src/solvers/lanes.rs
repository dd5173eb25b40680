//! Colored Gauss-Seidel, eight rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool (of a model with parts: a few a substep): every worker walks the same phases, takes its
//! share of each and goes on when all shares are done. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

use super::Solver;
use crate::batch::{Band, Batch, Places, Schedule, Turn, schedule};
use crate::coloring::{Phase, Plan};
use crate::error::ModelError;
use crate::lanes::WIDTH;
use crate::model::{Model, Settings};
use crate::parallel::{Shared, SharedRecords, Team, Worker, cores};
use crate::part::{Account, LanePart, Moment, Stage};
use crate::particles::Particles;
use crate::report::Timers;
use crate::rigid::{Bodies, LaneFlying, SharedBodies};
use crate::rigid_damping::RigidDamping;
use crate::step::Substep;
use crate::tolerance::{Effort, Gauge, Stop};
use crate::wind::Wind;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// Fewer rows than this are not worth a second thread (`MEASURED.md`, size and threads).
const ROWS_PER_THREAD: usize = 5_000;

/// A core's second-level cache, about, in bytes.
const L2: usize = 1 << 20;

/// The lanes method.
pub struct Lanes {
    settings: Settings,
    substep: Substep<crate::lanes::F32x8>,
    batches: Vec<Box<dyn Batch>>,
    phases: Vec<Phase>,
    colors: usize,
    schedule: Schedule,
    parts: Vec<Box<dyn LanePart>>,
    /// Packed records beside the columns, where packets gather; empty where they run.
    records: Vec<[f32; 4]>,
    /// Whether a phase spreads over more records than a second-level cache holds.
    far: bool,
    flying: LaneFlying,
    wind: Option<Wind>,
    rigid: Option<RigidDamping>,
    team: Team,
    gauge: Gauge,
    timers: Mutex<Timers>,
}

const PREDICT: usize = 0;
const VELOCITY: usize = 1;
const PROJECT: usize = 2;

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
        let settings = model.settings.clone();
        let sets = model.rows().iter().zip(&plan.colorings);
        let pack = sets
            .map(|(set, coloring)| set.pack(coloring, &plan.numbering, plan.structured, &settings));
        let batches: Vec<_> = pack.collect();
        let threads = match threads {
            0 => (model.constraint_count() / ROWS_PER_THREAD).clamp(1, cores()),
            given => given,
        };
        let projects = batches
            .iter()
            .map(|batch| format!("project {}", batch.name()));
        let of_parts = model.parts();
        let projects = projects.chain(of_parts.map(|part| format!("project {}", part.name())));
        let names = ["predict".into(), "velocity".into()]
            .into_iter()
            .chain(projects);
        let parts = model.parts();
        let parts = parts.map(|part| part.lanes(model, &plan.numbering));
        let far = plan.bands() == 1 && plan.numbering.places() * size_of::<[f32; 4]>() > L2;
        let particles = Particles::new(model, plan.numbering.clone());
        let solver = Self {
            substep: Substep::new(&settings),
            // A wavefront has iterations under way together, so there is no state between them to check.
            schedule: schedule(
                &plan,
                &batches,
                threads,
                sweeps(&settings),
                settings.tolerance == 0.0,
            ),
            colors: plan.colors(),
            phases: plan.phases,
            timers: Mutex::new(Timers::new(names)),
            parts: parts.collect(),
            flying: LaneFlying::new(&settings, particles.bodies.places()),
            wind: Wind::new(model, &plan.numbering),
            rigid: RigidDamping::new(model, &plan.numbering),
            team: Team::new(threads),
            gauge: Gauge::default(),
            records: match plan.structured {
                true => Vec::new(),
                false => vec![[0.0; 4]; plan.numbering.places()],
            },
            far,
            batches,
            settings,
        };
        (particles, solver)
    }

    /// A substep of a model with parts, which begin and respond between entries into the pool.
    fn substep(&self, parts: &mut [Box<dyn LanePart>], moment: Moment, stage: &Stage) {
        let begin = |parts: &mut [Box<dyn LanePart>], moment| {
            self.enter(PREDICT);
            let due = |part: &&mut Box<dyn LanePart>| {
                moment != Moment::Iteration || part.each_iteration()
            };
            for part in parts.iter_mut().filter(due) {
                part.begin(moment, &self.team, stage);
            }
        };
        self.enter(PREDICT);
        self.team.run(|worker| self.predict_all(worker, stage));
        begin(parts, moment);
        let iterations = self.settings.iterations as usize;
        if parts.iter().any(|part| part.each_iteration()) {
            for k in 0..iterations {
                begin(parts, Moment::Iteration);
                self.team
                    .run(|worker| self.iterate(worker, stage, parts, k..k + 1));
            }
        } else {
            self.gauge.begin_entry();
            self.team.run(|worker| {
                let mut stop = Stop::new(&self.settings, &self.gauge);
                self.solve(worker, stage, parts, &mut stop);
                if worker.is_first() {
                    stop.report();
                }
            });
        }
        self.enter(VELOCITY);
        self.team.run(|worker| self.velocity_all(worker, stage));
        for part in parts {
            part.respond(&self.team, stage);
        }
        self.team.run(|worker| self.rigid_damping(worker, stage));
    }

    /// A frame step of a model without parts: one worker's share of all of it.
    fn work(&self, worker: &Worker, stage: &Stage) {
        let mut stop = Stop::new(&self.settings, &self.gauge);
        for _ in 0..self.settings.substeps {
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
            self.rigid_damping(worker, stage);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    /// A substep's iterations, until they are up or the tolerance is met.
    fn solve(&self, worker: &Worker, stage: &Stage, parts: &[Box<dyn LanePart>], stop: &mut Stop) {
        stop.begin();
        while let Some(sweeps) = stop.sweeps() {
            self.iterate(worker, stage, parts, sweeps);
            if stop.checks_now() {
                worker.share(self.phases.len(), |part| {
                    for phase in &self.phases[part] {
                        let batch = &self.batches[phase.set];
                        self.gauge.note(batch.residual(phase.color, &stage.places));
                    }
                });
                worker.alone(|| self.gauge.end_check());
                stop.heed();
            }
        }
    }

    /// A substep as a wavefront: prediction, every iteration and the velocities are one sweep each.
    fn sweep(&self, worker: &Worker, stage: &Stage, bands: &[Band], reach: usize, group: usize) {
        let timers = RefCell::new(self.clock(worker));
        let enter = |phase| timers.borrow_mut().iter_mut().for_each(|t| t.enter(phase));
        let last = sweeps(&self.settings) - 1;
        self.set_out(worker, stage);
        worker.wavefront(last + 1, bands.len(), reach, group, |sweep, band| {
            let Band { phases, places } = &bands[band];
            if sweep == 0 {
                enter(PREDICT);
                self.predict(places.clone(), stage);
            } else if sweep == last {
                enter(VELOCITY);
                self.velocity(places.clone(), stage);
            } else {
                for phase in &self.phases[phases.clone()] {
                    enter(PROJECT + phase.set);
                    self.project(phase, 0..self.units(phase), sweep == 1, &stage.places);
                }
            }
        });
        self.flying.land(worker, &stage.bodies);
    }

    /// The timers, for the worker that keeps them.
    fn clock(&self, worker: &Worker) -> Option<MutexGuard<'_, Timers>> {
        worker
            .is_first()
            .then(|| self.timers.lock().expect("one worker times"))
    }

    fn enter(&self, phase: usize) {
        self.timers.lock().expect("one worker times").enter(phase);
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
        let mut timers = self.clock(worker);
        let mut enter = |phase| timers.iter_mut().for_each(|t| t.enter(phase));
        for k in iterations {
            for Turn { phases, shared } in turns {
                let phase = &self.phases[phases.start];
                let project = |phase: &Phase, part| {
                    self.project(phase, part, k == 0, &stage.places);
                };
                enter(PROJECT + phase.set);
                match shared {
                    true => worker.share(self.units(phase), |part| project(phase, part)),
                    false => worker.alone(|| {
                        for phase in &self.phases[phases.clone()] {
                            project(phase, 0..self.units(phase));
                        }
                    }),
                }
            }
            for (i, part) in parts.iter().enumerate() {
                enter(PROJECT + self.batches.len() + i);
                part.project(worker, stage);
            }
        }
    }

    fn rigid_damping(&self, worker: &Worker, stage: &Stage) {
        if let Some(rigid) = &self.rigid {
            worker.alone(|| {
                let mut state = stage.particles;
                rigid.damp(&mut state);
            });
        }
    }

    fn units(&self, phase: &Phase) -> usize {
        self.batches[phase.set].colors()[phase.color].units()
    }

    fn project(&self, phase: &Phase, part: Range<usize>, first: bool, places: &Places) {
        self.batches[phase.set].project(phase.color, part, first, places);
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
        worker.share(stage.particles.len() / WIDTH, |part| {
            self.predict(part.start * WIDTH..part.end * WIDTH, stage);
        });
    }

    fn velocity_all(&self, worker: &Worker, stage: &Stage) {
        self.flying.land(worker, &stage.bodies);
        worker.share(stage.particles.len() / WIDTH, |part| {
            self.velocity(part.start * WIDTH..part.end * WIDTH, stage);
        });
    }

    fn predict(&self, range: Range<usize>, stage: &Stage) {
        let (particles, places) = (&stage.particles, &stage.places);
        self.substep.predict_range(range, particles, places);
    }

    fn velocity(&self, range: Range<usize>, stage: &Stage) {
        let (particles, places) = (&stage.particles, &stage.places);
        self.substep.update_range(range, particles, places);
    }
}

/// Sweeps over the particles in a substep: prediction, iterations, velocities.
fn sweeps(settings: &Settings) -> usize {
    settings.iterations as usize + 2
}

impl Solver for Lanes {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        self.gauge.begin_step();
        let mut records = std::mem::take(&mut self.records);
        let mut parts = std::mem::take(&mut self.parts);
        let start = particles.time;
        particles.time = start + self.settings.dt;
        let mut bodies = std::mem::replace(&mut particles.bodies, Bodies::new(&[]));
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
            self.team.run(|worker| self.work(worker, &stage));
        } else {
            for substep in 0..self.settings.substeps {
                stage.time = start + f64::from(substep) * self.settings.h();
                self.substep(&mut parts, Moment::of_substep(substep), &stage);
            }
        }
        self.timers.get_mut().expect("no worker panicked").leave();
        self.parts = parts;
        self.records = records;
        particles.bodies = bodies;
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        let of_rows = self.batches.iter().map(|batch| batch.multipliers());
        let of_parts = self.parts.iter().map(|part| part.multipliers());
        of_rows.chain(of_parts).collect()
    }

    fn accounts(&self) -> Vec<Account> {
        self.parts.iter().map(|part| part.account()).collect()
    }

    fn threads(&self) -> usize {
        self.team.threads()
    }

    fn colors(&self) -> usize {
        self.colors
    }

    fn row_bytes(&self) -> usize {
        self.batches.iter().map(|batch| batch.bytes()).sum()
    }

    fn timers(&mut self) -> &mut Timers {
        self.timers.get_mut().expect("no worker panicked")
    }

    fn effort(&self) -> Effort {
        self.gauge.effort()
    }
}
