//! A mesh as a collider: its triangles from a bounding volume hierarchy, the contact from formulas here, in f64.
//!
//! A path from y0 to y1 that crosses a triangle meets it at the first crossing, on the side it comes from (S2-05); one that
//! crosses none is held off the closest point of the mesh. A mesh that is closed and wound outward (no open edge, positive
//! volume) has an inside: what is in there is pushed out to the closest surface, found up to [`DEPTH`] mean edges deep, and
//! nothing is held back on its way out. Any other mesh, one with holes too, is a sheet with two sides.
//!
//! The side of a closest point on an edge or a corner is told by the normals of all triangles there, weighted by their angles
//! (Bærentzen and Aanæs, *Signed Distance Computation Using the Angle Weighted Pseudonormal*, 2005). Units: metres.

use super::boxes::Bounds;
use super::bvh::Bvh;
use super::closest::{Feature, closest_point};
use crate::error::{ModelError, checked};
use crate::math::{Real, Vec3, each};
use crate::mesh::sorted;
use crate::state::NearTriangles;
use std::fmt;

/// What begins less than this (m) behind a sheet is on it, and in front: rounding.
pub(super) const ON_SHEET: f64 = 1e-5;
/// How deep inside a closed mesh particles are found, in mean edges.
const DEPTH: f64 = 2.0;

type Point = Vec3<f64>;
/// What is nearest to a point: the square of how far it is (m²), its triangle, the point, and the outward direction there.
pub(super) type Found = (f64, usize, Point, Point);

/// Triangles to collide with.
pub struct ColliderMesh {
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    /// Unit normals of triangles; angle-weighted ones of edges (in the order of the sides) and corners.
    pub(super) normals: Vec<Point>,
    side_normals: Vec<[Point; 3]>,
    corner_normals: Vec<Point>,
    pub(super) closed: bool,
    /// How deep inside particles are found (m).
    pub(super) depth: f64,
    pub(super) tree: Bvh,
}

impl fmt::Debug for ColliderMesh {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // What is authored: checkpoints are told apart by it.
        let Self { points, triangles, .. } = self;
        write!(f, "ColliderMesh {points:?} {triangles:?}")
    }
}

