//! What a body or a collider is to its contacts: its shape in its own frame (a body's is its principal frame), in f32.

use super::frustum::Frustum;
use super::hull::Hull;
use super::manifold::Point;
use super::mesh::ContactMesh;
use super::polygon::largest;
use crate::collision::{self, Collider, Solid};
use crate::math::{F32x8, Quat, Real, Vec3};
use crate::state::{Body, Part, Shape};
use std::sync::Arc;

/// A shape in its own frame.
#[derive(Clone, Debug)]
pub(super) enum Geometry {
    /// All within a radius of the segment from -half to half; a ball where that is zero.
    Capsule {
        half: Point,
        radius: f32,
    },
    /// A box of half sizes; its hull, unless it is too thin in f32.
    Box(Point, Option<Arc<Hull>>),
    /// All below the origin, seen along the normal.
    Plane {
        normal: Point,
    },
    /// A cylinder or a cone.
    Frustum(Arc<Frustum>),
    /// The convex hull of a mesh.
    Hull(Arc<Hull>),
    /// Several of them.
    Compound(Arc<Compound>),
    /// The triangles of a collider.
    Mesh(Arc<ContactMesh>),
    Nothing,
}

/// A shape where it lies in the frame of the whole.
#[derive(Clone, Debug)]
pub(super) struct PlacedGeometry {
    pub(super) x: Point,
    pub(super) q: Quat<f32>,
    pub(super) geometry: Geometry,
}

/// Several shapes as one.
#[derive(Clone, Debug)]
pub(super) struct Compound {
    pub(super) parts: Vec<PlacedGeometry>,
    reach: f32,
    /// Half the upright box about the origin.
    half: Point,
}

impl Compound {
    fn new(parts: Vec<PlacedGeometry>) -> Self {
        let reach = parts.iter().map(|part| part.x.length() + part.geometry.reach());
        let reach = reach.fold(0.0, f32::max);
        let half = parts.iter().fold(Vec3::zero(), |half: Point, part| {
            let [x, y, z] = part.x.to_array().map(f32::abs);
            let Vec3 { x: a, y: b, z: c } = part.geometry.extent(part.q);
            Vec3::new(half.x.max(x + a), half.y.max(y + b), half.z.max(z + c))
        });
        Self { parts, reach, half }
    }
}

fn point(v: [f64; 3]) -> Point {
    Vec3::of(v)
}

impl Geometry {
    pub(super) fn of_body(body: &Body) -> Self {
        let axes = Quat::of(body.axes);
        match &body.shape {
            Shape::Compound(parts) => {
                let place = |part: &Part| PlacedGeometry {
                    x: Vec3::of(axes.unrotate(Vec3::of(part.position)).to_array()),
                    q: Quat::of((axes.conjugate() * Quat::of(part.orientation)).to_array()),
                    geometry: Self::of_shape(&part.shape, Quat::identity()),
                };
                Self::Compound(Arc::new(Compound::new(parts.iter().map(place).collect())))
            }
            shape => Self::of_shape(shape, axes),
        }
    }

    /// A shape in a frame that is turned by `axes` from its own; only meshes have other axes than their own.
    fn of_shape(shape: &Shape, axes: Quat<f64>) -> Self {
        match shape {
            Shape::Mesh(mesh) => match Hull::of_mesh(mesh, axes) {
                Some(hull) => Self::Hull(Arc::new(hull)),
                None => Self::Nothing,
            },
            _ => collision::Shape::of_body(shape).map_or(Self::Nothing, Self::closed),
        }
    }

    /// A shape in closed form.
    fn closed(shape: collision::Shape) -> Self {
        match shape {
            collision::Shape::Plane { normal } => Self::Plane { normal: point(normal) },
            collision::Shape::Sphere { radius } => {
                Self::Capsule { half: Vec3::zero(), radius: radius as f32 }
            }
            collision::Shape::Box { half_size } => {
                let half = point(half_size);
                Self::Box(half, Hull::of_box(half).map(Arc::new))
            }
            collision::Shape::Capsule { half, radius } => {
                Self::Capsule { half: point(half), radius: radius as f32 }
            }
            collision::Shape::Frustum(frustum) => Self::Frustum(Arc::new(Frustum::new(frustum))),
        }
    }

    pub(super) fn of_collider(collider: &Collider) -> Self {
        match collider.solid() {
            Solid::Shape(shape) => Self::closed(*shape),
            Solid::Mesh(mesh) => Self::Mesh(Arc::new(ContactMesh::new(mesh))),
        }
    }

    /// As a convex polyhedron, where it is one.
    pub(super) fn hull(&self) -> Option<&Hull> {
        match self {
            Self::Box(_, hull) => hull.as_deref(),
            Self::Hull(hull) => Some(hull),
            _ => None,
        }
    }

    /// The farthest that it reaches from its center (m).
    pub(super) fn reach(&self) -> f32 {
        match self {
            Self::Capsule { half, radius } => half.length() + radius,
            Self::Box(half, _) => half.length(),
            Self::Plane { .. } => f32::INFINITY,
            Self::Hull(hull) => hull.reach,
            Self::Frustum(frustum) => frustum.reach,
            Self::Compound(parts) => parts.reach,
            Self::Mesh(mesh) => mesh.reach,
            Self::Nothing => 0.0,
        }
    }

    /// The point inside that is before a triangle of normal n where the triangle holds it; of a capsule, whose ends are held by
    /// themselves, the farther end of its core.
    pub(super) fn middle(&self, n: Point) -> Point {
        match self {
            Self::Capsule { half, .. } => *half * -1.0_f32.copysign(half.dot(n)),
            _ => self.hull().map_or(Vec3::zero(), |hull| hull.middle),
        }
    }

