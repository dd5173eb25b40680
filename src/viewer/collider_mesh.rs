//! Colliders as triangles to draw.

use crate::collision::{Collider, Shape, Solid};
use crate::math::Vec3;
use std::f64::consts::{PI, TAU};

/// Corners of a ball around, and from pole to pole.
const AROUND: usize = 48;
const DOWN: usize = 24;

/// Corners (m) and triangles.
pub(super) type Outline = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// A collider at `time`; a plane has no triangles.
pub(super) fn outline(collider: &Collider, time: f64) -> Outline {
    let pose = collider.pose(time);
    let (points, triangles) = match collider.solid() {
        // The ground shows floors; other planes would hide what they hold.
        Solid::Shape(Shape::Plane { .. }) => Default::default(),
        Solid::Shape(Shape::Sphere { radius }) => ball(Vec3::zero(), *radius),
        Solid::Shape(Shape::Capsule { half, radius }) => ball(Vec3::of(*half), *radius),
        Solid::Shape(Shape::Box { half_size }) => cuboid(*half_size),
        Solid::Mesh(mesh) => {
            let points: Vec<Vec3<f64>> = mesh.faces().flatten().collect();
            let firsts = (0..points.len() as u32).step_by(3);
            (points, firsts.map(|i| [i, i + 1, i + 2]).collect())
        }
    };
    let placed = points.into_iter().map(|p| pose.world(p).to_array());
    let placed = placed.map(|p| p.map(|v| v as f32));
    (placed.collect(), triangles)
}

/// Two unit vectors across a unit vector.
fn across(n: Vec3<f64>) -> (Vec3<f64>, Vec3<f64>) {
    let other = match n.x.abs() < 0.9 {
        true => Vec3::new(1.0, 0.0, 0.0),
        false => Vec3::new(0.0, 1.0, 0.0),
    };
    let u = n.cross(other);
    let u = u * (1.0 / u.dot(u).sqrt());
    (u, n.cross(u))
}

/// A ball, or the two halves of one drawn apart to ±`half`.
fn ball(half: Vec3<f64>, radius: f64) -> (Vec<Vec3<f64>>, Vec<[u32; 3]>) {
    let length = half.dot(half).sqrt();
    let axis = match length > 0.0 {
        true => half * (1.0 / length),
        false => Vec3::new(0.0, 1.0, 0.0),
    };
    let (u, v) = across(axis);
    let mut points = Vec::new();
    for j in 0..=DOWN {
        let (sin, cos) = (PI * j as f64 / DOWN as f64).sin_cos();
        let center = if 2 * j <= DOWN { half } else { -half };
        for i in 0..AROUND {
            let (s, c) = (TAU * i as f64 / AROUND as f64).sin_cos();
            points.push(center + axis * (radius * cos) + (u * c + v * s) * (radius * sin));
        }
    }
    let at = |i: usize, j: usize| (j * AROUND + i % AROUND) as u32;
    let cells = (0..DOWN).flat_map(|j| (0..AROUND).map(move |i| (i, j)));
    let faces = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (points, faces.collect())
}

fn cuboid(half: [f64; 3]) -> (Vec<Vec3<f64>>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    let axis = |k: usize| Vec3::of([0, 1, 2].map(|i| if i == k { half[i] } else { 0.0 }));
    for k in 0..3 {
        for sense in [1.0, -1.0] {
            let first = points.len() as u32;
            let [n, u, v] = [k, (k + 1) % 3, (k + 2) % 3].map(axis);
            let (n, u) = (n * sense, u * sense);
            points.extend([n - u - v, n + u - v, n + u + v, n - u + v]);
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
    }
    (points, triangles)
}
