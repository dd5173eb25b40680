//! Levels of graphs that can be counted by hand.

use super::levels::{Edge, Graph};

/// A chain of `n` links of one metre and one kilogram a particle, the first pinned.
fn chain(n: u32) -> Graph {
    let edge = |i: u32| Edge { ends: [i, i + 1], length: 1.0, compliance: 0.5 };
    let inverse_masses = (0..=n).map(|i| if i == 0 { 0.0 } else { 1.0 }).collect();
    Graph { inverse_masses, edges: (0..n).map(edge).collect() }
}

#[test]
fn every_second_particle_of_a_chain_is_kept() {
    let level = chain(8).coarser().unwrap();
    assert_eq!(level.kept, [0, 2, 4, 6, 8]);
    let ends: Vec<_> = level.graph.edges.iter().map(|e| (e.ends, e.length, e.compliance)).collect();
    assert_eq!(ends, [0, 1, 2, 3].map(|i| ([i, i + 1], 2.0, 1.0)));
    // Half of each neighbor that is left out; the pinned one takes its half of the first.
    assert_eq!(level.graph.inverse_masses, [0.0, 0.5, 0.5, 0.5, 1.0 / 1.5]);
    let again = level.graph.coarser().unwrap();
    assert_eq!(again.kept, [0, 2, 4]);
    assert_eq!(again.graph.edges.iter().map(|e| e.length).sum::<f64>(), 8.0);
}

/// Of a grid with both diagonals, so that distances over two edges are those of the plane.
#[test]
fn a_level_of_a_grid_has_the_lengths_of_the_plane_and_all_of_the_mass() {
    const N: u32 = 17;
    let place = |i: u32| [f64::from(i % N), f64::from(i / N)];
    let length = |a: u32, b: u32| (place(a)[0] - place(b)[0]).hypot(place(a)[1] - place(b)[1]);
    let pairs = (0..N * N).flat_map(|a| (a + 1..N * N).map(move |b| (a, b)));
    let near = pairs.filter(|&(a, b)| length(a, b) < 1.5);
    let edges = near.map(|(a, b)| Edge { ends: [a, b], length: length(a, b), compliance: 0.0 });
    let inverse_masses = (0..N * N).map(|i| 1.0 / (1.0 + f64::from(i % 3))).collect();
    let mut graph = Graph { inverse_masses, edges: edges.collect() };
    let mass = |graph: &Graph| graph.inverse_masses.iter().map(|w| 1.0 / w).sum::<f64>();
    let (whole, mut authored) = (mass(&graph), (0..N * N).collect::<Vec<_>>());
    for level in 1..4 {
        let coarser = graph.coarser().unwrap();
        authored = coarser.kept.iter().map(|&i| authored[i as usize]).collect();
        graph = coarser.graph;
        assert!((mass(&graph) / whole - 1.0).abs() < 1e-12, "level {level}");
        for share in &coarser.shares {
            let sum: f64 = share.parents.iter().map(|(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
        for Edge { ends, length: found, .. } in &graph.edges {
            let [a, b] = ends.map(|i| authored[i as usize]);
            assert!((found / length(a, b) - 1.0).abs() < 1e-12, "{a} {b} at level {level}");
        }
    }
    assert_eq!(authored.len(), 9);
}

#[test]
fn what_cannot_be_coarser_has_no_level() {
    assert!(chain(1).coarser().is_none_or(|level| level.graph.edges.is_empty()));
    assert!(Graph { inverse_masses: vec![1.0; 3], edges: Vec::new() }.coarser().is_none());
}