    /// The radius around the core of what is convex (m).
    pub(super) fn core_radius(&self) -> Option<f32> {
        match self {
            Self::Capsule { radius, .. } => Some(*radius),
            Self::Box(..) | Self::Hull(_) | Self::Frustum(_) => Some(0.0),
            _ => None,
        }
    }

    /// The point of the core of what is convex that lies farthest along d.
    pub(super) fn farthest_of_core(&self, d: Point) -> Point {
        match self {
            Self::Capsule { half, .. } => *half * 1.0_f32.copysign(half.dot(d)),
            Self::Box(half, _) => {
                Vec3::new(half.x.copysign(d.x), half.y.copysign(d.y), half.z.copysign(d.z))
            }
            Self::Hull(hull) => hull.points[largest(hull.points.iter().map(|p| p.dot(d))).1],
            Self::Frustum(frustum) => frustum.farthest_of_core(0, d.to_f64()).rounded(),
            _ => Vec3::zero(),
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
            Self::Capsule { half, radius } => {
                let v = q.rotate(*half);
                let r = *radius;
                Vec3::new(v.x.abs() + r, v.y.abs() + r, v.z.abs() + r)
            }
            Self::Box(half, _) => of_box(*half),
            Self::Hull(hull) => of_box(hull.half),
            Self::Frustum(frustum) => {
                let most = |axis: [f64; 3]| {
                    let d = q.unrotate(Vec3::of(axis));
                    frustum.most(d).max(frustum.most(-d))
                };
                Vec3::new(most([1.0, 0.0, 0.0]), most([0.0, 1.0, 0.0]), most([0.0, 0.0, 1.0]))
            }
            Self::Compound(parts) => of_box(parts.half),
            Self::Mesh(mesh) => of_box(mesh.half),
            Self::Plane { .. } | Self::Nothing => Vec3::zero(),
        }
    }

    /// Distance and outward normal of the surface at `y`, and how much of the shape is round about its core there; nothing
    /// where it is farther than `within` for certain.
    pub(super) fn surface(&self, y: Point, within: f32) -> Option<(f32, Point, f32)> {
        match self {
            Self::Capsule { half, radius } => {
                let along = y.dot(*half).over_positive(half.dot(*half));
                let out = y - *half * Real::clamp(along, -1.0, 1.0);
                let distance = out.length();
                let normal = match distance > 0.0 {
                    true => out * (1.0 / distance),
                    false => across(*half),
                };
                Some((distance - radius, normal, *radius))
            }
            Self::Box(half, _) => {
                let (d, n) = box_of(*half).surface(y);
                Some((d, n, 0.0))
            }
            Self::Plane { normal } => Some((y.dot(*normal), *normal, 0.0)),
            Self::Hull(hull) => hull.surface(y, within).map(|(d, n)| (d, n, 0.0)),
            Self::Frustum(frustum) => {
                let (d, n) = frustum.shape.surface(y);
                let (_, radius) = frustum.held(y - n * d, n);
                Some((d, n, radius))
            }
            Self::Compound(_) | Self::Mesh(_) | Self::Nothing => None,
        }
    }

    /// Distance and outward normal of the surface of a body's shape at eight points, right where closer than `within`.
    pub(super) fn surface8(&self, y: Vec3<F32x8>, within: F32x8) -> Option<(F32x8, Vec3<F32x8>)> {
        let shape = match self {
            Self::Capsule { half, radius } => {
                let (half, radius) = (half.to_array().map(f64::from), f64::from(*radius));
                match half {
                    [0.0, 0.0, 0.0] => collision::Shape::Sphere { radius },
                    _ => collision::Shape::Capsule { half, radius },
                }
            }
            Self::Box(half, _) => box_of(*half),
            Self::Frustum(frustum) => frustum.shape,
            Self::Hull(hull) => return Some(hull.surface8(y, within)),
            Self::Compound(compound) => {
                let surfaces = compound.parts.iter().filter_map(|part| part.surface8(y, within));
                return surfaces.reduce(nearer);
            }
            _ => return None,
        };
        Some(shape.surface(y))
    }
}

impl PlacedGeometry {
    /// As [`Geometry::surface8`], at points of the whole's frame.
    fn surface8(&self, y: Vec3<F32x8>, within: F32x8) -> Option<(F32x8, Vec3<F32x8>)> {
        let x = self.x.to_f64().rounded();
        let q = Quat::of(self.q.to_array().map(f64::from));
        let (distance, normal) = self.geometry.surface8(q.unrotate(y - x), within)?;
        Some((distance, q.rotate(normal)))
    }
}

/// The nearer of two surfaces at eight points.
fn nearer((d, n): (F32x8, Vec3<F32x8>), (e, m): (F32x8, Vec3<F32x8>)) -> (F32x8, Vec3<F32x8>) {
    let first = d.lt(e);
    (F32x8::select(first, d, e), Vec3::select(first, n, m))
}

fn box_of(half: Point) -> collision::Shape {
    let half_size = half.to_array().map(f64::from);
    collision::Shape::Box { half_size }
}

/// Some direction across v; up where it is zero.
pub(super) fn across(v: Point) -> Point {
    let (x, y, z) = (v.x.abs(), v.y.abs(), v.z.abs());
    let other = if y <= x.max(z) { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
    let other = Vec3::of(other);
    let out = other - v * other.dot(v).over_positive(v.dot(v));
    out * (1.0 / out.length())
}
