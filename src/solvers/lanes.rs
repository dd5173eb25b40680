//! Colored Gauss-Seidel, eight rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool: every worker walks the same phases, takes its part of each and meets the others at a
//! spin barrier. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

use super::Solver;
use crate::batch::{Batch, Places, Schedule, TIMED, Turn, schedule};
use crate::coloring::{Phase, Plan};
use crate::error::ModelError;
use crate::model::{Model, Settings};
use crate::parallel::{Shared, SharedRecords, Team, Worker, cores};
use crate::particles::Particles;
use crate::report::Timers;
use crate::rigid_damping::RigidDamping;
use crate::step::Substep;
use crate::tolerance::{Effort, Gauge, Stop};
use std::ops::Range;
use std::sync::Mutex;

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
    /// Packed records beside the columns, where packets gather; empty where they run.
    records: Vec<[f32; 4]>,
    /// Whether a phase spreads over more records than a second-level cache holds.
    far: bool,
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
            0 => (model.row_count() / ROWS_PER_THREAD).clamp(1, cores()),
            given => given,
        };
        let projects = batches
            .iter()
            .map(|batch| format!("project {}", batch.name()));
        let names = ["predict".into(), "velocity".into()]
            .into_iter()
            .chain(projects);
        let far = plan.bands() == 1 && plan.numbering.places() * size_of::<[f32; 4]>() > L2;
        let solver = Self {
            substep: Substep::new(&settings),
            schedule: schedule(&plan, &batches, threads, settings.iterations as usize),
            colors: plan.colors(),
            phases: plan.phases,
            timers: Mutex::new(Timers::new(names)),
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
        (Particles::new(model, plan.numbering), solver)
    }

    /// One worker's share of a step.
    fn work(&self, worker: &Worker, particles: &Shared, places: &Places) {
        let mut timers = worker
            .is_first()
            .then(|| self.timers.lock().expect("one worker times"));
        let mut lap = |phase| timers.iter_mut().for_each(|t| t.lap(phase));
        let mut stop = Stop::new(&self.settings, &self.gauge);
        for _ in 0..self.settings.substeps {
            self.batches.iter().for_each(|batch| batch.reset(worker));
            self.substep.predict_all(worker, particles, places);
            lap(PREDICT);

            stop.begin();
            while let Some(sweeps) = stop.sweeps() {
                match &self.schedule {
                    Schedule::Turns(turns) => {
                        for _ in sweeps {
                            for Turn { phases, shared } in turns {
                                let phase = &self.phases[phases.start];
                                let units = self.units(phase);
                                match shared {
                                    true => {
                                        worker.share(units, |part| self.project(phase, part, places))
                                    }
                                    false => worker.alone(|| self.project_all(phases, places)),
                                }
                                if phases.end == self.phases.len() || units >= TIMED {
                                    lap(PROJECT + phase.set);
                                }
                            }
                        }
                    }
                    Schedule::Wavefront { bands, lag, group } => {
                        worker.wavefront(sweeps.len(), bands.len(), *lag, *group, |_, band| {
                            self.project_all(&bands[band], places);
                        });
                        lap(PROJECT);
                    }
                }
                if stop.checks_now() {
                    worker.share(self.phases.len(), |part| {
                        for phase in &self.phases[part] {
                            let batch = &self.batches[phase.set];
                            self.gauge.note(batch.residual(phase.color, places));
                        }
                    });
                    worker.alone(|| self.gauge.end_check());
                    stop.heed();
                }
            }

            self.substep.update_all(worker, particles, places);
            if let Some(rigid) = &self.rigid {
                worker.alone(|| {
                    let mut state = *particles;
                    rigid.damp(&mut state);
                });
            }
            lap(VELOCITY);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    fn units(&self, phase: &Phase) -> usize {
        self.batches[phase.set].colors()[phase.color].units()
    }

    fn project(&self, phase: &Phase, part: Range<usize>, places: &Places) {
        self.batches[phase.set].project(phase.color, part, places);
    }

    fn project_all(&self, phases: &Range<usize>, places: &Places) {
        for phase in &self.phases[phases.clone()] {
            self.project(phase, 0..self.units(phase), places);
        }
    }
}

impl Solver for Lanes {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        self.gauge.begin_step();
        let mut records = std::mem::take(&mut self.records);
        let shared = Shared::new(particles);
        let places = match records.is_empty() {
            true => Places::Columns(shared),
            false => Places::Records(SharedRecords::new(&mut records, shared, self.far)),
        };
        self.team.run(|worker| self.work(worker, &shared, &places));
        self.records = records;
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        self.batches
            .iter()
            .map(|batch| batch.multipliers())
            .collect()
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
