//! Convex solids whose reach along a direction is known in closed form, in f64: what the narrow phase finds of two of them is tried
//! against the direction that parts them most, looked for among many.

use super::super::geometry::Geometry;
use super::super::hull::Hull;
use super::super::manifold::Relative;
use super::capsule::of;
use super::collide::mesh;
use crate::math::{Quat, Vec3};
use crate::mesh::Exact;
use crate::state::Shape;
use crate::tests::models::Random;
use std::sync::Arc;

/// A solid about its center, along y.
pub(super) enum Solid {
    Ball(f64),
    /// Radius and half the length of the core.
    Capsule([f64; 2]),
    Box([f64; 3]),
    /// Radius and half the height.
    Cylinder([f64; 2]),
    /// The same; its tip is one and a half times that above its center.
    Cone([f64; 2]),
    /// The hull of corners.
    Hull(Vec<Exact>),
}

pub(super) fn exact(v: Vec3<f32>) -> Exact {
    Vec3::of(v.to_array().map(f64::from))
}

/// Corners on an ellipsoid about a point, of a size.
pub(super) fn pebble(seed: u64, count: usize, middle: [f64; 3], size: f64) -> Solid {
    let mut random = Random(seed);
    let mut corner = || {
        let p: Exact = Vec3::of(random.point());
        let p = p * (1.0 / p.length());
        Vec3::of([0.3 * p.x, 0.2 * p.y, 0.25 * p.z]) * size + Vec3::of(middle)
    };
    Solid::Hull((0..count).map(|_| corner()).collect())
}

impl std::fmt::Debug for Solid {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (name, sizes) = match self {
            Self::Ball(r) => ("ball", vec![*r]),
            Self::Capsule(sizes) => ("capsule", sizes.to_vec()),
            Self::Box(half) => ("box", half.to_vec()),
            Self::Cylinder(sizes) => ("cylinder", sizes.to_vec()),
            Self::Cone(sizes) => ("cone", sizes.to_vec()),
            Self::Hull(corners) => ("hull of", vec![corners.len() as f64]),
        };
        write!(f, "{name} {sizes:?}")
    }
}

impl Solid {
    fn hull(corners: &[Exact]) -> Hull {
        let corners = corners.iter().map(|p| p.to_array().map(|v| v as f32));
        Hull::of_mesh(&(corners.collect(), Vec::new()), Quat::identity()).expect("a hull")
    }

    pub(super) fn geometry(&self) -> Geometry {
        match self {
            Self::Ball(r) => of(Shape::Sphere(*r)),
            Self::Capsule(sizes) => of(Shape::Capsule(*sizes)),
            Self::Box(half) => of(Shape::Box(*half)),
            Self::Cylinder(sizes) => of(Shape::Cylinder(*sizes)),
            Self::Cone(sizes) => of(Shape::Cone(*sizes)),
            Self::Hull(corners) => Geometry::Hull(Arc::new(Self::hull(corners))),
        }
    }

    /// The triangles of a solid of corners.
    pub(super) fn surface(&self) -> Geometry {
        let Self::Hull(corners) = self else { panic!("only hulls have triangles") };
        let hull = Self::hull(corners);
        let points: Vec<_> = hull.points.iter().map(|p| exact(*p).to_array()).collect();
        let fan = |c: &Vec<u32>| (2..c.len()).map(|k| [c[0], c[k - 1], c[k]]).collect::<Vec<_>>();
        let triangles: Vec<_> = hull.faces.iter().flat_map(|face| fan(&face.corners)).collect();
        Geometry::Mesh(Arc::new(mesh(&points, &triangles)))
    }

    /// How far it reaches along a unit vector.
    pub(super) fn reach(&self, n: Exact) -> f64 {
        let across = (n.x * n.x + n.z * n.z).sqrt();
        match self {
            Self::Ball(r) => *r,
            Self::Capsule([r, h]) => r + h * n.y.abs(),
            Self::Box([a, b, c]) => a * n.x.abs() + b * n.y.abs() + c * n.z.abs(),
            Self::Cylinder([r, h]) => r * across + h * n.y.abs(),
            Self::Cone([r, h]) => (1.5 * h * n.y).max(r * across - 0.5 * h * n.y),
            Self::Hull(corners) => corners.iter().map(|p| p.dot(n)).fold(f64::MIN, f64::max),
        }
    }

    /// A point inside.
    fn middle(&self) -> Exact {
        match self {
            Self::Hull(corners) => {
                let sum = corners.iter().fold(Vec3::zero(), |sum, p| sum + *p);
                sum * (1.0 / corners.len() as f64)
            }
            _ => Vec3::zero(),
        }
    }

