//! Impulse-based dynamic simulation: a predictor-corrector on velocities (IBDS; S3-01..S3-07).
//!
//! ```text
//! until iterations or tolerance: for each row in authored order  v += w ∇C Δp  so that C(x + h (v + h a)) = 0
//! v += h a,  x += h v
//! until iterations or tolerance: for each row in authored order  v += w ∇C Δp  so that dC/dt = 0
//! ```
//!
//! One thread. Generic over the number, so that tests run it in f64.

use super::convergence::SolverStatistics;
use super::row_phases::scalar_batches;
use super::solver::{Solver, SolverInfo, load_rows, save_rows};
use crate::coloring::{Permutation, Plan, Span};
use crate::constraints::Aim;
use crate::error::CheckpointError;
use crate::forces::RigidDamping;
use crate::math::{self, Vec3};
use crate::model::Model;
use crate::rows::{Batch, Motions, RowElement};
use crate::settings::Settings;
use crate::state::{CarriedColumns, Integrator, ParticleView, Particles, Saved};
use crate::subsystem::SubsystemStatistics;
use crate::timers::Timers;

/// The impulse method.
pub struct Impulse<R: math::Scalar = f32> {
    settings: Settings,
    integrator: Integrator<R>,
    sets: Vec<Box<dyn Batch<R>>>,
    order: Vec<Span>,
    rigid: Option<RigidDamping>,
    /// Position and inverse mass.
    positions: Vec<[R; 4]>,
    velocities: Vec<[R; 3]>,
    /// h a of each, where forces act.
    steps: Option<Vec<[R; 3]>>,
    timers: Timers,
    statistics: SolverStatistics,
}

const PREDICT: usize = 0;
const VELOCITY: usize = 1;
const POSITIONS: usize = 2;
const VELOCITIES: usize = 3;

impl<R: RowElement> Impulse<R> {
    /// Rows in authored order, particles where the author put them.
    pub fn new(model: &Model) -> (Particles<R>, Self) {
        let settings = model.settings.clone();
        let permutation = Permutation::identity(model.positions().len());
        let rows = model.rows().iter();
        let rows = rows.map(|set| (0..set.len() as u32).collect()).collect();
        let plan = Plan::unordered(permutation.clone());
        let sets = scalar_batches(model, &plan, rows);
        let names = ["predict", "velocity", "position impulses", "velocity impulses"];
        let rigid = RigidDamping::new(
            &model.context(&permutation, 1),
            &model.row_lists(),
            model.subsystems(),
        );
        let particles = model.particles(permutation);
        let solver = Self {
            integrator: Integrator::new(&settings),
            sets,
            order: model.order().to_vec(),
            rigid,
            positions: vec![[R::zero(); 4]; particles.slot_count()],
            velocities: vec![[R::zero(); 3]; particles.slot_count()],
            steps: None,
            timers: Timers::new(names.map(String::from)),
            statistics: SolverStatistics::default(),
            settings,
        };
        (particles, solver)
    }

    /// Advances the particles by one frame step.
    pub fn step(&mut self, particles: &mut Particles<R>) {
        self.timers.start();
        self.statistics = SolverStatistics::default();
        for _ in 0..self.settings.substeps {
            self.read(particles);
            self.timers.lap(PREDICT);
            let (iterations, error) = self.pass(Aim::Position);
            self.statistics.iterations = self.statistics.iterations.max(iterations);
            self.statistics.error = Some(error);
            self.timers.lap(POSITIONS);
            self.integrate(particles);
            let (iterations, _) = self.pass(Aim::Velocity);
            let most = self.statistics.velocity_iterations.unwrap_or(0).max(iterations);
            self.statistics.velocity_iterations = Some(most);
            self.timers.lap(VELOCITIES);
            self.write(particles);
            if let Some(rigid) = &self.rigid {
                rigid.damp(0..rigid.len(), &mut ParticleView::new(particles));
            }
            self.timers.lap(VELOCITY);
        }
    }

