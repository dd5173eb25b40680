//! Overlapping clusters for a cloud of particles: what makes a jelly of any mesh.

use super::flow::spread;
use super::plus;
use crate::math::Vec3;
use std::collections::{BTreeMap, BTreeSet};

/// Cells along the longest side of a body, at most: fewer where they would not hold all of it together.
const CELLS: u32 = 6;
/// Points are flat, or in a line, whose second moments say so: det Q / (tr Q)³ is t²/27 of a plate of thickness t times its side.
/// (A plastic cluster must have more than a thousandth of this.)
const FLAT: f64 = 1e-6;
/// The same of a line: the sum of Q's principal minors over (tr Q)².
const LINE: f64 = 1e-4;

/// Clusters of particles in overlapping cubes, two cells wide and a cell apart: most particles are in eight of them, so that
/// neighbors hold each other. Cubes that do not overlap come together, so that their clusters may be projected together. A cube of
/// a solid body that holds one layer of particles is left out, as it has no volume to keep; fewer cells then hold what is in no other.
///
/// # Panics
/// If a particle has no position.
pub fn regions(positions: &[[f32; 3]], particles: &[u32]) -> Vec<Vec<u32>> {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    let at = |i: u32| positions[i as usize].map(f64::from);
    for &i in particles {
        for (axis, x) in at(i).into_iter().enumerate() {
            bounds[0][axis] = bounds[0][axis].min(x);
            bounds[1][axis] = bounds[1][axis].max(x);
        }
    }
    let longest = (0..3).map(|axis| bounds[1][axis] - bounds[0][axis]);
    let longest = longest.fold(0.0, f64::max);
    if longest <= 0.0 {
        return vec![particles.to_vec()];
    }
    let whole = || vec![particles.to_vec()];
    let dimensions = dimensions(&at, particles.iter().copied());
    let mut clusters = (1..=CELLS).rev().map(|cells| {
        let cell = longest * (1.0 + 1e-6) / f64::from(cells);
        let mut cubes = cubes(&at, particles, bounds[0], cell);
        cubes.retain(|cube| self::dimensions(&at, cube.iter().copied()) >= dimensions);
        cubes
    });
    let held = |clusters: &Vec<Vec<u32>>| hold_together(&at, clusters, particles, dimensions);
    clusters.find(held).unwrap_or_else(whole)
}

/// The particles in each cube, by parity first: cubes of one parity lie two cells apart.
fn cubes(
    at: &impl Fn(u32) -> [f64; 3],
    particles: &[u32],
    least: [f64; 3],
    cell: f64,
) -> Vec<Vec<u32>> {
    let mut cubes: BTreeMap<([i32; 3], [i32; 3]), Vec<u32>> = BTreeMap::new();
    for &i in particles {
        let x = at(i);
        let slot: [i32; 3] = std::array::from_fn(|axis| ((x[axis] - least[axis]) / cell) as i32);
        for corner in 0..8 {
            let cube: [i32; 3] = std::array::from_fn(|axis| slot[axis] + ((corner >> axis) & 1));
            let parity = cube.map(|c| c % 2);
            cubes.entry((parity, cube)).or_default().push(i);
        }
    }
    // Fewer than four are no solid.
    cubes.into_values().filter(|cube| cube.len() >= 4).collect()
}

/// How many dimensions particles span: 3 of a solid, 2 of what is flat, 1 of a line or less.
fn dimensions(at: &impl Fn(u32) -> [f64; 3], particles: impl Iterator<Item = u32> + Clone) -> u32 {
    let points = || particles.clone().map(|i| Vec3::of(at(i)));
    let count = points().count() as f64;
    let sum = points().fold(Vec3::zero(), |sum: Vec3<f64>, x| sum + x);
    let center = sum * (1.0 / count.max(1.0));
    let moments = points().map(|x| spread(x - center, 1.0));
    let [xx, yy, zz, xy, xz, yz] = moments.fold([0.0; 6], plus);
    let size = xx + yy + zz;
    let minors = [yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy];
    let det = xx * minors[0] - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    if det > FLAT * size.powi(3) {
        3
    } else if minors.iter().sum::<f64>() > LINE * size * size {
        2
    } else {
        1
    }
}

/// Whether clusters hold every particle, one cluster after another to what those before hold: by particles that are not in a line,
/// about which it could turn as about a hinge (of a body that is one, by two).
fn hold_together(
    at: &impl Fn(u32) -> [f64; 3],
    clusters: &[Vec<u32>],
    particles: &[u32],
    of_body: u32,
) -> bool {
    let Some((first, rest)) = clusters.split_first() else { return false };
    let mut held: BTreeSet<u32> = first.iter().copied().collect();
    let mut waiting: Vec<&Vec<u32>> = rest.iter().collect();
    let mut before = 0;
    while before != held.len() {
        before = held.len();
        waiting.retain(|cluster| {
            let shared = cluster.iter().copied().filter(|i| held.contains(i));
            let count = shared.clone().count();
            let holds = count > 1 && dimensions(at, shared) >= of_body.min(2);
            if holds {
                held.extend(cluster.iter().copied());
            }
            !holds
        });
    }
    waiting.is_empty() && held.len() == particles.len()
}
