//! Models for tests: ropes, sheets and random graphs.

use crate::collision::Collider;
use crate::constraints::{Constraint, Distance, Param, Range, Row, Sense, Source};
use crate::math::{Real, Vec3};
use crate::model::Model;
use crate::observe::{Observation, observe};
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::simulation::Simulation;
use crate::solvers::{Method, Solver, prepare};
use crate::state::{Particles, Snapshot};

pub use super::sample::Random;

impl Random {
    /// A whole number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// A point of the cube -1..1.
    pub fn point(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.within(-1.0, 1.0))
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// True once in so many times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Different numbers below `count`.
    #[cfg(feature = "files")]
    pub fn some<const N: usize>(&mut self, count: usize) -> [usize; N] {
        let mut all: Vec<usize> = (0..count).collect();
        std::array::from_fn(|_| all.swap_remove(self.below(all.len())))
    }

    /// A stiffness of any class.
    pub fn stiffness(&mut self) -> Stiffness {
        let small = 10_f64.powf(self.within(-7.0, -2.0));
        match self.below(3) {
            0 => Stiffness::Factor(self.within(0.0, 1.0)),
            1 => Stiffness::Compliance(small),
            _ => Stiffness::Damped(small, self.within(0.0, 10.0)),
        }
    }
}

/// All below y = 0.
pub fn floor() -> Collider {
    Collider::plane([0.0; 3], [0.0, 1.0, 0.0]).expect("a plane")
}

/// Two points stay at least `least` apart: an inequality, defined outside the engine's own kinds.
#[derive(Clone, Copy)]
pub struct Apart;

impl Constraint<2, 1> for Apart {
    const NAME: &'static str = "apart";
    const EQUATION: &'static str = "|a - b| - least >= 0";
    const PARAMS: [Param; 1] = [Param::new("least", "m", Range::NOT_NEGATIVE, Source::Required)];
    const SENSE: Sense = Sense::Inequality;

    fn evaluate<R: Real>([a, b]: [Vec3<R>; 2], [least]: [R; 1]) -> [Row<R, 2>; 1] {
        let g = a - b;
        let n = g.length();
        [Row { c: n - least, g: [g, -g], n }]
    }
}

/// `count` particles with random places, velocities up to `speed` and masses from 0.1 to 10 kg; none of them pinned.
pub fn cloud(random: &mut Random, count: usize, speed: f64) -> Model {
    let mut model = Model::new();
    for _ in 0..count {
        let (x, v) = (random.point(), random.point().map(|v| v * speed));
        let w = 10_f64.powf(random.within(-1.0, 1.0));
        model.add_particle(x, v, w).unwrap();
    }
    model
}

/// A cloud with `rows` rows between random particles, of all classes and both senses.
pub fn graph(random: &mut Random, count: usize, rows: usize) -> Model {
    let mut model = cloud(random, count, 1.0);
    for _ in 0..rows {
        let a = random.below(count);
        let b = (a + 1 + random.below(count - 1)) % count;
        let (pair, stiffness) = ([a as u32, b as u32], random.stiffness());
        let length = Some(random.within(0.0, 2.0));
        match random.below(4) {
            0 => model.add(Apart, pair, [length], stiffness).unwrap(),
            _ => model.add(Distance, pair, [length], stiffness).unwrap(),
        }
    }
    model
}

/// `count` rows that share no particle, of all classes.
pub fn pairs(random: &mut Random, count: usize) -> Model {
    let mut model = cloud(random, 2 * count, 1.0);
    for i in 0..count as u32 {
        let rest = Some(random.within(0.0, 2.0));
        let stiffness = random.stiffness();
        model.add(Distance, [2 * i, 2 * i + 1], [rest], stiffness).unwrap();
    }
    model
}

/// `links` links in a row, the first particle pinned, of all classes.
pub fn rope(random: &mut Random, links: usize) -> Model {
    let mut model = Model::new();
    for i in 0..=links {
        let w = if i == 0 { 0.0 } else { 1.0 };
        let x = [i as f64 * 0.1, 0.0, 0.0];
        model.add_particle(x, [0.0; 3], w).unwrap();
    }
    for i in 0..links as u32 {
        let stiffness = random.stiffness();
        model.add(Distance, [i, i + 1], [None], stiffness).unwrap();
    }
    model
}

