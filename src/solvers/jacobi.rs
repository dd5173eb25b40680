//! Jacobi: every row from the same positions, corrections gathered, then taken together (S1-30, S1-31, S1-32).
//!
//! Rows of a color share no particle, so a color adds its corrections to the sums as it would otherwise move the particles:
//! eight at a time, in a fixed order (band, kind, color), without atomics and without a slot per row. What is made of the
//! sums stands in [`Sharing`]. A band's places are settled as soon as its rows are through: rows of later bands no longer
//! name them, so iterations form a wavefront as those of `lanes` do.

use super::Solver;
use crate::batch::{Band, Batch, Field, Places, Schedule, Sharing, Turn, counts, schedule};
use crate::coloring::{Phase, Plan};
use crate::error::ModelError;
use crate::lanes::{F32x8, WIDTH};
use crate::model::{Gather, Model, Settings};
use crate::parallel::{Shared, SharedRecords, State, Team, Worker, cores};
use crate::particles::Particles;
use crate::report::Timers;
use crate::rigid_damping::RigidDamping;
use crate::step::Substep;
use crate::tolerance::{Effort, Gauge, Stop};
use std::ops::Range;
use std::sync::Mutex;

/// Fewer rows than this are not worth a second thread.
const ROWS_PER_THREAD: usize = 5_000;

/// The Jacobi method, eight rows at a time.
pub struct Jacobi {
    settings: Settings,
    substep: Substep<F32x8>,
    batches: Vec<Box<dyn Batch>>,
    phases: Vec<Phase>,
    colors: usize,
    schedule: Schedule,
    sharing: Vec<Sharing>,
    /// Positions: the corrections gathered. Previous: the positions one iteration before. Inverse masses: n_i.
    sums: Option<Particles>,
    /// Packed records beside the columns, and beside the sums, where packets gather; empty where they run.
    records: Vec<[f32; 4]>,
    sum_records: Vec<[f32; 4]>,
    rigid: Option<RigidDamping>,
    team: Team,
    gauge: Gauge,
    timers: Mutex<Timers>,
}

const PREDICT: usize = 0;
const VELOCITY: usize = 1;
const SETTLE: usize = 2;
const PROJECT: usize = 3;

