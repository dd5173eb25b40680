//! A cylinder or a cone as its contacts see it, and what of it lies farthest along a direction.
//!
//! Where it meets something beside its axis, at a point p of radius r, with d the direction out to there,
//!
//! ```text
//! c = p - d ρ,   ρ = r / d_ρ        c lies on the axis, d_ρ is the part of d across it
//! ```
//!
//! a ball of radius ρ about c touches the rim or the side all around: as the body rolls, c and ρ stay true.

use super::load::Load;
use super::manifold::{MOST, Point};
use super::polygon::largest;
use crate::collision;
use crate::math::{Real, Vec3};
use crate::mesh::Exact;

/// Directions this close to the axis have no side of their own.
const UPRIGHT: f32 = 2e-3;
/// How far off the middle of an end its load is, in parts of its radius, from which on the corners turn to it.
/// (They must at 0.7, where the load is on the line of two of them.)
const LOADED: f32 = 0.3;
/// Directions this far across the axis meet what is round.
const BESIDE: f32 = 0.2;
/// What of its thickness is left out of its cores: of the first nothing.
const SHELLS: [f64; 2] = [0.0, 0.1];
/// Where it leans more than this (the sine), the lowest point of the rim alone carries.
const LEANING: f32 = 0.02;
/// The directions of a circle's parts, each 24° from the next, and how far the first is from the middle of its side: between two
/// corners the polygon lies 0.978 r from the middle.
const PARTS: [[f32; 2]; 15] = {
    let (cosine, sine) = (0.913_545_457_642_601, 0.406_736_643_075_800);
    let (mut parts, mut at, mut k) = ([[0.0; 2]; 15], [1.0_f64, 0.0_f64], 0);
    while k < parts.len() {
        parts[k] = [at[0] as f32, at[1] as f32];
        at = [at[0] * cosine - at[1] * sine, at[0] * sine + at[1] * cosine];
        k += 1;
    }
    parts
};
const HALF_PART: [f32; 2] = [0.978_147_6, 0.207_911_69];
/// The corners that carry: where it leans the first, else the two of the first side; and two on the far side.
const LEANS_ON: [usize; MOST] = [0, 4, 11, 7];
const STANDS_ON: [usize; MOST] = [0, 14, 5, 9];

/// Which corners of an end there are, and which four of them carry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    /// The direction of the first.
    first: Point,
    /// Across the axis and that.
    beside: Point,
    carry: [usize; MOST],
}

impl Corners {
    /// The direction of a corner.
    fn direction(&self, k: usize) -> Point {
        self.first * PARTS[k][0] + self.beside * PARTS[k][1]
    }

    /// The directions of those that carry.
    pub(super) fn carry(&self) -> [Point; MOST] {
        self.carry.map(|k| self.direction(k))
    }
}

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
        match part > UPRIGHT * d.length() {
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

    /// The corners of the end that looks along d, around it; none of a tip.
    pub(super) fn end_along(
        &self,
        d: Point,
        load: Option<Load>,
        corners: &mut Vec<Point>,
    ) -> Option<Point> {
        let end = usize::from(d.y > 0.0);
        if self.radii[end] <= 0.0 {
            return None;
        }
        let of = self.corners(d, load);
        corners.extend((0..PARTS.len()).map(|k| self.rim(end, of.direction(k))));
        Some(Vec3::new(0.0, if end == 1 { 1.0 } else { -1.0 }, 0.0))
    }

    /// The corners of the end that looks along the unit vector d. Those that it stands on are always the same fifteen, and two of
    /// the four that carry are those beside its lowest point or, where it leans too little to tell, beside its load; where that
    /// was in the middle, those of before. Beyond it leans on its lowest point.
    pub(super) fn corners(&self, d: Point, load: Option<Load>) -> Corners {
        let across = |p: Point| Vec3::new(p.x, 0.0, p.z);
        let end = usize::from(d.y > 0.0);
        let (lowest, sine) = Self::across(d);
        let up = Vec3::new(0.0, if end == 1 { 1.0 } else { -1.0 }, 0.0);
        if sine > LEANING {
            return Corners { first: lowest, beside: up.cross(lowest), carry: LEANS_ON };
        }
        let way = load.filter(|_| self.radii[end] > 0.0).map_or(lowest, |load| {
            let loaded = across(load.center) * (1.0 / self.radii[end]);
            let way = across(d) * (1.0 / UPRIGHT) + loaded;
            if way.length() > LOADED { way } else { across(load.corner) }
        });
        let x = Vec3::of([1.0, 0.0, 0.0]);
        let z = up.cross(x);
        let turned = |[p, q]: [f32; 2]| x * p + z * q;
        let (_, side) = largest(PARTS.map(|part| way.dot(turned(part))));
        let ([p, q], [c, s]) = (PARTS[side], HALF_PART);
        let first = turned([p * c - q * s, p * s + q * c]);
        Corners { first, beside: up.cross(first), carry: STANDS_ON }
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
