//! Gauss-Seidel, one row at a time, each from where the one before left the particles (S1-14, S1-27).
//!
//! In authored order this is the reference every speedup is over; in the colored order it is the same loop without the
//! dependency chain. Generic over the number, so that tests run it in f64.

use super::Solver;
use crate::batch::{FlatRows, FlatSource, Points};
use crate::coloring::{Phase, Plan};
use crate::error::ModelError;
use crate::lanes::{self, Vec3};
use crate::model::{AnyRows, Model, Settings, Span};
use crate::part::{Account, FlatPart, Moment, Part, PartSource};
use crate::particles::{Numbering, Particles};
use crate::report::Timers;
use crate::rigid_damping::RigidDamping;
use crate::step::Substep;
use crate::wind::Wind;

/// The scalar method in one of its two orders.
pub struct Scalar<R: lanes::Scalar = f32> {
    settings: Settings,
    substep: Substep<R>,
    sets: Vec<Box<dyn FlatRows<R>>>,
    order: Vec<Span>,
    parts: Vec<Box<dyn FlatPart<R>>>,
    wind: Option<Wind>,
    rigid: Option<RigidDamping>,
    records: Vec<[R; 4]>,
    timers: Timers,
    colors: usize,
}

/// A run of rows shorter than this is timed with the next one: a clock costs as much as a few rows.
const TIMED: usize = 64;
/// The first phases' places in the timers; a `project` per row set follows.
const PREDICT: usize = 0;
const VELOCITY: usize = 1;
const PROJECT: usize = 2;

impl<R: lanes::Scalar> Scalar<R>
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
        // A set's colors are counted through all bands, so its rows, color by color, are met in that order.
        let mut next = vec![0; plan.colorings.len()];
        let span = |phase: &Phase| {
            let color = &plan.colorings[phase.set].colors()[phase.color];
            let first = next[phase.set];
            next[phase.set] += color.len();
            Span {
                set: phase.set,
                rows: first..next[phase.set],
            }
        };
        let spans: Vec<Span> = plan.phases.iter().map(span).collect();
        let rows = plan.colorings.iter().map(|c| c.colors().concat()).collect();
        let colors = plan.colors();
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
        let particles = Particles::new(model, numbering);
        let solver = Self {
            substep: Substep::new(&settings),
            sets,
            order,
            parts,
            wind,
            rigid,
            records: vec![[R::zero(); 4]; particles.places()],
            timers: Timers::new(phases.chain(projects)),
            settings,
            colors,
        };
        (particles, solver)
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<R>) {
        self.timers.start();
        let start = particles.time;
        for substep in 0..self.settings.substeps {
            particles.time = start + f64::from(substep) * self.settings.h();
            if let Some(wind) = &self.wind {
                wind.blow(0..wind.len(), particles);
            }
            self.predict(particles);
            let points = Points::new(&mut self.records, particles);
            let moment = Moment::of_substep(substep);
            for part in &mut self.parts {
                part.begin(moment, particles, &points);
            }
            self.timers.lap(PREDICT);

            for _ in 0..self.settings.iterations {
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
            if let Some(last) = self.order.last() {
                self.timers.lap(PROJECT + last.set);
            }

            self.velocity(particles);
            for part in &mut self.parts {
                part.respond(particles);
            }
            if let Some(rigid) = &self.rigid {
                rigid.damp(particles);
            }
            self.timers.lap(VELOCITY);
        }
    }

    /// x_prev <- x, v <- v + h a; the predicted positions go to the records, multipliers start from zero. Phases are calls
    /// of their own, so that a profile names them.
    #[inline(never)]
    fn predict(&mut self, particles: &mut Particles<R>) {
        self.sets.iter_mut().for_each(|set| set.reset());
        let w = particles.inverse_mass.as_slice();
        let [vx, vy, vz] = particles.velocity.as_mut_slices();
        let [px, py, pz] = particles.previous.as_mut_slices();
        let [x, y, z] = particles.position.as_slices();
        for (i, record) in self.records.iter_mut().enumerate() {
            let at = Vec3::new(x[i], y[i], z[i]);
            let v = Vec3::new(vx[i], vy[i], vz[i]);
            let (x, v) = self.substep.predict(at, v, w[i]);
            (px[i], py[i], pz[i]) = (at.x, at.y, at.z);
            (vx[i], vy[i], vz[i]) = (v.x, v.y, v.z);
            *record = [x.x, x.y, x.z, w[i]];
        }
    }

    /// The records come back as positions; v <- (x - x_prev) / h.
    #[inline(never)]
    fn velocity(&mut self, particles: &mut Particles<R>) {
        let [vx, vy, vz] = particles.velocity.as_mut_slices();
        let [px, py, pz] = particles.previous.as_slices();
        let [qx, qy, qz] = particles.position.as_mut_slices();
        for (i, &[x, y, z, w]) in self.records.iter().enumerate() {
            (qx[i], qy[i], qz[i]) = (x, y, z);
            let previous = Vec3::new(px[i], py[i], pz[i]);
            let v = Vec3::new(vx[i], vy[i], vz[i]);
            let v = self.substep.update(Vec3::new(x, y, z), previous, v, w);
            (vx[i], vy[i], vz[i]) = (v.x, v.y, v.z);
        }
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
}