impl ColliderMesh {
    /// Triangles on points (m); triangles without area are left out.
    ///
    /// # Errors
    /// A coordinate that is not finite, a triangle of unknown points, a mesh without area.
    pub fn new(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, ModelError> {
        check(points, triangles)?;
        // Rounded as particles are.
        let points: Vec<Point> =
            points.iter().map(|p| Vec3::of(p.map(|v| f64::from(v as f32)))).collect();
        let corners = |t: &[u32; 3]| t.map(|i| points[i as usize]);
        let area = |t: &[u32; 3]| {
            let [a, b, c] = corners(t);
            (b - a).cross(c - a)
        };
        let sound = |t: &&[u32; 3]| area(t).length() > 0.0;
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(sound).copied().collect();
        if triangles.is_empty() {
            return Err(ModelError::value(
                "collider.triangles",
                0.0,
                "must be one at least that has an area",
            ));
        }
        let unit = |v: Point| v * (1.0 / v.length().max(f64::MIN_POSITIVE));
        let normals: Vec<Point> = triangles.iter().map(|t| unit(area(t))).collect();
        let mut corner_normals = vec![Vec3::zero(); points.len()];
        // Every side of every triangle by its edge: those of an edge lie together once they are sorted, in the order of the triangles.
        let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * triangles.len());
        let (mut volume, mut length) = (0.0, 0.0);
        for (at, (t, &normal)) in triangles.iter().zip(&normals).enumerate() {
            let x = corners(t);
            volume += x[0].dot(x[1].cross(x[2])) / 6.0;
            for k in 0..3 {
                let (i, j) = (t[k], t[(k + 1) % 3]);
                let (u, v) = (x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]);
                let angle = Real::atan2(u.cross(v).length(), u.dot(v));
                corner_normals[i as usize] += normal * angle;
                length += u.length() / (3 * triangles.len()) as f64;
                sides.push((sorted([i, j]), (3 * at + k) as u32));
            }
        }
        sides.sort_unstable();
        let mut side_normals = vec![[Vec3::zero(); 3]; triangles.len()];
        let mut shared_by_two = true;
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            let places = edge.iter().map(|&(_, side)| (side as usize / 3, side as usize % 3));
            let sum = places.clone().fold(Vec3::zero(), |sum, (t, _)| sum + normals[t]);
            places.for_each(|(t, k)| side_normals[t][k] = sum);
            shared_by_two &= edge.len() == 2;
        }
        Ok(Self {
            tree: Bvh::new(triangles.iter().map(|t| around(&corners(t), 0.0))),
            closed: volume > 0.0 && shared_by_two,
            depth: DEPTH * length,
            side_normals,
            corner_normals,
            normals,
            triangles,
            points,
        })
    }

    /// Whether it has an inside.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The box around its triangles (m).
    pub(super) fn bounds(&self) -> [[f64; 3]; 2] {
        self.tree.bounds().map(|corner| corner.map(f64::from))
    }

    /// The corners of its triangles (m).
    pub fn faces(&self) -> impl Iterator<Item = [Vec3<f64>; 3]> + '_ {
        let corner = |i: u32| self.points[i as usize];
        self.triangles.iter().map(move |t| t.map(corner))
    }

    /// Finds the triangles near a box, in order.
    pub(crate) fn near(&self, low: Point, high: Point, found: &mut Vec<u32>) {
        found.clear();
        self.tree.meet(around(&[low, high], 0.0), |t| found.push(t));
        found.sort_unstable();
    }

    /// The corners of triangle `t` (m).
    #[inline(always)]
    pub(super) fn corners(&self, t: usize) -> [Point; 3] {
        each(self.triangles[t], |i| self.points[i as usize])
    }

    /// What of triangle `t` is nearest to `y`.
    #[inline(always)]
    pub(super) fn nearest_of(&self, t: usize, y: Point) -> Found {
        let (p, feature) = closest_point(y, self.corners(t));
        let d = y - p;
        (d.dot(d), t, p, self.normal_of(t, feature))
    }

    /// The outward direction at a face, a side or a corner of triangle `t`; of any length.
    fn normal_of(&self, t: usize, feature: Feature) -> Point {
        match feature {
            Feature::Face => self.normals[t],
            Feature::Side(k) => self.side_normals[t][k],
            Feature::Corner(k) => self.corner_normals[self.triangles[t][k] as usize],
        }
    }

    /// Whether a path crosses a triangle.
    pub(super) fn is_crossed(&self, path: [Point; 2]) -> bool {
        let mut crosses = false;
        self.tree.meet(around(&path, 0.0), |t| {
            crosses |= self.crossing(t as usize, path).is_some();
        });
        crosses
    }

    /// Where a path crosses triangle `t`, from outside where there is an outside: its parameter, the point, and the normal of the
    /// side that it comes from.
    #[inline(always)]
    pub(super) fn crossing(&self, t: usize, [y0, y1]: [Point; 2]) -> Option<(f64, Point, Point)> {
        let [a, b, c] = self.corners(t);
        let n = self.normals[t];
        let (s0, s1) = ((y0 - a).dot(n), (y1 - a).dot(n));
        let s0 = if -ON_SHEET < s0 && !self.closed { s0.max(f64::MIN_POSITIVE) } else { s0 };
        let enters = (s0 > 0.0 && s1 < 0.0) || (s0 < 0.0 && s1 > 0.0 && !self.closed);
        let at = s0 / (s0 - s1);
        let p = y0 + (y1 - y0) * at;
        let inside = |u: Point, v: Point| (v - u).cross(p - u).dot(n) >= -1e-12;
        let crosses = enters && inside(a, b) && inside(b, c) && inside(c, a);
        crosses.then(|| (at, p, if s0 > 0.0 { n } else { -n }))
    }
}

impl NearTriangles for ColliderMesh {
    fn near(&self, x: Point, reach: f64, act: &mut dyn FnMut([Point; 3])) {
        if x.dot(x).is_finite() {
            let corner = |i: u32| self.points[i as usize];
            self.tree.meet(around(&[x], reach), |t| act(self.triangles[t as usize].map(corner)));
        }
    }
}

/// Refuses coordinates that are not finite and triangles of unknown points.
fn check(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<(), ModelError> {
    for (i, p) in points.iter().enumerate() {
        for &v in p {
            checked(|| format!("collider.mesh.position[{i}]"), v, f64::NEG_INFINITY)?;
        }
    }
    let known = |t: &&[u32; 3]| t.iter().any(|&i| i as usize >= points.len());
    if let Some(triangle) = triangles.iter().find(known) {
        let largest = f64::from(triangle[0].max(triangle[1]).max(triangle[2]));
        return Err(ModelError::value("collider.mesh.triangle", largest, "no such point"));
    }
    Ok(())
}

/// A square that f32 does not round below what it is, nor below that of a distance in f32.
pub(super) fn rounded_up(square: f64) -> f32 {
    (1.00001 * square) as f32
}

/// A box around points, wider by `reach` and by what f32 rounds off.
pub(super) fn around(points: &[Point], reach: f64) -> Bounds {
    let mut least = [f64::INFINITY; 3];
    let mut most = [f64::NEG_INFINITY; 3];
    for p in points {
        for (k, v) in [p.x, p.y, p.z].into_iter().enumerate() {
            let more = reach + 1e-6 * v.abs() + 1e-9;
            least[k] = least[k].min(v - more);
            most[k] = most[k].max(v + more);
        }
    }
    each([least, most], |corner| each(corner, |v| v as f32))
}
