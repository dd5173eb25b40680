//! Jacobi: every row from the same positions, corrections gathered, then taken together (S1-30, S1-31, S1-32).
//!
//! Rows of a color share no particle, so a color adds its corrections to the sums as it would otherwise move the particles:
//! eight at a time, in a fixed order (band, kind, color), without atomics and without a slot per row. What is made of the
//! sums stands in [`Sharing`]. A band's places are settled as soon as its rows are through: rows of later bands no longer
//! name them, so iterations form a wavefront as those of `lanes` do.

use super::Solver;
use super::convergence::{Effort, Stop};
use super::crew::{Crew, PREDICT, VELOCITY, pack, sweeps, told_by_crew};
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::math::WIDTH;
use crate::model::Model;
use crate::rows::{Band, Field, Places, Schedule, Sharing, Turn, counts};
use crate::settings::Gather;
use crate::state::Particles;
use crate::threads::{Shared, SharedRecords, State, Worker};
use crate::timers::Timers;
use std::ops::Range;

/// The Jacobi method, eight rows at a time.
pub struct Jacobi {
    crew: Crew,
    schedule: Schedule,
    sharing: Vec<Sharing>,
    /// Positions: the corrections gathered. Previous: the positions one iteration before. Inverse masses: n_i.
    sums: Option<Particles>,
    /// Packed records beside the sums, where packets gather; empty where they run.
    sum_records: Vec<[f32; 4]>,
}

impl Jacobi {
    /// Colors and packs the model's rows; `threads` zero lets the engine choose.
    ///
    /// # Errors
    /// A structure hint that is no coloring.
    pub fn new(model: &Model, threads: usize) -> Result<(Particles, Self), ModelError> {
        let plan = Plan::new(model)?;
        let mut batches = pack(&plan, model);
        if model.settings.jacobi == Gather::Chebyshev {
            batches.iter_mut().for_each(|batch| batch.remember());
        }
        let particles = model.particles(plan.numbering.clone());
        let mut sums = model.particles(plan.numbering.clone());
        let places = sums.places();
        (0..places).for_each(|place| sums.position.write(place, [0.0; 3]));
        sums.inverse_mass.as_mut_slice().fill(1.0);
        for (i, n) in (0..).zip(counts(model)) {
            sums.set_inverse_mass(i, n);
        }
        let n = sums.inverse_mass.as_slice();
        let record = |place: usize| [0.0, 0.0, 0.0, n[place]];
        let sum_records = match plan.structured {
            true => Vec::new(),
            false => (0..places).map(record).collect(),
        };
        let settle = ["settle".into()].into_iter();
        let (crew, schedule) = Crew::new(plan, batches, model, threads, true, settle);
        let solver = Self {
            schedule,
            sharing: Sharing::jacobi(&crew.settings),
            sum_records,
            sums: Some(sums),
            crew,
        };
        Ok((particles, solver))
    }

    /// One worker's share of a step.
    fn work(&self, worker: &Worker, sums: &Shared, stage: &Field) {
        let mut stop = Stop::new(&self.crew.settings, &self.crew.gauge);
        for _ in 0..self.crew.settings.substeps {
            match &self.schedule {
                Schedule::Turns(turns) => {
                    self.crew.clock(worker).enter(PREDICT);
                    self.crew.over_all(worker, &stage.particles, |range| {
                        self.predict(range, stage);
                    });
                    self.crew
                        .solve(worker, &stage.places, &mut stop, |iterations| {
                            for k in iterations {
                                self.iterate(worker, sums, stage, turns, k);
                            }
                        });
                    self.crew.clock(worker).enter(VELOCITY);
                    self.crew.over_all(worker, &stage.particles, |range| {
                        self.velocity(range, stage);
                    });
                }
                Schedule::Wavefront {
                    bands,
                    reach,
                    group,
                } => {
                    stop.begin();
                    while stop.sweeps().is_some() {
                        self.sweep(worker, sums, stage, bands, *reach, *group);
                    }
                }
            }
            self.crew.rigid_damping(worker, &stage.particles);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    /// One iteration: the rows in turns, then all places.
    fn iterate(&self, worker: &Worker, sums: &Shared, stage: &Field, turns: &[Turn], k: usize) {
        let how = self.sharing(k);
        let places = &stage.places.sharing(how);
        let clock = self.crew.clock(worker);
        self.crew.walk(worker, turns, places, k == 0, &clock);
        clock.enter(self.crew.extra(0));
        self.crew.over_all(worker, &stage.particles, |range| {
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
        let clock = self.crew.clock(worker);
        let last = sweeps(&self.crew.settings) - 1;
        worker.wavefront(last + 1, bands.len(), reach, group, |sweep, band| {
            let Band { phases, places } = &bands[band];
            if sweep == 0 {
                clock.enter(PREDICT);
                self.predict(places.clone(), stage);
            } else if sweep == last {
                clock.enter(VELOCITY);
                self.velocity(places.clone(), stage);
            } else {
                let how = self.sharing(sweep - 1);
                let shared = &stage.places.sharing(how);
                self.crew.band(phases.clone(), shared, sweep == 1, &clock);
                clock.enter(self.crew.extra(0));
                self.settle(places.clone(), how, sums, &stage.particles, shared);
            }
        });
    }

    fn sharing(&self, k: usize) -> Sharing {
        self.sharing[k.min(self.sharing.len() - 1)]
    }

    fn predict(&self, range: Range<usize>, stage: &Field) {
        self.crew.predict(range, &stage.particles, &stage.places);
    }

    fn velocity(&self, range: Range<usize>, stage: &Field) {
        self.crew.velocity(range, &stage.particles, &stage.places);
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
}

impl Solver for Jacobi {
    fn step(&mut self, particles: &mut Particles) {
        let mut records = self.crew.begin_step();
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
        let team = &self.crew.team;
        team.run(|worker| self.work(worker, &sums, &stage));
        self.sums = Some(sum_columns);
        self.sum_records = sum_records;
        self.crew.end_step(records);
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        self.crew.multipliers()
    }

    told_by_crew!();
}