    /// How far a point close to its surface is off that; the balls about the points of a core are within the capsule.
    pub(super) fn off(&self, p: Exact) -> f64 {
        let across = (p.x * p.x + p.z * p.z).sqrt();
        match self {
            Self::Ball(r) => p.length() - r,
            Self::Capsule([r, h]) => ((p.y.abs() - h).max(0.0).hypot(across) - r).max(0.0),
            Self::Box([a, b, c]) => (p.x.abs() - a).max(p.y.abs() - b).max(p.z.abs() - c),
            Self::Cylinder([r, h]) => (across - r).max(p.y.abs() - h),
            Self::Cone([r, h]) => {
                let side =
                    (across - r * (0.75 - 0.5 * p.y / h)) / (1.0 + 0.25 * r * r / h / h).sqrt();
                side.max(-0.5 * h - p.y)
            }
            Self::Hull(corners) => {
                let hull = Self::hull(corners);
                let above = hull.faces.iter().map(|f| exact(f.normal).dot(p) - f64::from(f.offset));
                above.fold(f64::MIN, f64::max)
            }
        }
    }
}

/// Directions all over the sphere.
fn directions() -> Vec<Exact> {
    const COUNT: i32 = 200;
    let one = |i: i32| {
        let y = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(COUNT);
        let (sine, cosine) = (2.399_963_229_728_653 * f64::from(i)).sin_cos();
        let r = (1.0 - y * y).sqrt();
        Vec3::new(r * cosine, y, r * sine)
    };
    (0..COUNT).map(one).collect()
}

/// Looks for the direction from b to a that parts them most.
pub(super) struct Parting {
    all: Vec<Exact>,
    random: Random,
}

impl Parting {
    pub(super) fn new(seed: u64) -> Self {
        Self { all: directions(), random: Random(seed) }
    }

    /// How far a lies beyond b along the direction that parts them most, in a's frame, and that: their distance where they are apart,
    /// else less how deep they overlap.
    pub(super) fn widest(&mut self, a: &Solid, b: &Solid, at: &Relative) -> (f64, Exact) {
        let center = exact(at.center);
        let turn = Quat::<f64>::of(at.turn.to_array().map(f64::from));
        let parts = |n: Exact| -a.reach(-n) - center.dot(n) - b.reach(turn.unrotate(n));
        let mut tried: Vec<_> = self.all.iter().map(|n| (parts(*n), *n)).collect();
        tried.sort_by(|p, q| q.0.total_cmp(&p.0));
        let mut best = tried[0];
        // From the best few, steps at random that grow where they gain and shrink where they do not.
        for (mut s, mut n) in tried.into_iter().take(4) {
            let mut step = 0.15;
            for _ in 0..140 {
                let m = n + Vec3::of(self.random.point()) * step;
                let m = m * (1.0 / m.length());
                let more = parts(m);
                step *= if more > s { 1.5 } else { 0.9 };
                if more > s {
                    (s, n) = (more, m);
                }
            }
            if s > best.0 {
                best = (s, n);
            }
        }
        best
    }

    /// A place of b beside a where they are apart by about so much: turned anyhow, or flush.
    pub(super) fn place(&mut self, a: &Solid, b: &Solid, flush: bool, apart: f64) -> Relative {
        let turned = |v: Exact| Quat::<f64>::exp(v * 0.5).normalized();
        let quarters = std::f64::consts::FRAC_PI_2;
        let mut way: Exact = Vec3::of(self.random.point());
        let mut turn = turned(Vec3::of(self.random.point()) * 6.0);
        if flush {
            let k = (self.random.unit() * 6.0) as usize;
            let axis = |k: usize| Vec3::of([0, 1, 2].map(|i| if i == k % 3 { 1.0 } else { 0.0 }));
            let spin = turned(axis(k) * (self.random.unit() * 6.0));
            turn = spin * turned(axis(k / 2) * quarters);
            way = axis(k) * if k < 3 { 1.0 } else { -1.0 } + way * 0.2;
        }
        let way = way * (1.0 / way.length());
        let turn = Quat::<f32>::of(turn.to_array());
        let middle = a.middle() - exact(turn.rotate(Vec3::of(b.middle().to_array())));
        let mut far = 0.5;
        let at = |far: f64| Relative { center: Vec3::of((middle + way * far).to_array()), turn };
        for _ in 0..5 {
            let (s, n) = self.widest(a, b, &at(far));
            far -= (s - apart) / (-n.dot(way)).max(0.3);
        }
        at(far)
    }
}
