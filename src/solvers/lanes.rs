//! Colored Gauss-Seidel, eight rows at a time, on any number of threads (S1-28, S1-29, S1-34).
//!
//! A step is one entry into the pool: every worker walks the same phases, takes its part of each and meets the others at a
//! spin barrier. Writes are disjoint inside a phase and phases are ordered, so the bits do not depend on the thread count.

use super::Solver;
use crate::batch::{Batch, Places};
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::lanes::WIDTH;
use crate::model::{Model, Settings};
use crate::parallel::{Shared, SharedRecords, State, Team, Worker, cores};
use crate::particles::Particles;
use crate::report::Timers;
use crate::step::Substep;
use std::sync::Mutex;

/// Fewer packets than this stay on the first worker: a barrier costs as much as some twenty packets.
const WORTH_SHARING: usize = 32;
/// Fewer rows than this are not worth a second thread (`MEASURED.md`, size and threads).
const ROWS_PER_THREAD: usize = 5_000;

/// One color of one batch.
#[derive(Clone, Copy, Debug)]
struct Phase {
    batch: usize,
    color: usize,
    units: usize,
}

/// What the workers do between two meetings: one color together, or one of them several small ones.
#[derive(Clone, Copy, Debug)]
struct Turn {
    first: usize,
    end: usize,
    shared: bool,
}

/// The lanes method.
pub struct Lanes {
    settings: Settings,
    substep: Substep<crate::lanes::F32x8>,
    batches: Vec<Box<dyn Batch>>,
    phases: Vec<Phase>,
    turns: Vec<Turn>,
    /// Packed records beside the columns, where packets gather; empty where they run.
    records: Vec<[f32; 4]>,
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
        let plan = Plan::new(model)?;
        let settings = model.settings.clone();
        let sets = model.rows().iter().zip(&plan.colorings);
        let pack = sets.map(|(set, coloring)| {
            let (h, iterations) = (settings.h(), settings.iterations);
            set.pack(coloring, &plan.numbering, plan.structured, h, iterations)
        });
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
        let phases = phases(&batches, &plan.order);
        let solver = Self {
            substep: Substep::new(&settings),
            turns: turns(&phases, threads),
            phases,
            timers: Mutex::new(Timers::new(names)),
            team: Team::new(threads),
            records: match plan.structured {
                true => Vec::new(),
                false => vec![[0.0; 4]; plan.numbering.places()],
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
        for _ in 0..self.settings.substeps {
            self.predict(worker, particles, places);
            lap(PREDICT);

            for _ in 0..self.settings.iterations {
                for turn in &self.turns {
                    let phases = &self.phases[turn.first..turn.end];
                    let project = |phase: &Phase, part| {
                        self.batches[phase.batch].project(phase.color, part, places);
                    };
                    match turn.shared {
                        true => worker.share(phases[0].units, |part| project(&phases[0], part)),
                        false => {
                            worker.alone(|| phases.iter().for_each(|p| project(p, 0..p.units)))
                        }
                    }
                    lap(PROJECT + phases[0].batch);
                }
            }

            self.velocity(worker, particles, places);
            lap(VELOCITY);
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

/// The phases of an iteration: kind, then color.
fn phases(batches: &[Box<dyn Batch>], order: &[usize]) -> Vec<Phase> {
    let of = |&batch: &usize| {
        let colors = batches[batch].colors().iter().enumerate();
        colors.map(move |(color, stats)| Phase {
            batch,
            color,
            units: stats.units(),
        })
    };
    order.iter().flat_map(of).collect()
}

/// Phases worth sharing stand alone; small ones of a batch go together.
fn turns(phases: &[Phase], threads: usize) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for (i, phase) in phases.iter().enumerate() {
        let shared = phase.units >= WORTH_SHARING * threads;
        match turns.last_mut() {
            Some(last) if !shared && !last.shared && phases[last.first].batch == phase.batch => {
                last.end = i + 1;
            }
            _ => turns.push(Turn {
                first: i,
                end: i + 1,
                shared,
            }),
        }
    }
    turns
}

impl Solver for Lanes {
    fn step(&mut self, particles: &mut Particles) {
        self.timers.get_mut().expect("no worker panicked").start();
        let mut records = std::mem::take(&mut self.records);
        let shared = Shared::new(particles);
        let places = match records.is_empty() {
            true => Places::Columns(shared),
            false => Places::Records(SharedRecords::new(&mut records, shared)),
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
        self.phases.len()
    }

    fn row_bytes(&self) -> usize {
        self.batches.iter().map(|batch| batch.bytes()).sum()
    }

    fn timers(&mut self) -> &mut Timers {
        self.timers.get_mut().expect("no worker panicked")
    }
}
