//! `unified:N` and `melt:N`: one world of particles, in which everything meets everything.

use super::fluid::{RADIUS, STEP, Tank, finite, is_inside, water};
use super::grid::Grid;
use super::{Scene, keeps_its_pins};
use crate::collision::Contacts;
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::groups::{Fluid, FluidNumbers, Melting, Shapes, regions};
use crate::model::Model;
use crate::rows::Strength;
use crate::state::Snapshot;

pub(super) const UNIFIED: Scene = Scene {
    name: "unified",
    about: "a jelly, a hard block, grains and a cloth N points wide meet in water, all of them particles",
    size: 8,
    sizes: (3, 64),
    build: |n| unified(n, true),
    check: check_unified,
};

pub(super) const MELT: Scene = Scene {
    name: "melt",
    about: "a block of N x N x N points that is solid for half a second, then melts within one second and runs",
    size: 10,
    sizes: (2, 100),
    build: melt,
    check: check_melt,
};

/// What touches is this far apart at least (m); neighbors of a body or of the water lie farther apart.
const TOUCH: f64 = 0.8 * RADIUS;

/// Adds a grid of points whose first lies at `at`; returns their indices.
fn add_block(
    model: &mut Model,
    grid: Grid,
    at: [f64; 3],
    mass: f64,
) -> Result<Vec<u32>, ModelError> {
    let mut all = Vec::new();
    for point in grid.points() {
        let x = std::array::from_fn::<f64, 3, _>(|k| at[k] + point[k] as f64 * STEP);
        all.push(model.add_particle(x, [0.0; 3], 1.0 / mass)?);
    }
    Ok(all)
}

/// Everything at once: in a tank and with the cloth's corners pinned, or with nothing around it and no gravity.
pub(crate) fn unified(n: usize, held: bool) -> Result<Model, ModelError> {
    let half = n.div_ceil(2);
    let tank = tank_of_unified(n);
    let mut model = Model::new();
    model.settings.dt = 1.0 / 240.0;
    model.settings.iterations = 5;
    let corner = |x: f64, y: f64, z: f64| {
        [
            x - 0.5 * tank.x + RADIUS,
            y + RADIUS,
            z - 0.5 * tank.z + RADIUS,
        ]
    };
    let mass = water().mass();

    let pool = Grid {
        x: 2 * n,
        y: half,
        z: n,
    };
    let water_at = add_block(&mut model, pool, corner(0.0, 0.0, 0.0), mass)?;
    let above = half as f64 * STEP + 0.05;
    let cube = Grid {
        x: half,
        y: half,
        z: half,
    };
    let jelly = add_block(&mut model, cube, corner(0.1, above, 0.1), 0.5 * mass)?;
    let block = add_block(
        &mut model,
        cube,
        corner(half as f64 * STEP + 0.2, above, 0.1),
        0.3 * mass,
    )?;
    let over = 2.0 * above + 0.1;
    let sheet = Grid { x: n, y: 1, z: n };
    let cloth = add_block(
        &mut model,
        sheet,
        corner(n as f64 * STEP, over, 0.0),
        0.1 * mass,
    )?;
    let heap = Grid {
        x: half,
        y: 3,
        z: half,
    };
    let at = corner(
        (n as f64 + 0.25 * n as f64) * STEP,
        over + 0.15,
        0.25 * n as f64 * STEP,
    );
    add_block(&mut model, heap, at, 0.5 * mass)?;

    for ([a, b], _) in sheet.links() {
        let ends = [a, b].map(|i| cloth[i as usize]);
        model.add(Distance, ends, [None], Strength::Stiffness(1.0))?;
    }
    let mut shapes = Shapes::new();
    for cluster in regions(model.positions(), &jelly) {
        shapes.add(&model, &cluster, None, Strength::Stiffness(0.3), None)?;
    }
    shapes.add(&model, &block, None, Strength::Stiffness(1.0), None)?;
    model.add_part(shapes);
    let fluid = Fluid::new(&model, water_at, water())?;
    model.add_part(fluid);
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
        radius: TOUCH,
        pairs: true,
        friction: Some(0.2),
        ..Contacts::default()
    })?;
    Ok(model)
}

fn tank_of_unified(n: usize) -> Tank {
    Tank {
        x: 2.0 * n as f64 * STEP,
        z: n as f64 * STEP,
    }
}

fn check_unified(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(model, state)?;
    keeps_its_pins(model, state)?;
    is_inside(model, state)
}

fn melt(n: usize) -> Result<Model, ModelError> {
    let tank = tank_of_melt(n);
    let mut model = Model::new();
    model.settings.dt = 1.0 / 240.0;
    model.settings.iterations = 5;
    let side = 0.5 * (n - 1) as f64 * STEP;
    let grid = Grid { x: n, y: n, z: n };
    let all = add_block(&mut model, grid, [-side, RADIUS, -side], water().mass())?;
    let mut shapes = Shapes::new();
    for cluster in regions(model.positions(), &all) {
        shapes.add(&model, &cluster, None, Strength::Stiffness(1.0), None)?;
    }
    model.add_part(Melting::new(shapes, &all, SOLID_UNTIL, LIQUID_FROM));
    let numbers = FluidNumbers {
        viscosity: 0.05,
        ..water()
    };
    let fluid = Fluid::new(&model, all, numbers)?;
    model.add_part(fluid);
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

fn tank_of_melt(n: usize) -> Tank {
    let x = 3.0 * n as f64 * STEP;
    Tank { x, z: x }
}

/// It keeps its height while it is solid, and has run over the floor soon after it melted.
fn check_melt(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(model, state)?;
    let n = (model.positions().len() as f64).cbrt().round();
    is_inside(model, state)?;
    let mean = |x: &[[f32; 3]]| x.iter().map(|x| f64::from(x[1])).sum::<f64>() / x.len() as f64;
    let share = mean(&state.positions) / mean(model.positions());
    if state.time < SOLID_UNTIL && share < 0.95 {
        return Err(format!("solid, it has sunk to {share:.2} of its height"));
    }
    if state.time > LIQUID_FROM + 3.0 && n > 3.0 && share > 0.5 {
        return Err(format!(
            "molten, it still stands at {share:.2} of its height"
        ));
    }
    Ok(())
}
