//! `kind-NAME:N` of surfaces: a sheet of N x N points in which only rows of one kind stand.
//!
//! Points lie 0.1 m apart, each moved by up to a hundredth in every direction, and weigh 0.3 kg/m². No kind alone holds a
//! sheet together (bending lets it stretch, a stretch lets it fold), so every eighth and the last point of every eighth and the last row is pinned:
//! what lies between sags under gravity, and every row acts in every step.

use super::grid::{Colored, Grid, Random};
use super::{Scene, near_its_start, tremble};
use crate::constraints::{Bending, Constraint, Distance, IsometricBending, StrainTriangle, Tether};
use crate::error::ModelError;
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Strength;
use crate::state::Snapshot;

/// What the scenes of this file have in common.
const SHEET: Scene = Scene {
    name: "",
    about: "",
    size: 32,
    sizes: (3, 4096),
    build: distance,
    check: near_its_start,
};

pub(super) const DISTANCE: Scene = Scene {
    name: "kind-distance",
    about: "distance alone: the edges and diagonals of a sheet of N x N points",
    build: distance,
    ..SHEET
};

pub(super) const TETHER: Scene = Scene {
    name: "kind-tether",
    about: "tether alone: a drum skin of N x N points in a pinned frame, every link 2 % too short",
    build: tether,
    check: is_taut,
    ..SHEET
};

pub(super) const BENDING: Scene = Scene {
    name: "kind-bending",
    about: "bending alone: every hinge of a sheet of N x N points, trembling without gravity",
    build: bending,
    ..SHEET
};

pub(super) const ISOMETRIC_BENDING: Scene = Scene {
    name: "kind-isometric_bending",
    about: "isometric_bending alone: every hinge of a sheet of N x N points, trembling without gravity",
    build: isometric_bending,
    ..SHEET
};

pub(super) const STRAIN_TRIANGLE: Scene = Scene {
    name: "kind-strain_triangle",
    about: "strain_triangle alone: every triangle of a sheet of N x N points",
    build: strain_triangle,
    ..SHEET
};

/// Distance of neighbors (m).
const STEP: f64 = 0.1;
/// The fastest that a point moves at the start (m/s).
const SPEED: f64 = 0.05;
/// Mass of a point (kg).
const MASS: f64 = 0.3 * STEP * STEP;
/// Compliance of every row (m/N, or the kind's unit): next to nothing, but stored and used like any.
const STRENGTH: Strength = Strength::Compliance(1e-7);

/// The sheet without rows, pinned where `pinned` says.
fn sheet(grid: Grid, pinned: impl Fn(usize, usize) -> bool) -> Result<Model, ModelError> {
    let mut random = Random(1);
    let mut model = Model::new();
    for [x, _, z] in grid.points() {
        let mut moved = |place: usize| place as f64 * STEP + random.within(0.1 * STEP);
        let position = [moved(x), moved(0), moved(z)];
        let w = if pinned(x, z) { 0.0 } else { 1.0 / MASS };
        let v = if w > 0.0 { random.within(SPEED) } else { 0.0 };
        model.add_particle(position, [0.0, v, 0.0], w)?;
    }
    model.add_triangles(grid.triangles().into_iter().map(|(t, _)| t));
    Ok(model)
}

/// The sheet with `rows` of a kind whose parameters are all measured.
fn sheet_of<C, const N: usize, const P: usize, const K: usize>(
    n: usize,
    rows: impl Fn(Grid) -> Vec<Colored<N>>,
) -> Result<Model, ModelError>
where
    C: Constraint<N, P, K>,
{
    let grid = Grid { x: n, y: 1, z: n };
    let post = |i: usize| i.is_multiple_of(8) || i == n - 1;
    let mut model = sheet(grid, |x, z| post(x) && post(z))?;
    let (rows, colors): (Vec<_>, Vec<_>) = rows(grid).into_iter().unzip();
    for row in rows {
        model.add_as::<C, N, P, K>(row, [None; P], STRENGTH)?;
    }
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

fn distance(n: usize) -> Result<Model, ModelError> {
    sheet_of::<Distance, _, _, _>(n, Grid::links)
}

fn bending(n: usize) -> Result<Model, ModelError> {
    Ok(tremble(sheet_of::<Bending, _, _, _>(n, Grid::hinges)?))
}

fn isometric_bending(n: usize) -> Result<Model, ModelError> {
    let sheet = sheet_of::<IsometricBending, _, _, _>(n, Grid::hinges)?;
    Ok(tremble(sheet))
}

fn strain_triangle(n: usize) -> Result<Model, ModelError> {
    sheet_of::<StrainTriangle, _, _, _>(n, Grid::triangles)
}

/// How much of its length at the start a tether allows.
const ALLOWED: f64 = 0.98;

/// The frame leaves no room for the tethers: all of them pull, forever.
fn tether(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let frame = |i: usize| i == 0 || i == n - 1;
    let mut model = sheet(grid, |x, z| frame(x) || frame(z))?;
    let (links, colors): (Vec<_>, Vec<_>) = grid.links().into_iter().unzip();
    for link in links {
        let length = ALLOWED * length(model.positions(), link);
        model.add(Tether, link, [Some(length)], STRENGTH)?;
    }
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

/// The distance of two points (m).
fn length(positions: &[[f32; 3]], [a, b]: [u32; 2]) -> f64 {
    let [a, b]: [Vec3<f64>; 2] = [a, b].map(|i| Vec3::of(positions[i as usize].map(f64::from)));
    (a - b).length()
}

/// [`near_its_start`], and nine of ten tethers are taut.
fn is_taut(model: &Model, state: &Snapshot) -> Result<(), String> {
    near_its_start(model, state)?;
    let links = model.rows()[0].row_list().particles.as_chunks::<2>().0;
    let taut = |&&link: &&[u32; 2]| {
        let allowed = ALLOWED * length(model.positions(), link);
        length(&state.positions, link) > 0.9999 * allowed
    };
    match links.iter().filter(taut).count() {
        taut if 2 * taut >= links.len() => Ok(()),
        taut => Err(format!("{taut} of {} tethers are taut", links.len())),
    }
}
