//! Two convex polyhedra: the axis that parts them most, then the points of one face over the other.
//!
//! ```text
//! s(n) = min_b n·p - max_a n·p         n among the faces of both and e_a × e_b of edges whose arcs cross on the Gauss map
//! ```
//!
//! (Gregorius, *The Separating Axis Test between Convex Polyhedra*, GDC 2013; a pair of edges is looked at only where both
//! come into the box that the two hulls share.) Faces go before edges, and a's before b's, by a hair, as with boxes. All in
//! a's frame, in f32.

use super::hull::Hull;
use super::manifold::{FoundPoint, MOST, Manifold, Point, ReferenceBody, Relative};
use crate::math::{Real, Vec3};

/// What another axis must be better by, in parts of the thinner hull.
const HAIR: f32 = 0.01;
/// Points this much less deep than the deepest carry as it does, in parts of the smaller reach.
pub(super) const TIGHT: f32 = 1e-3;
/// The square of the sine below which two edges are parallel.
const PARALLEL: f32 = 1e-6;

/// The least of the points along n.
pub(super) fn least(points: &[Point], n: Point) -> f32 {
    let along = points.iter().map(|p| p.dot(n));
    along.fold(f32::INFINITY, f32::min)
}

/// The corners of a hull that lies as b does, in a's frame.
fn placed(b: &Hull, at: &Relative) -> Vec<Point> {
    let place = |p: &Point| at.center + at.turn.rotate(*p);
    b.points.iter().map(place).collect()
}

/// The manifold of two hulls that are closer than `reach`.
pub(super) fn collide_hulls(a: &Hull, b: &Hull, at: &Relative, reach: f32) -> Option<Manifold> {
    let points = placed(b, at);
    // Most pairs are parted along the line of their middles.
    let line = at.center + at.turn.rotate(b.middle) - a.middle;
    let length = line.length();
    if !length.is_finite() {
        return None;
    }
    if length > 0.0 {
        let n = line * (1.0 / length);
        if least(&points, n) + least(&a.points, -n) >= reach {
            return None;
        }
    }
    let mut best_a = (f32::NEG_INFINITY, 0);
    for (i, face) in a.faces.iter().enumerate() {
        let s = least(&points, face.normal) - face.offset;
        if s >= reach {
            return None;
        }
        if s > best_a.0 {
            best_a = (s, i);
        }
    }
    let mut best_b = (f32::NEG_INFINITY, 0);
    for (j, face) in b.faces.iter().enumerate() {
        let n = at.turn.rotate(face.normal);
        let s = least(&a.points, n) - face.offset - n.dot(at.center);
        if s >= reach {
            return None;
        }
        if s > best_b.0 {
            best_b = (s, j);
        }
    }
    let hair = HAIR * a.thin.min(b.thin);
    let of_faces = best_a.0.max(best_b.0);
    let crossing = Crossing {
        points: &points,
        at,
        // What is parted by less than this is nowhere nearer than it.
        near: of_faces.abs() + reach,
    };
    if let Some((s, n, ends)) = crossing.best(a, b, of_faces + hair) {
        if s >= reach {
            return None;
        }
        let found = ([ends[0], at.to_b(ends[1])], s);
        return Manifold::new(-n, ReferenceBody::A, [0.0; 2], &[found]);
    }
    let manifold = match best_b.0 > best_a.0 + hair {
        true => {
            let seen = at.reversed();
            face(b, a, &placed(a, &seen), &seen, best_b.1, reach).map(Manifold::reversed)
        }
        false => face(a, b, &points, at, best_a.1, reach),
    };
    manifold.map(|manifold| Manifold {
        base: Some(*at),
        ..manifold
    })
}

/// Edges of two hulls that may cross.
struct Crossing<'a> {
    points: &'a [Point],
    at: &'a Relative,
    near: f32,
}

