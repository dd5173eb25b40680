//! What the methods in lanes share: packed rows, the workers that walk them, the clock, and what a step begins and ends with.

use super::convergence::{Gauge, Stop};
use crate::coloring::{Phase, Plan};
use crate::forces::RigidDamping;
use crate::math::{F32x8, WIDTH};
use crate::model::Model;
use crate::rows::{Batch, Places, Schedule, Turn, schedule};
use crate::settings::Settings;
use crate::state::Substep;
use crate::threads::{Shared, Team, Worker, cores};
use crate::timers::Timers;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// Fewer constraints than this are not worth a second thread (`MEASURED.md`, size and threads).
const ROWS_PER_THREAD: usize = 5_000;

pub(super) const PREDICT: usize = 0;
pub(super) const VELOCITY: usize = 1;
const PROJECT: usize = 2;

/// Packed rows and those who project them.
pub(super) struct Crew {
    pub(super) settings: Settings,
    pub(super) batches: Vec<Box<dyn Batch>>,
    pub(super) colors: usize,
    /// Packed records beside the columns, where packets gather; empty where they run.
    pub(super) records: Vec<[f32; 4]>,
    pub(super) team: Team,
    pub(super) gauge: Gauge,
    pub(super) timers: Mutex<Timers>,
    substep: Substep<F32x8>,
    phases: Vec<Phase>,
    rigid: Option<RigidDamping>,
}

/// The rows of a plan, packed.
pub(super) fn pack(plan: &Plan, model: &Model) -> Vec<Box<dyn Batch>> {
    let sets = model.rows().iter().zip(&plan.colorings);
    let pack = sets.map(|(set, coloring)| {
        set.pack(coloring, &plan.numbering, plan.structured, &model.settings)
    });
    pack.collect()
}

impl Crew {
    /// Those who project `batches` as planned, and how; as a wavefront where `waves` allows it. `threads` zero lets the engine
    /// choose; `extras` are phases timed beside the rows.
    pub(super) fn new(
        plan: Plan,
        batches: Vec<Box<dyn Batch>>,
        model: &Model,
        threads: usize,
        waves: bool,
        extras: impl Iterator<Item = String>,
    ) -> (Self, Schedule) {
        let settings = model.settings.clone();
        let threads = match threads {
            0 => (model.constraint_count() / ROWS_PER_THREAD).clamp(1, cores()),
            given => given,
        };
        // A wavefront has iterations under way together, so there is no state between them to check.
        let waves = waves && settings.tolerance == 0.0;
        let schedule = schedule(&plan, &batches, threads, sweeps(&settings), waves);
        let names = ["predict", "velocity"].map(String::from).into_iter();
        let projects = batches
            .iter()
            .map(|batch| format!("project {}", batch.name()));
        let crew = Self {
            timers: Mutex::new(Timers::new(names.chain(projects).chain(extras))),
            substep: Substep::new(&settings),
            colors: plan.colors(),
            records: match plan.structured {
                true => Vec::new(),
                false => vec![[0.0; 4]; plan.numbering.places()],
            },
            rigid: RigidDamping::new(model, &plan.numbering),
            team: Team::new(threads),
            gauge: Gauge::default(),
            phases: plan.phases,
            batches,
            settings,
        };
        (crew, schedule)
    }

    /// The number of a phase timed beside the rows.
    pub(super) fn extra(&self, i: usize) -> usize {
        PROJECT + self.batches.len() + i
    }

