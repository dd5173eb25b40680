//! A cylinder or a cone against a plane and against what is convex: the direction that parts them most, then the points where
//! what lies farthest along it overlaps.
//!
//! ```text
//! s(n) = min_a n·p - max_b n·q        n among the faces of b, the ends and the sides of both, and the shortest way from b to a
//! ```
//!
//! The shortest way is that of the shapes where they lie apart (`gjk.rs`), and that of their cores where they overlap a little,
//! since it hardly turns then; every s(n) is that of the shapes. Overlapping, none parts them: what is within a hair of touching
//! is the best to a hair. Else the polytope of their differences tells (`epa.rs`). Faces go before ends, these before sides and
//! those before what is between, by a hair each. All in a's frame.

use super::convex::{Convex, Form};
use super::epa::least_reach;
use super::frustum::Frustum;
use super::geometry::Geometry;
use super::gjk::shortest;
use super::grazing::{pass_along, slop};
use super::manifold::{FoundPoint, MOST, Manifold, Point, ReferenceBody, Relative};
use super::polygon::{closest, side_plane};
use super::reduction::{TIGHT, choose};
use super::workspace::Workspace;
use crate::math::{Real, Vec3};
use crate::mesh::Exact;

/// What another direction must be better by, in parts of the thinner shape.
const HAIR: f32 = 0.01;
/// How many steps a direction is improved by.
const STEPS: usize = 4;
/// The cosine up to which a face or a side looks along the normal.
const LEVEL: f32 = 0.996;
/// The square of the sine below which two lines are parallel.
const PARALLEL: f32 = 1e-4;
/// How near two points are that are one, and how unlike two radii of one manifold may be, in parts of the thickness.
const SAME: f32 = 1e-4;

/// Adds where a frustum touches a plane or what is convex.
pub(super) fn collide_frustum_with(
    a: &Frustum,
    b: &Geometry,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    match b {
        Geometry::Plane { normal } => collide_with_plane(a, *normal, at, reach, room, out),
        Geometry::Frustum(b) => collide_frustum(a, Form::Frustum(b), at, reach, room, out),
        b => {
            if let Some(b) = b.hull() {
                collide_frustum(a, Form::Hull(b), at, reach, room, out);
            }
        }
    }
}

/// Adds where a frustum touches a plane.
fn collide_with_plane(
    a: &Frustum,
    normal: Point,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let n = at.turn.rotate(normal);
    let offset = n.dot(at.center);
    let Workspace { corners, found, .. } = room;
    outline(a, -n, corners);
    found.clear();
    let gaps = corners.iter().map(|p| (*p, n.dot(*p) - offset));
    found.extend(gaps.filter(|(_, gap)| *gap < reach).map(|(p, gap)| ([p, p - n * gap], gap)));
    let held = |q: Point, _| (at.to_b(q), 0.0);
    add_manifolds(a, held, (n, normal, ReferenceBody::B), found, out);
}

/// Adds where a frustum touches what is convex.
pub(super) fn collide_frustum(
    a: &Frustum,
    form: Form,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let b = Convex { form, at };
    let Some((s, n)) = widest(a, &b, reach) else {
        return;
    };
    let of = |n: Point| parts(a, &b, n);
    let slop = slop(a.thin.min(b.thin()), room.resting);
    let along = |m: Point| pass_along((of(m), m), (s, n), slop);
    let is_solid = !matches!(form, Form::Triangle(..));
    if is_solid && a.end_normals().into_iter().any(|m| along(-m)) || b.passes(of, (s, n), slop) {
        return;
    }
    let reference = touch(a, &b, n, reach, room);
    let of_b = at.turn.unrotate(n);
    let held = |q: Point, n: Point| b.held(q, n);
    add_manifolds(a, held, (n, of_b, reference), &room.found, out);
}

/// How far a lies beyond b along n.
fn parts(a: &Frustum, b: &Convex, n: Point) -> f32 {
    -a.most(-n) - b.most(n)
}

