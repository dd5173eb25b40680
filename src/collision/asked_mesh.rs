//! What a particle's path meets of a mesh: the triangle that it crosses first or that is nearest, and in a corner the faces beside it.

use super::closest::{Feature, closest_point};
use super::mesh::{ColliderMesh, Found, ON_SHEET, around, rounded_up};
use crate::math::{Vec3, each};

/// Out of how many sides of a sheet one is put, one after another, in a substep.
const MOST_SIDES: usize = 4;
/// As many faces hold a ball in a corner.
pub(super) const MOST_FACES: usize = 3;
/// Faces whose normals have a cosine above this are one: that of 8 degrees.
const ALIKE: f64 = 0.99;

type Point = Vec3<f64>;
/// A point of the mesh, as far out as a ball's radius, and the normal there; zero where nothing is met.
pub(super) type Met = (Point, Point);
const NOTHING: Met = (ZERO, ZERO);
const ZERO: Point = Vec3 { x: 0.0, y: 0.0, z: 0.0 };

/// A mesh of which something was asked: what is near the next place is most often near that triangle too, and all that is farther is
/// passed over.
pub(super) struct AskedMesh<'a> {
    mesh: &'a ColliderMesh,
    last: usize,
}

impl<'a> AskedMesh<'a> {
    pub(super) fn new(mesh: &'a ColliderMesh) -> Self {
        Self { mesh, last: 0 }
    }

    /// As [`Shape::contact`](super::shape::Shape::contact): the point around the mesh and its normal, zero where there is none.
    pub(super) fn contact(&mut self, y0: Point, y1: Point, r: f64, margin: f64) -> Met {
        if !(y0.dot(y0) + y1.dot(y1)).is_finite() {
            return NOTHING;
        }
        let mesh = self.mesh;
        let length = (y1 - y0).length();
        let margin = margin + length;
        let reach = if mesh.closed { (r + margin).max(mesh.depth) } else { r + margin };
        let mut crossing: Option<(f64, usize, Point, Point)> = None;
        let within = |found: Found| (found.0 <= reach * reach).then_some(found);
        let mut nearest = within(mesh.nearest_of(self.last, y1));
        // What the path crosses is no farther than the path is long.
        let asked = |nearest: Option<Found>| {
            let square = nearest.map_or(reach * reach, |(square, ..)| square);
            rounded_up(square.max(length * length))
        };
        let from = each(y1.to_array(), |v| v as f32);
        mesh.tree.nearest(from, asked(nearest), &mut |t| {
            let t = t as usize;
            if let Some((at, p, normal)) = mesh.crossing(t, [y0, y1])
                && crossing.is_none_or(|(best, other, ..)| (at, t) < (best, other))
            {
                crossing = Some((at, t, p, normal));
            }
            let found = within(mesh.nearest_of(t, y1))?;
            // Of equally near triangles the first in authored order, whatever the order of the tree.
            let is_best = nearest.is_none_or(|(best, other, ..)| (found.0, t) < (best, other));
            is_best.then(|| {
                nearest = Some(found);
                asked(nearest)
            })
        });
        if let Some((_, t, p, normal)) = crossing {
            self.last = t;
            return (p + normal * r, normal);
        }
        let Some((square, t, p, side)) = nearest else {
            return NOTHING;
        };
        self.last = t;
        let distance = square.sqrt();
        let d = y1 - p;
        let inside = mesh.closed && d.dot(side) < 0.0;
        if !inside && distance >= r + margin {
            return NOTHING;
        }
        let normal = if distance > 1e-9 {
            d * (if inside { -1.0 } else { 1.0 } / distance)
        } else if mesh.closed || (y0 - p).dot(mesh.normals[t]) >= 0.0 {
            mesh.normals[t]
        } else {
            -mesh.normals[t]
        };
        (p + normal * r, normal)
    }

    /// The [contact](Self::contact) and, nearest first, the faces beside it that hold a ball in a corner: those over which it stands when
    /// the contact has put it out, and before which it began.
    pub(super) fn contacts(
        &mut self,
        y0: Point,
        y1: Point,
        r: f64,
        margin: f64,
    ) -> [Met; MOST_FACES] {
        let mut all = [NOTHING; MOST_FACES];
        all[0] = self.contact(y0, y1, r, margin);
        let (point, normal) = all[0];
        if normal.dot(normal) == 0.0 {
            return all;
        }
        let y1 = y1 + normal * (point - y1).dot(normal).max(0.0);
        let reach = r + margin + (y1 - y0).length();
        for k in 1..MOST_FACES {
            match self.face_beside(&all[..k], y0, y1, reach) {
                Some((p, normal)) => all[k] = (p + normal * r, normal),
                None => break,
            }
        }
        all
    }

    /// The nearest face within `reach` of what stands over it at `y1` and came from its front at `y0`, unlike those `known`.
    fn face_beside(&self, known: &[Met], y0: Point, y1: Point, reach: f64) -> Option<Met> {
        let mesh = self.mesh;
        let mut best: Option<(f64, usize, Met)> = None;
        mesh.tree.meet(around(&[y1], reach), |t| {
            let t = t as usize;
            let (p, feature) = closest_point(y1, mesh.corners(t));
            let is_behind = (y0 - p).dot(mesh.normals[t]) < -ON_SHEET;
            let normal = if is_behind { -mesh.normals[t] } else { mesh.normals[t] };
            let is_known = known.iter().any(|(_, other)| other.dot(normal) > ALIKE);
            if feature != Feature::Face || is_known || is_behind && mesh.closed {
                return;
            }
            let square = (y1 - p).dot(y1 - p);
            let is_nearer = best.is_none_or(|(least, other, _)| (square, t) < (least, other));
            if square < reach * reach && is_nearer {
                best = Some((square, t, (p, normal)));
            }
        });
        best.map(|(.., met)| met)
    }

    /// As [`Shape::way_out`](super::shape::Shape::way_out). In a sheet's corner what is put out of one side may have crossed another: then
    /// out of that too, and where sides only pass it on, back to where it began.
    pub(super) fn way_out(&mut self, y0: Point, y1: Point, r: f64, slack: f64) -> Point {
        let mut way = self.way_out_of_one(y0, y1, r, slack);
        if self.mesh.closed || way.dot(way) == 0.0 {
            return way;
        }
        for _ in 1..MOST_SIDES {
            if !self.mesh.is_crossed([y0, y1 + way]) {
                return way;
            }
            way += self.way_out_of_one(y0, y1 + way, r, slack);
        }
        if self.mesh.is_crossed([y0, y1 + way]) { y0 - y1 } else { way }
    }

    /// The way out of the side that is crossed first, or is nearest.
    fn way_out_of_one(&mut self, y0: Point, y1: Point, r: f64, slack: f64) -> Point {
        let (point, normal) = self.contact(y0, y1, r, 0.0);
        let depth = (point - y1).dot(normal);
        if depth <= slack {
            return Vec3::zero();
        }
        let (point, facing) = self.contact(y0, y0, r, 0.0);
        let deeper = depth - (point - y0).dot(facing).max(0.0);
        normal * if slack < deeper { deeper } else { 0.0 }
    }
}
