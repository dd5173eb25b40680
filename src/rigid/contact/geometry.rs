//! What a body or a collider is to its contacts: its shape in its own frame (a body's is its principal frame), in f32.

use super::boxes::touch_boxes;
use super::hull::Hull;
use super::hulls::{Found, TIGHT, choose, touch_hulls};
use super::manifold::{Manifold, Owner, Point, Relative, reduce};
use super::net::Net;
use super::nets::touch_net;
use super::round::touch_round;
use crate::collision::{self, Collider, Solid};
use crate::math::{Quat, Real, Vec3};
use crate::rigid::surface::box_corner;
use crate::rigid::{Body, Shape};
use std::sync::Arc;

/// A shape in its own frame.
#[derive(Clone, Debug)]
pub(super) enum Geometry {
    /// All within a radius of the segment from -half to half; a ball where that is zero.
    Round {
        half: Point,
        radius: f32,
    },
    /// A box of half sizes.
    Box(Point),
    /// All below the origin, seen along the normal.
    Plane {
        normal: Point,
    },
    /// The convex hull of a mesh.
    Hull(Arc<Hull>),
    /// The triangles of a collider.
    Net(Arc<Net>),
    Nothing,
}

fn point(v: [f64; 3]) -> Point {
    Vec3::of(v)
}

impl Geometry {
    pub(super) fn of_body(body: &Body) -> Self {
        match &body.shape {
            Shape::Box(half) => Self::Box(point(*half)),
            Shape::Sphere(r) => Self::Round {
                half: Vec3::zero(),
                radius: *r as f32,
            },
            Shape::Capsule([r, h]) => Self::Round {
                half: point([0.0, *h, 0.0]),
                radius: *r as f32,
            },
            Shape::Mesh(_) => match Hull::of_mesh(body) {
                Some(hull) => Self::Hull(Arc::new(hull)),
                None => Self::Nothing,
            },
            Shape::None => Self::Nothing,
        }
    }

    pub(super) fn of_collider(collider: &Collider) -> Self {
        match collider.solid() {
            Solid::Shape(shape) => match *shape {
                collision::Shape::Plane { normal } => Self::Plane {
                    normal: point(normal),
                },
                collision::Shape::Sphere { radius } => Self::Round {
                    half: Vec3::zero(),
                    radius: radius as f32,
                },
                collision::Shape::Box { half_size } => Self::Box(point(half_size)),
                collision::Shape::Capsule { half, radius } => Self::Round {
                    half: point(half),
                    radius: radius as f32,
                },
            },
            Solid::Mesh(mesh) => Self::Net(Arc::new(Net::new(mesh))),
        }
    }

    /// The farthest that it reaches from its center (m).
    pub(super) fn reach(&self) -> f32 {
        match self {
            Self::Round { half, radius } => half.length() + radius,
            Self::Box(half) => half.length(),
            Self::Plane { .. } => f32::INFINITY,
            Self::Hull(hull) => hull.reach,
            Self::Net(net) => net.reach,
            Self::Nothing => 0.0,
        }
    }

    /// Half the sizes of the upright box around it, where it is turned by `q`.
    pub(super) fn extent(&self, q: Quat<f32>) -> Point {
        let along = |axis: [f64; 3], h: f32| {
            let v = q.rotate(Vec3::of(axis)) * h;
            Vec3::new(v.x.abs(), v.y.abs(), v.z.abs())
        };
        let of_box = |half: Point| {
            along([1.0, 0.0, 0.0], half.x)
                + along([0.0, 1.0, 0.0], half.y)
                + along([0.0, 0.0, 1.0], half.z)
        };
        match self {
            Self::Round { half, radius } => {
                let v = q.rotate(*half);
                let r = *radius;
                Vec3::new(v.x.abs() + r, v.y.abs() + r, v.z.abs() + r)
            }
            Self::Box(half) => of_box(*half),
            Self::Hull(hull) => of_box(hull.half),
            Self::Net(net) => of_box(net.half),
            Self::Plane { .. } | Self::Nothing => Vec3::zero(),
        }
    }

