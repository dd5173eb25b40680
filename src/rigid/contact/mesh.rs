//! A mesh collider as bodies see it: its triangles, one-sided, and which of its sides and corners stand out.
//!
//! What touches a side or a corner does so only where the mesh around falls away from the normal, so that nothing catches on
//! the inner edges of what is flat or hollow:
//!
//! ```text
//! m·(o - p) <= 0        p on the side or corner, o the next corners beyond it
//! ```

use super::manifold::{FoundPoint, Point};
use super::polygon::half_extents;
use crate::collision::{ColliderMesh, Feature};
use crate::math::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sides that bend by less than this (1 - cos) are flat: one degree.
const FLAT: f32 = 1.5e-4;
/// How far the mesh around may rise, in parts of its length.
const RISE: f32 = 1e-3;
/// No corner.
const NONE: u32 = u32::MAX;

/// The triangles of a mesh.
pub(super) struct ContactMesh {
    tree: Arc<ColliderMesh>,
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    pub(super) normals: Vec<Point>,
    /// Across each side of each triangle, the corner beyond; and whether the side stands out, or has nothing beyond.
    beyond: Vec<[(u32, bool); 3]>,
    /// The corners around each corner, and whether any side from it stands out.
    around: Vec<(Vec<u32>, bool)>,
    /// Half the upright box about the origin.
    pub(super) half: Point,
    pub(super) reach: f32,
}

impl std::fmt::Debug for ContactMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.tree.fmt(f)
    }
}

/// A point on a and on b, its gap, the normal from b to a in b's frame, and the radius around the point on a.
pub(super) struct MeshContact {
    pub(super) found: FoundPoint,
    pub(super) normal: Point,
    pub(super) radius: f32,
}

/// Across each side of each triangle, the corner beyond; and whether the side stands out, or has nothing beyond.
fn beyond(points: &[Point], triangles: &[[u32; 3]], normals: &[Point]) -> Vec<[(u32, bool); 3]> {
    let mut behind = BTreeMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let side = [corners[k], corners[(k + 1) % 3]];
            behind.entry(side).or_insert((t, k));
        }
    }
    let at = |i: u32| points[i as usize];
    let beyond = |t: usize, k: usize| {
        let side = [triangles[t][(k + 1) % 3], triangles[t][k]];
        // A border stands out.
        behind.get(&side).map_or((NONE, true), |&(other, j)| {
            let corner = triangles[other][(j + 2) % 3];
            let bent = 1.0 - normals[t].dot(normals[other]) > FLAT;
            let falls = normals[t].dot(at(corner) - at(side[0])) < 0.0;
            (corner, bent && falls)
        })
    };
    let all = 0..triangles.len();
    all.map(|t| [0, 1, 2].map(|k| beyond(t, k))).collect()
}

impl ContactMesh {
    pub(super) fn new(tree: &Arc<ColliderMesh>) -> Self {
        // Corners in the same place are one.
        let (mut places, mut points) = (BTreeMap::new(), Vec::new());
        let mut number = |p: Vec3<f64>| {
            let p: Point = Vec3::of(p.to_array());
            let bits = p.to_array().map(|v| (v + 0.0).to_bits());
            *places.entry(bits).or_insert_with(|| {
                points.push(p);
                points.len() as u32 - 1
            })
        };
        let triangles: Vec<[u32; 3]> = tree.faces().map(|f| f.map(&mut number)).collect();
        let normal = |t: [Vec3<f64>; 3]| {
            let n = (t[1] - t[0]).cross(t[2] - t[0]);
            Vec3::of((n * (1.0 / n.length())).to_array())
        };
        let normals: Vec<Point> = tree.faces().map(normal).collect();
        let beyond = beyond(&points, &triangles, &normals);
        let mut around = vec![(Vec::new(), false); points.len()];
        for (t, corners) in triangles.iter().enumerate() {
            for (k, (_, stands_out)) in beyond[t].iter().enumerate() {
                for (from, to) in [(k, (k + 1) % 3), ((k + 1) % 3, k)] {
                    let (list, out) = &mut around[corners[from] as usize];
                    if !list.contains(&corners[to]) {
                        list.push(corners[to]);
                    }
                    *out |= stands_out;
                }
            }
        }
        let (half, reach) = half_extents(&points);
        Self { half, reach, tree: tree.clone(), points, triangles, normals, beyond, around }
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self, t: usize) -> [Point; 3] {
        self.triangles[t].map(|i| self.points[i as usize])
    }

    /// Finds the triangles near a box, in order.
    pub(super) fn near(&self, low: Point, high: Point, found: &mut Vec<u32>) {
        self.tree.near(low.to_f64(), high.to_f64(), found);
    }

    /// Whether a part of a triangle stands out at all.
    pub(super) fn stands_out(&self, t: usize, part: Feature) -> bool {
        match part {
            Feature::Face => true,
            Feature::Side(k) => self.beyond[t][k].1,
            Feature::Corner(k) => self.around[self.triangles[t][k] as usize].1,
        }
    }

    /// Whether what lies along `m` off a part of a triangle is nearest to it of all the mesh around.
    pub(super) fn holds(&self, t: usize, part: Feature, m: Point) -> bool {
        let falls = |p: u32, o: u32| {
            let d = self.points[o as usize] - self.points[p as usize];
            m.dot(d) <= RISE * d.length()
        };
        let corner = |k: usize| self.triangles[t][k % 3];
        self.stands_out(t, part)
            && match part {
                Feature::Face => true,
                Feature::Side(k) => {
                    let (other, _) = self.beyond[t][k];
                    falls(corner(k), corner(k + 2)) && (other == NONE || falls(corner(k), other))
                }
                Feature::Corner(k) => {
                    let list = &self.around[corner(k) as usize].0;
                    list.iter().all(|o| falls(corner(k), *o))
                }
            }
    }

    /// Whether a side has nothing beyond.
    pub(super) fn is_border(&self, t: usize, k: usize) -> bool {
        self.beyond[t][k].0 == NONE
    }
}
