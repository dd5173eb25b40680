//! Jacobi: every row from the same positions, corrections gathered, then taken together (S1-30, S1-31, S1-32).
//!
//! Rows of a color share no particle, so a color adds its corrections to the sums as it would otherwise move the particles:
//! eight at a time, in a fixed order (band, kind, color), without atomics and without a slot per row. What is made of the
//! sums stands in [`Sharing`]. A band's places are settled as soon as its rows are through: rows of later bands no longer
//! name them, so iterations form a wavefront as those of `lanes` do.

use super::Solver;
use crate::batch::{Batch, Places, Schedule, Sharing, TIMED, Turn, blocks, counts, schedule};
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
    /// The blocks of eight places that each band settles.
    blocks: Vec<Range<usize>>,
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
        let mut schedule = schedule(&plan, &batches, threads, settings.iterations as usize);
        let mut settled = Vec::new();
        if let Schedule::Wavefront { lag, .. } = &mut schedule {
            // The block that a band ends in is settled by the next.
            *lag += 1;
            settled = plan.band_blocks();
        }
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
            schedule,
            blocks: settled,
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
    fn work(&self, worker: &Worker, particles: &Shared, sums: &Shared, places: &Places) {
        let mut timers = worker
            .is_first()
            .then(|| self.timers.lock().expect("one worker times"));
        let mut lap = |phase| timers.iter_mut().for_each(|t| t.lap(phase));
        let sharing = |sweep: usize| self.sharing[sweep.min(self.sharing.len() - 1)];
        let mut stop = Stop::new(&self.settings, &self.gauge);
        for _ in 0..self.settings.substeps {
            self.batches.iter().for_each(|batch| batch.reset(worker));
            self.substep.predict_all(worker, particles, places);
            lap(PREDICT);

            stop.begin();
            while let Some(sweeps) = stop.sweeps() {
                match &self.schedule {
                    Schedule::Turns(turns) => {
                        for sweep in sweeps {
                            let places = &places.sharing(sharing(sweep));
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
                            blocks(worker, particles, |i| {
                                self.settle(i, sharing(sweep), particles, sums, places);
                            });
                            lap(SETTLE);
                        }
                    }
                    Schedule::Wavefront { bands, lag, group } => {
                        worker.wavefront(sweeps.len(), bands.len(), *lag, *group, |sweep, band| {
                            let sweep = sweeps.start + sweep;
                            let places = &places.sharing(sharing(sweep));
                            self.project_all(&bands[band], places);
                            for block in self.blocks[band].clone() {
                                self.settle(block * WIDTH, sharing(sweep), particles, sums, places);
                            }
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

    /// Moves eight particles by what was gathered for them.
    #[inline(always)]
    fn settle(&self, i: usize, how: Sharing, particles: &Shared, sums: &Shared, places: &Places) {
        let n = sums.inverse_mass8(i);
        let x = places.get8(i);
        let sum = places.take_sums8(i, n);
        let next = how.settle(x, sum, n, sums.get8(State::Previous, i));
        if self.sharing.len() > 1 {
            sums.set8(State::Previous, i, x);
        }
        places.set8(i, next, particles.inverse_mass8(i));
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

impl Solver for Jacobi {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        self.gauge.begin_step();
        let mut records = std::mem::take(&mut self.records);
        let mut sum_records = std::mem::take(&mut self.sum_records);
        let mut sum_columns = self.sums.take().expect("each step puts them back");
        let shared = Shared::new(particles);
        let sums = Shared::new(&mut sum_columns);
        let places = match records.is_empty() {
            true => Places::Columns(shared.summing(sums)),
            false => {
                let sums = SharedRecords::new(&mut sum_records, sums, false);
                Places::Records(SharedRecords::new(&mut records, shared, false).summing(sums))
            }
        };
        self.team
            .run(|worker| self.work(worker, &shared, &sums, &places));
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