impl Jacobi {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A structure hint that is no coloring.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let settings = model.settings.clone();
        let plan = Plan::new(model)?;
        let sets = model.rows().iter().zip(&plan.colorings);
        let pack = sets
            .map(|(set, coloring)| set.pack(coloring, &plan.numbering, plan.structured, &settings));
        let mut batches: Vec<_> = pack.collect();
        if settings.jacobi == Gather::Chebyshev {
            batches.iter_mut().for_each(|batch| batch.remember());
        }
        let threads = match threads {
            0 => (model.row_count() / ROWS_PER_THREAD).clamp(1, cores()),
            given => given,
        };
        let sweeps = settings.iterations as usize + 2;
        let waves = settings.tolerance == 0.0;
        let particles = Particles::new(model, plan.numbering.clone());
        let mut sums = Particles::new(model, plan.numbering.clone());
        let places = sums.places();
        (0..places).for_each(|place| sums.position.write(place, [0.0; 3]));
        sums.inverse_mass.as_mut_slice().fill(1.0);
        for (i, n) in (0..).zip(counts(model)) {
            sums.set_inverse_mass(i, n);
        }
        let n = sums.inverse_mass.as_slice();
        let record = |place: usize| [0.0, 0.0, 0.0, n[place]];
        let projects = batches
            .iter()
            .map(|batch| format!("project {}", batch.name()));
        let names = ["predict", "velocity", "settle"].map(String::from);
        let solver = Self {
            substep: Substep::new(&settings),
            schedule: schedule(&plan, &batches, threads, sweeps, waves),
            sharing: Sharing::jacobi(&settings),
            colors: plan.colors(),
            timers: Mutex::new(Timers::new(names.into_iter().chain(projects))),
            rigid: RigidDamping::new(model, &plan.numbering),
            team: Team::new(threads),
            gauge: Gauge::default(),
            sum_records: match plan.structured {
                true => Vec::new(),
                false => (0..places).map(record).collect(),
            },
            records: match plan.structured {
                true => Vec::new(),
                false => vec![[0.0; 4]; places],
            },
            sums: Some(sums),
            phases: plan.phases,
            batches,
            settings,
        };
        Ok((particles, solver))
    }

    /// One worker's share of a step.
    fn work(&self, worker: &Worker, sums: &Shared, stage: &Field) {
        let mut stop = Stop::new(&self.settings, &self.gauge);
        for _ in 0..self.settings.substeps {
            stop.begin();
            match &self.schedule {
                Schedule::Turns(turns) => {
                    self.over_all(worker, stage, PREDICT, |range| self.predict(range, stage));
                    while let Some(sweeps) = stop.sweeps() {
                        for k in sweeps {
                            self.iterate(worker, sums, stage, turns, k);
                        }
                        if stop.checks_now() {
                            self.check(worker, stage);
                            stop.heed();
                        }
                    }
                    self.over_all(worker, stage, VELOCITY, |range| self.velocity(range, stage));
                }
                Schedule::Wavefront {
                    bands,
                    reach,
                    group,
                } => {
                    while stop.sweeps().is_some() {
                        self.sweep(worker, sums, stage, bands, *reach, *group);
                    }
                }
            }
            if let Some(rigid) = &self.rigid {
                worker.alone(|| {
                    let mut state = stage.particles;
                    rigid.damp(&mut state);
                });
            }
        }
        if worker.is_first() {
            stop.report();
        }
    }

    /// One iteration: the rows in turns, then all places.
    fn iterate(&self, worker: &Worker, sums: &Shared, stage: &Field, turns: &[Turn], k: usize) {
        let how = self.sharing(k);
        let places = &stage.places.sharing(how);
        for Turn { phases, shared } in turns {
            let phase = &self.phases[phases.start];
            let project = |phase: &Phase, part| self.project(phase, part, k == 0, places);
            self.enter(worker, PROJECT + phase.set);
            match shared {
                true => worker.share(self.units(phase), |part| project(phase, part)),
                false => worker.alone(|| {
                    for phase in &self.phases[phases.clone()] {
                        project(phase, 0..self.units(phase));
                    }
                }),
            }
        }
        self.over_all(worker, stage, SETTLE, |range| {
            self.settle(range, how, sums, &stage.particles, places);
        });
    }

    /// A substep as a wavefront: prediction, every iteration and the velocities are one sweep each.
    fn sweep(
        &self,
        worker: &Worker,
        sums: &Shared,
        stage: &Field,
        bands: &[Band],
        reach: usize,
        group: usize,
    ) {
        let last = self.settings.iterations as usize + 1;
        worker.wavefront(last + 1, bands.len(), reach, group, |sweep, band| {
            let Band { phases, places } = &bands[band];
            if sweep == 0 {
                self.enter(worker, PREDICT);
                self.predict(places.clone(), stage);
            } else if sweep == last {
                self.enter(worker, VELOCITY);
                self.velocity(places.clone(), stage);
            } else {
                let how = self.sharing(sweep - 1);
                let shared = &stage.places.sharing(how);
                for phase in &self.phases[phases.clone()] {
                    self.enter(worker, PROJECT + phase.set);
                    self.project(phase, 0..self.units(phase), sweep == 1, shared);
                }
                self.enter(worker, SETTLE);
                self.settle(places.clone(), how, sums, &stage.particles, shared);
            }
        });
    }

    /// Ends a check of all rows' residuals.
    fn check(&self, worker: &Worker, stage: &Field) {
        worker.share(self.phases.len(), |part| {
            for phase in &self.phases[part] {
                let batch = &self.batches[phase.set];
                self.gauge.note(batch.residual(phase.color, &stage.places));
            }
        });
        worker.alone(|| self.gauge.end_check());
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

    fn sharing(&self, k: usize) -> Sharing {
        self.sharing[k.min(self.sharing.len() - 1)]
    }

    fn predict(&self, range: Range<usize>, stage: &Field) {
        let (particles, places) = (&stage.particles, &stage.places);
        self.substep.predict_range(range, particles, places);
    }

    fn velocity(&self, range: Range<usize>, stage: &Field) {
        let (particles, places) = (&stage.particles, &stage.places);
        self.substep.update_range(range, particles, places);
    }

    /// Moves particles by what was gathered for them, whole blocks of eight.
    #[inline(never)] // a frame of its own in profiles
    fn settle(
        &self,
        range: Range<usize>,
        how: Sharing,
        sums: &Shared,
        particles: &Shared,
        places: &Places,
    ) {
        for i in range.step_by(WIDTH) {
            let n = sums.inverse_mass8(i);
            let x = places.get8(i);
            let sum = places.take_sums8(i, n);
            let next = how.settle(x, sum, n, sums.get8(State::Previous, i));
            if self.sharing.len() > 1 {
                sums.set8(State::Previous, i, x);
            }
            places.set8(i, next, particles.inverse_mass8(i));
        }
    }

    fn units(&self, phase: &Phase) -> usize {
        self.batches[phase.set].colors()[phase.color].units()
    }

    fn project(&self, phase: &Phase, part: Range<usize>, first: bool, places: &Places) {
        self.batches[phase.set].project(phase.color, part, first, places);
    }
}

impl Solver for Jacobi {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        self.gauge.begin_step();
        let mut records = std::mem::take(&mut self.records);
        let mut sum_records = std::mem::take(&mut self.sum_records);
        let mut sum_columns = self.sums.take().expect("each step puts them back");
        let particles = Shared::new(particles);
        let sums = Shared::new(&mut sum_columns);
        let places = match records.is_empty() {
            true => Places::Columns(particles.summing(sums)),
            false => {
                let sums = SharedRecords::new(&mut sum_records, sums, false);
                Places::Records(SharedRecords::new(&mut records, particles, false).summing(sums))
            }
        };
        let stage = Field { particles, places };
        self.team.run(|worker| self.work(worker, &sums, &stage));
        self.timers.get_mut().expect("no worker panicked").leave();
        self.sums = Some(sum_columns);
        (self.records, self.sum_records) = (records, sum_records);
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
