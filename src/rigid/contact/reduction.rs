//! At most four points of a manifold, or eight of two, which carry as all of them would.

use super::manifold::{FoundPoint, MOST, Point};
use crate::math::Vec3;

/// How far beyond the four a corner lies that carries besides, in parts of the same reach.
const BEYOND: f32 = 5e-3;
/// Points this much less deep than the deepest carry as it does, in parts of the smaller reach.
pub(super) const TIGHT: f32 = 1e-3;
/// The first point of the largest measure, so that the order of the points decides between equals; and that measure.
fn largest<'a>(
    points: impl Iterator<Item = &'a FoundPoint>,
    measure: impl Fn(Point) -> f32,
) -> (f32, Option<FoundPoint>) {
    let mut best = (f32::NEG_INFINITY, None);
    for p in points {
        let m = measure(p.0[0]);
        if m > best.0 {
            best = (m, Some(*p));
        }
    }
    best
}

/// The square of a distance.
fn away(p: Point, q: Point) -> f32 {
    (p - q).dot(p - q)
}

/// Keeps these, each place once.
fn keep(points: &mut Vec<FoundPoint>, four: [FoundPoint; 4]) {
    points.clear();
    for point in four {
        if !points.iter().any(|p| away(p.0[0], point.0[0]) == 0.0) {
            points.push(point);
        }
    }
}

/// At most four of the points: the deepest, the one farthest from it, the one farthest from their line, and the one
/// farthest on the other side of it.
pub(super) fn reduce(points: &mut Vec<FoundPoint>, normal: Point) {
    if points.len() <= MOST {
        return;
    }
    let mut first = points[0];
    for p in &points[1..] {
        // A hair apart counts as equally deep: which point leads must not depend on rounding.
        if p.1 < first.1 - 1e-6 {
            first = *p;
        }
    }
    let find =
        |measure: &dyn Fn(Point) -> f32| largest(points.iter(), measure).1.unwrap_or(points[0]);
    let a = first.0[0];
    let second = find(&|p| away(p, a));
    let across = normal.cross(second.0[0] - a);
    let third = find(&|p| across.dot(p - a));
    let fourth = find(&|p| -across.dot(p - a));
    keep(points, [first, second, third, fourth]);
}

/// At most four of the points: of those as deep as the deepest to `tight` (m) the outermost, the one farthest from it, and the
/// ones farthest on both sides of their line; those that are less deep only where there are no others. Were they all alike, what
/// is rounded would rest on one corner and three that hover, and never come to rest.
pub(super) fn choose(points: &mut Vec<FoundPoint>, normal: Point, tight: f32) {
    if points.len() <= MOST {
        return;
    }
    let deepest = points.iter().map(|p| p.1).fold(f32::INFINITY, f32::min);
    let carries = |p: &&FoundPoint| p.1 <= deepest + tight;
    let (mut sum, mut count) = (Vec3::zero(), 0.0);
    for (anchors, _) in points.iter().filter(carries) {
        sum += anchors[0];
        count += 1.0;
    }
    let center = sum * (1.0 / count);
    let find = |measure: &dyn Fn(Point) -> f32, least: f32| {
        let (m, found) = largest(points.iter().filter(carries), measure);
        let of_all = (m <= least).then(|| largest(points.iter(), measure));
        let of_all = of_all.filter(|(n, _)| *n > m);
        of_all.map_or(found, |(_, other)| other).unwrap_or(points[0])
    };
    let first = find(&|p| away(p, center), -1.0);
    let a = first.0[0];
    let second = find(&|p| away(p, a), tight * tight);
    let across = normal.cross(second.0[0] - a);
    let wide = tight * across.length();
    let third = find(&|p| across.dot(p - a), wide);
    let fourth = find(&|p| -across.dot(p - a), wide);
    keep(points, [first, second, third, fourth]);
}

/// As [`choose`]; `more` gets, of the other points that carry, the outermost beyond each side of those four, as a manifold of its own:
/// on four of five corners and more a body tips over a line between two of them, up to three degrees too early.
pub(super) fn choose_corners(
    points: &mut Vec<FoundPoint>,
    more: &mut Vec<FoundPoint>,
    normal: Point,
    reach: f32,
) {
    more.clear();
    if points.len() <= MOST {
        return;
    }
    more.extend_from_slice(points);
    let deepest = points.iter().map(|p| p.1).fold(f32::INFINITY, f32::min);
    choose(points, normal, TIGHT * reach);
    more.retain(|p| p.1 <= deepest + TIGHT * reach);
    let mut outer = [None; MOST];
    if let [a, b, c, d] = points[..] {
        // The first two are opposite each other.
        let around = [a, c, b, d].map(|p| p.0[0]);
        for (k, outer) in outer.iter_mut().enumerate() {
            let [p, q, across] = [0, 1, 2].map(|i| around[(k + i) % MOST]);
            let out = normal.cross(q - p);
            let out = if out.dot(across - p) > 0.0 { -out } else { out };
            let (m, found) = largest(more.iter(), |corner| out.dot(corner - p));
            *outer = found.filter(|_| m > BEYOND * reach * out.length());
        }
    }
    more.clear();
    more.extend(outer.into_iter().flatten());
}
