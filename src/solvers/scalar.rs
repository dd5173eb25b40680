//! Gauss-Seidel, one row at a time, each from where the one before left the particles (S1-14, S1-27).
//!
//! In authored order this is the reference every speedup is over; in the colored order it is the same loop without the
//! dependency chain. Generic over the number, so that tests run it in f64.

use super::Solver;
use super::convergence::{Effort, Gauge, Stop};
use crate::coloring::Numbering;
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::forces::RigidDamping;
use crate::forces::Wind;
use crate::math;
use crate::model::Model;
use crate::rigid::Flying;
use crate::rows::{AnyRows, Span};
use crate::rows::{FlatRows, FlatSource, Points};
use crate::settings::Settings;
use crate::state::Particles;
use crate::state::Substep;
use crate::subsystem::{Account, FlatPart, Moment, Part, PartSource};
use crate::timers::Timers;

/// The scalar method in one of its two orders.
pub struct Scalar<R: math::Scalar = f32> {
    settings: Settings,
    substep: Substep<R>,
    sets: Vec<Box<dyn FlatRows<R>>>,
    order: Vec<Span>,
    parts: Vec<Box<dyn FlatPart<R>>>,
    wind: Option<Wind>,
    rigid: Option<RigidDamping>,
    records: Vec<[R; 4]>,
    flying: Flying<R>,
    gauge: Gauge,
    timers: Timers,
    colors: usize,
}

/// A run of rows shorter than this is timed with the next one: a clock costs as much as a few rows.
const TIMED: usize = 64;
/// The first phases' places in the timers; a `project` per row set follows.
const PREDICT: usize = 0;
const VELOCITY: usize = 1;
const PROJECT: usize = 2;

impl<R: math::Scalar> Scalar<R>
where
    dyn AnyRows: FlatSource<R>,
    dyn Part: PartSource<R>,
{
    /// Rows in authored order, particles where the author put them.
    pub fn authored(model: &Model) -> (Particles<R>, Self) {
        let numbering = Numbering::identity(model.positions().len());
        let sets = model.rows().iter();
        let rows = sets.map(|set| (0..set.len() as u32).collect()).collect();
        Self::new(model, numbering, rows, model.order().to_vec(), 0)
    }

    /// Rows in the colored order, particles where the lanes have them.
    ///
    /// # Errors
    /// A structure hint that is no coloring.
    pub fn colored(model: &Model) -> Result<(Particles<R>, Self), ModelError> {
        let plan = Plan::new(model)?;
        let (spans, rows, colors) = (plan.spans(), plan.rows(), plan.colors());
        Ok(Self::new(model, plan.numbering, rows, spans, colors))
    }

    /// Projects `rows[set]` in that order, in runs as `order` says.
    fn new(
        model: &Model,
        numbering: Numbering,
        rows: Vec<Vec<u32>>,
        order: Vec<Span>,
        colors: usize,
    ) -> (Particles<R>, Self) {
        let settings = model.settings.clone();
        let sets = model.rows().iter().zip(rows);
        let flat = sets.map(|(set, rows)| {
            let (mut rows, set) = (rows.into_iter(), set.as_ref());
            FlatSource::<R>::flat(set, &mut rows, &numbering, &settings)
        });
        let sets = flat.collect();
        let projects = model
            .rows()
            .iter()
            .map(|set| format!("project {}", set.name()));
        let of_parts = model.parts();
        let projects = projects.chain(of_parts.map(|part| format!("project {}", part.name())));
        let phases = ["predict".into(), "velocity".into()].into_iter();
        let parts = model.parts();
        let parts = parts.map(|part| PartSource::<R>::flat(part, model, &numbering));
        let parts = parts.collect();
        let rigid = RigidDamping::new(model, &numbering);
        let wind = Wind::new(model, &numbering);
        let particles = model.particles(numbering);
        let solver = Self {
            substep: Substep::new(&settings),
            sets,
            order,
            parts,
            wind,
            rigid,
            records: vec![[R::zero(); 4]; particles.places()],
            flying: Flying::new(&settings, particles.bodies.len()),
            gauge: Gauge::default(),
            timers: Timers::new(phases.chain(projects)),
            settings,
            colors,
        };
        (particles, solver)
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<R>) {
        self.timers.start();
        self.gauge.begin_step();
        let start = particles.time;
        let mut stop = Stop::new(&self.settings, &self.gauge);
        for substep in 0..self.settings.substeps {
            particles.time = start + f64::from(substep) * self.settings.h();
            self.sets.iter_mut().for_each(|set| set.reset());
            if let Some(wind) = &self.wind {
                wind.blow(0..wind.len(), particles);
            }
            self.substep.predict_records(particles, &mut self.records);
            self.flying.predict(&mut particles.bodies);
            let points = Points::new(&mut self.records, particles, self.flying.records());
            let moment = Moment::of_substep(substep);
            for part in &mut self.parts {
                part.begin(moment, particles, &points);
            }
            self.timers.lap(PREDICT);

            stop.begin();
            while let Some(sweeps) = stop.sweeps() {
                for _ in sweeps {
                    for part in self.parts.iter_mut().filter(|part| part.each_iteration()) {
                        part.begin(Moment::Iteration, particles, &points);
                    }
                    for span in &self.order {
                        self.sets[span.set].project(span.rows.clone(), &points);
                        if span.rows.len() >= TIMED {
                            self.timers.lap(PROJECT + span.set);
                        }
                    }
                    for (i, part) in self.parts.iter_mut().enumerate() {
                        part.project(&points);
                        self.timers.lap(PROJECT + self.sets.len() + i);
                    }
                }
                if stop.checks_now() {
                    for span in &self.order {
                        let error = self.sets[span.set].residual(span.rows.clone(), &points);
                        self.gauge.note(error.to_f32());
                    }
                    self.gauge.end_check();
                    stop.heed();
                }
            }
            if let Some(last) = self.order.last() {
                self.timers.lap(PROJECT + last.set);
            }

            self.substep.update_records(particles, &self.records);
            self.flying.land(&mut particles.bodies);
            for part in &mut self.parts {
                part.respond(particles);
            }
            if let Some(rigid) = &self.rigid {
                rigid.damp(particles);
            }
            self.timers.lap(VELOCITY);
        }
        stop.report();
        particles.time = start + self.settings.dt;
    }
}

impl Solver for Scalar {
    fn step(&mut self, particles: &mut Particles) {
        self.step(particles);
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        let of_rows = self.sets.iter().map(|set| set.multipliers());
        let of_parts = self.parts.iter().map(|part| part.multipliers());
        of_rows.chain(of_parts).collect()
    }

    fn accounts(&self) -> Vec<Account> {
        self.parts.iter().map(|part| part.account()).collect()
    }

    fn threads(&self) -> usize {
        1
    }

    fn colors(&self) -> usize {
        self.colors
    }

    fn row_bytes(&self) -> usize {
        self.sets.iter().map(|set| set.bytes()).sum()
    }

    fn timers(&mut self) -> &mut Timers {
        &mut self.timers
    }

    fn effort(&self) -> Effort {
        self.gauge.effort()
    }
}
