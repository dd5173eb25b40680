//! `dam:N` and `fountain:N`: N particles of water in a tank.

use super::prelude::*;
use crate::groups::{Fluid, FluidNumbers};
use crate::math::{cube_side, hypotenuse};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "dam", role: Watched, size: 10_000, seconds: 3.0, color: WATER, sizes: (1, 4_000_000), build: dam, check: check_dam,
        about: "a column of N particles of water that breaks in a tank three times as long" },
    Scene { name: "fountain", role: Watched, size: 20_000, seconds: 2.0, color: WATER, sizes: (1, 4_000_000), build: fountain, check: check_fountain,
        about: "N particles of water: a jet out of the middle of a pool, and its eddies" },
];

/// Radius of a particle (m).
pub(super) const RADIUS: f64 = 0.05;
/// Distance of neighbors at rest (m).
pub(super) const STEP: f64 = 2.0 * RADIUS;
/// The most by which the fluid's mean density may exceed its rest density.
const MOST_ERROR: f64 = 0.01;

/// A tank that is open above: its floor at 0, its middle above the origin, sizes along x and z (m).
#[derive(Clone, Copy)]
pub(super) struct Tank {
    pub(super) x: f64,
    pub(super) z: f64,
}

impl Tank {
    pub(super) fn colliders(self) -> Result<Vec<Collider>, ModelError> {
        let [x, z] = [self.x, self.z].map(|size| [-0.5 * size, 0.5 * size]);
        Collider::bin(x, z)
    }
}

/// All particles are on the free side of every wall, no nearer to it than half a radius.
pub(super) fn is_inside(model: &Model, state: &Snapshot) -> Outcome {
    let contacts = model.contacts().ok_or("nothing holds the water")?;
    let walls = contacts.colliders.iter().filter_map(Collider::still_plane);
    let walls: Vec<_> = walls.collect();
    for (i, x) in state.positions.iter().enumerate() {
        let x = x.map(f64::from);
        for [point, normal] in &walls {
            let gap: f64 = (0..3).map(|k| (x[k] - point[k]) * normal[k]).sum();
            let inside = gap >= 0.5 * contacts.radius;
            ensure!(inside; "particle {i} left the tank: {x:?}");
        }
    }
    Ok(())
}

/// An empty model: five iterations of 1/240 s.
pub(super) fn small_frames() -> Model {
    let mut model = Model::new();
    model.settings.dt = 1.0 / 240.0;
    model.settings.iterations = 5;
    model
}

/// `n` particles of water side by side in a tank, in columns of `k` x `k` from its corner; the velocity of each is what
/// `speed` says of its place.
fn pool(
    n: usize,
    k: usize,
    tank: Tank,
    numbers: FluidNumbers,
    speed: impl Fn([f64; 3]) -> f64,
) -> Result<Model, ModelError> {
    let mut model = small_frames();
    let w = 1.0 / water().mass();
    for i in 0..n {
        let [x, z, y] = [i % k, i / k % k, i / k / k].map(|c| (c as f64 + 0.5) * STEP);
        let at = [x - 0.5 * tank.x, y, z - 0.5 * tank.z];
        model.add_particle(at, [0.0, speed(at), 0.0], w)?;
    }
    let fluid = Fluid::new(&model, (0..n as u32).collect(), numbers)?;
    model.add_subsystem(fluid)?;
    model.set_contacts(Contacts {
        colliders: tank.colliders()?,
        radius: RADIUS,
        ..Contacts::default()
    })?;
    Ok(model)
}

pub(super) fn water() -> FluidNumbers {
    FluidNumbers { radius: RADIUS, ..FluidNumbers::default() }
}

fn tank_of_dam(n: usize) -> Tank {
    let width = cube_side(n) as f64 * STEP;
    Tank { x: 3.0 * width, z: width }
}

fn dam(n: usize) -> Result<Model, ModelError> {
    let numbers = FluidNumbers { viscosity: 0.05, ..water() };
    pool(n, cube_side(n), tank_of_dam(n), numbers, |_| 0.0)
}

/// The particles are all there, in the tank and on average not denser than at rest by more than a hundredth; at last the
/// surface is level.
fn check_dam(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    is_inside(model, state)?;
    is_incompressible(model, state)?;
    let n = state.positions.len();
    match state.time > 30.0 && n >= 1000 {
        true => is_level(tank_of_dam(n), state),
        false => Ok(()),
    }
}

fn is_incompressible(model: &Model, state: &Snapshot) -> Outcome {
    let all = (0..state.positions.len() as u32).collect();
    let fluid = Fluid::new(model, all, water()).map_err(|error| error.to_string())?;
    let densities = fluid.relative_densities(&model.still_planes(), &state.positions);
    let errors = densities.iter().map(|ratio| (ratio - 1.0).max(0.0));
    let error = errors.sum::<f64>() / densities.len() as f64;
    let percent = 100.0 * error;
    ensure!(error <= MOST_ERROR; "denser than at rest by {percent:.2} % on average");
    Ok(())
}

/// The highest particles of columns of two by two neighbors lie in a plane, to a radius (root mean square).
fn is_level(tank: Tank, state: &Snapshot) -> Outcome {
    let cell = 2.0 * STEP;
    let count = |size: f64| (size / cell).floor().max(1.0) as usize;
    let (nx, nz) = (count(tank.x), count(tank.z));
    let mut top = vec![0.0_f64; nx * nz];
    for &x in &state.positions {
        let [x, y, z] = x.map(f64::from);
        let at = |v: f64, size: f64, n: usize| (((v / size + 0.5) * n as f64) as usize).min(n - 1);
        let top = &mut top[at(z, tank.z, nz) * nx + at(x, tank.x, nx)];
        *top = top.max(y);
    }
    let mean = top.iter().sum::<f64>() / top.len() as f64;
    let square = top.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / top.len() as f64;
    let off = square.sqrt();
    ensure!(off < RADIUS; "the surface is {off:.3} m high and low");
    Ok(())
}

/// A pool twice as wide as it is deep, a fifth of its width the jet, four particles at least.
fn fountain(n: usize) -> Result<Model, ModelError> {
    let tank = tank_of_fountain(n);
    let numbers = FluidNumbers { viscosity: 0.01, s_corr: 0.01, vorticity: 0.1, ..water() };
    pool(n, cube_side(2 * n), tank, numbers, |[x, _, z]| {
        let jet = hypotenuse(x, z) < (0.1 * tank.x).max(0.8 * STEP);
        // High enough to rise by the width of the pool.
        if jet { (2.0 * 9.81 * tank.x).sqrt() } else { 0.0 }
    })
}

fn tank_of_fountain(n: usize) -> Tank {
    let width = cube_side(2 * n) as f64 * STEP;
    Tank { x: width, z: width }
}

/// Nothing rises higher than its speed takes it, nothing leaves the tank.
fn check_fountain(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    is_inside(model, state)?;
    let most = 3.0 * tank_of_fountain(state.positions.len()).x + 1.0;
    let [_, highest] = heights(state);
    ensure!(f64::from(highest) < most; "a particle rose to {highest} m");
    Ok(())
}
