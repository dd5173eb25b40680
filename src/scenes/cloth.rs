//! `cloth:N`: an N x N sheet hung from two corners; the scene every figure of `MEASURED.md` is about.

use super::{Scene, hangs};
use crate::coloring::Structure;
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::lanes::WIDTH;
use crate::model::{Model, Strength};
use crate::particles::Numbering;

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
///
/// Colors and storage order are chosen so that eight rows of a color name eight consecutive places in each slot: a grid
/// row stores its even columns, then its odd ones, each padded by at least one ghost to a multiple of eight.
fn build(n: usize) -> Result<Model, ModelError> {
    let mut model = Model::new();
    let w = (n * n) as f64 / DENSITY;
    let step = 1.0 / (n - 1) as f64;
    for z in 0..n {
        for x in 0..n {
            let pinned = z == 0 && (x == 0 || x == n - 1);
            let position = [x as f64 * step, 0.0, z as f64 * step];
            model.add_particle(position, [0.0; 3], if pinned { 0.0 } else { w })?;
        }
    }
    let mut colors = Vec::new();
    let at = |x: usize, z: usize| (z * n + x) as u32;
    for z in 0..n {
        for x in 0..n {
            let mut link = |a, b, color: usize| {
                colors.push(color as u16);
                model.add(Distance, [a, b], [None], Strength::Compliance(COMPLIANCE))
            };
            // Two colors a direction: neighbors along it alternate.
            if x + 1 < n {
                link(at(x, z), at(x + 1, z), x % 2)?;
            }
            if z + 1 < n {
                link(at(x, z), at(x, z + 1), 2 + z % 2)?;
            }
            if x + 1 < n && z + 1 < n {
                link(at(x, z), at(x + 1, z + 1), 4 + z % 2)?;
                link(at(x + 1, z), at(x, z + 1), 6 + z % 2)?;
            }
        }
    }
    for z in 0..n - 1 {
        for x in 0..n - 1 {
            let [a, b] = [at(x, z), at(x + 1, z)];
            let [c, d] = [at(x, z + 1), at(x + 1, z + 1)];
            model.add_triangles([[a, c, b], [b, c, d]]);
        }
    }
    let (numbering, layer) = even_odd(n, n);
    model.set_structure(Structure {
        numbering,
        layer,
        colors: vec![colors],
    });
    Ok(model)
}

/// Even columns, then odd ones, grid row by grid row; and the places of a grid row.
fn even_odd(columns: usize, rows: usize) -> (Numbering, usize) {
    let half = (columns.div_ceil(2) + 1).next_multiple_of(WIDTH);
    let place = |z: usize, x: usize| (z * 2 + x % 2) * half + x / 2;
    let storage = (0..rows).flat_map(|z| (0..columns).map(move |x| place(z, x) as u32));
    let numbering = Numbering::new(storage.collect(), rows * 2 * half);
    (numbering.expect("columns lie apart"), 2 * half)
}
