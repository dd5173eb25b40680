//! `unified:N` and `melt:N`: one world of particles, in which everything meets everything.

use super::fluid::{RADIUS, STEP, Tank, is_inside, small_frames, water};
use super::prelude::*;
use crate::groups::{Fluid, FluidNumbers, Melting, regions};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "unified", role: Watched, size: 8, seconds: 1.5, color: FLAG, sizes: (3, 64), build: |n| unified(n, true), check: check_unified,
        about: "a jelly, a hard block, grains and a cloth N points wide meet in water, all of them particles" },
    Scene { name: "melt", role: Watched, size: 10, seconds: 4.0, color: WAX, sizes: (2, 100), build: melt, check: check_melt,
        about: "a block of N x N x N points that is solid for half a second, then melts within one second and runs" },
];

/// Distance of particles in contact (m); neighbors of a body or of the water lie farther apart.
const CONTACT: f64 = 0.8 * RADIUS;

/// Adds a grid of points whose first lies at `at` in the tank; returns their indices.
fn add_block(
    model: &mut Model,
    grid: Grid,
    tank: Tank,
    at: [f64; 3],
    mass: f64,
) -> Result<Vec<u32>, ModelError> {
    let corner = [at[0] - 0.5 * tank.x + RADIUS, at[1] + RADIUS, at[2] - 0.5 * tank.z + RADIUS];
    let add = |point: [usize; 3]| {
        let x = std::array::from_fn::<f64, 3, _>(|k| corner[k] + point[k] as f64 * STEP);
        model.add_particle(x, [0.0; 3], 1.0 / mass)
    };
    grid.points().map(add).collect()
}

/// Everything at once: in a tank and with the cloth's corners pinned, or with nothing around it and no gravity.
pub(crate) fn unified(n: usize, held: bool) -> Result<Model, ModelError> {
    let half = n.div_ceil(2);
    let (width, side) = (n as f64 * STEP, half as f64 * STEP);
    let x = 2.0 * n as f64 * STEP;
    let tank = Tank { x, z: width };
    let mut model = small_frames();
    let mut add = |[x, y, z]: [usize; 3], at: [f64; 3], share: f64| {
        add_block(&mut model, Grid { x, y, z }, tank, at, share * water().mass())
    };
    let above = side + 0.05;
    let over = 2.0 * above + 0.1;
    let pool = add([2 * n, half, n], [0.0; 3], 1.0)?;
    let jelly = add([half; 3], [0.1, above, 0.1], 0.5)?;
    let block = add([half; 3], [side + 0.2, above, 0.1], 0.3)?;
    let cloth = add([n, 1, n], [width, over, 0.0], 0.1)?;
    let quarter = 0.25 * n as f64;
    let at = [(n as f64 + quarter) * STEP, over + 0.15, quarter * STEP];
    add([half, 3, half], at, 0.5)?;

    let sheet = Grid::sheet(n);
    for ([a, b], _) in sheet.links() {
        let ends = [a, b].map(|i| cloth[i as usize]);
        model.add(Distance, ends, [None], Stiffness::Factor(1.0))?;
    }
    let mut shapes = shapes(&model, regions(model.positions(), &jelly), 0.3, None)?;
    shapes.add(&model, &block, None, Stiffness::Factor(1.0), None)?;
    model.add_subsystem(shapes)?;
    let fluid = Fluid::new(&model, pool, water())?;
    model.add_subsystem(fluid)?;
    let mut colliders = Vec::new();
    if held {
        for i in [(0, 0), (n - 1, 0), (0, n - 1), (n - 1, n - 1)] {
            model.set_inverse_mass(cloth[sheet.at(i.0, 0, i.1) as usize], 0.0)?;
        }
        colliders = tank.colliders()?;
    } else {
        model.settings.gravity = [0.0; 3];
    }
    model.set_contacts(Contacts {
        colliders,
        radius: CONTACT,
        pairs: true,
        friction: Some(0.2),
        ..Contacts::default()
    })?;
    Ok(model)
}

fn check_unified(model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    is_inside(model, state)
}

fn melt(n: usize) -> Result<Model, ModelError> {
    let x = 3.0 * n as f64 * STEP;
    let tank = Tank { x, z: x };
    let mut model = small_frames();
    let side = 0.5 * (n - 1) as f64 * STEP;
    for point in Grid::cube(n).points() {
        let [x, y, z] = point.map(|i| i as f64 * STEP);
        let at = [x - side, y + RADIUS, z - side];
        model.add_particle(at, [0.0; 3], 1.0 / water().mass())?;
    }
    let all: Vec<u32> = (0..(n * n * n) as u32).collect();
    let shapes = shapes(&model, regions(model.positions(), &all), 1.0, None)?;
    model.add_subsystem(Melting::new(shapes, &all, SOLID_UNTIL, LIQUID_FROM))?;
    let numbers = FluidNumbers { viscosity: 0.05, ..water() };
    let fluid = Fluid::new(&model, all, numbers)?;
    model.add_subsystem(fluid)?;
    model.set_contacts(Contacts {
        colliders: tank.colliders()?,
        radius: RADIUS,
        friction: Some(0.5),
        ..Contacts::default()
    })?;
    Ok(model)
}

/// When it begins to melt, and when nothing of it is solid (s).
const SOLID_UNTIL: f64 = 0.5;
const LIQUID_FROM: f64 = 1.5;

/// It keeps its height while it is solid, and has run over the floor soon after it melted.
fn check_melt(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    is_inside(model, state)?;
    let share = mean_height(&state.positions) / mean_height(model.positions());
    let solid = state.time < SOLID_UNTIL;
    ensure!(!solid || share >= 0.95; "solid, it has sunk to {share:.2} of its height");
    let molten = state.time > LIQUID_FROM + 3.0 && model.positions().len() > 27;
    ensure!(!molten || share <= 0.5; "molten, it still stands at {share:.2} of its height");
    Ok(())
}
