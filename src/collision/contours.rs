//! Where two sheets of a cloth pass through each other: contours, and how they become shorter.
//!
//! Two triangles that pass through each other share a segment. Its ends are crossings, of an edge of one triangle with the
//! other triangle; segments that share a crossing are a contour. An edge with direction E that is displaced by δ against a
//! triangle with normal N meets its plane at a point that moves by
//!
//! ```text
//! dP = δ - (δ·N) / (E·N) E
//! ```
//!
//! With R the direction of the segment from there, in each triangle of the edge, the contour becomes shorter by Σ G·δ / 2:
//!
//! ```text
//! G = Σ_triangles R - 2 (E·R) / (E·N) N
//! ```
//!
//! (Volino and Magnenat-Thalmann, *Resolving Surface Collisions through Intersection Contour Minimization*, 2006.) The sum is over
//! all crossings, with the sign of the sheet that the edge belongs to. Half of it, as the segment between an edge of each sheet
//! goes along with both: dP counts from either sheet in turn.

use super::cloth_graph::ClothGraph;
use crate::math::Vec3;
use crate::mesh::sorted;

/// What edges almost in a triangle's plane count at most: (E·R) / (E·N) within this.
const STEEPEST: f64 = 4.0;

/// An edge that passes through a triangle.
pub(super) struct Crossing {
    pub(super) edge: u32,
    pub(super) triangle: u32,
    /// Where (m).
    point: Vec3<f64>,
    /// The directions of the edge and of the triangle's normal; zero where there is none.
    pub(super) along: Vec3<f64>,
    pub(super) normal: Vec3<f64>,
}

impl Crossing {
    pub(super) fn new(graph: &ClothGraph, x: &[[f32; 3]], [edge, triangle]: [u32; 2]) -> Self {
        let at = |i: u32| Vec3::<f64>::of(x[i as usize].map(f64::from));
        let [p, q] = graph.edges[edge as usize].map(at);
        let [a, b, c] = graph.triangles[triangle as usize].map(at);
        let normal = unit((b - a).cross(c - a));
        let [before, after] = [(p - a).dot(normal), (q - a).dot(normal)];
        let share = before / (before - after);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        Self { edge, triangle, point: p + (q - p) * share, along: unit(q - p), normal }
    }

    /// What the segment that leads to `to` adds to G.
    fn shortens(&self, to: Vec3<f64>) -> Vec3<f64> {
        let r = unit(to - self.point);
        let slope = self.along.dot(r) / self.along.dot(self.normal);
        let slope = if slope.is_nan() { 0.0 } else { slope.clamp(-STEEPEST, STEEPEST) };
        r - self.normal * (2.0 * slope)
    }
}

/// The direction of a vector; zero where there is none.
pub(super) fn unit(v: Vec3<f64>) -> Vec3<f64> {
    let length = v.length();
    let is_some = length > 0.0 && length.is_finite();
    if is_some { v * (1.0 / length) } else { Vec3::zero() }
}

/// Crossings in contours.
pub(super) struct Contours {
    /// The contour of each crossing.
    pub(super) of: Vec<u32>,
    /// Of which of the contour's two sheets each crossing's edge is.
    pub(super) sheets: Vec<usize>,
    /// G of each crossing.
    pub(super) gradients: Vec<Vec3<f64>>,
    /// How many contours there are.
    pub(super) count: usize,
}

impl Contours {
    /// Joins crossings.
    pub(super) fn trace(graph: &ClothGraph, crossings: &[Crossing]) -> Self {
        // Each segment by its triangles, the lesser first, and the crossings at its ends: is it of an edge of the first?
        let mut ends = Vec::new();
        for (crossing, k) in crossings.iter().zip(0_u32..) {
            for &side in &graph.sides[crossing.edge as usize] {
                let pair = sorted([side, crossing.triangle]);
                ends.push((pair, k, usize::from(side != pair[0])));
            }
        }
        ends.sort_unstable();
        let mut gradients = vec![Vec3::zero(); crossings.len()];
        let mut joined = vec![Vec::new(); crossings.len()];
        for segment in ends.chunk_by(|a, b| a.0 == b.0) {
            // Alone where the triangles share a corner, and the contour ends there.
            let [(_, i, first), (_, j, second)] = *segment else { continue };
            let [one, other] = [i, j].map(|k| &crossings[k as usize]);
            gradients[i as usize] += one.shortens(other.point);
            gradients[j as usize] += other.shortens(one.point);
            joined[i as usize].push((j, first ^ second));
            joined[j as usize].push((i, first ^ second));
        }
        let (of, sheets, count) = follow(&joined);
        Self { of, sheets, gradients, count }
    }
}

/// The contour and the sheet of each crossing, and how many contours there are; `joined` gives the crossings that each is joined
/// to, and one where their edges are of different sheets.
fn follow(joined: &[Vec<(u32, usize)>]) -> (Vec<u32>, Vec<usize>, usize) {
    let (mut of, mut sheets) = (vec![u32::MAX; joined.len()], vec![0; joined.len()]);
    let mut count = 0;
    for start in 0..joined.len() {
        if of[start] != u32::MAX {
            continue;
        }
        of[start] = count;
        let mut open = vec![start];
        while let Some(k) = open.pop() {
            for &(next, turns) in &joined[k] {
                let next = next as usize;
                if of[next] == u32::MAX {
                    (of[next], sheets[next]) = (count, sheets[k] ^ turns);
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    (of, sheets, count as usize)
}