    /// Distance and outward normal of the surface at `y`, and how much of the shape is round about its core there; nothing
    /// where it is farther than `within` for certain.
    pub(super) fn surface(&self, y: Point, within: f32) -> Option<(f32, Point, f32)> {
        match self {
            Self::Round { half, radius } => {
                let along = y.dot(*half).over_positive(half.dot(*half));
                let out = y - *half * Real::clamp(along, -1.0, 1.0);
                let distance = out.length();
                let normal = match distance > 0.0 {
                    true => out * (1.0 / distance),
                    false => across(*half),
                };
                Some((distance - radius, normal, *radius))
            }
            Self::Box(half) => {
                let half_size = half.to_array().map(f64::from);
                let (d, n) = collision::Shape::Box { half_size }.surface(y);
                Some((d, n, 0.0))
            }
            Self::Plane { normal } => Some((y.dot(*normal), *normal, 0.0)),
            Self::Hull(hull) => hull.surface(y, within).map(|(d, n)| (d, n, 0.0)),
            Self::Net(_) => None,
            Self::Nothing => None,
        }
    }

    /// Adds where it touches b, or may before it has moved by `reach`.
    pub(super) fn touch(&self, b: &Self, at: &Relative, reach: f32, out: &mut Vec<Manifold>) {
        match (self, b) {
            (Self::Nothing, _) | (_, Self::Nothing) | (Self::Plane { .. }, _) => {}
            (_, Self::Net(net)) => touch_net(self, net, at, reach, out),
            (Self::Net(_), _) => {}
            (Self::Round { half, radius }, _) => {
                touch_round((*half, *radius), b, at, reach, out);
                // Where this one is the longer, the other's ends are met.
                if let Self::Round { half, .. } = b
                    && half.dot(*half) > 0.0
                {
                    let first = out.len();
                    b.ends(self, &at.reversed(), reach, out);
                    out[first..].iter_mut().for_each(|m| *m = m.reversed());
                }
            }
            (_, Self::Round { half, radius }) => {
                let first = out.len();
                touch_round((*half, *radius), self, &at.reversed(), reach, out);
                out[first..].iter_mut().for_each(|m| *m = m.reversed());
            }
            (Self::Box(a), Self::Box(b)) => out.extend(touch_boxes(*a, *b, at, reach)),
            (Self::Hull(a), Self::Hull(b)) => out.extend(touch_hulls(a, b, at, reach)),
            (Self::Hull(a), Self::Box(b)) => {
                out.extend(touch_hulls(a, &Hull::of_box(*b), at, reach));
            }
            (Self::Box(a), Self::Hull(b)) => {
                out.extend(touch_hulls(&Hull::of_box(*a), b, at, reach));
            }
            (Self::Hull(a), Self::Plane { normal }) => {
                let pick: Pick = |points, n, size| choose(points, n, TIGHT * size);
                let corners = a.points.iter().copied();
                touch_plane(corners, *normal, (at, a.reach), reach, pick, out);
            }
            (Self::Box(a), Self::Plane { normal }) => {
                let corner = |i: u32| Vec3::from(box_corner(a.to_array(), i));
                let pick: Pick = |points, n, _| reduce(points, n);
                let size = self.reach();
                touch_plane((0..8).map(corner), *normal, (at, size), reach, pick, out);
            }
        }
    }

    /// The ends of a capsule against b.
    fn ends(&self, b: &Self, at: &Relative, reach: f32, out: &mut Vec<Manifold>) {
        if let Self::Round { half, radius } = self {
            let first = out.len();
            touch_round((*half, *radius), b, at, reach, out);
            let known = out.split_off(first);
            out.extend(known.into_iter().filter(|m| m.part < 2).map(|mut m| {
                m.part += 3;
                m
            }));
        }
    }
}

/// Some direction across v; up where it is zero.
fn across(v: Point) -> Point {
    let (x, y, z) = (v.x.abs(), v.y.abs(), v.z.abs());
    let other = if y <= x.max(z) {
        [0.0, 1.0, 0.0]
    } else {
        [1.0, 0.0, 0.0]
    };
    let other = Vec3::of(other);
    let out = other - v * other.dot(v).over_positive(v.dot(v));
    out * (1.0 / out.length())
}

/// Leaves at most four of the points along a normal, of a body of a size (m).
type Pick = fn(&mut Vec<Found>, Point, f32);

/// Corners of a body of a size close above a plane.
fn touch_plane(
    corners: impl Iterator<Item = Point>,
    normal: Point,
    (at, size): (&Relative, f32),
    reach: f32,
    pick: Pick,
    out: &mut Vec<Manifold>,
) {
    let mut points = Vec::with_capacity(8);
    for p in corners {
        let y = at.to_b(p);
        let gap = y.dot(normal);
        if gap < reach {
            points.push(([p, y - normal * gap], gap));
        }
    }
    let in_a = at.turn.rotate(normal);
    pick(&mut points, in_a, size);
    if !points.is_empty() {
        let spots: Vec<_> = points.iter().map(|point| point.0).collect();
        out.push(Manifold::new(normal, Owner::B, [0.0; 2], &spots));
    }
}