    /// The clock, which runs for the worker that keeps it.
    pub(super) fn clock(&self, worker: &Worker) -> Clock<'_> {
        let first = worker.is_first();
        Clock(RefCell::new(
            first.then(|| self.timers.lock().expect("one worker times")),
        ))
    }

    /// A phase over all places, whole blocks of eight.
    pub(super) fn over_all(&self, worker: &Worker, particles: &Shared, act: impl Fn(Range<usize>)) {
        worker.share(particles.len() / WIDTH, |part| {
            act(part.start * WIDTH..part.end * WIDTH);
        });
    }

    /// Predicts a stretch of places.
    pub(super) fn predict(&self, range: Range<usize>, particles: &Shared, places: &Places) {
        self.substep.predict_range(range, particles, places);
    }

    /// The velocities of a stretch of places.
    pub(super) fn velocity(&self, range: Range<usize>, particles: &Shared, places: &Places) {
        self.substep.update_range(range, particles, places);
    }

    /// All rows once, in turns; the `first` time in a substep from multipliers of zero.
    pub(super) fn walk(
        &self,
        worker: &Worker,
        turns: &[Turn],
        places: &Places,
        first: bool,
        clock: &Clock,
    ) {
        for Turn { phases, shared } in turns {
            let phase = &self.phases[phases.start];
            clock.enter(PROJECT + phase.set);
            match shared {
                true => worker.share(self.units(phase), |part| {
                    self.project(phase, part, places, first);
                }),
                false => worker.alone(|| {
                    for phase in &self.phases[phases.clone()] {
                        self.project(phase, 0..self.units(phase), places, first);
                    }
                }),
            }
        }
    }

    /// The rows of a band once, by one worker.
    pub(super) fn band(&self, phases: Range<usize>, places: &Places, first: bool, clock: &Clock) {
        for phase in &self.phases[phases] {
            clock.enter(PROJECT + phase.set);
            self.project(phase, 0..self.units(phase), places, first);
        }
    }

    fn units(&self, phase: &Phase) -> usize {
        self.batches[phase.set].colors()[phase.color].units()
    }

    fn project(&self, phase: &Phase, part: Range<usize>, places: &Places, first: bool) {
        self.batches[phase.set].project(phase.color, part, first, places);
    }

    /// A substep's iterations by `iterate`, until they are up or the tolerance is met.
    pub(super) fn solve(
        &self,
        worker: &Worker,
        places: &Places,
        stop: &mut Stop,
        iterate: impl Fn(Range<usize>),
    ) {
        stop.begin();
        while let Some(iterations) = stop.sweeps() {
            iterate(iterations);
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
    }

    /// PBD's damping of a substep's velocities, where the settings ask for it.
    pub(super) fn rigid_damping(&self, worker: &Worker, particles: &Shared) {
        if let Some(rigid) = &self.rigid {
            worker.alone(|| {
                let mut state = *particles;
                rigid.damp(&mut state);
            });
        }
    }

    /// A step begins: gives the records away until it ends.
    pub(super) fn begin_step(&mut self) -> Vec<[f32; 4]> {
        self.timers.get_mut().expect("no worker panicked").start();
        self.gauge.begin_step();
        std::mem::take(&mut self.records)
    }

    /// A step ends.
    pub(super) fn end_step(&mut self, records: Vec<[f32; 4]>) {
        self.timers.get_mut().expect("no worker panicked").leave();
        self.records = records;
    }

    /// Every row's multipliers, per row set.
    pub(super) fn multipliers(&self) -> Vec<Vec<f32>> {
        let each = self.batches.iter().map(|batch| batch.multipliers());
        each.collect()
    }
}

/// Sweeps over the particles in a substep: prediction, iterations, velocities.
pub(super) fn sweeps(settings: &Settings) -> usize {
    settings.iterations as usize + 2
}

/// Times phases while one worker walks them.
pub(super) struct Clock<'a>(RefCell<Option<MutexGuard<'a, Timers>>>);

impl Clock<'_> {
    pub(super) fn enter(&self, phase: usize) {
        if let Some(timers) = self.0.borrow_mut().as_mut() {
            timers.enter(phase);
        }
    }
}

/// What a [`Solver`](super::Solver) with a field `crew` tells of it.
macro_rules! told_by_crew {
    () => {
        fn threads(&self) -> usize {
            self.crew.team.threads()
        }

        fn colors(&self) -> usize {
            self.crew.colors
        }

        fn row_bytes(&self) -> usize {
            self.crew.batches.iter().map(|batch| batch.bytes()).sum()
        }

        fn timers(&mut self) -> &mut Timers {
            self.crew.timers.get_mut().expect("no worker panicked")
        }

        fn effort(&self) -> Effort {
            self.crew.gauge.effort()
        }
    };
}
pub(super) use told_by_crew;
