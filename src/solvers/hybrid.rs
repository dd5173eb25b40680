//! Hybrid coloring: few colors, and copies of the particles that would need more (S1-33; Fratarcangeli and Pellacini 2015).
//!
//! Before an iteration a copy lies where its particle does; rows move copies as they would particles; behind the last color
//! the particle goes to the mean of its copies. With one color that is averaged `jacobi`, with colors enough `lanes`, bit for
//! bit. A row with compliance moves copies and multiplier by the shares that `jacobi` has them take, so that both agree;
//! where each of c copies weighs a c-th of the particle (`split_mass`), they agree by themselves and momentum is kept.

use super::Solver;
use crate::batch::{Batch, Places, Schedule, Sharing, Store, TIMED, Turn, schedule};
use crate::coloring::{Copied, Phase, RowList, Split};
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::lanes::{F32x8, Vec3};
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
    schedule: Schedule,
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
        let solver = Self {
            substep: Substep::new(&settings),
            schedule: schedule(&plan, &batches, threads, settings.iterations as usize),
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
    fn work(&self, worker: &Worker, particles: &Shared, places: &Places) {
        let mut timers = worker
            .is_first()
            .then(|| self.timers.lock().expect("one worker times"));
        let mut lap = |phase| timers.iter_mut().for_each(|t| t.lap(phase));
        let mut stop = Stop::new(&self.settings, &self.gauge);
        for _ in 0..self.settings.substeps {
            self.batches.iter().for_each(|batch| batch.reset(worker));
            self.substep.predict_all(worker, particles, places);
            self.copy(worker, particles, places);
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
                            self.mean(worker, places);
                            lap(MEAN);
                        }
                    }
                    // Bands are of plans without copies.
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

    /// Does `act` with every particle that has copies, on all workers.
    fn each(&self, worker: &Worker, places: &Places, act: impl Fn(&SharedRecords, Copied)) {
        if let (Places::Records(records), false) = (places, self.copied.is_empty()) {
            worker.share(self.copied.len(), |part| {
                self.copied[part].iter().for_each(|&c| act(records, c));
            });
        }
    }

    /// Copies lie where their particles do.
    fn copy(&self, worker: &Worker, particles: &Shared, places: &Places) {
        self.each(worker, places, |records, Copied { place, copies }| {
            let [mut particle] = records.load([place]);
            if self.settings.split_mass {
                particle.w *= copies as f32;
            }
            for copy in place + 1..=place + copies {
                records.store([copy], [particle]);
                particles.copy_previous(place, copy);
            }
        });
    }

    /// Particles go to the mean of their copies, and the copies with them.
    fn mean(&self, worker: &Worker, places: &Places) {
        self.each(worker, places, |records, Copied { place, copies }| {
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

impl Solver for Hybrid {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        self.gauge.begin_step();
        let mut records = std::mem::take(&mut self.records);
        let mut copies = std::mem::take(&mut self.copies);
        let shared = Shared::new(particles);
        let places = match records.is_empty() {
            true => Places::Columns(shared),
            false => {
                let records = SharedRecords::new(&mut records, shared, false);
                Places::Records(match copies.is_empty() || self.settings.split_mass {
                    true => records,
                    false => {
                        let copies = SharedRecords::new(&mut copies, shared, false);
                        records.summing(copies).sharing(IN_PLACE)
                    }
                })
            }
        };
        self.team.run(|worker| self.work(worker, &shared, &places));
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
