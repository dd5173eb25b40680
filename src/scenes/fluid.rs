//! `dam:N` and `fountain:N`: N particles of water in a tank.

use super::Scene;
use crate::collision::{Collider, Contacts};
use crate::error::ModelError;
use crate::groups::{Fluid, FluidNumbers};
use crate::model::Model;
use crate::state::Snapshot;

pub(super) const DAM: Scene = Scene {
    name: "dam",
    about: "a column of N particles of water that breaks in a tank three times as long",
    size: 10_000,
    sizes: (1, 4_000_000),
    build: dam,
    check: check_dam,
};

pub(super) const FOUNTAIN: Scene = Scene {
    name: "fountain",
    about: "N particles of water: a jet out of the middle of a pool, and its eddies",
    size: 20_000,
    sizes: (1, 4_000_000),
    build: fountain,
    check: check_fountain,
};

/// Radius of a particle (m).
pub(super) const RADIUS: f64 = 0.05;
/// Distance of neighbors at rest (m).
pub(super) const STEP: f64 = 2.0 * RADIUS;
/// How much denser than at rest the fluid may be on average.
const MOST_ERROR: f64 = 0.01;

/// A tank that is open above: its floor at 0, its middle above the origin, sizes along x and z (m).
#[derive(Clone, Copy)]
pub(super) struct Tank {
    pub(super) x: f64,
    pub(super) z: f64,
}

impl Tank {
    pub(super) fn colliders(self) -> Result<Vec<Collider>, ModelError> {
        let (x, z) = (0.5 * self.x, 0.5 * self.z);
        [
            ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
            ([-x, 0.0, 0.0], [1.0, 0.0, 0.0]),
            ([x, 0.0, 0.0], [-1.0, 0.0, 0.0]),
            ([0.0, 0.0, -z], [0.0, 0.0, 1.0]),
            ([0.0, 0.0, z], [0.0, 0.0, -1.0]),
        ]
        .map(|(point, normal)| Collider::plane(point, normal))
        .into_iter()
        .collect()
    }
}

/// All particles are on the free side of every wall, no nearer to it than half a radius.
pub(super) fn is_inside(model: &Model, state: &Snapshot) -> Result<(), String> {
    let contacts = model.contacts().ok_or("nothing holds the water")?;
    let walls: Vec<_> = contacts
        .colliders
        .iter()
        .filter_map(Collider::still_plane)
        .collect();
    for (i, x) in state.positions.iter().enumerate() {
        let x = x.map(f64::from);
        for [point, normal] in &walls {
            let gap: f64 = (0..3).map(|k| (x[k] - point[k]) * normal[k]).sum();
            if gap < 0.5 * contacts.radius {
                return Err(format!("particle {i} left the tank: {x:?}"));
            }
        }
    }
    Ok(())
}

/// Water in a tank, five iterations of 1/240 s.
fn pool(mut model: Model, tank: Tank, numbers: FluidNumbers) -> Result<Model, ModelError> {
    model.settings.dt = 1.0 / 240.0;
    model.settings.iterations = 5;
    let all = (0..model.positions().len() as u32).collect();
    let fluid = Fluid::new(&model, all, numbers)?;
    model.add_part(fluid);
    model.set_contacts(Contacts {
        colliders: tank.colliders()?,
        radius: RADIUS,
        ..Contacts::default()
    })?;
    Ok(model)
}

pub(super) fn water() -> FluidNumbers {
    FluidNumbers {
        radius: RADIUS,
        ..FluidNumbers::default()
    }
}

/// Points along the edge of a cube of n points.
fn side(n: usize) -> usize {
    (1..).find(|k| k * k * k >= n).unwrap_or(1)
}

fn tank_of_dam(n: usize) -> Tank {
    let width = side(n) as f64 * STEP;
    Tank {
        x: 3.0 * width,
        z: width,
    }
}

