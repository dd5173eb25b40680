//! `kind-NAME:N` of solids: a block of N³ cells of five tetrahedra in which only rows of one kind stand.
//!
//! Points lie 0.1 m apart, each moved by up to a hundredth in every direction; the block weighs 1000 kg/m³ and stands on
//! its pinned lowest layer, which also keeps a block of constant volume from flowing away.

use super::prelude::*;
use crate::constraints::{NeoHookean, StrainTetrahedron, Volume};
use crate::mesh::tetrahedron_volumes;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "kind-volume", role: Timed, size: 8, seconds: 2.0, color: CLOTH, sizes: (1, 128), build: |n| block(n, Volume, [None], VOLUME).map(tremble), check: keeps_its_sign,
        about: "volume alone: a block of N^3 cells of five tetrahedra, trembling without gravity" },
    Scene { name: "kind-strain_tetrahedron", role: Timed, size: 8, seconds: 2.0, color: CLOTH, sizes: (1, 128), build: |n| block(n, StrainTetrahedron, [None; 6], STRAIN), check: keeps_its_sign,
        about: "strain_tetrahedron alone: a block of N^3 cells of five tetrahedra, standing" },
    Scene { name: "kind-neo_hookean", role: Timed, size: 8, seconds: 2.0, color: CLOTH, sizes: (1, 128), build: |n| block(n, NeoHookean, NeoHookean::material(1e6, 0.3), Stiffness::Material), check: keeps_its_sign,
        about: "neo_hookean alone, 1 MPa: a block of N^3 cells of five tetrahedra, standing" },
];

/// Distance of neighbors (m).
const STEP: f64 = 0.1;
/// Mass of a point (kg).
const MASS: f64 = 1000.0 * STEP * STEP * STEP;

/// A thousandth (m³/N·m²) of what the block's own inertia allows in a substep.
const VOLUME: Stiffness = Stiffness::Compliance(1e-12);
const STRAIN: Stiffness = Stiffness::Compliance(1e-7);

/// The block, each of its tetrahedra a row.
fn block<C: Constraint<4, P, K>, const P: usize, const K: usize>(
    n: usize,
    kind: C,
    params: [Option<f64>; P],
    stiffness: Stiffness,
) -> Result<Model, ModelError> {
    let grid = Grid::cube(n + 1);
    let w = |[_, y, _]: [usize; 3]| if y == 0 { 0.0 } else { 1.0 / MASS };
    let mut model = grid.shaken(STEP, w)?;
    model.add_triangles(grid.skin());
    colored(model, grid, kind, grid.tetrahedra(), params, stiffness)
}

/// [`near_its_start`], and no tetrahedron is turned inside out.
fn keeps_its_sign(model: &Model, state: &Snapshot) -> Outcome {
    near_its_start(model, state)?;
    let tetrahedra = first_rows(model);
    let volumes = tetrahedron_volumes(&state.positions, tetrahedra);
    for (row, volume) in volumes.into_iter().enumerate() {
        ensure!(volume > 0.0; "tetrahedron {row} has the volume {volume} m^3");
    }
    Ok(())
}
