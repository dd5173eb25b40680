//! `kind-NAME:N` of inequalities: points that lie, press or cross, so that nearly every row is violated in every step.
//!
//! Points lie 0.1 m apart and weigh 0.1 kg. They lie on level ground, so that nothing slides: the perturbation of up to
//! 0.01 m is in x and z only.

use super::prelude::*;
use crate::constraints::{EdgeEdge, Pair, Plane, Triangle};
use crate::observe::violation;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "kind-plane", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (2, 2048), build: plane, check: lies,
        about: "plane alone: N x N points lying on a floor" },
    Scene { name: "kind-pair", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (2, 2048), build: pair, check: presses,
        about: "pair alone: N stacks of N balls pressed together, every sixteenth layer pinned" },
    Scene { name: "kind-triangle", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (2, 2048), build: triangle, check: lies,
        about: "triangle alone: a point lying on a triangle of every cell of a pinned sheet of N x N points" },
    Scene { name: "kind-edge_edge", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (2, 2048), build: edge_edge, check: keep_apart,
        about: "edge_edge alone: N chains of edges lying across N pinned ones" },
];

/// Distance of neighbors (m).
const STEP: f64 = 0.1;
/// Inverse mass of a point (1/kg).
const WEIGHT: f64 = 10.0;
/// Distance that contacts keep (m).
const THICKNESS: f64 = 0.01;
/// Compliance of every row (m/N): next to nothing, but stored and used like any.
const STIFFNESS: Stiffness = Stiffness::Compliance(1e-7);

/// Layers of points, each but the lowest moved by half a cell times `shift`, in x and z: pinned where `pinned` says.
fn layers(
    grid: Grid,
    shift: [f64; 2],
    pinned: impl Fn([usize; 3]) -> bool,
) -> Result<Model, ModelError> {
    let mut random = Random(1);
    grid.model(|[x, y, z]| {
        let up = y as f64;
        let mut moved = |at: f64| at * STEP + random.within(0.1 * STEP);
        let position =
            [moved(x as f64 + up * shift[0]), up * THICKNESS, moved(z as f64 + up * shift[1])];
        let w = if pinned([x, y, z]) { 0.0 } else { WEIGHT };
        (position, [0.0; 3], w)
    })
}

fn plane(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let model = layers(grid, [0.0; 2], |_| false)?;
    let rows = grid.points().map(|[x, y, z]| ([grid.at(x, y, z)], 0));
    let floor = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(Some);
    colored(model, grid, Plane, rows, floor, STIFFNESS)
}

/// Balls 5 % wider than their distance, exactly above each other: a stack does not buckle.
fn pair(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let mut random = Random(1);
    let model = grid.model(|[x, _, layer]| {
        let pinned = layer % 16 == 0 || layer == n - 1;
        let height = layer as f64 * STEP + random.within(0.02 * STEP);
        let w = if pinned { 0.0 } else { WEIGHT };
        ([x as f64 * STEP, height, 0.0], [0.0; 3], w)
    })?;
    let rows = grid.points().filter(|[_, _, z]| z + 1 < n);
    let rows = rows.map(|[x, y, z]| ([grid.at(x, y, z), grid.at(x, y, z + 1)], (z % 2) as u16));
    colored(model, grid, Pair, rows, [Some(1.05 * STEP)], STIFFNESS)
}

fn triangle(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 2, z: n };
    let outside = |[x, y, z]: [usize; 3]| y == 0 || x == n - 1 || z == n - 1;
    let mut model = layers(grid, [0.3, 0.3], outside)?;
    let corners = |x, z| [grid.at(x, 0, z), grid.at(x, 0, z + 1), grid.at(x + 1, 0, z)];
    model.add_triangles(grid.cells().map(|[x, z]| corners(x, z)));
    let rows = grid.cells().map(|[x, z]| {
        let [a, b, c] = corners(x, z);
        ([grid.at(x, 1, z), a, b, c], parity(x, 0, z))
    });
    colored(model, grid, Triangle, rows, [Some(THICKNESS)], STIFFNESS)
}

/// The lower edges run along x, the upper ones along z across their middles.
fn edge_edge(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 2, z: n };
    let end = |[x, y, z]: [usize; 3]| y == 0 || x == n - 1 || z == 0 || z == n - 1;
    let mut model = layers(grid, [0.5, -0.5], end)?;
    model.settings.damping = 5.0;
    let rows = grid.cells().map(|[x, z]| {
        let upper = [grid.at(x, 1, z), grid.at(x, 1, z + 1)];
        let lower = [grid.at(x, 0, z), grid.at(x + 1, 0, z)];
        ([upper[0], upper[1], lower[0], lower[1]], parity(x, 0, z))
    });
    colored(model, grid, EdgeEdge, rows, [Some(THICKNESS)], STIFFNESS)
}

/// [`near_its_start`], and nothing has sunk by more than a millimetre.
fn lies(model: &Model, state: &Snapshot) -> Outcome {
    near_its_start(model, state)?;
    for (i, x, start) in particles(model, state) {
        let (from, to) = (start[1], x[1]);
        ensure!(to >= from - 1e-3; "particle {i} sank from {from} to {to} m");
    }
    Ok(())
}

/// [`near_its_start`], and balls of a stack are in their order, nine of ten pressed.
fn presses(model: &Model, state: &Snapshot) -> Outcome {
    near_its_start(model, state)?;
    let pairs = first_rows(model);
    let mut pressed = 0;
    for &[a, b] in pairs {
        let [low, high] = [a, b].map(|i| state.positions[i as usize][1]);
        ensure!(high > low; "ball {b} is not above ball {a}");
        pressed += usize::from(f64::from(high - low) < 1.0501 * STEP);
    }
    let all = pairs.len();
    ensure!(10 * pressed >= 9 * all; "{pressed} of {all} pairs are pressed");
    Ok(())
}

/// The state is finite, and no row is violated by more than a tenth of the thickness. (Edges slide off each other in time, so
/// nothing holds them near their start.)
fn keep_apart(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    let most = violation(model, state);
    ensure!(most <= 0.1 * THICKNESS; "edges are {most} m too near");
    Ok(())
}
