//! A body against a mesh collider: every triangle near it by itself, then what has about one normal together, as one manifold
//! of at most four points.
//!
//! A triangle holds what has its middle on its outer side, or had it there when it last touched the mesh. Its normal goes before all others by a hair; the normal of a face
//! of the body, of two edges, or from a side or corner to a round core counts only where the mesh around falls away from it
//! (`mesh.rs`), else the triangle's own takes its place. All in the body's frame, in f32.

use super::capsule_mesh::CapsuleOnMesh;
use super::convex::{Convex, Form};
use super::frustum::Frustum;
use super::frustum_pair::{touch, widest};
use super::geometry::Geometry;
use super::hull::{Face, Hull};
use super::manifold::{FoundPoint, Manifold, Point, ReferenceBody, Relative};
use super::mesh::{ContactMesh, MeshContact};
use super::polygon::{Polygon, bounds, closest, least, least_of_all, side_plane};
use super::reduction::{TIGHT, choose, choose_corners};
use super::workspace::Workspace;
use crate::collision::Feature;
use crate::math::{F32x8, Real, Vec3, WIDTH, set_lanes, splat};

/// What another axis must be better by, in parts of the hull's thickness.
const HAIR: f32 = 0.01;
/// Normals in one cell of this grid are one.
const CELLS: f32 = 16.0;
/// How much further what has sunk is raised, in parts of its reach.
pub(super) const RAISED: f32 = 0.5;
/// What is closer is one point, in parts of the body's reach.
const SAME: f32 = 1e-4;

/// Which cell a normal lies in.
fn cell(n: Point) -> u32 {
    let of = |v: f32| ((v * CELLS).round() + CELLS) as u32;
    (of(n.x) << 16) + (of(n.y) << 8) + of(n.z)
}

/// Radii that are one but for rounding.
fn alike(radius: f32) -> u32 {
    radius.to_bits() >> 6
}

/// Adds where a body's shape touches the triangles.
pub(super) fn collide_mesh(
    a: &Geometry,
    mesh: &ContactMesh,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let back = at.reversed();
    let half = a.extent(back.turn) + Vec3::splat(reach);
    let half_sum = half.x + half.y + half.z + back.center.dot(back.center);
    if !half_sum.is_finite() {
        return;
    }
    let raised = room.raised;
    let half = half + Vec3::new(raised.x.abs(), raised.y.abs(), raised.z.abs());
    mesh.near(back.center - half, back.center + half, &mut room.triangles);
    meet(a, mesh, at, (reach, at.turn.rotate(raised)), room);
    let is_behind = |c: &MeshContact| {
        let middle = at.to_b(a.middle(at.turn.rotate(c.normal)));
        c.normal.dot(middle - c.found.0[1]) < 0.0
    };
    if room.contacts.iter().all(is_behind)
        && let Some(raised) = straddled(a, mesh, at, &room.triangles)
    {
        meet(a, mesh, at, (reach, raised), room);
    }
    gather(a, at, room, out);
}

/// How far a body is to be raised, in its own frame (m), that begins with its middle behind a triangle and still reaches through it,
/// and that nothing else holds: out of the one that its middle is least behind. It would fall through the ground that it was put into.
fn straddled(a: &Geometry, mesh: &ContactMesh, at: &Relative, triangles: &[u32]) -> Option<Point> {
    let radius = a.core_radius()?;
    let behind = triangles.iter().filter_map(|t| {
        let corners = mesh.corners(*t as usize).map(|p| at.center + at.turn.rotate(p));
        let n = at.turn.rotate(mesh.normals[*t as usize]);
        let middle = a.middle(n);
        let depth = n.dot(corners[0] - middle);
        let above = n.dot(a.farthest_of_core(n) - corners[0]) + radius;
        let sides = [0, 1, 2].map(|k| side_plane((corners[k], corners[(k + 1) % 3]), n));
        let is_under = sides.iter().all(|(side, most)| side.dot(middle) <= *most);
        (depth >= 0.0 && above > 0.0 && is_under).then_some((depth, n))
    });
    let (depth, n) = behind.min_by(|p, q| p.0.total_cmp(&q.0))?;
    Some(n * (depth + RAISED * a.reach()))
}

