//! Two convex polyhedra: the axis that parts them most, then the points of one face over the other.
//!
//! ```text
//! s(n) = min_b n·p - max_a n·p         n among the faces of both and e_a × e_b of edges whose arcs cross on the Gauss map
//! ```
//!
//! (Gregorius, *The Separating Axis Test between Convex Polyhedra*, GDC 2013; a pair of edges is looked at only where both
//! come into the box that the two hulls share.) Faces go before edges, and a's before b's, by a hair, as with boxes. All in
//! a's frame, in f32.

use super::grazing::{pass_along, slop};
use super::hull::{Face, Hull};
use super::manifold::{FoundPoint, MOST, Manifold, Point, ReferenceBody, Relative};
use super::polygon::{bounds, closest, least_of_all, side_by_side, side_plane};
use super::reduction::{TIGHT, choose, choose_corners};
use super::workspace::{SeenEdges, Workspace};
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, lane_bits, set_lanes, splat};
use crate::state::Lanes;

/// What another axis must be better by, in parts of the thinner hull.
const HAIR: f32 = 0.01;
/// The square of the sine below which two edges are parallel.
const PARALLEL: f32 = 1e-6;

/// Takes the corners of a hull that lies as b does, in a's frame.
fn place(b: &Hull, at: &Relative, corners: &mut Vec<Point>) {
    corners.clear();
    corners.extend(b.points.iter().map(|p| at.center + at.turn.rotate(*p)));
}

/// Adds the manifolds of two hulls that are closer than `reach`.
pub(super) fn collide_hulls(
    [a, b]: [&Hull; 2],
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let first = out.len();
    match meeting([a, b], at, reach, room) {
        None => {}
        Some(Meeting::Edges(n, found)) => {
            out.extend(Manifold::new(-n, ReferenceBody::A, [0.0; 2], &[found]));
        }
        Some(Meeting::FaceOfA(i)) => {
            face([a, b], at, i, reach, room, out);
            out[first..].iter_mut().for_each(|m| m.base = Some(*at));
        }
        Some(Meeting::FaceOfB(i)) => {
            let back = at.reversed();
            place(a, &back, &mut room.corners);
            face([b, a], &back, i, reach, room, out);
            let turned = |m: Manifold| Manifold { base: Some(*at), ..m.reversed() };
            out[first..].iter_mut().for_each(|m| *m = turned(*m));
        }
    }
}

/// What of two hulls is nearest to the other: a face, or two edges with the axis from a to b and where they are closest.
enum Meeting {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(Point, FoundPoint),
}

/// Of two hulls that are closer than `reach`; b's corners are in the room then.
fn meeting([a, b]: [&Hull; 2], at: &Relative, reach: f32, room: &mut Workspace) -> Option<Meeting> {
    let back = at.reversed();
    let line = at.center + at.turn.rotate(b.middle) - a.middle;
    if !line.length().is_finite() || are_apart([a, b], [at, &back], line, reach) {
        return None;
    }
    let resting = room.resting;
    let Workspace { corners: points, corner_lanes, edges, edge_lanes, near_faces, .. } = &mut *room;
    place(b, at, points);
    side_by_side(points, corner_lanes);
    let thin = a.thin.min(b.thin);
    let (hair, slop) = (HAIR * thin, slop(thin, resting));
    near_faces.clear();
    let mut note = |s: f32, n: Point| {
        if s > -slop {
            near_faces.push((s, n));
        }
        s
    };
    let of_b =
        |face: &Face| note(least_of_all(corner_lanes, face.normal) - face.offset, face.normal);
    let best_a = a.widest_face(reach, of_b)?;
    let best_b = b.widest_face(reach, |face| {
        let n = at.turn.rotate(face.normal);
        note(least_of_all(&a.lanes, n) - face.offset - n.dot(at.center), n)
    })?;
    let pass = |s, n| near_faces.iter().any(|face| pass_along(*face, (s, n), slop));
    let of_faces = best_a.0.max(best_b.0);
    // What is parted by less than `near` is nowhere nearer than it.
    let crossing = Crossing { points, at, near: of_faces.abs() + reach };
    if let Some((s, n, ends)) = crossing.best(a, b, of_faces + hair, (edges, edge_lanes)) {
        if s >= reach || pass(s, n) {
            return None;
        }
        return Some(Meeting::Edges(n, ([ends[0], at.to_b(ends[1])], s)));
    }
    let by_b = best_b.0 > best_a.0 + hair;
    let (s, n) = match by_b {
        true => (best_b.0, at.turn.rotate(b.faces[best_b.1].normal)),
        false => (best_a.0, a.faces[best_a.1].normal),
    };
    if pass(s, n) {
        return None;
    }
    Some(match by_b {
        true => Meeting::FaceOfB(best_b.1),
        false => Meeting::FaceOfA(best_a.1),
    })
}

/// Whether one of the axes that part most hulls that are apart does so by `reach`: the line of their middles, and the face of
/// each that looks most at the other. `at` is how each sees the other.
fn are_apart(hulls: [&Hull; 2], at: [&Relative; 2], line: Point, reach: f32) -> bool {
    let [a, b] = hulls;
    // The least of b along n, in a's frame.
    let beyond = |b: &Hull, at: &Relative, n: Point| {
        n.dot(at.center) + least_of_all(&b.lanes, at.turn.unrotate(n))
    };
    let parts = |a: &Hull, b: &Hull, at: &Relative, line: Point| {
        let face = a.face_against(-line);
        beyond(b, at, face.normal) - face.offset >= reach
    };
    let length = line.length();
    let n = line * (1.0 / length);
    length > 0.0 && beyond(b, at[0], n) + least_of_all(&a.lanes, -n) >= reach
        || parts(a, b, at[0], line)
        || parts(b, a, at[1], at[0].turn.unrotate(-line))
}

