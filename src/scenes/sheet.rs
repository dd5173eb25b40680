//! `sheet:N`: several kinds in one scene: edges that keep their length, diagonals that only hold, and hinges that bend.

use super::grid::Grid;
use super::{Scene, stays_within};
use crate::constraints::{Bending, Distance, Tether};
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::Strength;

pub(super) const SHEET: Scene = Scene {
    name: "sheet",
    about: "N x N vertices, one metre square, hung from two corners: distance, tether and bending",
    size: 64,
    sizes: (2, 8192),
    build,
    check: |model, state| stays_within(3.0, model, state),
};

/// The colors of [`Grid::links`] from this one on are diagonals.
const DIAGONALS: u16 = 4;

fn build(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let mut model = Model::new();
    // Hinges this light buckle and blow up at one substep of ten or twenty iterations.
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    let w = (n * n) as f64 / 0.3;
    let step = 1.0 / (n - 1) as f64;
    for [x, _, z] in grid.points() {
        let pinned = z == 0 && (x == 0 || x == n - 1);
        let position = [x as f64 * step, 0.0, z as f64 * step];
        model.add_particle(position, [0.0; 3], if pinned { 0.0 } else { w })?;
    }
    let (edges, diagonals): (Vec<_>, Vec<_>) = grid
        .links()
        .into_iter()
        .partition(|(_, color)| *color < DIAGONALS);
    for &(edge, _) in &edges {
        model.add(Distance, edge, [None], Strength::Compliance(1e-7))?;
    }
    for &(diagonal, _) in &diagonals {
        model.add(Tether, diagonal, [None], Strength::Stiffness(0.9))?;
    }
    let hinges = grid.hinges();
    for &(hinge, _) in &hinges {
        model.add(Bending, hinge, [None], Strength::Damped(1e-3, 0.1))?;
    }
    model.add_triangles(grid.triangles().into_iter().map(|(t, _)| t));
    let colors = |links: Vec<([u32; 2], u16)>| links.into_iter().map(|(_, color)| color).collect();
    let bends = hinges.into_iter().map(|(_, color)| color).collect();
    model.set_layout(grid.layout(vec![colors(edges), colors(diagonals), bends]));
    Ok(model)
}
