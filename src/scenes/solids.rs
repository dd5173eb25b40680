//! Solids cut from blocks of cells: `bar:N`, `jelly:N` and `bent-metal:N`.

use super::prelude::*;
use crate::constraints::NeoHookean;
use crate::groups::{Plastic, regions};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "bar", role: Watched, size: 6, seconds: 4.0, color: RUBBER, sizes: (1, 64), build: bar, check: sags,
        about: "4N x N x N cells of neo-Hookean rubber, 1 m by 0.25 m, held at one end" },
    Scene { name: "jelly", role: Watched, size: 10, seconds: 0.3, color: JELLY, sizes: (2, 64), build: jelly, check: |m, s| stays_within(1.0, m, s),
        about: "a block of N^3 cells on its pinned foot, pushed sideways: overlapping clusters of shape matching" },
    Scene { name: "bent-metal", role: Watched, size: 2, seconds: 4.0, color: METAL, sizes: (1, 4), build: bent_metal, check: is_bent,
        about: "a bar of 12N x N x N cells that yields: plastic clusters of eight, held at one end, bent by its own weight" },
];

const YOUNG: f64 = 2e6;
const DENSITY: f64 = 1000.0;

/// A bar of points `step` metres apart along x, held at its lower end, all points of one mass (kg).
fn cantilever(grid: Grid, step: f64, mass: f64) -> Result<Model, ModelError> {
    let mut model = grid.model(|point| {
        let w = if point[0] == 0 { 0.0 } else { 1.0 / mass };
        (point.map(|i| i as f64 * step), [0.0; 3], w)
    })?;
    model.add_triangles(grid.skin());
    Ok(model)
}

fn bar(n: usize) -> Result<Model, ModelError> {
    let [x, y, z] = [4 * n + 1, n + 1, n + 1];
    let grid = Grid { x, y, z };
    let mass = DENSITY * 0.0625 / grid.len() as f64;
    let mut model = cantilever(grid, 0.25 / n as f64, mass)?;
    (model.settings.substeps, model.settings.iterations) = (20, 2);
    let material = NeoHookean::material(YOUNG, 0.3);
    colored(model, grid, NeoHookean, grid.tetrahedra(), material, Stiffness::Material)
}

/// The free end is never above its start, nor further below than a beam let go falls: twice the static sag of
/// ρ g L⁴ 12 / 8 E h², as far as iterations let few rows hold many.
fn sags(model: &Model, state: &Snapshot) -> Outcome {
    let g = model.settings.gravity[1].abs();
    let sag = DENSITY * g * 12.0 / (8.0 * YOUNG * 0.0625);
    stays_within(3.0 * sag as f32 + 0.1, model, state)?;
    let ends = particles(model, state).filter(|(_, _, start)| start[0] > 0.999);
    let falls: Vec<f64> = ends.map(|(_, x, start)| f64::from(start[1] - x[1])).collect();
    let fall = falls.iter().sum::<f64>() / falls.len() as f64;
    // Let go, a beam of this kind swings to twice its sag in 0.28 s; one cell across, to 0.8 of it, sooner.
    let swung = state.time > 0.15 && state.time < 0.25;
    let least = if swung { 0.5 * sag } else { -0.02 };
    ensure!(fall >= least.max(-0.02); "the end sags by {fall} m; a beam by {sag} m");
    Ok(())
}

fn jelly(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::cube(n + 1);
    let (step, mass) = (0.5 / n as f64, 125.0 / grid.len() as f64);
    let mut model = grid.model(|point| {
        let x = point.map(|i| i as f64 * step);
        let w = if point[1] == 0 { 0.0 } else { 1.0 / mass };
        (x, [3.0 * x[1], 0.0, x[1]], w)
    })?;
    let all: Vec<u32> = (0..grid.len() as u32).collect();
    let clusters = regions(model.positions(), &all);
    model.add_subsystem(shapes(&model, clusters, 0.8, None)?)?;
    model.add_triangles(grid.skin());
    Ok(model)
}

fn bent_metal(n: usize) -> Result<Model, ModelError> {
    let [x, y, z] = [12 * n + 1, n + 1, n + 1];
    let grid = Grid { x, y, z };
    let mass = 7800.0 * 0.012 / grid.len() as f64;
    let mut model = cantilever(grid, 0.1 / n as f64, mass)?;
    let mut clusters: Vec<_> = grid.blocks().collect();
    clusters.sort_by_key(|&([x, y, z], _)| parity(x, y, z));
    let plastic = Some(Plastic { strain: 0.01, creep: 20.0 });
    let clusters = clusters.into_iter().map(|(_, corners)| corners);
    model.add_subsystem(shapes(&model, clusters, 1.0, plastic)?)?;
    // Bending over N cells needs N² as many passes: with fewer the bar flows, with more it does not yield.
    (model.settings.substeps, model.settings.iterations) = ((n * n).max(2) as u32, 20);
    model.settings.damping = 1.0;
    Ok(model)
}

/// The bar keeps its length, and from the second second on it is bent for good.
fn is_bent(model: &Model, state: &Snapshot) -> Outcome {
    stays_within(1.7, model, state)?;
    let [lowest, _] = heights(state);
    let late = state.time > 2.0 && model.settings.gravity[1] < -9.0;
    ensure!(!late || lowest <= -0.1; "the bar has bent down to {lowest} m only");
    Ok(())
}
