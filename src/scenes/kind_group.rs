//! `kind-NAME:N` of groups: only groups of one kind, trembling without gravity.

use super::prelude::*;
use super::sphere::icosphere;
use crate::groups::Pressures;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "kind-pressure", role: Timed, size: 16, seconds: 2.0, color: CLOTH, sizes: (1, 128), build: pressure, check: near_its_start,
        about: "pressure alone: N x N balls of 162 vertices, trembling without gravity" },
    Scene { name: "kind-shape", role: Timed, size: 16, seconds: 2.0, color: CLOTH, sizes: (1, 128), build: shape, check: near_its_start,
        about: "shape matching alone: a block of N^3 cells, a cluster of four for each of five tetrahedra a cell, trembling without gravity" },
];

fn pressure(n: usize) -> Result<Model, ModelError> {
    let (points, triangles) = icosphere(2);
    let mut random = Random(1);
    let mut model = Model::new();
    let mut pressures = Pressures::new();
    for ball in 0..n * n {
        let first = model.positions().len() as u32;
        let center = [(ball % n) as f64, 0.0, (ball / n) as f64];
        for x in &points {
            let x: [f64; 3] = std::array::from_fn(|axis| center[axis] + 0.4 * x[axis]);
            let v = [(); 3].map(|()| random.within(0.2));
            model.add_particle(x, v, 100.0)?;
        }
        let surface = triangles.iter().map(|t| t.map(|i| first + i));
        let surface: Vec<[u32; 3]> = surface.collect();
        pressures.add(&model, &surface, 1.0, None, Stiffness::Factor(0.9))?;
        model.add_triangles(surface);
    }
    model.add_subsystem(pressures)?;
    Ok(tremble(model))
}

/// Stiffness and masses do not matter to speed: every cluster is fitted anew, whatever it finds.
fn shape(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::cube(n + 1);
    let mut random = Random(1);
    let mut model = grid.model(|point| {
        let position = point.map(|i| i as f64 * 0.1 + random.within(0.01));
        let w = if point[1] == 0 { 0.0 } else { 1.0 };
        let v = if w > 0.0 { random.within(0.5) } else { 0.0 };
        (position, [0.0, v, 0.0], w)
    })?;
    let mut rows = grid.tetrahedra();
    rows.sort_by_key(|(_, color)| *color);
    let clusters = rows.into_iter().map(|(corners, _)| corners);
    model.add_subsystem(shapes(&model, clusters, 0.9, None)?)?;
    model.add_triangles(grid.skin());
    Ok(tremble(model))
}
