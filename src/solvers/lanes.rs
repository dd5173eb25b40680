//! Colored Gauss-Seidel, eight rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool: every worker walks the same phases, takes its part of each and meets the others at a
//! spin barrier. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

use super::Solver;
use crate::batch::{Batch, Places};
use crate::coloring::{Phase, Plan};
use crate::error::ModelError;
use crate::lanes::WIDTH;
use crate::model::{Model, Settings};
use crate::parallel::{Shared, SharedRecords, State, Team, Worker, cores};
use crate::particles::Particles;
use crate::report::Timers;
use crate::rigid_damping::RigidDamping;
use crate::step::Substep;
use std::ops::Range;
use std::sync::Mutex;

/// Fewer packets than this stay on the first worker: a barrier costs as much as some twenty packets.
const WORTH_SHARING: usize = 32;
/// Fewer rows than this are not worth a second thread (`MEASURED.md`, size and threads).
const ROWS_PER_THREAD: usize = 5_000;

/// Phases that the workers do between two meetings: one together, or one of them several small ones.
#[derive(Clone, Debug)]
struct Turn {
    phases: Range<usize>,
    shared: bool,
}

/// How the bands are swept.
enum Schedule {
    /// Phase after phase, each shared by all workers.
    Turns(Vec<Turn>),
    /// Iterations as a wavefront over bands, given as ranges of phases; `lag` bands apart, `group` iterations a worker.
    Wavefront {
        bands: Vec<Range<usize>>,
        lag: usize,
        group: usize,
    },
}

/// A core's second-level cache, about, in bytes.
const L2: usize = 1 << 20;
/// Phases of fewer packets are timed with the next: a clock costs as much as a few of them.
const TIMED: usize = 16;
/// Iterations of a wavefront that one worker keeps in its cache.
const GROUP: usize = 5;

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
        for _ in 0..self.settings.substeps {
            self.predict(worker, particles, places);
            lap(PREDICT);

            match &self.schedule {
                Schedule::Turns(turns) => {
                    for _ in 0..self.settings.iterations {
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
                    let sweeps = self.settings.iterations as usize;
                    worker.wavefront(sweeps, bands.len(), *lag, *group, |band| {
                        self.project_all(&bands[band], places);
                    });
                    lap(PROJECT);
                }
            }

            self.velocity(worker, particles, places);
            if let Some(rigid) = &self.rigid {
                worker.alone(|| {
                    let mut state = *particles;
                    rigid.damp(&mut state);
                });
            }
            lap(VELOCITY);
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

    /// Predicted positions go to the places; multipliers start from zero. Phases are calls of their own, so that a profile
    /// names them.
    #[inline(never)]
    fn predict(&self, worker: &Worker, particles: &Shared, places: &Places) {
        self.batches.iter().for_each(|batch| batch.reset(worker));
        self.blocks(worker, particles, |i| {
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
        });
    }

    /// A phase over all places, eight at a time.
    fn blocks(&self, worker: &Worker, particles: &Shared, act: impl Fn(usize)) {
        worker.share(particles.len() / WIDTH, |part| {
            part.for_each(|block| act(block * WIDTH));
        });
    }

    /// Positions come back to the columns, velocities follow from them.
    #[inline(never)]
    fn velocity(&self, worker: &Worker, particles: &Shared, places: &Places) {
        self.blocks(worker, particles, |i| {
            let x = match places {
                Places::Columns(columns) => columns.get8(State::Position, i),
                Places::Records(records) => records.read8(i),
            };
            let previous = particles.get8(State::Previous, i);
            let v = particles.get8(State::Velocity, i);
            let v = self
                .substep
                .update(x, previous, v, particles.inverse_mass8(i));
            particles.set8(State::Velocity, i, v);
            particles.set8(State::Position, i, x);
        });
    }
}

/// Bands must outnumber the lags of a wavefront by this much to be worth it: filling it idles the others.
const BANDS_PER_LAG: usize = 8;

fn schedule(
    plan: &Plan,
    batches: &[Box<dyn Batch>],
    threads: usize,
    iterations: usize,
) -> Schedule {
    let lag = reach(plan, batches) + 1;
    // As many iterations a group as fit, in groups that come out even over the threads where that is possible.
    let fits = |&group: &usize| plan.bands() >= BANDS_PER_LAG * lag * group;
    let even = |&group: &usize| iterations.div_ceil(group).is_multiple_of(threads);
    let most = iterations.div_ceil(threads).clamp(1, GROUP);
    let group = (1..=most).rev().filter(fits).find(even);
    let group = group.or_else(|| (1..=most).rev().find(fits));
    if let Some(group) = group.filter(|_| plan.bands() > 1) {
        let phases = plan.phases.chunk_by(|a, b| a.band == b.band);
        let mut end = 0;
        let bands = phases.map(|phases| {
            end += phases.len();
            end - phases.len()..end
        });
        return Schedule::Wavefront {
            bands: bands.collect(),
            lag,
            group,
        };
    }
    let mut turns: Vec<Turn> = Vec::new();
    for (i, phase) in plan.phases.iter().enumerate() {
        let units = batches[phase.set].colors()[phase.color].units();
        let shared = threads > 1 && units >= WORTH_SHARING * threads;
        match turns.last_mut() {
            Some(Turn {
                phases,
                shared: false,
            }) if !shared && plan.phases[phases.start].set == phase.set => phases.end = i + 1,
            _ => turns.push(Turn {
                phases: i..i + 1,
                shared,
            }),
        }
    }
    Schedule::Turns(turns)
}

/// The most bands that two phases with a place in common lie apart: what a wavefront rests on, read off the packets
/// themselves, padding lanes included.
fn reach(plan: &Plan, batches: &[Box<dyn Batch>]) -> usize {
    let mut first = vec![usize::MAX; plan.numbering.places()];
    let mut reach = 0;
    for phase in &plan.phases {
        // Phases are sorted by band, so the first band that touches a place is met first.
        batches[phase.set].places(phase.color, &mut |place| {
            let first = &mut first[place as usize];
            *first = phase.band.min(*first);
            reach = reach.max(phase.band - *first);
        });
    }
    reach
}

impl Solver for Lanes {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
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
}
