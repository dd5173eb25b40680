//! `sphere:N`: a ball's skin without any structure to find: an icosphere whose vertices are shuffled.

use super::prelude::*;
use crate::math::length;
use crate::mesh::survey_surface;
use std::collections::HashMap;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "sphere", role: Timed, size: 5, seconds: 1.5, color: RUBBER, sizes: (0, 9), build: sphere, check: hangs,
        about: "an icosphere of N subdivisions, one metre across, its numbering shuffled, hung from its top vertex by its edges" },
    Scene { name: "sphere-bending", role: Timed, size: 5, seconds: 2.0, color: RUBBER, sizes: (0, 9), build: bending, check: near_its_start,
        about: "the ball of `sphere`, its hinges bending and no edge kept, trembling without gravity" },
];

/// Compliance of every row (m/N; rad/(N m) of a hinge).
const COMPLIANCE: Stiffness = Stiffness::Compliance(1e-7);

/// Viscous damping of the trembling ball (1/s).
const DAMPING: f64 = 5.0;

/// 10 · 4^N + 2 vertices of 0.3 kg/m², and its 30 · 4^N edges, each with the corners opposite to it; vertices start at up to
/// `speed` along each axis.
fn ball(n: usize, speed: f64) -> Result<(Model, Vec<[u32; 4]>), ModelError> {
    let (points, triangles) = icosphere(n);
    let top = (0..points.len()).max_by(|&a, &b| points[a][1].total_cmp(&points[b][1]));
    let area = std::f64::consts::PI; // of a sphere one metre across
    let w = points.len() as f64 / (0.3 * area);
    let mut random = Random(2);
    let mut index = vec![0; points.len()];
    let mut model = Model::new();
    for vertex in shuffled(points.len()) {
        let pinned = Some(vertex) == top;
        let x = points[vertex].map(|v| v * 0.5);
        let v = if pinned { 0.0 } else { speed };
        let v = [(); 3].map(|()| random.within(v));
        index[vertex] = model.add_particle(x, v, if pinned { 0.0 } else { w })?;
    }
    let triangles = triangles.iter().map(|t| t.map(|v| index[v as usize]));
    model.add_triangles(triangles);
    let ascending = |[a, b, c, d]: [u32; 4]| if a < b { [a, b, c, d] } else { [b, a, d, c] };
    let hinges = survey_surface(model.triangles()).interior;
    let mut hinges: Vec<_> = hinges.into_iter().map(ascending).collect();
    hinges.sort_unstable();
    Ok((model, hinges))
}

fn sphere(n: usize) -> Result<Model, ModelError> {
    let (mut model, hinges) = ball(n, 0.0)?;
    for [a, b, ..] in hinges {
        model.add(Distance, [a, b], [None], COMPLIANCE)?;
    }
    Ok(model)
}

fn bending(n: usize) -> Result<Model, ModelError> {
    // An edge is about 0.55 / 2^N m; nothing goes further than a tenth of it.
    let speed = DAMPING * 0.055 / f64::from(1_u32 << n);
    let (mut model, hinges) = ball(n, speed)?;
    model.settings.gravity = [0.0; 3];
    model.settings.damping = DAMPING;
    for hinge in hinges {
        model.add(Bending, hinge, [None], COMPLIANCE)?;
    }
    Ok(model)
}

/// A unit icosphere: an icosahedron whose triangles are split in four `n` times, wound outward.
#[rustfmt::skip]
pub(super) fn icosphere(n: usize) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let g = (1.0 + 5_f64.sqrt()) / 2.0;
    let mut points: Vec<[f64; 3]> = [
        [-1.0, g, 0.0], [1.0, g, 0.0], [-1.0, -g, 0.0], [1.0, -g, 0.0],
        [0.0, -1.0, g], [0.0, 1.0, g], [0.0, -1.0, -g], [0.0, 1.0, -g],
        [g, 0.0, -1.0], [g, 0.0, 1.0], [-g, 0.0, -1.0], [-g, 0.0, 1.0],
    ].map(unit).to_vec();
    let mut triangles = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    for _ in 0..n {
        let mut middles = HashMap::with_capacity(triangles.len() * 3 / 2);
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let [p, q] = [a, b].map(|i| points[i as usize]);
                points.push(unit(std::array::from_fn(|i| p[i] + q[i])));
                points.len() as u32 - 1
            })
        };
        let split = |[a, b, c]: [u32; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    (points, triangles)
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = length(&v);
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
