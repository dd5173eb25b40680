//! A cylinder or a cone as its contacts see it, and what of it lies farthest along a direction.
//!
//! Where it meets something beside its axis, at a point p of radius r, with d the direction out to there,
//!
//! ```text
//! c = p - d ρ,   ρ = r / d_ρ        c lies on the axis, d_ρ is the part of d across it
//! ```
//!
//! a ball of radius ρ about c touches the rim or the side all around: as the body rolls, c and ρ stay true.

use super::manifold::Point;
use crate::collision;
use crate::math::{Real, Vec3};
use crate::mesh::Exact;
use core::f32::consts::FRAC_1_SQRT_2;

/// Directions this close to the axis have no side of their own.
const ALONG_AXIS: f32 = 2e-3;
/// Directions this far across the axis meet what is round.
const BESIDE: f32 = 0.2;
/// What of its thickness is left out of its cores: of the first nothing.
const SHELLS: [f64; 2] = [0.0, 0.1];
/// The corners of an end, in parts of its radius: along the direction and across it. (On four it tips up to ten degrees too early,
/// on eight 2.3; on twelve, in three manifolds, columns tremble.)
const CORNERS: [[f32; 2]; 8] = [
    [1.0, 0.0],
    [FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [0.0, 1.0],
    [-FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    [-1.0, 0.0],
    [-FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
    [0.0, -1.0],
    [FRAC_1_SQRT_2, -FRAC_1_SQRT_2],
];

/// A frustum about the y axis.
#[derive(Clone, Debug)]
pub(super) struct Frustum {
    pub(super) shape: collision::Shape,
    /// Heights of the ends, and their radii (m).
    ends: [f32; 2],
    radii: [f32; 2],
    /// The parts of the side's normal across the axis and along it.
    side: [f32; 2],
    /// The radius of a ball that fits in (m).
    pub(super) thin: f32,
    pub(super) reach: f32,
    /// Ends and radii of what lies parts of that deeper in.
    cores: [[[f64; 2]; 2]; 2],
}

impl Frustum {
    pub(super) fn new(shape: collision::Frustum) -> Self {
        let collision::Frustum { ends, radii } = shape;
        let (k, length) = shape.slope();
        let thin = (radii[0].max(radii[1]) / (length + k.abs())).min(0.5 * (ends[1] - ends[0]));
        let core = |part: f64| {
            let shell = part * thin;
            let radius = |y: f64| (radii[0] + k * (y - ends[0]) - shell * length).max(0.0);
            // The tip of a cone's core lies where its side ends.
            let tip = |y: f64, sign: f64| match radius(y) > 0.0 || k * sign >= 0.0 {
                true => y,
                false => ends[0] + (shell * length - radii[0]) / k,
            };
            let [low, high] = [tip(ends[0] + shell, -1.0), tip(ends[1] - shell, 1.0)];
            [[low, high], [radius(low), radius(high)]]
        };
        let reach = |i: usize| crate::math::hypotenuse(ends[i], radii[i]);
        Self {
            shape: collision::Shape::Frustum(shape),
            ends: ends.map(|v| v as f32),
            radii: radii.map(|v| v as f32),
            side: [(1.0 / length) as f32, (-k / length) as f32],
            thin: thin as f32,
            reach: reach(0).max(reach(1)) as f32,
            cores: SHELLS.map(core),
        }
    }

    /// The direction across the axis that d has, else x; and how much of d is across.
    fn across(d: Point) -> (Point, f32) {
        let part = (d.x * d.x + d.z * d.z).sqrt();
        match part > ALONG_AXIS * d.length() {
            true => (Vec3::new(d.x / part, 0.0, d.z / part), part),
            false => (Vec3::of([1.0, 0.0, 0.0]), part),
        }
    }

    /// The point of the rim of an end in a direction across the axis.
    fn rim(&self, end: usize, u: Point) -> Point {
        u * self.radii[end] + Vec3::new(0.0, self.ends[end], 0.0)
    }

    /// How far it reaches along a unit vector.
    pub(super) fn most(&self, d: Point) -> f32 {
        let across = (d.x * d.x + d.z * d.z).sqrt();
        let of = |end: usize| d.y * self.ends[end] + across * self.radii[end];
        of(0).max(of(1))
    }

    /// The farthest point of its core along d, of the outer or the inner.
    pub(super) fn farthest_of_core(&self, core: usize, d: Exact) -> Exact {
        let across = (d.x * d.x + d.z * d.z).sqrt();
        let [ends, radii] = self.cores[core];
        let upper = d.y * ends[1] + across * radii[1] > d.y * ends[0] + across * radii[0];
        let end = usize::from(upper);
        let by = radii[end].over_positive(across);
        Vec3::new(d.x * by, ends[end], d.z * by)
    }

    /// The normal of the side that looks most along d.
    pub(super) fn side_along(&self, d: Point) -> Point {
        let (u, _) = Self::across(d);
        u * self.side[0] + Vec3::new(0.0, self.side[1], 0.0)
    }

    /// The outward normals of its ends; that of a tip twice the other's.
    pub(super) fn end_normals(&self) -> [Point; 2] {
        let [low, high] = [Vec3::of([0.0, -1.0, 0.0]), Vec3::of([0.0, 1.0, 0.0])];
        let [has_low, has_high] = self.radii.map(|r| r > 0.0);
        [if has_low { low } else { high }, if has_high { high } else { low }]
    }

    /// Adds the corners of the end that looks along d, one of them farthest along d; its normal, of a tip none.
    pub(super) fn end_along(&self, d: Point, corners: &mut Vec<Point>) -> Option<Point> {
        let end = usize::from(d.y > 0.0);
        if self.radii[end] <= 0.0 {
            return None;
        }
        let n = Vec3::new(0.0, if end == 1 { 1.0 } else { -1.0 }, 0.0);
        let (u, _) = Self::across(d);
        let v = n.cross(u);
        corners.extend(CORNERS.map(|[p, q]| self.rim(end, u * p + v * q)));
        Some(n)
    }

    /// The line of its side that lies farthest along d: where it is within `level` of being level its two ends, else the farther twice.
    pub(super) fn line_along(&self, d: Point, level: f32) -> [Point; 2] {
        let (u, _) = Self::across(d);
        let ends = [0, 1].map(|end| self.rim(end, u));
        if d.dot(self.side_along(d)) >= level {
            return ends;
        }
        let end = usize::from(d.dot(ends[1]) > d.dot(ends[0]));
        [ends[end]; 2]
    }

    /// Where a point of its surface that meets something along d is held: a point on the axis and a radius, where it is
    /// round there, else the point itself.
    pub(super) fn held(&self, p: Point, d: Point) -> (Point, f32) {
        let (_, across) = Self::across(d);
        let r = (p.x * p.x + p.z * p.z).sqrt();
        if across < BESIDE {
            return (p, 0.0);
        }
        let radius = r / across;
        let c = p - d * radius;
        let off = (c.x * c.x + c.z * c.z).sqrt();
        match off <= 1e-3 * self.thin {
            true => (Vec3::new(0.0, c.y, 0.0), radius),
            false => (p, 0.0),
        }
    }
}
