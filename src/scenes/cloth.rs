//! `cloth:N`: an N x N sheet hung from two corners; the scene of `docs/measured.md`.

use super::grid::Grid;
use super::{Scene, hangs};
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::Strength;

pub(super) const CLOTH: Scene = Scene {
    name: "cloth",
    about: "N x N vertices, one metre square, hung from two corners: structural edges and both diagonals",
    size: 64,
    sizes: (2, 8192),
    build,
    check: hangs,
};

/// Mass of a square metre (kg).
const DENSITY: f64 = 0.3;
/// Compliance of every row (m/N).
const COMPLIANCE: f64 = 1e-7;

/// N x N vertices in the x-z plane, pinned at (0,0,0) and (1,0,0).
fn build(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let mut model = Model::new();
    let w = (n * n) as f64 / DENSITY;
    let step = 1.0 / (n - 1) as f64;
    for [x, _, z] in grid.points() {
        let pinned = z == 0 && (x == 0 || x == n - 1);
        let position = [x as f64 * step, 0.0, z as f64 * step];
        model.add_particle(position, [0.0; 3], if pinned { 0.0 } else { w })?;
    }
    let links = grid.links();
    for &(link, _) in &links {
        model.add(Distance, link, [None], Strength::Compliance(COMPLIANCE))?;
    }
    model.add_triangles(grid.triangles().into_iter().map(|(t, _)| t));
    let colors = links.into_iter().map(|(_, color)| color).collect();
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}
