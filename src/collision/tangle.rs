//! Whether a cloth has passed through itself: which of its edges pass through which of its triangles.
//!
//! An edge passes through a triangle if its ends lie on different sides of the triangle's plane and the edge's line inside
//! the triangle's sides. Sides are signs of determinants in f64 of the f32 positions, with a bound on their rounding error
//! (Shewchuk, *Adaptive Precision Floating-Point Arithmetic*, 1997, section 4.4): ends that lie in the plane within it are on
//! neither side, a line within it of a side counts as inside. Those that share a corner cannot pass.

use super::boxes::{around, overlap};
use super::grid::Grid;
use crate::math::{Real, Vec3};
use crate::mesh::unique_edges;
use crate::threads::Team;

/// So many candidates are asked, and so many more for each edge: what has collapsed into one place is taken as it is then.
const MOST_ASKED: usize = 1 << 27;
pub(super) const MOST_OF_AN_EDGE: usize = 1000;

/// How many pairs of an edge and a triangle pass through each other.
pub fn tangles(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> usize {
    let edges = unique_edges(triangles);
    let Some(near) = TriangleGrid::new(positions, triangles, &edges) else {
        return 0;
    };
    let mut count = 0;
    // Candidates are asked beyond those that the search for contacts keeps, but not without end.
    let mut left = MOST_ASKED + MOST_OF_AN_EDGE * edges.len();
    for &edge in &edges {
        near.passed(positions, triangles, edge, &mut left, |_| count += 1);
    }
    count
}

/// Where the triangles of a cloth are, for edges that may pass through them.
pub(super) struct TriangleGrid {
    grid: Grid,
    /// Those that have an area: through others nothing passes.
    triangles: Vec<u32>,
}

impl TriangleGrid {
    /// Of those that `edges` may pass through; none where a place is not finite, or none has an area.
    pub(super) fn new(
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
        edges: &[[u32; 2]],
    ) -> Option<Self> {
        let far = |points: &[u32]| {
            let center = middle(positions, points);
            points.iter().fold(0.0, |far, &i| (at(positions, i) - center).length().max(far))
        };
        let of = |lists: &mut dyn Iterator<Item = f64>| lists.fold(0.0, f64::max);
        let search_radius =
            of(&mut triangles.iter().map(|t| far(t))) + of(&mut edges.iter().map(|e| far(e)));
        // No edge reaches a triangle whose center is further away; rounding of the centers stays below the added part.
        let search_radius = search_radius * 1.001 + 1e-6;
        if !search_radius.is_finite() {
            return None;
        }
        let triangle = |t: u32| triangles[t as usize];
        let has_area = |t: &u32| {
            let [a, b, c] = triangle(*t).map(|i| at(positions, i));
            (b - a).cross(c - a) != Vec3::zero()
        };
        let kept: Vec<u32> = (0..triangles.len() as u32).filter(has_area).collect();
        if kept.is_empty() {
            return None;
        }
        let grid = Grid::new(kept.len(), search_radius, 1);
        let place = |t: usize| rounded(positions, &triangle(kept[t]));
        Team::alone().run(|worker| grid.build(worker, place));
        Some(Self { grid, triangles: kept })
    }

    /// Gives the triangles that `edge` passes through to `act`; asks no more than are `left`, which become fewer.
    pub(super) fn passed(
        &self,
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
        edge: [u32; 2],
        left: &mut usize,
        mut act: impl FnMut(u32),
    ) {
        let bounds = around(edge.map(|i| positions[i as usize]));
        for range in self.grid.near(rounded(positions, &edge)).iter() {
            for i in range {
                if *left == 0 {
                    return;
                }
                *left -= 1;
                let index = self.triangles[self.grid.order()[i] as usize];
                let triangle = triangles[index as usize];
                if !overlap(bounds, around(triangle.map(|i| positions[i as usize]))) {
                    continue;
                }
                let shares = triangle.iter().any(|i| edge.contains(i));
                let place = |i| at(positions, i);
                if !shares && passes(edge.map(place), triangle.map(place)) {
                    act(index);
                }
            }
        }
    }
}

fn at(positions: &[[f32; 3]], i: u32) -> Vec3<f64> {
    Vec3::<f64>::of(positions[i as usize].map(f64::from))
}

fn middle(positions: &[[f32; 3]], points: &[u32]) -> Vec3<f64> {
    let mut sum = Vec3::zero();
    for &i in points {
        sum += at(positions, i);
    }
    sum * (1.0 / points.len() as f64)
}

fn rounded(positions: &[[f32; 3]], points: &[u32]) -> [f32; 3] {
    let v = middle(positions, points);
    [v.x as f32, v.y as f32, v.z as f32]
}

fn passes([p, q]: [Vec3<f64>; 2], [a, b, c]: [Vec3<f64>; 3]) -> bool {
    let (over, under) = (side(a, b, c, p), side(a, b, c, q));
    if over * under >= 0 {
        return false;
    }
    let sides = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    !(sides.contains(&1) && sides.contains(&-1))
}

/// The sign of (b - a) × (c - a) · (d - a); 0 where rounding hides it.
fn side(a: Vec3<f64>, b: Vec3<f64>, c: Vec3<f64>, d: Vec3<f64>) -> i32 {
    // Differences of f32 numbers are exact in f64, but for numbers of very different size.
    let (u, v, w) = (b - a, c - a, d - a);
    let determinant = u.cross(v).dot(w);
    let absolute = |v: Vec3<f64>| Vec3::new(Real::abs(v.x), Real::abs(v.y), Real::abs(v.z));
    let (u, v, w) = (absolute(u), absolute(v), absolute(w));
    let permanent = (u.y * v.z + u.z * v.y) * w.x
        + (u.z * v.x + u.x * v.z) * w.y
        + (u.x * v.y + u.y * v.x) * w.z;
    let bound = 1e-15 * permanent;
    match determinant {
        d if d > bound => 1,
        d if d < -bound => -1,
        _ => 0,
    }
}
