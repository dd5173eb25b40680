//! Points, segments and polygons, as the routines of the narrow phase share them.

use super::manifold::Point;
use crate::math::{Real, Vec3};

/// The least of the points along n.
pub(super) fn least(points: &[Point], n: Point) -> f32 {
    let along = points.iter().map(|p| p.dot(n));
    along.fold(f32::INFINITY, f32::min)
}

/// The upright box around points.
pub(super) fn bounds(points: &[Point]) -> [Point; 2] {
    let all = |start: f32, f: fn(f32, f32) -> f32| {
        points
            .iter()
            .fold(Vec3::new(start, start, start), |sum, p| {
                Vec3::new(f(sum.x, p.x), f(sum.y, p.y), f(sum.z, p.z))
            })
    };
    [
        all(f32::INFINITY, f32::min),
        all(f32::NEG_INFINITY, f32::max),
    ]
}

/// Half the upright box about the origin around points, and how far they reach from there (m).
pub(super) fn half_and_reach(points: &[Point]) -> (Point, f32) {
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

/// Keeps what of a polygon has n·x <= offset.
fn clip(polygon: &mut Vec<Point>, n: Point, offset: f32) {
    let from = std::mem::take(polygon);
    let over = |p: Point| n.dot(p) - offset;
    for (k, p) in from.iter().enumerate() {
        let q = from[(k + 1) % from.len()];
        let (dp, dq) = (over(*p), over(q));
        if dp <= 0.0 {
            polygon.push(*p);
        }
        if (dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0) {
            polygon.push(*p + (q - *p) * (dp / (dp - dq)));
        }
    }
}

/// What of a polygon lies over a face with these sides, and `others`: each point that is closer than `reach` to the plane
/// n·x = offset, with its gap.
pub(super) fn over_face(
    mut polygon: Vec<Point>,
    sides: impl Iterator<Item = (Point, Point)>,
    others: impl Iterator<Item = Point>,
    (n, offset): (Point, f32),
    reach: f32,
) -> impl Iterator<Item = (Point, f32)> {
    for (p, q) in sides {
        let out = (q - p).cross(n);
        clip(&mut polygon, out, out.dot(p));
    }
    polygon.extend(others);
    let gaps = polygon.into_iter().map(move |p| (p, n.dot(p) - offset));
    gaps.filter(move |(_, gap)| *gap < reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::models::Random;

    /// Segments: the closest points against many points of both.
    #[test]
    fn closest_points_of_segments() {
        let mut random = Random(23);
        for _ in 0..200 {
            let [p, q] = [0, 1].map(|_| [0, 1].map(|_| Vec3::<f32>::of(random.point())));
            let [x, y] = closest(p, q);
            let found = (x - y).length();
            for i in 0..=40 {
                for j in 0..=40 {
                    let at = |s: [Point; 2], k: i32| s[0] + (s[1] - s[0]) * (k as f32 / 40.0);
                    assert!((at(p, i) - at(q, j)).length() >= found - 1e-5);
                }
            }
        }
    }
}
