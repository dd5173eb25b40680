//! `sphere:N`: a ball's skin without any structure to find: an icosphere whose numbering is shuffled.

use super::{Scene, hangs};
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::model::{Model, Strength};
use std::collections::HashMap;

pub(super) const SPHERE: Scene = Scene {
    name: "sphere",
    about: "an icosphere of N subdivisions, one metre across, its numbering shuffled, hung from its top vertex by its edges",
    size: 5,
    sizes: (0, 9),
    build,
    check: hangs,
};

/// 10 · 4^N + 2 vertices, 30 · 4^N edges of compliance 1e-7 m/N, 0.3 kg/m².
fn build(n: usize) -> Result<Model, ModelError> {
    let (points, triangles) = icosphere(n);
    let order = shuffled(points.len());
    let top = (0..points.len()).max_by(|&a, &b| points[a][1].total_cmp(&points[b][1]));
    let area = std::f64::consts::PI; // of a sphere one metre across
    let w = points.len() as f64 / (0.3 * area);
    let mut place = vec![0; points.len()];
    let mut model = Model::new();
    for &vertex in &order {
        let pinned = Some(vertex) == top;
        let x = points[vertex].map(|v| v * 0.5);
        place[vertex] = model.add_particle(x, [0.0; 3], if pinned { 0.0 } else { w })?;
    }
    let placed = |t: [usize; 3]| t.map(|vertex| place[vertex]);
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&t| {
            let [a, b, c] = placed(t);
            [[a, b], [b, c], [c, a]]
        })
        .filter(|[a, b]| a < b) // each edge once: its other triangle walks it the other way
        .collect();
    edges.sort_unstable();
    for edge in edges {
        model.add(Distance, edge, [None], Strength::Compliance(1e-7))?;
    }
    model.add_triangles(triangles.into_iter().map(placed));
    Ok(model)
}

/// A unit icosphere: an icosahedron whose triangles are split in four `n` times, wound outward.
fn icosphere(n: usize) -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
    let g = (1.0 + 5_f64.sqrt()) / 2.0;
    let mut points: Vec<[f64; 3]> = [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ]
    .map(unit)
    .to_vec();
    let mut triangles = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..n {
        let mut middles = HashMap::with_capacity(triangles.len() * 3 / 2);
        let mut middle = |a: usize, b: usize| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let [p, q] = [points[a], points[b]];
                points.push(unit(std::array::from_fn(|i| p[i] + q[i])));
                points.len() - 1
            })
        };
        let split = |[a, b, c]: [usize; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    (points, triangles)
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    v.map(|v| v / length)
}

/// A permutation of `0..len`, the same on every machine (Fisher-Yates over a 64-bit linear congruential generator).
fn shuffled(len: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut state = 1_u64;
    for i in (1..len).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        order.swap(i, (state >> 33) as usize % (i + 1));
    }
    order
}