impl Crossing<'_> {
    /// The axis of two edges that parts by more than `least`, from a to b, and the points of the edges closest to each other.
    fn best(&self, a: &Hull, b: &Hull, least: f32) -> Option<(f32, Point, [Point; 2])> {
        let ([low_a, high_a], [low_b, high_b]) = (bounds(&a.points), bounds(self.points));
        let more = Vec3::new(self.near, self.near, self.near);
        let fold = |p: Point, q: Point, f: fn(f32, f32) -> f32| {
            Vec3::new(f(p.x, q.x), f(p.y, q.y), f(p.z, q.z))
        };
        let shared = [
            fold(low_a, low_b, f32::max) - more,
            fold(high_a, high_b, f32::min) + more,
        ];
        let inside = |ends: &[Point; 2]| {
            let [low, high] = bounds(ends);
            let (low, high) = (low.to_array(), high.to_array());
            let [from, to] = shared.map(Vec3::to_array);
            (0..3).all(|k| low[k] <= to[k] && from[k] <= high[k])
        };
        let turn = |f: u32| -self.at.turn.rotate(b.faces[f as usize].normal);
        let of_b = b.edges.iter().map(|[p, q, f, g]| {
            let ends = [p, q].map(|i| self.points[*i as usize]);
            (ends, [f, g])
        });
        let of_b = of_b.filter(|(ends, _)| inside(ends));
        let of_b: Vec<_> = of_b
            .map(|(ends, faces)| (ends, faces.map(|f| turn(*f))))
            .collect();
        let mut best: Option<(f32, Point, [[Point; 2]; 2])> = None;
        for [i, j, f, g] in &a.edges {
            let ends = [i, j].map(|i| a.points[*i as usize]);
            if !inside(&ends) {
                continue;
            }
            let normals = [f, g].map(|f| a.faces[*f as usize].normal);
            let e = ends[1] - ends[0];
            for (others, arcs) in &of_b {
                let d = others[1] - others[0];
                if !arcs_cross(normals, *arcs, [e, d]) {
                    continue;
                }
                let n = e.cross(d);
                let square = n.dot(n);
                if square < PARALLEL * e.dot(e) * d.dot(d) {
                    continue;
                }
                let out = n.dot(ends[0] - a.middle) < 0.0;
                let n = n * (if out { -1.0 } else { 1.0 } / square.sqrt());
                let s = n.dot(others[0] - ends[0]);
                if s > best.map_or(least, |best| best.0) {
                    best = Some((s, n, [ends, *others]));
                }
            }
        }
        best.map(|(s, n, [p, q])| (s, n, closest(p, q)))
    }
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