fn dam(n: usize) -> Result<Model, ModelError> {
    let (k, tank) = (side(n), tank_of_dam(n));
    let w = 1.0 / water().mass();
    let mut model = Model::new();
    for i in 0..n {
        let [x, z, y] = [i % k, i / k % k, i / k / k].map(|c| (c as f64 + 0.5) * STEP);
        model.add_particle([x - 0.5 * tank.x, y, z - 0.5 * tank.z], [0.0; 3], w)?;
    }
    let numbers = FluidNumbers {
        viscosity: 0.05,
        ..water()
    };
    pool(model, tank, numbers)
}

pub(super) fn finite(model: &Model, state: &Snapshot) -> Result<(), String> {
    if !state.finite() {
        return Err("the state is not finite".into());
    }
    match state.positions.len() == model.positions().len() {
        true => Ok(()),
        false => Err("particles were lost".into()),
    }
}

/// The particles are all there, in the tank and on average not denser than at rest by more than a hundredth; at last the
/// surface is level.
fn check_dam(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(model, state)?;
    let n = state.positions.len();
    let tank = tank_of_dam(n);
    is_inside(model, state)?;
    is_incompressible(model, state)?;
    if state.time > 30.0 && n >= 1000 {
        is_level(tank, state)?;
    }
    Ok(())
}

fn is_incompressible(model: &Model, state: &Snapshot) -> Result<(), String> {
    let all = (0..state.positions.len() as u32).collect();
    let fluid = Fluid::new(model, all, water()).map_err(|error| error.to_string())?;
    let densities = fluid.relative_densities(&model.still_planes(), &state.positions);
    let errors = densities.iter().map(|ratio| (ratio - 1.0).max(0.0));
    let error = errors.sum::<f64>() / densities.len() as f64;
    match error <= MOST_ERROR {
        true => Ok(()),
        false => Err(format!(
            "denser than at rest by {:.2} % on average",
            100.0 * error
        )),
    }
}

/// The highest particles of columns of two by two neighbors lie in a plane, to a radius (root mean square).
fn is_level(tank: Tank, state: &Snapshot) -> Result<(), String> {
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
    match square.sqrt() < RADIUS {
        true => Ok(()),
        false => Err(format!(
            "the surface is {:.3} m high and low",
            square.sqrt()
        )),
    }
}

/// A pool twice as wide as it is deep, a fifth of its width the jet, four particles at least.
fn fountain(n: usize) -> Result<Model, ModelError> {
    let k = side(2 * n);
    let tank = tank_of_fountain(n);
    let w = 1.0 / water().mass();
    let mut model = Model::new();
    for i in 0..n {
        let [x, z, y] = [i % k, i / k % k, i / k / k].map(|c| (c as f64 + 0.5) * STEP);
        let (x, z) = (x - 0.5 * tank.x, z - 0.5 * tank.z);
        let jet = x.hypot(z) < (0.1 * tank.x).max(0.8 * STEP);
        // High enough to rise by the width of the pool.
        let speed = if jet {
            (2.0 * 9.81 * tank.x).sqrt()
        } else {
            0.0
        };
        model.add_particle([x, y, z], [0.0, speed, 0.0], w)?;
    }
    let numbers = FluidNumbers {
        viscosity: 0.01,
        s_corr: 0.01,
        vorticity: 0.1,
        ..water()
    };
    pool(model, tank, numbers)
}

fn tank_of_fountain(n: usize) -> Tank {
    let width = side(2 * n) as f64 * STEP;
    Tank { x: width, z: width }
}

/// Nothing rises higher than its speed takes it, nothing leaves the tank.
fn check_fountain(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(model, state)?;
    let tank = tank_of_fountain(state.positions.len());
    is_inside(model, state)?;
    let highest = state
        .positions
        .iter()
        .map(|x| f64::from(x[1]))
        .fold(0.0, f64::max);
    match highest < 3.0 * tank.x + 1.0 {
        true => Ok(()),
        false => Err(format!("a particle rose to {highest} m")),
    }
}