/// Finds where a body's shape touches the triangles that are near, were it raised by so much, in its own frame.
fn meet(
    a: &Geometry,
    mesh: &ContactMesh,
    at: &Relative,
    (reach, raised): (f32, Point),
    room: &mut Workspace,
) {
    let Workspace { polygon, contacts, triangles, .. } = &mut *room;
    contacts.clear();
    let near = triangles.iter().map(|t| *t as usize);
    if let Geometry::Frustum(frustum) = a {
        collide_frustum(frustum, mesh, at, (reach, raised), room);
    } else if let Geometry::Capsule { half, radius } = a {
        let capsule = CapsuleOnMesh { half: *half, radius: *radius, mesh, at, reach, raised };
        near.for_each(|t| capsule.collide(t, contacts));
    } else if let Some(hull) = a.hull() {
        let hull = HullOnMesh { hull, mesh, at, reach, raised };
        near.for_each(|t| hull.collide(t, polygon, contacts));
    }
}

/// One manifold for every cell of normals.
fn gather(a: &Geometry, at: &Relative, room: &mut Workspace, out: &mut Vec<Manifold>) {
    let same = SAME * a.reach();
    let Workspace { contacts, cells, found: points, more, .. } = room;
    cells.clear();
    cells.extend(contacts.iter().zip(0..).map(|(c, i)| ([cell(c.normal), alike(c.radius)], i)));
    cells.sort_unstable();
    for some in cells.chunk_by(|p, q| p.0 == q.0) {
        let some = some.iter().map(|(_, i)| &contacts[*i as usize]);
        let deepest = some.clone().map(|c| c.found.1).fold(f32::INFINITY, f32::min);
        let Some(leader) = some.clone().find(|c| c.found.1 == deepest).or(some.clone().next())
        else {
            continue;
        };
        let MeshContact { normal, radius, .. } = *leader;
        let keeps = !matches!(a, Geometry::Capsule { .. } | Geometry::Frustum(_));
        let base = keeps.then_some(*at);
        points.clear();
        for MeshContact { found, .. } in some {
            // The same point, or the same point of a round core: the deeper stays.
            let alike = |p: &&mut FoundPoint| {
                let d = p.0[0] - found.0[0];
                d.dot(d) <= same * same
            };
            match points.iter_mut().find(alike) {
                Some(known) if found.1 < known.1 => *known = *found,
                Some(_) => {}
                None => points.push(*found),
            }
        }
        more.clear();
        match a {
            Geometry::Hull(_) => choose_corners(points, more, at.turn.rotate(normal), a.reach()),
            _ => choose(points, at.turn.rotate(normal), TIGHT * a.reach()),
        }
        let (first, radii) = (out.len(), [radius, 0.0]);
        let found: [&[_]; 2] = [points, more];
        Manifold::add_face(normal, ReferenceBody::B, radii, found, cell(normal), out);
        out[first..].iter_mut().for_each(|m| m.base = base);
    }
}

