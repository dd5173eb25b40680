//! `sphere:N`: a ball's skin without any structure to find: an icosphere whose vertices are shuffled.

use super::grid::Random;
use super::{Scene, hangs, near_its_start};
use crate::constraints::{Bending, Distance};
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::Strength;
use std::collections::HashMap;

pub(super) const SPHERE: Scene = Scene {
    name: "sphere",
    about: "an icosphere of N subdivisions, one metre across, its numbering shuffled, hung from its top vertex by its edges",
    size: 5,
    sizes: (0, 9),
    build,
    check: hangs,
};

pub(super) const SPHERE_BENDING: Scene = Scene {
    name: "sphere-bending",
    about: "the ball of `sphere`, its hinges bending and no edge kept, trembling without gravity",
    build: build_bending,
    check: near_its_start,
    ..SPHERE
};

/// Compliance of every row (m/N; rad/(N m) of a hinge).
const COMPLIANCE: Strength = Strength::Compliance(1e-7);

/// Viscous damping of the trembling ball (1/s).
const DAMPING: f64 = 5.0;

/// A ball's edges, each with the corners opposite to it.
struct Ball {
    model: Model,
    hinges: Vec<[u32; 4]>,
}

/// 10 · 4^N + 2 vertices of 0.3 kg/m², and their 30 · 4^N edges; vertices start at up to `speed` along each axis.
fn ball(n: usize, speed: f64) -> Result<Ball, ModelError> {
    let (points, triangles) = icosphere(n);
    let order = shuffled(points.len());
    let top = (0..points.len()).max_by(|&a, &b| points[a][1].total_cmp(&points[b][1]));
    let area = std::f64::consts::PI; // of a sphere one metre across
    let w = points.len() as f64 / (0.3 * area);
    let mut random = Random(2);
    let mut place = vec![0; points.len()];
    let mut model = Model::new();
    for &vertex in &order {
        let pinned = Some(vertex) == top;
        let x = points[vertex].map(|v| v * 0.5);
        let v = if pinned { 0.0 } else { speed };
        let v = [(); 3].map(|()| random.within(v));
        place[vertex] = model.add_particle(x, v, if pinned { 0.0 } else { w })?;
    }
    let triangles: Vec<[u32; 3]> = triangles
        .iter()
        .map(|t| t.map(|vertex| place[vertex]))
        .collect();
    // Each edge is walked once each way, and has an opposite corner on each walk.
    let sides = || {
        let sides = |&[a, b, c]: &[u32; 3]| [([a, b], c), ([b, c], a), ([c, a], b)];
        triangles.iter().flat_map(sides)
    };
    let opposite: HashMap<[u32; 2], u32> = sides().collect();
    let edges = sides().filter(|([a, b], _)| a < b);
    let mut hinges: Vec<[u32; 4]> = edges
        .map(|([a, b], wing)| [a, b, wing, opposite[&[b, a]]])
        .collect();
    hinges.sort_unstable();
    model.add_triangles(triangles);
    Ok(Ball { model, hinges })
}

fn build(n: usize) -> Result<Model, ModelError> {
    let Ball { mut model, hinges } = ball(n, 0.0)?;
    for [a, b, ..] in hinges {
        model.add(Distance, [a, b], [None], COMPLIANCE)?;
    }
    Ok(model)
}

fn build_bending(n: usize) -> Result<Model, ModelError> {
    // An edge is about 0.55 / 2^N m; nothing goes further than a tenth of it.
    let speed = DAMPING * 0.055 / f64::from(1_u32 << n);
    let Ball { mut model, hinges } = ball(n, speed)?;
    model.settings.gravity = [0.0; 3];
    model.settings.damping = DAMPING;
    for hinge in hinges {
        model.add(Bending, hinge, [None], COMPLIANCE)?;
    }
    Ok(model)
}

/// A unit icosphere: an icosahedron whose triangles are split in four `n` times, wound outward.
pub(super) fn icosphere(n: usize) -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
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

/// A permutation of `0..len`, the same on every machine (Fisher-Yates).
fn shuffled(len: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut random = Random(1);
    for i in (1..len).rev() {
        order.swap(i, random.whole() % (i + 1));
    }
    order
}
