//! `bunny:N`: a rabbit of ellipsoids cut from N³ cells.

use super::prelude::*;
use crate::constraints::Volume;
use crate::math::Vec3;
use crate::mesh::{surface_triangles, unique_edges};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "bunny", role: Watched, size: 24, seconds: 1.0, color: FUR, sizes: (12, 64), build: bunny, check: |m, s| stays_within(0.5, m, s),
        about: "a rabbit of ellipsoids cut from N^3 cells, its foot pinned, its ears free: distance and volume" },
];

/// Centers and half axes of the rabbit's ellipsoids (m): body, tail, head, ears, paws.
const RABBIT: [([f64; 3], [f64; 3]); 8] = [
    ([0.00, 0.32, 0.00], [0.34, 0.30, 0.26]),
    ([0.34, 0.26, 0.00], [0.10, 0.10, 0.10]),
    ([-0.26, 0.66, 0.00], [0.20, 0.18, 0.17]),
    ([-0.20, 0.93, 0.10], [0.07, 0.24, 0.06]),
    ([-0.20, 0.93, -0.10], [0.07, 0.24, 0.06]),
    ([-0.26, 0.10, 0.15], [0.15, 0.10, 0.09]),
    ([-0.26, 0.10, -0.15], [0.15, 0.10, 0.09]),
    ([0.10, 0.12, 0.00], [0.28, 0.13, 0.27]),
];

/// Below zero inside: the least of the ellipsoids' own, with its gradient.
fn rabbit(x: Vec3<f64>) -> (f64, Vec3<f64>) {
    let mut best = (f64::INFINITY, Vec3::zero());
    for (center, axes) in RABBIT {
        let p = x - Vec3::of(center);
        let scaled = Vec3::new(p.x / axes[0], p.y / axes[1], p.z / axes[2]);
        let size = scaled.length().max(1e-9);
        let slope = Vec3::new(scaled.x / axes[0], scaled.y / axes[1], scaled.z / axes[2]);
        let slope = slope * (1.0 / size);
        let distance = (size - 1.0) / slope.length();
        if distance < best.0 {
            best = (distance, slope * (1.0 / slope.length()));
        }
    }
    best
}

/// The vertices that elements name, ascending.
fn used<const N: usize>(elements: &[[u32; N]]) -> Vec<u32> {
    let mut used = elements.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    used
}

/// The cells whose centers lie inside, their outer corners moved onto the surface where no tetrahedron minds.
fn bunny(n: usize) -> Result<Model, ModelError> {
    let side = 1.2;
    let step = side / n as f64;
    let grid = Grid::cube(n + 1);
    let position = |i: u32| {
        let at = grid.point(i).map(|k| k as f64 * step);
        Vec3::new(at[0] - 0.5 * side, at[1], at[2] - 0.5 * side)
    };
    let inside = |corners: &[u32; 4]| {
        let sum = corners.iter().fold(Vec3::zero(), |sum, &i| sum + position(i));
        rabbit(sum * 0.25).0 < 0.1 * step
    };
    let tetrahedra = grid.tetrahedra().into_iter().map(|(corners, _)| corners);
    let kept: Vec<[u32; 4]> = tetrahedra.filter(inside).collect();
    let used = used(&kept);
    let number = |i: u32| used.binary_search(&i).expect("it is used") as u32;
    let kept: Vec<[u32; 4]> = kept.into_iter().map(|c| c.map(number)).collect();
    let mut at: Vec<Vec3<f64>> = used.iter().map(|&i| position(i)).collect();
    smooth(&mut at, &kept, step);
    let mut model = Model::new();
    let mass = 1000.0 * 0.1 / at.len() as f64;
    for x in &at {
        let w = if x.y < 0.06 { 0.0 } else { 1.0 / mass };
        model.add_particle(x.to_array(), [0.0; 3], w)?;
    }
    for edge in unique_edges(&kept) {
        model.add(Distance, edge, [None], Stiffness::Compliance(2e-5))?;
    }
    for &corners in &kept {
        model.add(Volume, corners, [None], Stiffness::Factor(0.9))?;
    }
    (model.settings.substeps, model.settings.iterations) = (4, 4);
    let skin = surface_triangles(model.positions(), &kept);
    model.add_triangles(skin);
    Ok(model)
}

/// Moves the skin's points towards the surface, and back where a tetrahedron would lose its volume.
fn smooth(at: &mut [Vec3<f64>], tetrahedra: &[[u32; 4]], step: f64) {
    let start = at.iter().map(|x| x.to_array().map(|v| v as f32));
    let start: Vec<[f32; 3]> = start.collect();
    let outer = used(&surface_triangles(&start, tetrahedra));
    let least = 0.03 * step * step * step;
    for _ in 0..4 {
        let before = at.to_vec();
        for &i in &outer {
            let x = at[i as usize];
            let (distance, normal) = rabbit(x);
            at[i as usize] = x - normal * distance.clamp(-0.4 * step, 0.4 * step) * 0.6;
        }
        for _ in 0..8 {
            let is_flat = |t: &&[u32; 4]| {
                let [a, b, c, d] = t.map(|i| at[i as usize]);
                (b - a).dot((c - a).cross(d - a)) / 6.0 < least
            };
            let flat: Vec<[u32; 4]> = tetrahedra.iter().filter(is_flat).copied().collect();
            for i in flat.into_iter().flatten() {
                at[i as usize] = before[i as usize];
            }
        }
    }
}