/// A `columns` x `rows` sheet of one class, two corners pinned; rows and particles in the order of the grid.
pub fn sheet(columns: usize, rows: usize, stiffness: Stiffness) -> Model {
    let mut model = Model::new();
    let at = |x: usize, z: usize| (z * columns + x) as u32;
    for z in 0..rows {
        for x in 0..columns {
            let pinned = z == 0 && (x == 0 || x + 1 == columns);
            let place = [x as f64 * 0.1, 0.0, z as f64 * 0.1];
            let w = if pinned { 0.0 } else { 10.0 };
            model.add_particle(place, [0.0; 3], w).unwrap();
        }
    }
    let mut link = |a, b| model.add(Distance, [a, b], [None], stiffness).unwrap();
    for z in 0..rows {
        for x in 0..columns {
            if x + 1 < columns {
                link(at(x, z), at(x + 1, z));
            }
            if z + 1 < rows {
                link(at(x, z), at(x, z + 1));
            }
            if x + 1 < columns && z + 1 < rows {
                link(at(x, z), at(x + 1, z + 1));
                link(at(x + 1, z), at(x, z + 1));
            }
        }
    }
    model
}

/// What a run came to.
pub struct Outcome {
    pub particles: Particles,
    pub solver: Box<dyn Solver>,
}

impl Outcome {
    /// Positions, authored order.
    pub fn positions(&self) -> Vec<[f32; 3]> {
        self.particles.positions()
    }

    /// Velocities, authored order.
    pub fn velocities(&self) -> Vec<[f32; 3]> {
        self.particles.velocities()
    }

    /// What an observer of a run of `model` sees.
    pub fn observe(&self, model: &Model) -> Observation {
        let state = Snapshot {
            positions: self.positions(),
            velocities: self.velocities(),
            bodies: self.particles.bodies.poses(),
            body_velocities: self.particles.bodies.motions(),
            ..Snapshot::default()
        };
        observe(model, &state, &self.solver.core().multipliers())
    }

    /// Positions, velocities and multipliers, bit by bit.
    pub fn bits(&self) -> Vec<u32> {
        let (x, v) = (self.positions(), self.velocities());
        let lambda = self.solver.core().multipliers().concat();
        let state = x.as_flattened().iter().chain(v.as_flattened());
        state.chain(&lambda).map(|v| v.to_bits()).collect()
    }

    /// Whether positions, velocities and multipliers are finite.
    pub fn finite(&self) -> bool {
        self.bits().into_iter().all(|bits| f32::from_bits(bits).is_finite())
    }
}

/// `model` after `steps` frames.
pub fn run(model: &Model, method: Method, threads: usize, steps: usize) -> Outcome {
    let (mut particles, mut solver) = prepare(model, method, threads).unwrap();
    for _ in 0..steps {
        solver.step(&mut particles);
    }
    Outcome { particles, solver }
}

/// A model that has run for some frames.
pub fn simulate(model: Model, method: Method, threads: usize, frames: usize) -> Simulation {
    let mut simulation = Simulation::new(model, method, threads).expect("a simulation");
    (0..frames).for_each(|_| simulation.step());
    simulation
}

/// A scene of the catalogue.
pub fn scene(name: &str, size: usize) -> Model {
    let scene = Scene::find(name).expect("a scene");
    scene.model(Some(size)).expect("a model")
}

/// The numbers of a state, bit by bit; one pattern for all that are none.
pub fn bits(state: &Snapshot) -> Vec<u32> {
    let parts = [
        state.positions.as_flattened(),
        state.velocities.as_flattened(),
        state.bodies.as_flattened(),
        state.body_velocities.as_flattened(),
    ];
    let bits = |v: &f32| if v.is_nan() { u32::MAX } else { v.to_bits() };
    parts.concat().iter().map(bits).collect()
}