/// Finds where a frustum touches the triangles that are near.
fn collide_frustum(
    a: &Frustum,
    mesh: &ContactMesh,
    at: &Relative,
    (reach, raised): (f32, Point),
    room: &mut Workspace,
) {
    let own = |m: Point| at.turn.unrotate(m);
    for i in 0..room.triangles.len() {
        let t = room.triangles[i] as usize;
        let corners = mesh.corners(t).map(|p| at.center + at.turn.rotate(p));
        let n = at.turn.rotate(mesh.normals[t]);
        // Its center is before the triangle.
        if n.dot(corners[0] - raised) >= 0.0 {
            continue;
        }
        let b = Convex { form: Form::Triangle(&corners, n), at };
        let Some((_, m)) = widest(a, &b, reach) else {
            continue;
        };
        let is_outward = m.dot(n) > 0.0;
        let m = if is_outward && mesh.holds(t, highest(&corners, m), own(m)) { m } else { n };
        touch(a, &b, m, reach, room);
        let normal = own(m);
        room.contacts.extend(room.found.iter().map(|([p, q], gap)| {
            let (p, radius) = a.held(*p, -m);
            MeshContact { found: ([p, at.to_b(*q)], *gap), normal, radius }
        }));
    }
}

/// A hull near a triangle.
struct HullOnMesh<'a> {
    hull: &'a Hull,
    mesh: &'a ContactMesh,
    at: &'a Relative,
    reach: f32,
    /// As in [`Workspace`], in the hull's frame.
    raised: Point,
}