/// The direction from b to a that parts them most, and by how much; none where one does by `reach`.
pub(super) fn widest(a: &Frustum, b: &Convex, reach: f32) -> Option<(f32, Point)> {
    let hair = HAIR * a.thin.min(b.thin());
    let of = |n: Point| parts(a, b, n);
    let mut best = b.widest_face(reach, of)?;
    let see = |best: &mut (f32, Point), n: Point| {
        let s = of(n);
        if s > best.0 + hair {
            *best = (s, n);
        }
        s < reach
    };
    let between = |k, d| a.farthest_of_core(k, d) - b.farthest(k, -d);
    let see_way = |best: &mut (f32, Point), way: Exact| {
        let way = polish(way * (1.0 / way.length()), f64::from(2.0 * a.reach), |n| between(0, -n));
        let way: Point = Vec3::of(way.to_array());
        let sides = [Some(-a.side_along(-way)), b.side_along(way), Some(way)];
        sides.into_iter().flatten().all(|n| see(best, n))
    };
    let [low, high] = a.end_normals();
    if !see(&mut best, -low) || !see(&mut best, -high) {
        return None;
    }
    let of_cores = |k| shortest(Vec3::of([0.0, 1.0, 0.0]), |d| between(k, d));
    let deepest = || least_reach(f64::from(0.25 * hair), |d| between(0, d)).map(|d| -d);
    let apart = of_cores(0);
    let is_clear = apart.is_some_and(|v| v.length() > f64::from(hair));
    let way = if is_clear { apart } else { of_cores(1) };
    if way.is_some_and(|way| !see_way(&mut best, way)) {
        return None;
    }
    // Nothing is left to find where they are known to part by no more than a hair beyond that.
    let way = if best.0 < -hair { apart.or_else(deepest) } else { None };
    if way.is_some_and(|way| !see_way(&mut best, way)) {
        return None;
    }
    Some(best).filter(|(s, _)| s.is_finite())
}

/// A direction that parts two shapes more, near to n: `between` gives the way from what of b lies farthest along a direction to
/// what of a lies farthest against it, whose part across n is the slope of s. Radii are less than `size` (m).
fn polish(mut n: Exact, size: f64, between: impl Fn(Exact) -> Exact) -> Exact {
    let mut d = between(n);
    for _ in 0..STEPS {
        let s = n.dot(d);
        let m = n + (d - n * s) * (1.0 / size);
        let m = m * (1.0 / m.length());
        let e = between(m);
        if m.dot(e) <= s {
            break;
        }
        (n, d) = (m, e);
    }
    n
}

/// The end or the line of the side of a that looks along d.
fn outline(a: &Frustum, d: Point, corners: &mut Vec<Point>) {
    corners.clear();
    let end = a.end_along(d, corners);
    if end.is_none_or(|n| n.dot(d) < a.side_along(d).dot(d)) {
        corners.clear();
        corners.extend(a.line_along(d, -1.0));
    }
}

/// The same of b, if it is a frustum; else its face.
fn outline_of_other(b: &Convex, n: Point, corners: &mut Vec<Point>) {
    corners.clear();
    let face = b.face_along(n, corners);
    let side = b.side_along(n);
    if side.is_some_and(|side| face.is_none_or(|face| face.dot(n) < side.dot(n))) {
        corners.clear();
        corners.extend(b.line_along(n, -1.0));
    }
}

/// Finds the points where the two touch along n, from b to a: on a and on b, both in a's frame, and their gaps; which of
/// the two has a face there.
pub(super) fn touch(
    a: &Frustum,
    b: &Convex,
    n: Point,
    reach: f32,
    room: &mut Workspace,
) -> ReferenceBody {
    let Workspace { polygon, found, corners, around, .. } = room;
    found.clear();
    around.clear();
    let level = |face: Option<Point>, n: Point| face.map_or(0.0, |face| face.dot(n));
    let of_b = b.face_along(n, around);
    let faces_b = level(of_b, n);
    corners.clear();
    let of_a = a.end_along(-n, corners);
    let faces_a = level(of_a, -n);
    let none = std::iter::empty();
    let reference = match (of_a, of_b) {
        (_, Some(m)) if faces_b >= LEVEL && faces_b >= faces_a - 1e-3 => {
            outline(a, -n, corners);
            let (planes, offset) = (sides(around, m), m.dot(around[0]));
            let over = corners.iter().copied();
            let over = polygon.over_face(over, planes, none, (m, offset), reach);
            found.extend(over.map(|(p, gap)| ([p, p - m * gap], gap)));
            // What is beside a triangle is over another.
            if found.is_empty() && !matches!(b.form, Form::Triangle(..)) {
                found.extend(deepest(corners, m, offset).map(|(p, gap)| ([p, p - m * gap], gap)));
            }
            ReferenceBody::B
        }
        (Some(m), _) if faces_a >= LEVEL => {
            std::mem::swap(corners, around);
            outline_of_other(b, n, corners);
            let (planes, offset) = (sides(around, m), m.dot(around[0]));
            let over = corners.iter().copied();
            let over = polygon.over_face(over, planes, none, (m, offset), reach);
            found.extend(over.map(|(q, gap)| ([q - m * gap, q], gap)));
            if found.is_empty() {
                found.extend(deepest(corners, m, offset).map(|(q, gap)| ([q - m * gap, q], gap)));
            }
            ReferenceBody::A
        }
        _ => {
            lines(a.line_along(-n, LEVEL), b.line_along(n, LEVEL), n, found);
            ReferenceBody::A
        }
    };
    found.retain(|(_, gap)| *gap < reach);
    remove_repeats(found, SAME * a.thin);
    if found.len() > 2 * MOST {
        choose(found, n, TIGHT * a.reach);
    }
    reference
}

