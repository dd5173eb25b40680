//! Jacobi, one row at a time (S1-30, S1-31, S1-32): the reference of method `jacobi`, in the same order.
//!
//! Generic over the number, so that tests run it in f64. Does all iterations, whatever the tolerance.

use super::Solver;
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::forces::RigidDamping;
use crate::math::{self, Vec3};
use crate::model::Model;
use crate::rigid::Records;
use crate::rows::{AnyRows, Span};
use crate::rows::{FlatRows, FlatSource, Points, Sharing, counts};
use crate::settings::{Gather, Settings};
use crate::solvers::Effort;
use crate::state::Particles;
use crate::state::Substep;
use crate::timers::Timers;

/// The scalar form of method `jacobi`.
pub struct ScalarJacobi<R: math::Scalar = f32> {
    settings: Settings,
    substep: Substep<R>,
    sets: Vec<Box<dyn FlatRows<R>>>,
    order: Vec<Span>,
    colors: usize,
    sharing: Vec<Sharing>,
    records: Vec<[R; 4]>,
    /// Corrections gathered, and n_i.
    sums: Vec<[R; 4]>,
    /// Positions one iteration before.
    earlier: Vec<Vec3<R>>,
    rigid: Option<RigidDamping>,
    timers: Timers,
}

const PREDICT: usize = 0;
const VELOCITY: usize = 1;
const PROJECT: usize = 2;

impl<R: math::Scalar> ScalarJacobi<R>
where
    dyn AnyRows: FlatSource<R>,
{
    /// Rows in the colored order, particles where the lanes have them.
    ///
    /// # Errors
    /// A structure hint that is no coloring.
    pub fn new(model: &Model) -> Result<(Particles<R>, Self), ModelError> {
        let settings = model.settings.clone();
        let plan = Plan::new(model)?;
        let sets = model.rows().iter().zip(plan.rows());
        let mut sets: Vec<_> = sets
            .map(|(set, rows)| {
                let (mut rows, set) = (rows.into_iter(), set.as_ref());
                FlatSource::<R>::flat(set, &mut rows, &plan.numbering, &settings)
            })
            .collect();
        if settings.jacobi == Gather::Chebyshev {
            sets.iter_mut().for_each(|set| set.remember());
        }
        let (order, colors) = (plan.spans(), plan.colors());
        let rigid = RigidDamping::new(model, &plan.numbering);
        let particles = model.particles(plan.numbering);
        let zero = R::zero();
        let mut sums = vec![[zero, zero, zero, R::of(1.0)]; particles.places()];
        for (i, n) in (0..).zip(counts(model)) {
            sums[particles.numbering().storage(i) as usize][3] = R::of(f64::from(n));
        }
        let solver = Self {
            substep: Substep::new(&settings),
            sets,
            order,
            colors,
            sharing: Sharing::jacobi(&settings),
            records: vec![[zero; 4]; particles.places()],
            sums,
            earlier: vec![Vec3::zero(); particles.places()],
            rigid,
            timers: Timers::new(["predict", "velocity", "project"].map(String::from)),
            settings,
        };
        Ok((particles, solver))
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<R>) {
        self.timers.start();
        for _ in 0..self.settings.substeps {
            self.sets.iter_mut().for_each(|set| set.reset());
            self.substep.predict_records(particles, &mut self.records);
            self.timers.lap(PREDICT);
            for sweep in 0..self.settings.iterations as usize {
                let sharing = self.sharing[sweep.min(self.sharing.len() - 1)];
                let points = Points::new(&mut self.records, particles, Records::none());
                let points = points.sharing(&mut self.sums, sharing);
                for span in &self.order {
                    self.sets[span.set].project(span.rows.clone(), &points);
                }
                self.settle(sharing);
            }
            self.timers.lap(PROJECT);
            self.substep.update_records(particles, &self.records);
            if let Some(rigid) = &self.rigid {
                rigid.damp(particles);
            }
            self.timers.lap(VELOCITY);
        }
    }

    /// Moves every particle by what was gathered for it.
    fn settle(&mut self, sharing: Sharing) {
        let records = self.records.iter_mut().zip(&mut self.sums);
        for (([x, y, z, _], [sx, sy, sz, n]), earlier) in records.zip(&mut self.earlier) {
            let (at, sum) = (Vec3::new(*x, *y, *z), Vec3::new(*sx, *sy, *sz));
            let next = sharing.settle(at, sum, *n, *earlier);
            *earlier = at;
            (*x, *y, *z) = (next.x, next.y, next.z);
            (*sx, *sy, *sz) = (R::zero(), R::zero(), R::zero());
        }
    }
}

impl Solver for ScalarJacobi {
    fn step(&mut self, particles: &mut Particles) {
        self.step(particles);
    }

    fn multipliers(&self) -> Vec<Vec<f32>> {
        self.sets.iter().map(|set| set.multipliers()).collect()
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
        Effort {
            iterations: self.settings.iterations,
            ..Effort::default()
        }
    }
}
