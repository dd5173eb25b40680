//! Hybrid coloring: few colors, and copies of the particles that would need more (S1-33; Fratarcangeli and Pellacini 2015).
//!
//! Before an iteration a copy lies where its particle does; rows move copies as they would particles; behind the last color
//! the particle goes to the mean of its copies. With one color that is averaged `jacobi`, with colors enough `lanes`, bit for
//! bit. A row with compliance moves copies and multiplier by the shares that `jacobi` has them take, so that both agree;
//! where each of c copies weighs a c-th of the particle (`split_mass`), they agree by themselves and momentum is kept.

use super::Solver;
use crate::batch::{Batch, Field, Places, Schedule, Sharing, Store, Turn, schedule};
use crate::coloring::{Copied, Phase, RowList, Split};
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::lanes::{F32x8, Vec3, WIDTH};
use crate::model::{Model, Settings};
use crate::parallel::{Shared, SharedRecords, Team, Worker, cores};
use crate::particles::Particles;
use crate::report::Timers;
use crate::rigid_damping::RigidDamping;
use crate::step::Substep;
use crate::tolerance::{Effort, Gauge, Stop};
use std::ops::Range;
use std::sync::Mutex;

/// Fewer rows than this are not worth a second thread.
const ROWS_PER_THREAD: usize = 5_000;

/// The hybrid method.
pub struct Hybrid {
    settings: Settings,
    substep: Substep<F32x8>,
    batches: Vec<Box<dyn Batch>>,
    phases: Vec<Phase>,
    colors: usize,
    turns: Vec<Turn>,
    copied: Vec<Copied>,
    /// Packed records beside the columns, where packets gather; empty where they run.
    records: Vec<[f32; 4]>,
    /// How many copies there are of what lies at each place, as the fourth number.
    copies: Vec<[f32; 4]>,
    rigid: Option<RigidDamping>,
    team: Team,
    gauge: Gauge,
    timers: Mutex<Timers>,
}

const PREDICT: usize = 0;
const VELOCITY: usize = 1;
const MEAN: usize = 2;
const PROJECT: usize = 3;

/// Copies take their shares, and move where they lie.
const IN_PLACE: Sharing = Sharing {
    omega: 1.0,
    momentum: 0.0,
    gathered: false,
};

