//! `kind-NAME:N` of inequalities: points that lie, press or cross, so that nearly every row is violated in every step.
//!
//! Points lie 0.1 m apart and weigh 0.1 kg. What they lie on is level, so that nothing slides: the perturbation of up to
//! 0.01 m is in x and z only.

use super::grid::{Colored, Grid, Random, parity};
use super::{Scene, near_its_start};
use crate::constraints::{Constraint, EdgeEdge, Pair, Plane, Triangle};
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::Residual;
use crate::rows::Strength;
use crate::state::Snapshot;

/// What the scenes of this file have in common.
const LYING: Scene = Scene {
    name: "",
    about: "",
    size: 32,
    sizes: (2, 2048),
    build: plane,
    check: lies,
};

pub(super) const PLANE: Scene = Scene {
    name: "kind-plane",
    about: "plane alone: N x N points lying on a floor",
    build: plane,
    ..LYING
};

pub(super) const PAIR: Scene = Scene {
    name: "kind-pair",
    about: "pair alone: N stacks of N balls pressed together, every sixteenth layer pinned",
    build: pair,
    check: presses,
    ..LYING
};

pub(super) const TRIANGLE: Scene = Scene {
    name: "kind-triangle",
    about: "triangle alone: a point lying on a triangle of every cell of a pinned sheet of N x N points",
    build: triangle,
    ..LYING
};

pub(super) const EDGE_EDGE: Scene = Scene {
    name: "kind-edge_edge",
    about: "edge_edge alone: N chains of edges lying across N pinned ones",
    build: edge_edge,
    check: keep_apart,
    ..LYING
};

/// Distance of neighbors (m).
const STEP: f64 = 0.1;
/// Inverse mass of a point (1/kg).
const WEIGHT: f64 = 10.0;
/// How far above what they lie on points are held (m).
const THICKNESS: f64 = 0.01;
/// Compliance of every row (m/N): next to nothing, but stored and used like any.
const STRENGTH: Strength = Strength::Compliance(1e-7);

/// Adds colored rows of one kind, all with the same parameters, and says so to the engine.
fn finish<C, const N: usize, const P: usize, const K: usize>(
    mut model: Model,
    grid: Grid,
    rows: Vec<Colored<N>>,
    params: [Option<f64>; P],
    _kind: C,
) -> Result<Model, ModelError>
where
    C: Constraint<N, P, K>,
{
    let (rows, colors): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    for row in rows {
        model.add_as::<C, N, P, K>(row, params, STRENGTH)?;
    }
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

/// Two layers of N x N points, the upper one moved by half a cell times `shift`, in x and against z: the lower is pinned,
/// and of the upper what `pinned` says.
fn layers(
    grid: Grid,
    shift: [f64; 2],
    pinned: impl Fn(usize, usize) -> bool,
) -> Result<Model, ModelError> {
    let mut random = Random(1);
    let mut model = Model::new();
    for [x, y, z] in grid.points() {
        let up = y as f64;
        let mut moved = |place: f64| place * STEP + random.within(0.1 * STEP);
        let position = [
            moved(x as f64 + up * shift[0]),
            up * THICKNESS,
            moved(z as f64 + up * shift[1]),
        ];
        let w = if y == 0 || pinned(x, z) { 0.0 } else { WEIGHT };
        model.add_particle(position, [0.0; 3], w)?;
    }
    Ok(model)
}

fn plane(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let mut random = Random(1);
    let mut model = Model::new();
    for [x, _, z] in grid.points() {
        let mut moved = |place: usize| place as f64 * STEP + random.within(0.1 * STEP);
        model.add_particle([moved(x), 0.0, moved(z)], [0.0; 3], WEIGHT)?;
    }
    let rows = grid.points().map(|[x, y, z]| ([grid.at(x, y, z)], 0));
    let floor = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(Some);
    finish(model, grid, rows.collect(), floor, Plane)
}

/// Balls 5 % wider than their distance, exactly above each other: a stack does not buckle.
fn pair(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let mut random = Random(1);
    let mut model = Model::new();
    for [x, _, layer] in grid.points() {
        let pinned = layer % 16 == 0 || layer == n - 1;
        let height = layer as f64 * STEP + random.within(0.02 * STEP);
        let w = if pinned { 0.0 } else { WEIGHT };
        model.add_particle([x as f64 * STEP, height, 0.0], [0.0; 3], w)?;
    }
    let rows = grid.points().filter(|[_, _, z]| z + 1 < n);
    let rows = rows.map(|[x, y, z]| ([grid.at(x, y, z), grid.at(x, y, z + 1)], (z % 2) as u16));
    finish(model, grid, rows.collect(), [Some(1.05 * STEP)], Pair)
}

fn triangle(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 2, z: n };
    let outside = |x: usize, z: usize| x == n - 1 || z == n - 1;
    let mut model = layers(grid, [0.3, 0.3], outside)?;
    let (mut rows, mut floor) = (Vec::new(), Vec::new());
    for [x, z] in grid.cells() {
        let corners = [grid.at(x, 0, z), grid.at(x, 0, z + 1), grid.at(x + 1, 0, z)];
        let [a, b, c] = corners;
        rows.push(([grid.at(x, 1, z), a, b, c], parity(x, 0, z)));
        floor.push(corners);
    }
    model.add_triangles(floor);
    finish(model, grid, rows, [Some(THICKNESS)], Triangle)
}