/// Edges of two hulls that may cross.
struct Crossing<'a> {
    points: &'a [Point],
    at: &'a Relative,
    near: f32,
}

impl Crossing<'_> {
    /// The axis of two edges that parts by more than `least`, from a to b, and the points of the edges closest to each other.
    fn best(
        &self,
        a: &Hull,
        b: &Hull,
        least: f32,
        (edges, lanes): (&mut Vec<[[Point; 2]; 2]>, &mut Vec<SeenEdges>),
    ) -> Option<(f32, Point, [Point; 2])> {
        let ([low_a, high_a], [low_b, high_b]) = (bounds(&a.points), bounds(self.points));
        let more = Vec3::splat(self.near);
        let fold = |p: Point, q: Point, f: fn(f32, f32) -> f32| {
            Vec3::new(f(p.x, q.x), f(p.y, q.y), f(p.z, q.z))
        };
        let shared = [fold(low_a, low_b, f32::max) - more, fold(high_a, high_b, f32::min) + more];
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
        edges.clear();
        edges.extend(of_b.map(|(ends, faces)| [ends, faces.map(|f| turn(*f))]));
        lanes.clear();
        lanes.extend(edges.chunks(WIDTH).map(seen));
        let mut best: Option<(f32, Point, [[Point; 2]; 2])> = None;
        for [i, j, f, g] in &a.edges {
            let ends = [i, j].map(|i| a.points[*i as usize]);
            if !inside(&ends) {
                continue;
            }
            let normals = [f, g].map(|f| a.faces[*f as usize].normal);
            let e = ends[1] - ends[0];
            let arc = Arc::new(e, normals);
            let crossing = (0..).step_by(WIDTH).zip(lanes.iter());
            let crossing = crossing.flat_map(|(first, others)| {
                set_lanes(arc.crosses(others)).map(move |lane| first + lane)
            });
            for [others, _] in crossing.map(|i: usize| &edges[i]) {
                let d = others[1] - others[0];
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

/// Up to eight edges side by side, with the normals beside them.
fn seen(edges: &[[[Point; 2]; 2]]) -> SeenEdges {
    let edge = |[[p, q], [m, n]]: &[[Point; 2]; 2]| [*q - *p, *m, *n];
    let lanes = each_lane(|lane| edges.get(lane).map_or([Vec3::zero(); 3], edge));
    let [d, m, n] = [0, 1, 2].map(|k| F32x8::single_vectors(|lane| lanes[lane][k]));
    (d, [m, n])
}

/// An edge on the sphere of normals: an arc between those of its two faces.
struct Arc {
    along: Vec3<F32x8>,
    ends: [Vec3<F32x8>; 2],
    across: Vec3<F32x8>,
}

impl Arc {
    fn new(along: Point, ends: [Point; 2]) -> Self {
        let wide = |v: Point| Vec3::new(splat(v.x), splat(v.y), splat(v.z));
        let across = wide(ends[0].cross(ends[1]));
        Self { along: wide(along), ends: ends.map(wide), across }
    }

    /// Where it crosses the arcs of other edges, turned about.
    #[inline(always)]
    fn crosses(&self, (d, b): &SeenEdges) -> F32x8 {
        let (a, zero) = (&self.ends, splat(0.0));
        // An edge lies across both its normals. Most pairs are told by the first of the two.
        let parted = (b[0].dot(self.along) * b[1].dot(self.along)).lt(zero);
        if lane_bits(parted) == 0 {
            return parted;
        }
        let parts = (a[0].dot(*d) * a[1].dot(*d)).lt(zero);
        // On one side of the sphere.
        let other = b[0].cross(b[1]);
        parted & parts & zero.lt(self.across.dot(b[0]) * other.dot(a[1]))
    }
}

/// Adds the manifolds of the points of b, whose corners are in the room, over a's face.
fn face(
    [a, b]: [&Hull; 2],
    at: &Relative,
    i: usize,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let Workspace { polygon, found, more, corners: points, .. } = room;
    let face = &a.faces[i];
    let n = face.normal;
    let met = b.face_against(at.turn.unrotate(n));
    let corners = met.corners.iter().map(|i| points[*i as usize]);
    // Other corners close by hold it too.
    let over = |p: Point| {
        let within = |(c, d): (Point, Point)| (d - c).cross(n).dot(p - c) <= 0.0;
        a.sides(face).all(within)
    };
    let others = (0..).zip(points.iter()).filter(|(i, _)| !met.corners.contains(i));
    let others = others.map(|(_, p)| *p).filter(|p| {
        // Far ones first: most are.
        n.dot(*p) - face.offset < reach && over(*p)
    });
    let planes = a.sides(face).map(|side| side_plane(side, n));
    let over = polygon.over_face(corners, planes, others, (n, face.offset), reach);
    found.clear();
    found.extend(over.map(|(p, gap)| ([p - n * gap, at.to_b(p)], gap)));
    let reach = a.reach.min(b.reach);
    more.clear();
    // What two faces of four corners share is spanned by four points well enough.
    match face.corners.len().max(met.corners.len()) > MOST {
        true => choose_corners(found, more, n, reach),
        false => choose(found, n, TIGHT * reach),
    }
    Manifold::add_face(-n, ReferenceBody::A, [0.0; 2], [found, more], 0, out);
}
