//! Bodies that are meshes, ground of triangles, and particles on both: as boxes and planes are; the same bits by every method.

mod grounds;
mod particles;
mod refused;
mod resting;
mod tipping;

use super::stacking::UPRIGHT;
use crate::Simulation;
use crate::collision::Collider;
use crate::rigid::{Body, Shape};
use std::sync::Arc;

/// A box as a mesh, its faces cut in `n` x `n` squares.
pub(super) fn mesh_of_box(half: [f64; 3], n: usize) -> Shape {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    let mut number = |i: [usize; 3]| {
        let x: [f32; 3] =
            [0, 1, 2].map(|k| (half[k] * (2.0 * i[k] as f64 / n as f64 - 1.0)) as f32);
        let known = corners.iter().position(|c| *c == x);
        known.unwrap_or_else(|| {
            corners.push(x);
            corners.len() - 1
        }) as u32
    };
    for k in 0..3 {
        for side in [0, n] {
            for i in 0..n * n {
                let at = |u: usize, v: usize| {
                    let mut at = [side; 3];
                    (at[(k + 1) % 3], at[(k + 2) % 3]) = (i % n + u, i / n + v);
                    at
                };
                let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)].map(&mut number);
                let two = match side == n {
                    true => [[a, b, c], [a, c, d]],
                    false => [[a, c, b], [a, d, c]],
                };
                triangles.extend(two);
            }
        }
    }
    Shape::Mesh(Arc::new((corners, triangles)))
}

fn tetrahedron(size: f32) -> Shape {
    let corners = [[1.0; 3], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
    let corners = corners.map(|x: [f32; 3]| x.map(|v| size * v)).to_vec();
    Shape::Mesh(Arc::new((corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])))
}

fn speed(simulation: &Simulation, i: usize) -> f64 {
    let v = simulation.snapshot().body_velocities[i];
    f64::from(v[..3].iter().map(|v| v * v).sum::<f32>().sqrt())
}

fn rubbing(mut body: Body, mu: f64) -> Body {
    body.friction = Some(mu);
    body
}

/// A plane of triangles in the square of `half`, cut in `n` x `n` and shifted so that nothing lies on its sides.
pub(super) fn ground(half: f64, n: usize) -> Collider {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..(n + 1) * (n + 1) {
        let at = |k: usize| half * (2.0 * k as f64 / n as f64 - 1.0) + 0.013;
        points.push([at(i % (n + 1)), 0.0, at(i / (n + 1))]);
    }
    for i in 0..n * n {
        let a = (i / n * (n + 1) + i % n) as u32;
        let [b, c, d] = [a + 1, a + n as u32 + 2, a + n as u32 + 1];
        triangles.extend([[a, c, b], [a, d, c]]);
    }
    Collider::mesh(&points, &triangles, [0.0; 3], UPRIGHT).expect("a ground")
}
