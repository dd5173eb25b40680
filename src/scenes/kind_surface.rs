//! `kind-NAME:N` of surfaces: a sheet of N x N points in which only rows of one kind stand.
//!
//! Points lie 0.1 m apart, each moved by up to a hundredth in every direction, and weigh 0.3 kg/m². No kind alone holds a
//! sheet together (bending lets it stretch, a stretch lets it fold), so the points of every eighth row and column, and of the last ones, are pinned:
//! what lies between sags under gravity, and every row acts in every step.

use super::prelude::*;
use crate::constraints::{IsometricBending, StrainTriangle, Tether};
use crate::mesh::edge_length;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "kind-distance", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (3, 4096), build: |n| sheet_of(n, Distance, Grid::links), check: near_its_start,
        about: "distance alone: the edges and diagonals of a sheet of N x N points" },
    Scene { name: "kind-tether", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (3, 4096), build: tether, check: is_taut,
        about: "tether alone: a drum skin of N x N points in a pinned frame, every link 2 % too short" },
    Scene { name: "kind-bending", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (3, 4096), build: |n| sheet_of(n, Bending, Grid::hinges).map(tremble), check: near_its_start,
        about: "bending alone: every hinge of a sheet of N x N points, trembling without gravity" },
    Scene { name: "kind-isometric_bending", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (3, 4096), build: |n| sheet_of(n, IsometricBending, Grid::hinges).map(tremble), check: near_its_start,
        about: "isometric_bending alone: every hinge of a sheet of N x N points, trembling without gravity" },
    Scene { name: "kind-strain_triangle", role: Timed, size: 32, seconds: 2.0, color: CLOTH, sizes: (3, 4096), build: |n| sheet_of(n, StrainTriangle, Grid::triangles), check: near_its_start,
        about: "strain_triangle alone: every triangle of a sheet of N x N points" },
];

/// Distance of neighbors (m).
const STEP: f64 = 0.1;
/// Mass of a point (kg).
const MASS: f64 = 0.3 * STEP * STEP;
/// Compliance of every row (m/N, or the kind's unit): next to nothing, but stored and used like any.
const STIFFNESS: Stiffness = Stiffness::Compliance(1e-7);

/// The sheet without rows, pinned where `pinned` says.
fn sheet(grid: Grid, pinned: impl Fn(usize, usize) -> bool) -> Result<Model, ModelError> {
    let w = |[x, _, z]: [usize; 3]| if pinned(x, z) { 0.0 } else { 1.0 / MASS };
    let mut model = grid.shaken(STEP, w)?;
    model.add_triangles(grid.faces());
    Ok(model)
}

/// The sheet with `rows` of a kind whose parameters are all measured.
fn sheet_of<C, R, const N: usize, const P: usize, const K: usize>(
    n: usize,
    kind: C,
    rows: fn(Grid) -> R,
) -> Result<Model, ModelError>
where
    C: Constraint<N, P, K>,
    R: IntoIterator<Item = Colored<N>>,
{
    let grid = Grid::sheet(n);
    let post = |i: usize| i.is_multiple_of(8) || i == n - 1;
    let model = sheet(grid, |x, z| post(x) && post(z))?;
    colored(model, grid, kind, rows(grid), [None; P], STIFFNESS)
}

/// A tether's length over its length at the start.
const ALLOWED: f64 = 0.98;

/// The frame leaves no room for the tethers: all of them pull, forever.
fn tether(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let frame = |i: usize| i == 0 || i == n - 1;
    let mut model = sheet(grid, |x, z| frame(x) || frame(z))?;
    let (links, colors): (Vec<_>, Vec<_>) = grid.links().unzip();
    for link in links {
        let length = ALLOWED * edge_length(model.positions(), link);
        model.add(Tether, link, [Some(length)], STIFFNESS)?;
    }
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

/// [`near_its_start`], and half of the tethers are taut.
fn is_taut(model: &Model, state: &Snapshot) -> Outcome {
    near_its_start(model, state)?;
    let links = first_rows(model);
    let taut = |&&link: &&[u32; 2]| {
        let allowed = ALLOWED * edge_length(model.positions(), link);
        edge_length(&state.positions, link) > 0.9999 * allowed
    };
    let (taut, all) = (links.iter().filter(taut).count(), links.len());
    ensure!(2 * taut >= all; "{taut} of {all} tethers are taut");
    Ok(())
}
