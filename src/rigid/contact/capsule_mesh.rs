//! Balls and capsules against the triangles of a collider: the ends of their core, and where that passes over sides and corners.

use super::manifold::{Point, Relative};
use super::mesh::{ContactMesh, MeshContact};
use super::polygon::closest;
use crate::collision::Feature;
use crate::math::{Real, Vec3};

/// What turning rounds a corner off by at most, in parts of its distance.
const ROUNDING: f32 = 1e-6;

/// A ball or a capsule near a triangle.
pub(super) struct CapsuleOnMesh<'a> {
    pub(super) half: Point,
    pub(super) radius: f32,
    pub(super) mesh: &'a ContactMesh,
    pub(super) at: &'a Relative,
    pub(super) reach: f32,
    /// As in [`Workspace`](super::workspace::Workspace), in the capsule's frame.
    pub(super) raised: Point,
}

impl CapsuleOnMesh<'_> {
    pub(super) fn collide(&self, t: usize, out: &mut Vec<MeshContact>) {
        let at = self.at;
        let place = |p: Point| at.center + at.turn.rotate(p);
        let corners = self.mesh.corners(t).map(place);
        let n = at.turn.rotate(self.mesh.normals[t]);
        let is_ball = self.half.dot(self.half) == 0.0;
        self.end(self.half, t, &corners, n, out);
        if is_ball {
            return;
        }
        self.end(-self.half, t, &corners, n, out);
        // Where the core passes over what stands out.
        let core = [-self.half, self.half];
        let inner = |p: Point| {
            let t = p.dot(self.half) / self.half.dot(self.half);
            t.abs() < 0.98
        };
        for k in 0..3 {
            let side = [corners[k], corners[(k + 1) % 3]];
            let [p, q] = closest(core, side);
            let d = side[1] - side[0];
            let t_side = (q - side[0]).dot(d).over_positive(d.dot(d));
            let part = match t_side {
                s if s < 1e-3 => Feature::Corner(k),
                s if s > 1.0 - 1e-3 => Feature::Corner((k + 1) % 3),
                _ => Feature::Side(k),
            };
            if inner(p) {
                self.add(p, q, t, part, n, out);
            }
        }
    }

    /// An end of the core.
    fn end(&self, p: Point, t: usize, corners: &[Point; 3], n: Point, out: &mut Vec<MeshContact>) {
        let above = n.dot(p - corners[0]);
        let is_before = above + n.dot(self.raised) > 0.0;
        if !is_before && above.abs() > self.radius {
            return;
        }
        // Above what two triangles share, rounding must not put it beyond both.
        let beyond = |k: usize| {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let side = b - a;
            let out = side.cross(n).dot(p - a);
            let slack = ROUNDING * ROUNDING * side.dot(side) * (a.dot(a) + b.dot(b));
            out > 0.0 && out * out > slack
        };
        if (0..3).any(beyond) {
            // The nearest lies on a side.
            let mut nearest = (f32::INFINITY, 0, Vec3::zero(), 0.0);
            for k in 0..3 {
                let (a, d) = (corners[k], corners[(k + 1) % 3] - corners[k]);
                let s = (p - a).dot(d).over_positive(d.dot(d));
                let s = Real::clamp(s, 0.0, 1.0);
                let away = p - a - d * s;
                let square = away.dot(away);
                if square < nearest.0 {
                    nearest = (square, k, a + d * s, s);
                }
            }
            let (_, k, q, s) = nearest;
            let part = match s {
                s if s <= 0.0 => Feature::Corner(k),
                s if s >= 1.0 => Feature::Corner((k + 1) % 3),
                _ => Feature::Side(k),
            };
            self.add(p, q, t, part, n, out);
        } else if is_before && above - self.radius < self.reach {
            let anchors = [p, self.at.to_b(p - n * above)];
            out.push(MeshContact {
                found: (anchors, above - self.radius),
                normal: self.mesh.normals[t],
                radius: self.radius,
            });
        }
    }

    /// The core at p, the mesh at q on a side or a corner.
    fn add(
        &self,
        p: Point,
        q: Point,
        t: usize,
        part: Feature,
        n: Point,
        out: &mut Vec<MeshContact>,
    ) {
        let away = p - q;
        let distance = away.length();
        let near = distance > 0.0 && distance - self.radius < self.reach;
        if !near {
            return;
        }
        let m = away * (1.0 / distance);
        let normal = self.at.turn.unrotate(m);
        let outside = match part {
            Feature::Side(k) if self.mesh.is_border(t, k) => n.dot(m) >= 0.0,
            _ => true,
        };
        if outside && self.mesh.holds(t, part, normal) {
            let found = ([p, self.at.to_b(q)], distance - self.radius);
            out.push(MeshContact { found, normal, radius: self.radius });
        }
    }
}
