//! Colored Gauss-Seidel, eight rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool (of a model with parts: a few a substep): every worker walks the same phases, takes its
//! share of each and goes on when all shares are done. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

mod schedule;

use super::Solver;
use crate::batch::{Batch, Places};
use crate::coloring::{Phase, Plan};
use crate::error::ModelError;
use crate::lanes::WIDTH;
use crate::model::{Model, Settings};
use crate::parallel::{Shared, SharedRecords, State, Team, Worker, cores};
use crate::part::{Account, LanePart, Moment, Stage};
use crate::particles::Particles;
use crate::report::Timers;
use crate::rigid_damping::RigidDamping;
use crate::step::Substep;
use crate::wind::Wind;
use schedule::{Band, Schedule, Turn, schedule};
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
    wind: Option<Wind>,
    rigid: Option<RigidDamping>,
    team: Team,
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
        let solver = Self {
            substep: Substep::new(&settings),
            schedule: schedule(&plan, &batches, threads, sweeps(&settings)),
            colors: plan.colors(),
            phases: plan.phases,
            timers: Mutex::new(Timers::new(names)),
            parts: parts.collect(),
            wind: Wind::new(model, &plan.numbering),
            rigid: RigidDamping::new(model, &plan.numbering),
            team: Team::new(threads),
            records: match plan.structured {
                true => Vec::new(),
                false => vec![[0.0; 4]; plan.numbering.places()],
            },
            far,
            batches,
            settings,
        };
        (Particles::new(model, plan.numbering), solver)
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
        let iterations = self.settings.iterations;
        if parts.iter().any(|part| part.each_iteration()) {
            for k in 0..iterations {
                begin(parts, Moment::Iteration);
                self.team
                    .run(|worker| self.iterate(worker, stage, parts, k..k + 1));
            }
        } else {
            self.team
                .run(|worker| self.iterate(worker, stage, parts, 0..iterations));
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
        for _ in 0..self.settings.substeps {
            match &self.schedule {
                Schedule::Turns(_) => {
                    let first = worker.is_first();
                    let enter = |phase| first.then(|| self.enter(phase));
                    enter(PREDICT);
                    self.predict_all(worker, stage);
                    self.iterate(worker, stage, &[], 0..self.settings.iterations);
                    enter(VELOCITY);
                    self.velocity_all(worker, stage);
                }
                Schedule::Wavefront {
                    bands,
                    reach,
                    group,
                } => self.sweep(worker, stage, bands, *reach, *group),
            }
            self.rigid_damping(worker, stage);
        }
    }

    /// A substep as a wavefront: prediction, every iteration and the velocities are one sweep each.
    fn sweep(&self, worker: &Worker, stage: &Stage, bands: &[Band], reach: usize, group: usize) {
        self.blow(worker, stage);
        let timers = RefCell::new(self.clock(worker));
        let enter = |phase| timers.borrow_mut().iter_mut().for_each(|t| t.enter(phase));
        let last = sweeps(&self.settings) - 1;
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
        iterations: Range<u32>,
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

    fn predict_all(&self, worker: &Worker, stage: &Stage) {
        self.blow(worker, stage);
        worker.share(stage.particles.len() / WIDTH, |part| {
            self.predict(part.start * WIDTH..part.end * WIDTH, stage);
        });
    }

    fn blow(&self, worker: &Worker, stage: &Stage) {
        if let Some(wind) = &self.wind {
            worker.share(wind.len(), |part| {
                let mut state = stage.particles;
                wind.blow(part, &mut state);
            });
        }
    }

    fn velocity_all(&self, worker: &Worker, stage: &Stage) {
        worker.share(stage.particles.len() / WIDTH, |part| {
            self.velocity(part.start * WIDTH..part.end * WIDTH, stage);
        });
    }

    /// Predicted positions go to the places, whole blocks of eight. A call of its own, so that a profile names it.
    #[inline(never)]
    fn predict(&self, range: Range<usize>, stage: &Stage) {
        let Stage {
            particles, places, ..
        } = stage;
        for i in range.step_by(WIDTH) {
            let x = particles.get8(State::Position, i);
            let v = particles.get8(State::Velocity, i);
            let w = particles.inverse_mass8(i);
            let (next, v) = self.substep.predict(x, v, w);
            particles.set8(State::Previous, i, x);
            particles.set8(State::Velocity, i, v);
            match places {
                Places::Columns(columns) => columns.set8(State::Position, i, next),
                Places::Records(records) => records.fill8(i, next, w),
            }
        }
    }

    /// Velocities follow from the positions, which come back to the columns if they lay elsewhere.
    #[inline(never)]
    fn velocity(&self, range: Range<usize>, stage: &Stage) {
        let Stage {
            particles, places, ..
        } = stage;
        for i in range.step_by(WIDTH) {
            let x = match places {
                Places::Columns(columns) => columns.get8(State::Position, i),
                Places::Records(records) => {
                    let x = records.read8(i);
                    particles.set8(State::Position, i, x);
                    x
                }
            };
            let previous = particles.get8(State::Previous, i);
            let v = particles.get8(State::Velocity, i);
            let w = particles.inverse_mass8(i);
            let v = self.substep.update(x, previous, v, w);
            particles.set8(State::Velocity, i, v);
        }
    }
}

/// Sweeps over the particles in a substep: prediction, iterations, velocities.
fn sweeps(settings: &Settings) -> usize {
    settings.iterations as usize + 2
}

impl Solver for Lanes {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        let mut records = std::mem::take(&mut self.records);
        let mut parts = std::mem::take(&mut self.parts);
        let start = particles.time;
        let particles = Shared::new(particles);
        let places = match records.is_empty() {
            true => Places::Columns(particles),
            false => Places::Records(SharedRecords::new(&mut records, particles, self.far)),
        };
        let mut stage = Stage {
            particles,
            places,
            time: start,
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
}