impl HullOnMesh<'_> {
    fn collide(&self, t: usize, polygon: &mut Polygon, out: &mut Vec<MeshContact>) {
        let (hull, at) = (self.hull, self.at);
        let place = |p: Point| at.center + at.turn.rotate(p);
        let corners = self.mesh.corners(t).map(place);
        let n = at.turn.rotate(self.mesh.normals[t]);
        let offset = n.dot(corners[0]);
        let of_triangle = least_of_all(&hull.lanes, n) - offset;
        let before = n.dot(hull.middle + self.raised) - offset > 0.0;
        if !before || of_triangle >= self.reach {
            return;
        }
        let gap = |face: &Face| least(&corners, face.normal) - face.offset;
        let Some(best) = hull.widest_face(self.reach, gap) else {
            return;
        };
        let hair = HAIR * hull.thin;
        let own = |m: Point| at.turn.unrotate(m);
        if let Some((m, ends)) = self.edges(t, &corners, best.0.max(of_triangle) + hair) {
            let gap = m.dot(ends[0] - ends[1]);
            if gap < self.reach {
                let anchors = [ends[0], at.to_b(ends[1])];
                out.push(MeshContact { found: (anchors, gap), normal: own(m), radius: 0.0 });
            }
            return;
        }
        if best.0 > of_triangle + hair {
            let m = -hull.faces[best.1].normal;
            // What has sunk by more than half comes out as it went in.
            let is_outward = m.dot(n) > 0.0;
            if is_outward && self.mesh.holds(t, highest(&corners, m), own(m)) {
                self.under_face(best.1, &corners, polygon, out);
                return;
            }
        }
        self.over_triangle(&corners, (n, own(n)), polygon, out);
    }

    /// The triangle's corners over a face of the hull.
    fn under_face(
        &self,
        i: usize,
        corners: &[Point; 3],
        polygon: &mut Polygon,
        out: &mut Vec<MeshContact>,
    ) {
        let face = &self.hull.faces[i];
        let n = face.normal;
        let planes = self.hull.sides(face).map(|side| side_plane(side, n));
        let (corners, none) = (corners.iter().copied(), std::iter::empty());
        let found = polygon.over_face(corners, planes, none, (n, face.offset), self.reach);
        let normal = self.at.turn.unrotate(-n);
        out.extend(found.map(|(p, gap)| MeshContact {
            found: ([p - n * gap, self.at.to_b(p)], gap),
            normal,
            radius: 0.0,
        }));
    }

    /// The hull's corners over the triangle.
    fn over_triangle(
        &self,
        corners: &[Point; 3],
        (n, normal): (Point, Point),
        polygon: &mut Polygon,
        out: &mut Vec<MeshContact>,
    ) {
        let (hull, offset) = (self.hull, n.dot(corners[0]));
        let met = hull.face_against(n);
        let face = met.corners.iter().map(|i| hull.points[*i as usize]);
        let planes = [0, 1, 2].map(|k| side_plane((corners[k], corners[(k + 1) % 3]), n));
        let others = (0..).zip(&hull.points).filter(|(i, _)| !met.corners.contains(i));
        let others = others.map(|(_, p)| *p).filter(|p| {
            let inside = |(side, most): &(Point, f32)| side.dot(*p) <= *most;
            n.dot(*p) - offset < self.reach && planes.iter().all(inside)
        });
        let found = polygon.over_face(face, planes.into_iter(), others, (n, offset), self.reach);
        out.extend(found.map(|(p, gap)| MeshContact {
            found: ([p, self.at.to_b(p - n * gap)], gap),
            normal,
            radius: 0.0,
        }));
    }

    /// An edge of the hull and a side of the triangle that part both by more than `least`: the normal towards the hull, and
    /// the points closest to each other.
    fn edges(&self, t: usize, corners: &[Point; 3], least_s: f32) -> Option<(Point, [Point; 2])> {
        let (hull, mesh) = (self.hull, self.mesh);
        let mut best: Option<(f32, Point, [Point; 2])> = None;
        for k in (0..3).filter(|k| mesh.stands_out(t, Feature::Side(*k))) {
            let side = [corners[k], corners[(k + 1) % 3]];
            let d = side[1] - side[0];
            let far = least_s.abs() + self.reach;
            let [low, high] = bounds(&side).map(Vec3::to_array);
            let near = |[from, to]: &[Vec3<F32x8>; 2]| {
                let ([from, to], wide) = ([from.to_array(), to.to_array()], splat(far));
                let apart =
                    |k: usize| splat(high[k] + far).lt(from[k]) | (to[k] + wide).lt(splat(low[k]));
                set_lanes(!(apart(0) | apart(1) | apart(2)))
            };
            let eights = hull.edge_boxes.iter().zip(hull.edges.chunks(WIDTH));
            let near = eights.flat_map(|(boxes, edges)| near(boxes).filter_map(|i| edges.get(i)));
            for [i, j, f, g] in near {
                let ends = [hull.points[*i as usize], hull.points[*j as usize]];
                let e = ends[1] - ends[0];
                let out = e.cross(d);
                let square = out.dot(out);
                if square < 1e-6 * e.dot(e) * d.dot(d) {
                    continue;
                }
                let sign = if out.dot(ends[0] - hull.middle) < 0.0 { -1.0 } else { 1.0 };
                let out = out * (sign / square.sqrt());
                // The hull lies below it, and the mesh beyond.
                let (f, g) = (hull.faces[*f as usize].normal, hull.faces[*g as usize].normal);
                if out.cross(f).dot(e) * out.cross(g).dot(e) > 0.0 {
                    continue;
                }
                let s = out.dot(side[0] - ends[0]);
                let m = self.at.turn.unrotate(-out);
                if s > best.map_or(least_s, |best| best.0) && mesh.holds(t, Feature::Side(k), m) {
                    // Two that do not cross along it touch elsewhere.
                    let [p, q] = closest(ends, side);
                    if (q - p - out * s).length() <= SAME * hull.reach {
                        best = Some((s, -out, [p, q]));
                    }
                }
            }
        }
        best.map(|(_, m, ends)| (m, ends))
    }
}

/// The part of a triangle that lies farthest along m.
fn highest(corners: &[Point; 3], m: Point) -> Feature {
    let along = corners.map(|p| m.dot(p));
    let most = along.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let size = (corners[1] - corners[0]).length() + (corners[2] - corners[0]).length();
    let up = along.map(|v| v >= most - 1e-3 * size);
    match up {
        [true, true, true] => Feature::Face,
        [true, true, false] => Feature::Side(0),
        [false, true, true] => Feature::Side(1),
        [true, false, true] => Feature::Side(2),
        [_, true, _] => Feature::Corner(1),
        [_, _, true] => Feature::Corner(2),
        _ => Feature::Corner(0),
    }
}