/// Whether the arcs of two edges cross on the sphere of normals: `a` of one, `b` of the other turned about, each along its edge.
fn arcs_cross(a: [Point; 2], b: [Point; 2], [e, d]: [Point; 2]) -> bool {
    // An edge lies across both its normals.
    let (b0, b1) = (b[0].dot(e), b[1].dot(e));
    let (a0, a1) = (a[0].dot(d), a[1].dot(d));
    if b0 * b1 >= 0.0 || a0 * a1 >= 0.0 {
        return false;
    }
    // On one side of the sphere.
    let across = a[0].cross(a[1]);
    let other = b[0].cross(b[1]);
    across.dot(b[0]) * other.dot(a[1]) > 0.0
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

/// The face of a hull that looks most against n.
pub(super) fn against(hull: &Hull, n: Point) -> usize {
    let mut best = (f32::INFINITY, 0);
    for (i, face) in hull.faces.iter().enumerate() {
        let along = face.normal.dot(n);
        if along < best.0 {
            best = (along, i);
        }
    }
    best.1
}

/// The points of b, at `points`, over a's face.
fn face(
    a: &Hull,
    b: &Hull,
    points: &[Point],
    at: &Relative,
    i: usize,
    reach: f32,
) -> Option<Manifold> {
    let face = &a.faces[i];
    let n = face.normal;
    let met = &b.faces[against(b, at.turn.unrotate(n))];
    let mut polygon: Vec<Point> = met.corners.iter().map(|i| points[*i as usize]).collect();
    for (p, q) in a.sides(face) {
        let out = (q - p).cross(n);
        clip(&mut polygon, out, out.dot(p));
    }
    // Other corners close by hold it too.
    let over = |p: Point| {
        let within = |(c, d): (Point, Point)| (d - c).cross(n).dot(p - c) <= 0.0;
        a.sides(face).all(within)
    };
    let others = (0..).zip(points).filter(|(i, _)| !met.corners.contains(i));
    let others = others.map(|(_, p)| *p).filter(|p| {
        // Far ones first: most are.
        n.dot(*p) - face.offset < reach && over(*p)
    });
    polygon.extend(others);
    let mut found: Vec<FoundPoint> = Vec::with_capacity(polygon.len());
    for p in polygon {
        let gap = n.dot(p) - face.offset;
        if gap < reach {
            found.push(([p - n * gap, at.to_b(p)], gap));
        }
    }
    choose(&mut found, n, TIGHT * a.reach.min(b.reach));
    Manifold::new(-n, ReferenceBody::A, [0.0; 2], &found)
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
    // The first of the largest, so that the order of the points decides between equals.
    let largest = |measure: &dyn Fn(Point) -> f32, least: f32| {
        let mut best = (f32::NEG_INFINITY, points[0]);
        for (all, least) in [(false, least), (true, f32::INFINITY)] {
            for p in points.iter().filter(|p| all || carries(p)) {
                let m = measure(p.0[0]);
                if m > best.0 {
                    best = (m, *p);
                }
            }
            if best.0 > least {
                break;
            }
        }
        best.1
    };
    let away = |p: Point, q: Point| (p - q).dot(p - q);
    let first = largest(&|p| away(p, center), -1.0);
    let a = first.0[0];
    let second = largest(&|p| away(p, a), tight * tight);
    let across = normal.cross(second.0[0] - a);
    let wide = tight * across.length();
    let third = largest(&|p| across.dot(p - a), wide);
    let fourth = largest(&|p| -across.dot(p - a), wide);
    points.clear();
    for point in [first, second, third, fourth] {
        if !points.iter().any(|p| away(p.0[0], point.0[0]) == 0.0) {
            points.push(point);
        }
    }
}

/// Keeps what of a polygon has n·x <= offset.
pub(super) fn clip(polygon: &mut Vec<Point>, n: Point, offset: f32) {
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

#[cfg(test)]
mod tests {
    use super::super::box_box::collide_boxes;
    use super::*;
    use crate::math::Quat;
    use crate::tests::models::Random;

    /// The least gap of a manifold's points along its normal, and the normal in a's frame.
    fn seen(m: &Manifold, at: &Relative) -> (f32, Point) {
        let normal = match m.reference {
            ReferenceBody::A => m.normal,
            ReferenceBody::B => at.turn.rotate(m.normal),
        };
        let gap = |k: usize| {
            let [a, b] = m.points[k].anchors;
            normal.dot(a - at.center - at.turn.rotate(b))
        };
        let gaps = (0..m.count).map(gap);
        (gaps.fold(f32::INFINITY, f32::min), normal)
    }

    /// Boxes as hulls touch as boxes do: the same normal and depth, and all gaps within reach.
    #[test]
    fn boxes_as_hulls_touch_as_boxes() {
        let mut random = Random(17);
        let (a, b): (Point, Point) = (Vec3::new(0.3, 0.2, 0.25), Vec3::new(0.15, 0.4, 0.2));
        let hulls = [Hull::of_box(a), Hull::of_box(b)];
        let (mut met, mut crossed) = (0, 0);
        for _ in 0..5000 {
            let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 2.0);
            let at = Relative {
                center: Vec3::of(random.point().map(|v| 0.7 * v)),
                turn: Quat::of(turn.to_array()),
            };
            let reach = 0.02;
            let expected = collide_boxes(a, b, &at, reach);
            let found = collide_hulls(&hulls[0], &hulls[1], &at, reach);
            let (Some(expected), Some(found)) = (&expected, &found) else {
                // Corners apart may be farther than any of the boxes' axes says, and at the very limit rounding decides.
                let apart = expected.is_none_or(|m| seen(&m, &at).0 > 0.0);
                assert!(apart, "missed at {at:?}");
                assert!(found.is_none() || collide_boxes(a, b, &at, reach + 1e-5).is_some());
                continue;
            };
            let ((d, n), (e, m)) = (seen(found, &at), seen(expected, &at));
            met += 1;
            crossed += usize::from(expected.base.is_none());
            // Where two axes part alike within a hair, either will do.
            if n.dot(m) < 0.999 {
                assert!((d - e).abs() < 0.01, "{d} and {e} along {n:?} and {m:?}");
                continue;
            }
            assert!((d - e).abs() < 1e-5, "{d} and {e}");
            // One on the very limit may be in one and not in the other.
            assert!(found.count.abs_diff(expected.count) <= 1, "{at:?}");
            // Seen the other way round it is the same.
            let back = at.reversed();
            let other = collide_hulls(&hulls[1], &hulls[0], &back, reach).expect("as near");
            assert!((seen(&other, &back).0 - e).abs() < 0.01);
        }
        println!("{met} meet, {crossed} of them by edges");
        assert!(met > 1000 && crossed > 50);
    }

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