/// The lower edges run along x, the upper ones along z across their middles.
fn edge_edge(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 2, z: n };
    let end = |x: usize, z: usize| x == n - 1 || z == 0 || z == n - 1;
    let mut model = layers(grid, [0.5, -0.5], end)?;
    model.settings.damping = 5.0;
    let row = |[x, z]: [usize; 2]| {
        let upper = [grid.at(x, 1, z), grid.at(x, 1, z + 1)];
        let lower = [grid.at(x, 0, z), grid.at(x + 1, 0, z)];
        ([upper[0], upper[1], lower[0], lower[1]], parity(x, 0, z))
    };
    let rows = grid.cells().map(row).collect();
    finish(model, grid, rows, [Some(THICKNESS)], EdgeEdge)
}

/// [`near_its_start`], and nothing has sunk by more than a millimetre.
fn lies(model: &Model, state: &Snapshot) -> Result<(), String> {
    near_its_start(model, state)?;
    for (i, (x, start)) in state.positions.iter().zip(model.positions()).enumerate() {
        if x[1] < start[1] - 1e-3 {
            return Err(format!("particle {i} sank from {} to {} m", start[1], x[1]));
        }
    }
    Ok(())
}

/// [`near_its_start`], and balls of a stack are in their order, nine of ten pressed.
fn presses(model: &Model, state: &Snapshot) -> Result<(), String> {
    near_its_start(model, state)?;
    let pairs = model.rows()[0].row_list().particles.as_chunks::<2>().0;
    let mut pressed = 0;
    for &[a, b] in pairs {
        let [low, high] = [a, b].map(|i| state.positions[i as usize][1]);
        if high <= low {
            return Err(format!("ball {b} is not above ball {a}"));
        }
        pressed += usize::from(f64::from(high - low) < 1.0501 * STEP);
    }
    match 10 * pressed >= 9 * pairs.len() {
        true => Ok(()),
        false => Err(format!("{pressed} of {} pairs are pressed", pairs.len())),
    }
}

/// The state is finite, and no row is violated by more than a tenth of the thickness. (Edges slide off each other in time, so
/// nothing holds them near their start.)
fn keep_apart(model: &Model, state: &Snapshot) -> Result<(), String> {
    if !state.finite() {
        return Err("the state is not finite".into());
    }
    let mut sum = Residual::default();
    let rows = &model.rows()[0];
    let without = vec![0.0; rows.len()];
    rows.add_residual(&state.positions, &without, &model.settings, &mut sum);
    match sum.largest <= 0.1 * THICKNESS {
        true => Ok(()),
        false => Err(format!("edges are {} m too near", sum.largest)),
    }
}
