//! Hybrid coloring: few colors, and copies of the particles that would need more (S1-33; Fratarcangeli and Pellacini 2015).
//!
//! Before an iteration a copy lies where its particle does; rows move copies as they would particles; behind the last color
//! the particle goes to the mean of its copies. With one color that is averaged `jacobi`, with colors enough `lanes`, bit for
//! bit. A row with compliance moves copies and multiplier by the shares that `jacobi` has them take, so that both agree;
//! where each of c copies weighs a c-th of the particle (`split_mass`), they agree by themselves and momentum is kept.

use super::Solver;
use super::convergence::{Effort, Stop};
use super::crew::{Crew, PREDICT, VELOCITY, told_by_crew};
use crate::coloring::{Copied, RowList, Split};
use crate::constraints::Particle;
use crate::error::ModelError;
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::{Field, Places, Schedule, Sharing, Store, Turn};
use crate::state::Particles;
use crate::threads::{Shared, SharedRecords, Worker};
use crate::timers::Timers;

/// The hybrid method.
pub struct Hybrid {
    crew: Crew,
    turns: Vec<Turn>,
    copied: Vec<Copied>,
    /// How many copies there are of what lies at each place, as the fourth number.
    copies: Vec<[f32; 4]>,
}

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
        let settings = &model.settings;
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
            set.pack_at(coloring, slots, places, plan.structured, settings)
        });
        let batches: Vec<_> = pack.collect();
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
        let particles = model.particles(plan.numbering.clone());
        let mean = ["mean".into()].into_iter();
        let (mut crew, schedule) = Crew::new(plan, batches, model, threads, false, mean);
        let Schedule::Turns(turns) = schedule else {
            unreachable!("no waves were allowed");
        };
        if !copied.is_empty() {
            crew.colors = crew.settings.colors as usize;
        }
        let solver = Self {
            crew,
            turns,
            copied,
            copies,
        };
        Ok((particles, solver))
    }

    /// One worker's share of a step.
    fn work(&self, worker: &Worker, stage: &Field) {
        let Field { particles, places } = stage;
        let crew = &self.crew;
        let mut stop = Stop::new(&crew.settings, &crew.gauge);
        for _ in 0..crew.settings.substeps {
            crew.clock(worker).enter(PREDICT);
            crew.over_all(worker, particles, |range| {
                crew.predict(range, particles, places);
            });
            self.copy(worker, stage);
            crew.solve(worker, places, &mut stop, |iterations| {
                for k in iterations {
                    self.iterate(worker, stage, k == 0);
                }
            });
            crew.clock(worker).enter(VELOCITY);
            crew.over_all(worker, particles, |range| {
                crew.velocity(range, particles, places);
            });
            crew.rigid_damping(worker, particles);
        }
        if worker.is_first() {
            stop.report();
        }
    }

    /// One iteration: the rows in turns, then the means.
    fn iterate(&self, worker: &Worker, stage: &Field, first: bool) {
        let clock = self.crew.clock(worker);
        self.crew
            .walk(worker, &self.turns, &stage.places, first, &clock);
        clock.enter(self.crew.extra(0));
        self.mean(worker, stage);
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
            if self.crew.settings.split_mass {
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
        let mut records = self.crew.begin_step();
        let mut copies = std::mem::take(&mut self.copies);
        let particles = Shared::new(particles);
        let places = match records.is_empty() {
            true => Places::Columns(particles),
            false => {
                let records = SharedRecords::new(&mut records, particles, false);
                Places::Records(match copies.is_empty() || self.crew.settings.split_mass {
                    true => records,
                    false => {
                        let copies = SharedRecords::new(&mut copies, particles, false);
                        records.summing(copies).sharing(IN_PLACE)
                    }
                })
            }
        };
        let stage = Field { particles, places };
        self.crew.team.run(|worker| self.work(worker, &stage));
        self.copies = copies;
        self.crew.end_step(records);
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        self.crew.multipliers()
    }

    told_by_crew!();
}