impl Hybrid {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A structure hint that is no coloring.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let settings = model.settings.clone();
        let Split {
            plan,
            slots,
            copied,
        } = Split::new(model, settings.colors)?;
        let places = plan.numbering.places();
        let sets = model.rows().iter().zip(&plan.colorings).zip(&slots);
        let pack = sets.map(|((set, coloring), particles)| {
            let arity = set.row_list().arity;
            let slots = RowList { particles, arity };
            set.pack_at(coloring, slots, places, plan.structured, &settings)
        });
        let batches: Vec<_> = pack.collect();
        let threads = match threads {
            0 => (model.row_count() / ROWS_PER_THREAD).clamp(1, cores()),
            given => given,
        };
        let projects = batches
            .iter()
            .map(|batch| format!("project {}", batch.name()));
        let names = ["predict", "velocity", "mean"].map(String::from);
        let mut copies = vec![[0.0, 0.0, 0.0, 1.0]; if copied.is_empty() { 0 } else { places }];
        let mut movable = vec![false; places];
        for (i, &w) in (0..).zip(model.inverse_masses()) {
            movable[plan.numbering.storage(i) as usize] = w > 0.0;
        }
        for Copied { place, copies: n } in &copied {
            for copy in place + 1..=place + n {
                let counts = movable[*place as usize]; // as `batch::counts` has it
                copies[copy as usize][3] = if counts { *n as f32 } else { 1.0 };
            }
        }
        let Schedule::Turns(turns) = schedule(&plan, &batches, threads, 0, false) else {
            unreachable!("no waves were allowed");
        };
        let solver = Self {
            substep: Substep::new(&settings),
            turns,
            colors: match copied.is_empty() {
                true => plan.colors(),
                false => settings.colors as usize,
            },
            phases: plan.phases,
            copied,
            copies,
            timers: Mutex::new(Timers::new(names.into_iter().chain(projects))),
            rigid: RigidDamping::new(model, &plan.numbering),
            team: Team::new(threads),
            gauge: Gauge::default(),
            records: match plan.structured {
                true => Vec::new(),
                false => vec![[0.0; 4]; places],
            },
            batches,
            settings,
        };
        Ok((Particles::new(model, plan.numbering), solver))
    }

    /// One worker's share of a step.
    fn work(&self, worker: &Worker, stage: &Field) {
        let Field { particles, places } = stage;
        let mut stop = Stop::new(&self.settings, &self.gauge);
        for _ in 0..self.settings.substeps {
            self.over_all(worker, stage, PREDICT, |range| {
                self.substep.predict_range(range, particles, places);
            });
            self.copy(worker, stage);
            stop.begin();
            while let Some(sweeps) = stop.sweeps() {
                for k in sweeps {
                    self.iterate(worker, stage, k == 0);
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
            self.over_all(worker, stage, VELOCITY, |range| {
                self.substep.update_range(range, particles, places);
            });
            if let Some(rigid) = &self.rigid {
                worker.alone(|| {
                    let mut state = *particles;
                    rigid.damp(&mut state);
                });
            }
        }
        if worker.is_first() {
            stop.report();
        }
    }

    /// One iteration: the rows in turns, then the means.
    fn iterate(&self, worker: &Worker, stage: &Field, first: bool) {
        for Turn { phases, shared } in &self.turns {
            let phase = &self.phases[phases.start];
            let project = |phase: &Phase, part| {
                self.batches[phase.set].project(phase.color, part, first, &stage.places);
            };
            let units = |phase: &Phase| self.batches[phase.set].colors()[phase.color].units();
            self.enter(worker, PROJECT + phase.set);
            match shared {
                true => worker.share(units(phase), |part| project(phase, part)),
                false => worker.alone(|| {
                    for phase in &self.phases[phases.clone()] {
                        project(phase, 0..units(phase));
                    }
                }),
            }
        }
        self.enter(worker, MEAN);
        self.mean(worker, stage);
    }

    /// A phase over all places, whole blocks of eight.
    fn over_all(&self, worker: &Worker, stage: &Field, phase: usize, act: impl Fn(Range<usize>)) {
        self.enter(worker, phase);
        worker.share(stage.particles.len() / WIDTH, |part| {
            act(part.start * WIDTH..part.end * WIDTH);
        });
    }

    fn enter(&self, worker: &Worker, phase: usize) {
        if worker.is_first() {
            self.timers.lock().expect("one worker times").enter(phase);
        }
    }

    /// Does `act` with every particle that has copies, on all workers.
    fn each(&self, worker: &Worker, stage: &Field, act: impl Fn(&SharedRecords, Copied)) {
        if let (Places::Records(records), false) = (&stage.places, self.copied.is_empty()) {
            worker.share(self.copied.len(), |part| {
                self.copied[part].iter().for_each(|&c| act(records, c));
            });
        }
    }

    /// Copies lie where their particles do.
    fn copy(&self, worker: &Worker, stage: &Field) {
        self.each(worker, stage, |records, Copied { place, copies }| {
            let [mut particle] = records.load([place]);
            if self.settings.split_mass {
                particle.w *= copies as f32;
            }
            for copy in place + 1..=place + copies {
                records.store([copy], [particle]);
                stage.particles.copy_previous(place, copy);
            }
        });
    }

    /// Particles go to the mean of their copies, and the copies with them.
    fn mean(&self, worker: &Worker, stage: &Field) {
        self.each(worker, stage, |records, Copied { place, copies }| {
            let [particle] = records.load([place]);
            let mut sum = Vec3::zero();
            let mut weight: f32 = 0.0;
            for copy in place + 1..=place + copies {
                let [Particle { x, w }] = records.load([copy]);
                sum += x - particle.x;
                weight = w;
            }
            let x = IN_PLACE.settle(particle.x, sum, copies as f32, particle.x);
            records.store([place], [Particle { x, ..particle }]);
            for copy in place + 1..=place + copies {
                records.store([copy], [Particle { x, w: weight }]);
            }
        });
    }
}

impl Solver for Hybrid {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        self.gauge.begin_step();
        let mut records = std::mem::take(&mut self.records);
        let mut copies = std::mem::take(&mut self.copies);
        let particles = Shared::new(particles);
        let places = match records.is_empty() {
            true => Places::Columns(particles),
            false => {
                let records = SharedRecords::new(&mut records, particles, false);
                Places::Records(match copies.is_empty() || self.settings.split_mass {
                    true => records,
                    false => {
                        let copies = SharedRecords::new(&mut copies, particles, false);
                        records.summing(copies).sharing(IN_PLACE)
                    }
                })
            }
        };
        let stage = Field { particles, places };
        self.team.run(|worker| self.work(worker, &stage));
        self.timers.get_mut().expect("no worker panicked").leave();
        (self.records, self.copies) = (records, copies);
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
