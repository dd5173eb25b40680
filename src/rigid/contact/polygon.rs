//! Points, segments and polygons, as the routines of the narrow phase share them.

use super::manifold::Point;
use crate::math::{F32x8, Real, Vec3, WIDTH, clip, splat, unpack};
use crate::state::Lanes;

/// The least of the points along n.
pub(super) fn least(points: &[Point], n: Point) -> f32 {
    let along = points.iter().map(|p| p.dot(n));
    along.fold(f32::INFINITY, f32::min)
}

/// Points side by side; behind the last one it is repeated.
pub(super) fn side_by_side(points: &[Point], lanes: &mut Vec<Vec3<F32x8>>) {
    let eight = |some: &[Point]| F32x8::single_vectors(|lane| some[lane.min(some.len() - 1)]);
    lanes.clear();
    lanes.extend(points.chunks(WIDTH).map(eight));
}

/// The least along n of points side by side.
pub(super) fn least_of_all(points: &[Vec3<F32x8>], n: Point) -> f32 {
    let n = Vec3::new(splat(n.x), splat(n.y), splat(n.z));
    let mut least = splat(f32::INFINITY);
    for p in points {
        least = p.dot(n).min(least);
    }
    // In pairs: one after another each would wait for the one before.
    let min = |a: f32, b: f32| if b < a { b } else { a };
    let [a, b, c, d, e, f, g, h] = unpack(least);
    min(min(min(a, e), min(b, f)), min(min(c, g), min(d, h)))
}

/// The upright box around points.
pub(super) fn bounds(points: &[Point]) -> [Point; 2] {
    let all = |start: f32, f: fn(f32, f32) -> f32| {
        points.iter().fold(Vec3::splat(start), |sum, p| {
            Vec3::new(f(sum.x, p.x), f(sum.y, p.y), f(sum.z, p.z))
        })
    };
    [all(f32::INFINITY, f32::min), all(f32::NEG_INFINITY, f32::max)]
}

/// Half the upright box about the origin around points, and how far they reach from there (m).
pub(super) fn half_extents(points: &[Point]) -> (Point, f32) {
    let most = |of: fn(Point) -> f32| points.iter().map(|p| of(*p).abs()).fold(0.0, f32::max);
    (
        Vec3::new(most(|p| p.x), most(|p| p.y), most(|p| p.z)),
        points.iter().map(|p| p.length()).fold(0.0, f32::max),
    )
}

/// The points of two segments that are closest to each other.
pub(super) fn closest(p: [Point; 2], q: [Point; 2]) -> [Point; 2] {
    let (e, d, from) = (p[1] - p[0], q[1] - q[0], q[0] - p[0]);
    let (ee, dd, ed) = (e.dot(e), d.dot(d), e.dot(d));
    let across = ee * dd - ed * ed;
    let s = (from.dot(e) * dd - from.dot(d) * ed).over_positive(across);
    let s = Real::clamp(s, 0.0, 1.0);
    let t = (e * s - from).dot(d).over_positive(dd);
    let t = Real::clamp(t, 0.0, 1.0);
    let s = (from + d * t).dot(e).over_positive(ee);
    [p[0] + e * Real::clamp(s, 0.0, 1.0), q[0] + d * t]
}

/// The first of the largest, and which it is.
pub(super) fn largest(values: impl IntoIterator<Item = f32>) -> (f32, usize) {
    let mut best = (f32::NEG_INFINITY, 0);
    for (i, value) in values.into_iter().enumerate() {
        if value > best.0 {
            best = (value, i);
        }
    }
    best
}

/// The plane that bounds what lies over a face of normal n beyond its side from p to q: its normal and offset.
pub(super) fn side_plane((p, q): (Point, Point), n: Point) -> (Point, f32) {
    let out = (q - p).cross(n);
    (out, out.dot(p))
}

/// A polygon that is being clipped, with room to do it in: nothing is allocated once it has grown.
#[derive(Default)]
pub(super) struct Polygon {
    points: Vec<Point>,
    room: Vec<Point>,
}

impl Polygon {
    /// What of a polygon lies below these planes, and `others`: each point that is closer than `reach` to the plane
    /// n·x = offset, with its gap.
    pub(super) fn over_face(
        &mut self,
        corners: impl Iterator<Item = Point>,
        planes: impl Iterator<Item = (Point, f32)>,
        others: impl Iterator<Item = Point>,
        (n, offset): (Point, f32),
        reach: f32,
    ) -> impl Iterator<Item = (Point, f32)> {
        self.points.clear();
        self.points.extend(corners);
        for (out, offset) in planes {
            clip(&mut self.points, &mut self.room, out, offset);
        }
        self.points.extend(others);
        let gaps = self.points.iter().map(move |p| (*p, n.dot(*p) - offset));
        gaps.filter(move |(_, gap)| *gap < reach)
    }
}
