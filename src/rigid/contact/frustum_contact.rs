//! Cylinders and cones against planes, polyhedra, each other and triangles.
//!
//! A cylinder on its side is a core with a radius, met as a capsule is, so that it rolls as one; what a capsule's round ends would
//! touch is left out. All else is met by the hull, twice: the first pass tells the normal, the second has a corner there.

use super::capsule::collide_capsule;
use super::frustum::Frustum;
use super::geometry::Geometry;
use super::hull_hull::collide_hulls;
use super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::mesh::ContactMesh;
use super::mesh_manifold::collide_mesh;
use super::plane::collide_plane;
use super::reduction::{TIGHT, choose};
use super::workspace::Workspace;
use crate::math::Quat;

/// How far the normal of a side may lean along its axis: the sine.
const LEANS: f32 = 0.1;

/// Adds where a touches a plane of `normal`, which is b.
pub(super) fn collide_frustum_plane(
    a: &Frustum,
    (b, normal): (&Geometry, Point),
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let n = at.turn.rotate(normal);
    if let Some(core) = a.on_side(n) {
        return collide_capsule(core, b, at, reach, out);
    }
    let spins = [a.facing(-n), Quat::identity()];
    let pick = |points: &mut Vec<_>, n| choose(points, n, TIGHT * a.reach);
    let corners = a.hull.points.iter().copied();
    let found = collide_plane(corners, normal, &spun(at, spins), reach, &mut room.found, pick);
    out.extend(found.map(|manifold| unspun(manifold, spins)));
}

/// Adds where a, a frustum, touches a polyhedron or another frustum.
pub(super) fn collide_frustum(
    a: (&Geometry, &Frustum),
    b: &Geometry,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let Some(hull) = b.hull() else { return };
    let other = if let Geometry::Frustum(other) = b { Some(&**other) } else { None };
    let sag = a.1.sag + other.map_or(0.0, |other| other.sag);
    let Some(guess) = collide_hulls(&a.1.hull, hull, at, reach + sag, room) else {
        return;
    };
    let n = normal_in_a(&guess, at);
    let (start, back) = (out.len(), at.reversed());
    if let Some(core) = a.1.on_side(n) {
        collide_capsule(core, b, at, reach, out);
        keep_sides(out, start, at);
    } else if let Some(core) = other.and_then(|other| other.on_side(back.turn.rotate(n))) {
        collide_capsule(core, a.0, &back, reach, out);
        keep_sides(out, start, &back);
        out[start..].iter_mut().for_each(|m| *m = m.reversed());
    }
    if out.len() > start {
        return;
    }
    let facing = |other: &Frustum| other.facing(back.turn.rotate(n));
    let spins = [a.1.facing(-n), other.map_or(Quat::identity(), facing)];
    let found = collide_hulls(&a.1.hull, hull, &spun(at, spins), reach, room);
    out.extend(found.map(|manifold| unspun(manifold, spins)));
}

/// Adds where a, a frustum, touches the triangles of b.
pub(super) fn collide_frustum_mesh(
    a: (&Geometry, &Frustum),
    b: &ContactMesh,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    let start = out.len();
    collide_mesh(a.0, b, at, reach + a.1.sag, room, out);
    let Some(n) = out.get(start).map(|guess| normal_in_a(guess, at)) else {
        return;
    };
    let core = a.1.on_side(n).filter(|_| {
        out[start..].iter().all(|guess| a.1.on_side(normal_in_a(guess, at)).is_some())
    });
    out.truncate(start);
    if let Some((half, radius)) = core {
        collide_mesh(&Geometry::Capsule { half, radius }, b, at, reach, room, out);
        keep_sides(out, start, at);
    }
    if out.len() == start {
        let spins = [a.1.facing(-n), Quat::identity()];
        collide_mesh(a.0, b, &spun(at, spins), reach, room, out);
        out[start..].iter_mut().for_each(|m| *m = unspun(*m, spins));
    }
}

/// From b to a, in a's frame.
fn normal_in_a(manifold: &Manifold, at: &Relative) -> Point {
    match manifold.reference {
        ReferenceBody::A => manifold.normal,
        ReferenceBody::B => at.turn.rotate(manifold.normal),
    }
}

/// Leaves out what a cylinder's flat ends do not touch.
fn keep_sides(out: &mut Vec<Manifold>, start: usize, at: &Relative) {
    let mut kept = start;
    for k in start..out.len() {
        if normal_in_a(&out[k], at).y.abs() < LEANS {
            out[kept] = out[k];
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// How a sees b where both are spun in their own frames.
fn spun(at: &Relative, [a, b]: [Quat<f32>; 2]) -> Relative {
    Relative { center: a.unrotate(at.center), turn: a.conjugate() * at.turn * b }
}

/// A manifold of what is spun, in the frames of what is not. As the hull is spun anew, its points are never kept.
fn unspun(mut manifold: Manifold, spins: [Quat<f32>; 2]) -> Manifold {
    for point in &mut manifold.points[..manifold.count] {
        for (anchor, spin) in point.anchors.iter_mut().zip(spins) {
            *anchor = spin.rotate(*anchor);
        }
    }
    let carrier = usize::from(manifold.reference == ReferenceBody::B);
    manifold.normal = spins[carrier].rotate(manifold.normal);
    Manifold { base: None, ..manifold }
}
