//! A mesh collider as bodies see it: its triangles, one-sided, and which of its sides and corners stand out.
//!
//! What touches a side or a corner does so only where the mesh around falls away from the normal, so that nothing catches on
//! the inner edges of what is flat or hollow:
//!
//! ```text
//! m·(o - p) <= 0        p on the side or corner, o the next corners beyond it
//! ```
//!
//! Tiles may lie side by side without a corner in common, or with a narrow crack between them. Such borders hold from above only.

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
/// The widest crack that what slides passes over, in parts of the side's length.
const CRACK: f32 = 0.01;
/// What holds from above does so within this of the normal: the cosine of 26°.
const ABOVE: f32 = 0.9;
/// No corner.
const NONE: u32 = u32::MAX;

/// From where a side or a corner is touched.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Held {
    /// The mesh around is flat or hollow.
    Nowhere,
    /// It goes on flat beyond a border.
    Above,
    Anywhere,
}

/// The triangles of a mesh.
pub(super) struct ContactMesh {
    tree: Arc<ColliderMesh>,
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    pub(super) normals: Vec<Point>,
    /// Across each side of each triangle, the corner beyond; and from where the side is touched.
    beyond: Vec<[(u32, Held); 3]>,
    /// The corners around each corner, and from where most of its sides are touched.
    around: Vec<(Vec<u32>, Held)>,
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

/// Across each side of each triangle, the corner beyond; and from where the side is touched, but for what lies beyond borders.
fn beyond(points: &[Point], triangles: &[[u32; 3]], normals: &[Point]) -> Vec<[(u32, Held); 3]> {
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
        behind.get(&side).map_or((NONE, Held::Anywhere), |&(other, j)| {
            let corner = triangles[other][(j + 2) % 3];
            let bent = 1.0 - normals[t].dot(normals[other]) > FLAT;
            let falls = normals[t].dot(at(corner) - at(side[0])) < 0.0;
            (corner, if bent && falls { Held::Anywhere } else { Held::Nowhere })
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
        let around = vec![(Vec::new(), Held::Nowhere); points.len()];
        let (half, reach) = half_extents(&points);
        let tree = tree.clone();
        let mut mesh = Self { half, reach, tree, points, triangles, normals, beyond, around };
        mesh.join_borders();
        mesh.look_around();
        mesh
    }

    /// Finds borders beyond which the mesh goes on.
    fn join_borders(&mut self) {
        let mut near = Vec::new();
        for t in 0..self.triangles.len() {
            for k in 0..3 {
                if self.is_border(t, k) && self.goes_on(t, k, &mut near) {
                    self.beyond[t][k].1 = Held::Above;
                }
            }
        }
    }

    /// Whether other triangles lie all along a side, in the same plane.
    fn goes_on(&self, t: usize, k: usize, near: &mut Vec<u32>) -> bool {
        let (corners, n) = (self.corners(t), self.normals[t]);
        let side = corners[(k + 1) % 3] - corners[k];
        let beyond = corners[k] + side.cross(n) * CRACK;
        [0.05, 0.25, 0.5, 0.75, 0.95].iter().all(|&s| {
            let (x, thin) = (beyond + side * s, Vec3::splat(RISE * side.length()));
            self.near(x - thin, x + thin, near);
            near.iter()
                .any(|&other| other as usize != t && self.is_on(other as usize, x, n, thin.x))
        })
    }

    /// Whether a point lies on a triangle with about this normal, or so far off its plane.
    fn is_on(&self, t: usize, x: Point, n: Point, off: f32) -> bool {
        let (corners, normal) = (self.corners(t), self.normals[t]);
        let is_within = |k: usize| {
            let side = corners[(k + 1) % 3] - corners[k];
            side.cross(x - corners[k]).dot(normal) >= -off * side.length()
        };
        let is_flat = 1.0 - n.dot(normal) <= FLAT;
        is_flat && normal.dot(x - corners[0]).abs() <= off && (0..3).all(is_within)
    }

    /// Finds what is around corners.
    fn look_around(&mut self) {
        for (corners, sides) in self.triangles.iter().zip(&self.beyond) {
            for (k, (_, held)) in sides.iter().enumerate() {
                for (from, to) in [(k, (k + 1) % 3), ((k + 1) % 3, k)] {
                    let (list, most) = &mut self.around[corners[from] as usize];
                    if !list.contains(&corners[to]) {
                        list.push(corners[to]);
                    }
                    if *held > *most {
                        *most = *held;
                    }
                }
            }
        }
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
        self.held(t, part) != Held::Nowhere
    }

    fn held(&self, t: usize, part: Feature) -> Held {
        match part {
            Feature::Face => Held::Anywhere,
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
        let is_held = match self.held(t, part) {
            Held::Nowhere => false,
            Held::Above => m.dot(self.normals[t]) >= ABOVE,
            Held::Anywhere => true,
        };
        is_held
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