    /// Sweeps over all rows until the iterations are up or no error is left; how many, and the largest error of the last.
    fn pass(&mut self, aim: Aim) -> (u32, f64) {
        let motions = {
            let steps = self.steps.as_deref();
            Motions::new(&self.positions, &mut self.velocities, steps, self.integrator)
        };
        let mut largest = 0.0;
        for iteration in 1..=self.settings.iterations {
            let first = aim == Aim::Position && iteration == 1;
            largest = 0.0_f64;
            for span in &self.order {
                let error = self.sets[span.set].push(span.rows.clone(), first, &motions, aim);
                largest = largest.max(error.to_f64());
            }
            if largest < self.settings.tolerance {
                return (iteration, largest);
            }
        }
        (self.settings.iterations, largest)
    }

    /// v += h a, x += h v, and what that is rounded off by, where it is carried.
    fn integrate(&mut self, particles: &mut Particles<R>) {
        let all = self.positions.iter_mut().zip(&mut self.velocities).enumerate();
        for (i, ([x, y, z, w], [vx, vy, vz])) in all {
            let (at, v) = (Vec3::new(*x, *y, *z), Vec3::new(*vx, *vy, *vz));
            let step = self.steps.as_ref().map(|steps| Vec3::from(steps[i]));
            let step = step.unwrap_or(self.integrator.gravity_step);
            let (at, v) = match &mut particles.carried {
                None => self.integrator.predict(step, at, v, *w),
                Some(CarriedColumns { remainders, .. }) => {
                    let [r, s] = remainders.each_ref().map(|columns| columns.read(i).into());
                    let pairs = self.integrator.predict_carried(step, [at, r], [v, s], *w);
                    let rests = remainders.iter_mut().zip(pairs);
                    rests.for_each(|(columns, [_, rest])| columns.write(i, rest.to_array()));
                    (pairs[0][0], pairs[1][0])
                }
            };
            (*x, *y, *z) = (at.x, at.y, at.z);
            (*vx, *vy, *vz) = (v.x, v.y, v.z);
        }
    }

    fn read(&mut self, particles: &mut Particles<R>) {
        let w = particles.inverse_mass.as_slice();
        for (i, (record, v)) in self.positions.iter_mut().zip(&mut self.velocities).enumerate() {
            let [x, y, z] = particles.position.read(i);
            *record = [x, y, z, w[i]];
            *v = particles.velocity.read(i);
        }
        self.steps = particles.velocity_steps.as_ref().map(|steps| {
            let slots = 0..self.velocities.len();
            slots.map(|i| steps.read(i)).collect()
        });
        particles.previous = particles.position.clone();
    }

    /// Positions, and velocities damped by e^(-c h) (S1-08).
    fn write(&self, particles: &mut Particles<R>) {
        for (i, (&[x, y, z, w], &v)) in self.positions.iter().zip(&self.velocities).enumerate() {
            let factor = match w > R::zero() {
                true => self.integrator.damping_factor,
                false => R::of(1.0),
            };
            particles.position.write(i, [x, y, z]);
            particles.velocity.write(i, v.map(|v| v * factor));
        }
    }
}

impl Solver for Impulse {
    fn step(&mut self, particles: &mut Particles) {
        self.step(particles);
    }

    fn info(&self) -> &dyn SolverInfo {
        self
    }

    fn info_mut(&mut self) -> &mut dyn SolverInfo {
        self
    }
}

impl SolverInfo for Impulse {
    fn multipliers(&self) -> Vec<Vec<f32>> {
        self.sets.iter().map(|set| set.multipliers()).collect()
    }

    fn subsystem_statistics(&self) -> Vec<SubsystemStatistics> {
        Vec::new()
    }

    fn width(&self) -> usize {
        1
    }

    fn threads(&self) -> usize {
        1
    }

    fn colors(&self) -> usize {
        0
    }

    fn row_bytes(&self) -> usize {
        self.sets.iter().map(|set| set.bytes()).sum()
    }

    fn timers(&mut self) -> &mut Timers {
        &mut self.timers
    }

    #[cfg(all(feature = "cli", unix))]
    fn entries(&self) -> Vec<(String, usize)> {
        Vec::new()
    }

    fn statistics(&self) -> SolverStatistics {
        self.statistics
    }

    fn save(&self) -> Vec<Saved> {
        save_rows(&self.sets)
    }

    fn load(&mut self, from: &[Saved]) -> Result<(), CheckpointError> {
        load_rows(&self.sets, from)
    }
}