/// The corner that lies deepest below a plane, and its gap: what touches a round end between two of its corners is over none
/// of them.
fn deepest(corners: &[Point], m: Point, offset: f32) -> Option<(Point, f32)> {
    let gaps = corners.iter().map(|p| (*p, m.dot(*p) - offset));
    gaps.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// A line that is clipped ends in the same point twice.
fn remove_repeats(found: &mut Vec<FoundPoint>, same: f32) {
    let mut kept = 0;
    for i in 0..found.len() {
        let away = |q: &FoundPoint| (q.0[0] - found[i].0[0]).length();
        if found[..kept].iter().all(|q| away(q) > same) {
            found.swap(kept, i);
            kept += 1;
        }
    }
    found.truncate(kept);
}

/// The planes that bound what lies over a face of normal m.
fn sides(around: &[Point], m: Point) -> impl Iterator<Item = (Point, f32)> {
    let next = around.iter().cycle().skip(1);
    around.iter().zip(next).map(move |(p, q)| side_plane((*p, *q), m))
}

/// Where two lines lie side by side, or the points at which they are closest.
fn lines(p: [Point; 2], q: [Point; 2], n: Point, found: &mut Vec<FoundPoint>) {
    let (e, d) = (p[1] - p[0], q[1] - q[0]);
    let (ee, dd, across) = (e.dot(e), d.dot(d), e.cross(d));
    let mut add = |p: Point, q: Point| found.push(([p, q], n.dot(p - q)));
    if ee * dd > 0.0 && across.dot(across) < PARALLEL * ee * dd {
        let part = |x: Point| Real::clamp((x - p[0]).dot(e) / ee, 0.0, 1.0);
        for t in q.map(part) {
            let on = p[0] + e * t;
            let u = Real::clamp((on - q[0]).dot(d) / dd, 0.0, 1.0);
            add(on, q[0] + d * u);
        }
    } else {
        let [on, other] = closest(p, q);
        add(on, other);
    }
}

/// Adds what was found, points with about the same radii together: of an end that lies on a face the eight corners in two
/// manifolds. `n` points from b to a, in a's frame and in b's.
fn add_manifolds(
    a: &Frustum,
    held: impl Fn(Point, Point) -> (Point, f32),
    (n, of_b, reference): (Point, Point, ReferenceBody),
    found: &[FoundPoint],
    out: &mut Vec<Manifold>,
) {
    let first = out.len();
    let count = found.len().div_ceil(MOST);
    let spread = (0..count).flat_map(|k| found.iter().skip(k).step_by(count));
    for ([p, q], gap) in spread {
        let ((p, r), (q, s)) = (a.held(*p, -n), held(*q, n));
        let alike = |m: &&mut Manifold| {
            let unlike = (m.radii[0] - r).abs() + (m.radii[1] - s).abs();
            m.count < MOST && unlike <= SAME * a.thin
        };
        if let Some(m) = out[first..].iter_mut().find(alike) {
            m.points[m.count].anchors = [p, q];
            m.count += 1;
            continue;
        }
        // What rolls does not carry the normal.
        let (normal, reference) = match reference {
            ReferenceBody::A if r == 0.0 => (n, ReferenceBody::A),
            _ if s == 0.0 || r > 0.0 => (of_b, ReferenceBody::B),
            _ => (n, ReferenceBody::A),
        };
        let part = (out.len() - first) as u32;
        let manifold = Manifold::new(normal, reference, [r, s], &[([p, q], *gap)]);
        out.extend(manifold.map(|m| Manifold { part, ..m }));
    }
}
