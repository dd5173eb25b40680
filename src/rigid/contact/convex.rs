//! A convex shape as a frustum sees it, in the frustum's frame: what of it lies farthest along a direction.

use super::frustum::Frustum;
use super::grazing::pass_along;
use super::hull::Hull;
use super::manifold::{Point, Relative};
use super::polygon::largest;
use crate::math::Vec3;
use crate::mesh::Exact;

/// What the frustum meets.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    Hull(&'a Hull),
    Frustum(&'a Frustum),
    /// Corners, and the normal of its outer side.
    Triangle(&'a [Point; 3], Point),
}

/// That, where it lies; a triangle is placed already.
#[derive(Clone, Copy)]
pub(super) struct Convex<'a> {
    pub(super) form: Form<'a>,
    pub(super) at: &'a Relative,
}

impl Convex<'_> {
    fn place(&self, p: Point) -> Point {
        match self.form {
            Form::Triangle(..) => p,
            _ => self.at.center + self.at.turn.rotate(p),
        }
    }

    fn own(&self, d: Point) -> Point {
        match self.form {
            Form::Triangle(..) => d,
            _ => self.at.turn.unrotate(d),
        }
    }

    fn turned(&self, d: Point) -> Point {
        match self.form {
            Form::Triangle(..) => d,
            _ => self.at.turn.rotate(d),
        }
    }

    /// The corners of what has corners.
    fn corners(&self) -> &[Point] {
        match self.form {
            Form::Hull(hull) => &hull.points,
            Form::Triangle(corners, _) => corners.as_slice(),
            Form::Frustum(_) => &[],
        }
    }

    /// A radius of a ball that fits in (m).
    pub(super) fn thin(&self) -> f32 {
        match self.form {
            Form::Hull(hull) => hull.thin,
            Form::Frustum(frustum) => frustum.thin,
            Form::Triangle(..) => f32::INFINITY,
        }
    }

    /// How far it reaches along a unit vector, from the frustum's center.
    pub(super) fn most(&self, n: Point) -> f32 {
        let own = self.own(n);
        let most = match self.form {
            Form::Frustum(frustum) => frustum.most(own),
            _ => largest(self.corners().iter().map(|p| p.dot(own))).0,
        };
        match self.form {
            Form::Triangle(..) => most,
            _ => most + n.dot(self.at.center),
        }
    }

    /// The farthest point along d; of a frustum that of a core.
    pub(super) fn farthest(&self, core: usize, d: Exact) -> Exact {
        let rounded: Point = d.rounded();
        match self.form {
            Form::Frustum(frustum) => {
                let own = self.own(rounded).to_f64();
                self.place(frustum.farthest_of_core(core, own).rounded()).to_f64()
            }
            _ => {
                let own = self.own(rounded);
                let (_, i) = largest(self.corners().iter().map(|p| p.dot(own)));
                self.place(self.corners()[i]).to_f64()
            }
        }
    }

    /// Of its faces the one whose normal `parts` most, and by how much; none where one does by `reach`.
    pub(super) fn widest_face(
        &self,
        reach: f32,
        parts: impl Fn(Point) -> f32,
    ) -> Option<(f32, Point)> {
        let parts = |n: Point| {
            let n = self.turned(n);
            (parts(n), n)
        };
        let best = |best: (f32, Point), new: (f32, Point)| if new.0 > best.0 { new } else { best };
        let none = (f32::NEG_INFINITY, Vec3::zero());
        let widest = match self.form {
            Form::Hull(hull) => hull.faces.iter().map(|face| parts(face.normal)).fold(none, best),
            Form::Frustum(frustum) => frustum.end_normals().map(parts).into_iter().fold(none, best),
            Form::Triangle(_, n) => parts(n),
        };
        (widest.0 < reach).then_some(widest)
    }

    /// Whether it and what `parts` tells of pass each other along one of its faces, where n parts them most by s; a triangle is passed
    /// as its mesh says.
    pub(super) fn passes(
        &self,
        parts: impl Fn(Point) -> f32,
        best: (f32, Point),
        slop: f32,
    ) -> bool {
        let along = |n: Point| {
            let n = self.turned(n);
            pass_along((parts(n), n), best, slop)
        };
        match self.form {
            Form::Hull(hull) => hull.faces.iter().any(|face| along(face.normal)),
            Form::Frustum(frustum) => frustum.end_normals().into_iter().any(along),
            Form::Triangle(..) => false,
        }
    }

    /// The normal of a frustum's side that looks most along n.
    pub(super) fn side_along(&self, n: Point) -> Option<Point> {
        match self.form {
            Form::Frustum(frustum) => Some(self.turned(frustum.side_along(self.own(n)))),
            _ => None,
        }
    }

    /// Adds the corners of the face that looks most along n, around it; its normal, where there is a face.
    pub(super) fn face_along(&self, n: Point, corners: &mut Vec<Point>) -> Option<Point> {
        let first = corners.len();
        let own = self.own(n);
        let normal = match self.form {
            Form::Hull(hull) => {
                let face = hull.face_against(-own);
                corners.extend(face.corners.iter().map(|i| hull.points[*i as usize]));
                Some(face.normal)
            }
            Form::Frustum(frustum) => frustum.end_along(own, corners),
            Form::Triangle(triangle, normal) => {
                corners.extend(triangle);
                Some(normal)
            }
        };
        corners[first..].iter_mut().for_each(|p| *p = self.place(*p));
        normal.map(|n| self.turned(n))
    }

    /// The line that lies farthest along n: two ends that are level to it, else a point twice.
    pub(super) fn line_along(&self, n: Point, level: f32) -> [Point; 2] {
        let own = self.own(n);
        let line = match self.form {
            Form::Frustum(frustum) => frustum.line_along(own, level),
            _ => {
                let corners = self.corners();
                let (most, i) = largest(corners.iter().map(|p| p.dot(own)));
                // The corner that falls away least, seen from the highest.
                let slope = |p: &Point| {
                    let far = (*p - corners[i]).length();
                    if far > 0.0 { (p.dot(own) - most) / far } else { f32::NEG_INFINITY }
                };
                let (slope, j) = largest(corners.iter().map(slope));
                [corners[i], corners[if slope * slope <= 1.0 - level * level { j } else { i }]]
            }
        };
        line.map(|p| self.place(p))
    }

    /// Where its point p is held that meets something along n: its own place in its own frame, and a radius around it.
    pub(super) fn held(&self, p: Point, n: Point) -> (Point, f32) {
        let own = self.at.to_b(p);
        match self.form {
            Form::Frustum(frustum) => frustum.held(own, self.at.turn.unrotate(n)),
            _ => (own, 0.0),
        }
    }
}
