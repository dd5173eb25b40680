//! What of a particle's kernel lies behind triangles.
//!
//! The kernel is the divergence of a field that ends where the kernel does. So what of it lies within a surface is the field's flow
//! through that, of which only triangles closer than h count. With h = 1 and n a triangle's normal, a distance d from the particle,
//!
//! ```text
//! W = ∇·F     F(r) = -Q(r) r/r³     Q(r) = ∫ W s² ds from r to 1     share = |Σ ∫ F·n dA|
//! ```
//!
//! In polar coordinates about the foot of the particle the integral over ρ is closed, P(R) = d ∫ Q/r² dr from d to R; that over the
//! angle runs along the sides, by Gauss's rule where they are within the sphere. (Winchenbach, Akhunov and Kolb, *Semi-Analytic Boundary
//! Handling Below Particle Resolution for Smoothed Particle Hydrodynamics*, 2020, integrate over triangles too.) A triangle that is small
//! as seen from the particle is taken as a point. The sign of the sum says on which side of the surface the particle is; on
//! either the other side counts. So an open surface, or one wound inward, is a wall too. It has no thickness.

use crate::math::{Real, Vec3, sine_cosine};
use crate::state::NearTriangles;
use core::f64::consts::PI;

/// Factor of the kernel 15/π (1 - r)³.
const KERNEL: f64 = 15.0 / PI;
/// Triangles smaller than this part of their distance are points.
const SMALL: f64 = 0.2;
/// Gauss's rule of five points on -1..=1: points and weights.
const GAUSS: [[f64; 2]; 5] = [
    [0.0, 0.568_888_888_888_888_9],
    [0.538_469_310_105_683_1, 0.478_628_670_499_366_5],
    [-0.538_469_310_105_683_1, 0.478_628_670_499_366_5],
    [0.906_179_845_938_664, 0.236_926_885_056_189_1],
    [-0.906_179_845_938_664, 0.236_926_885_056_189_1],
];

type Point = Vec3<f64>;

/// Q(r).
fn beyond(r: f64) -> f64 {
    let a = 1.0 - r.min(1.0);
    KERNEL * (a * a).powi(2) * (1.0 / 4.0 - a * (2.0 / 5.0 - a / 6.0))
}

/// P(R).
fn closed(d: f64, r: f64) -> f64 {
    let sum = |r: f64| r * r * (-1.0 / 6.0 + r * (1.0 / 4.0 + r * (-3.0 / 20.0 + r / 30.0)));
    KERNEL * ((1.0 - d / r) / 60.0 + d * (sum(r) - sum(d)))
}

/// What of the kernel of support `h` (m) at `x` lies behind the triangles near it.
pub(super) fn behind(triangles: &dyn NearTriangles, x: Point, h: f64) -> f64 {
    let mut sum = 0.0;
    triangles.near(x, h, &mut |triangle| sum += flow(triangle.map(|p| (p - x) * (1.0 / h))));
    sum.abs()
}

/// The field's flow through a triangle, its corners as seen from the particle in parts of h.
fn flow([a, b, c]: [Point; 3]) -> f64 {
    let area = (b - a).cross(c - a);
    let size = (b - a).dot(b - a).max((c - a).dot(c - a)).max((c - b).dot(c - b));
    let middle = (a + b + c) * (1.0 / 3.0);
    let square = middle.dot(middle);
    if size < SMALL * SMALL * square {
        let r = square.sqrt();
        return -0.5 * area.dot(middle) * beyond(r) / (square * r);
    }
    let normal = area * 1.0_f64.over_positive(area.length());
    let height = -a.dot(normal);
    let d = height.abs();
    if d >= 1.0 {
        return 0.0;
    }
    let foot = -normal * height;
    let [a, b, c] = [a, b, c].map(|p| p - foot);
    let all = [[a, b], [b, c], [c, a]].map(|[p, q]| along_side(p, q, normal, d));
    let sum = all[0] + all[1] + all[2];
    if height < 0.0 { -sum } else { sum }
}

/// ∫ P dθ along the side from `p` to `q`, both as seen from the foot.
fn along_side(p: Point, q: Point, normal: Point, d: f64) -> f64 {
    let way = q - p;
    let along = way * 1.0_f64.over_positive(way.length());
    let off = p.cross(along).dot(normal);
    let (m, from, to) = (off.abs(), p.dot(along), q.dot(along));
    if m < 1e-12 {
        return 0.0;
    }
    let angle = |t: f64| Real::atan2(t, m);
    let whole = closed(d, 1.0);
    let mut sum = whole * (angle(to) - angle(from));
    let within = 1.0 - d * d - m * m;
    if within > 0.0 {
        let end = within.sqrt();
        let [from, to] = [from, to].map(|t| angle(t.clamp(-end, end)));
        let (middle, half) = (0.5 * (to + from), 0.5 * (to - from));
        for [at, weight] in GAUSS {
            let (_, cosine) = sine_cosine(middle + half * at);
            let rho = m / cosine;
            let r = (d * d + rho * rho).sqrt().min(1.0);
            sum += half * weight * (closed(d, r) - whole);
        }
    }
    if off < 0.0 { -sum } else { sum }
}
