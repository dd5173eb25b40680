//! Overlapping clusters for a cloud of particles: what makes a jelly of any mesh.

use std::collections::BTreeMap;

/// Cells along the longest side of a body, at most: fewer where they would not hold all of it together.
const CELLS: u32 = 6;

/// Clusters of particles in overlapping cubes, two cells wide and a cell apart: every particle is in eight of them, so that
/// neighbors hold each other. Cubes that do not overlap come together, so that their clusters may be projected together.
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
    let clusters = (1..=CELLS).rev().map(|cells| {
        let cell = longest * (1.0 + 1e-6) / f64::from(cells);
        cubes(&at, particles, bounds[0], cell)
    });
    let mut connected = clusters.filter(|clusters| hold_together(clusters, particles));
    connected.next().unwrap_or_else(whole)
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

/// Whether clusters that share a particle lead from every particle to every other.
fn hold_together(clusters: &[Vec<u32>], particles: &[u32]) -> bool {
    let mut of: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (which, cluster) in clusters.iter().enumerate() {
        cluster.iter().for_each(|&i| of.entry(i).or_default().push(which));
    }
    let mut reached = vec![false; clusters.len()];
    let mut waiting = vec![0];
    while let Some(which) = waiting.pop() {
        if which < clusters.len() && !std::mem::replace(&mut reached[which], true) {
            waiting.extend(clusters[which].iter().flat_map(|i| &of[i]).copied());
        }
    }
    of.len() == particles.len() && reached.iter().all(|&r| r)
}
