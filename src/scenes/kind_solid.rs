//! `kind-NAME:N` of solids: a block of N³ cells of five tetrahedra in which only rows of one kind stand.
//!
//! Points lie 0.1 m apart, each moved by up to a hundredth in every direction; the block weighs 1000 kg/m³ and stands on
//! its pinned lowest layer, which also keeps a block of constant volume from flowing away.

use super::grid::{Grid, Random};
use super::{Scene, near_its_start, tremble};
use crate::constraints::{Constraint, NeoHookean, StrainTetrahedron, Volume};
use crate::error::ModelError;
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Strength;
use crate::state::Snapshot;

/// What the scenes of this file have in common.
const BLOCK: Scene = Scene {
    name: "",
    about: "",
    size: 8,
    sizes: (1, 128),
    build: volume,
    check: keeps_its_sign,
};

pub(super) const VOLUME: Scene = Scene {
    name: "kind-volume",
    about: "volume alone: a block of N^3 cells of five tetrahedra, trembling without gravity",
    build: volume,
    ..BLOCK
};

pub(super) const STRAIN_TETRAHEDRON: Scene = Scene {
    name: "kind-strain_tetrahedron",
    about: "strain_tetrahedron alone: a block of N^3 cells of five tetrahedra, standing",
    build: strain_tetrahedron,
    ..BLOCK
};

pub(super) const NEO_HOOKEAN: Scene = Scene {
    name: "kind-neo_hookean",
    about: "neo_hookean alone, 1 MPa: a block of N^3 cells of five tetrahedra, standing",
    build: neo_hookean,
    ..BLOCK
};

/// Distance of neighbors (m).
const STEP: f64 = 0.1;
/// Mass of a point (kg).
const MASS: f64 = 1000.0 * STEP * STEP * STEP;

/// The block, each of its tetrahedra a row.
fn block<C, const P: usize, const K: usize>(
    n: usize,
    params: [Option<f64>; P],
    strength: Strength,
) -> Result<Model, ModelError>
where
    C: Constraint<4, P, K>,
{
    let [x, y, z] = [n + 1; 3];
    let grid = Grid { x, y, z };
    let mut random = Random(1);
    let mut model = Model::new();
    for point in grid.points() {
        let position = point.map(|place| place as f64 * STEP + random.within(0.1 * STEP));
        let w = if point[1] == 0 { 0.0 } else { 1.0 / MASS };
        let v = if w > 0.0 { random.within(0.05) } else { 0.0 };
        model.add_particle(position, [0.0, v, 0.0], w)?;
    }
    let (rows, colors): (Vec<_>, Vec<_>) = grid.tetrahedra().into_iter().unzip();
    for row in rows {
        model.add_as::<C, 4, P, K>(row, params, strength)?;
    }
    model.add_triangles(grid.skin());
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

/// Compliance 1e-12 (m³/N·m²): a thousandth of what the block's own inertia allows in a substep.
fn volume(n: usize) -> Result<Model, ModelError> {
    let block = block::<Volume, _, _>(n, [None], Strength::Compliance(1e-12))?;
    Ok(tremble(block))
}

fn strain_tetrahedron(n: usize) -> Result<Model, ModelError> {
    block::<StrainTetrahedron, _, _>(n, [None; 6], Strength::Compliance(1e-7))
}

fn neo_hookean(n: usize) -> Result<Model, ModelError> {
    block::<NeoHookean, _, _>(n, NeoHookean::material(1e6, 0.3), Strength::Material)
}

/// [`near_its_start`], and no tetrahedron is turned inside out.
fn keeps_its_sign(model: &Model, state: &Snapshot) -> Result<(), String> {
    near_its_start(model, state)?;
    let tetrahedra = model.rows()[0].row_list().particles.as_chunks::<4>().0;
    for (row, corners) in tetrahedra.iter().enumerate() {
        let [a, b, c, d]: [Vec3<f64>; 4] =
            corners.map(|i| Vec3::of(state.positions[i as usize].map(f64::from)));
        let volume = (b - a).dot((c - a).cross(d - a)) / 6.0;
        if volume <= 0.0 {
            return Err(format!("tetrahedron {row} has the volume {volume} m^3"));
        }
    }
    Ok(())
}
