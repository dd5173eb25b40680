//! Contours of two sheets, against their length; and what passes through nothing.

use super::super::cloth_graph::ClothGraph;
use super::super::contours::{Contours, Crossing};
use super::super::tangle::{TriangleGrid, tangles};
use crate::math::Vec3;
use crate::mesh::unique_edges;

const N: u32 = 7;

/// A wavy sheet, and one that stands askew through it, the second displaced.
fn sheets(by: [f64; 3]) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let (mut x, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..2 * N * N {
        let [u, v] = [i % N, i / N % N].map(|k| f64::from(k) / 6.0 - 0.5);
        let wave = 0.05 * (7.0 * u + 4.0 * v).sin();
        let place = match i / (N * N) {
            0 => [u, wave, v],
            _ => [0.03 + wave + 0.3 * v + by[0], 1.1 * u + 0.02 + by[1], v + 0.37 + by[2]],
        };
        x.push(place.map(|v| v as f32));
        if i % N + 1 < N && i / N % N + 1 < N {
            triangles.extend([[i, i + 1, i + N + 1], [i, i + N + 1, i + N]]);
        }
    }
    (x, triangles)
}

/// How long all segments are that two triangles of different sheets share.
fn length(x: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    let at = |i: u32| Vec3::<f64>::of(x[i as usize].map(f64::from));
    let half = triangles.len() / 2;
    let mut sum = 0.0;
    for s in &triangles[..half] {
        for t in &triangles[half..] {
            let mut ends = Vec::new();
            for (edges, [a, b, c]) in [(s, t.map(at)), (t, s.map(at))] {
                let n = (b - a).cross(c - a);
                for k in 0..3 {
                    let [p, q] = [edges[k], edges[(k + 1) % 3]].map(at);
                    let share = (a - p).dot(n) / (q - p).dot(n);
                    let point = p + (q - p) * share;
                    let inside = [[a, b], [b, c], [c, a]]
                        .iter()
                        .all(|&[from, to]| (to - from).cross(point - from).dot(n) >= 0.0);
                    if (0.0..=1.0).contains(&share) && inside {
                        ends.push(point);
                    }
                }
            }
            if let [a, b] = ends[..] {
                sum += (a - b).length();
            }
        }
    }
    sum
}

/// Half the sum of G, with the sign of the sheet, is how the length falls as one sheet is displaced: against differences of the length,
/// of triangles that are held against each other pair by pair.
#[test]
fn contours_know_how_they_become_shorter() {
    let (x, triangles) = sheets([0.0; 3]);
    let slots: Vec<u32> = (0..x.len() as u32).collect();
    let graph = ClothGraph::new(&triangles, &slots, x.len(), 1);
    let near = TriangleGrid::new(&x, &triangles, &graph.edges).unwrap();
    let mut crossings = Vec::new();
    for (&edge, k) in graph.edges.iter().zip(0..) {
        near.passed(&x, &triangles, edge, &mut 1000, |t| {
            crossings.push(Crossing::new(&graph, &x, [k, t]));
        });
    }
    let contours = Contours::trace(&graph, &crossings);
    assert!(crossings.len() > 8 && contours.count == 1, "{} contours", contours.count);
    let mut sum = Vec3::zero();
    for (k, crossing) in crossings.iter().enumerate() {
        let is_first = graph.edges[crossing.edge as usize][0] < N * N;
        assert_eq!(is_first, contours.sheets[k] == contours.sheets[0], "sheet of {k}");
        let gradient = contours.gradients[k];
        sum += if is_first { -gradient } else { gradient };
    }
    for axis in 0..3 {
        let moved = |by: f64| {
            let mut to = [0.0; 3];
            to[axis] = by;
            length(&sheets(to).0, &triangles)
        };
        let expected = (moved(-1e-3) - moved(1e-3)) / 2e-3;
        let found = 0.5 * sum.to_array()[axis];
        assert!((found - expected).abs() < 0.03, "axis {axis}: {found} in place of {expected}");
    }
}

/// Nothing passes through a triangle without an area, which takes no other's place.
#[test]
fn what_has_no_area_is_not_passed() {
    let (mut x, mut triangles) = sheets([0.0; 3]);
    let passed = tangles(&x, &triangles);
    // Three corners on a line, two of whose edges pass through the first sheet; before all others.
    let first = x.len() as u32;
    x.extend([-1.0, 0.3, 1.0].map(|y| [0.11, y, 0.07]));
    let flat = [first, first + 1, first + 2];
    assert_eq!(tangles(&x, &[flat]), 0);
    triangles.insert(0, flat);
    let edges = unique_edges(&[flat]);
    let near = TriangleGrid::new(&x, &triangles, &edges).unwrap();
    let mut through = 0;
    for &edge in &edges {
        near.passed(&x, &triangles, edge, &mut 1000, |t| {
            assert_ne!(t, 0);
            through += 1;
        });
    }
    assert_eq!([through, tangles(&x, &triangles)], [2, passed + 2]);
}
