//! Where two shapes touch: which routine serves which two of them.

use super::approach::Approach;
use super::box_box::collide_boxes;
use super::capsule::collide_capsule;
use super::frustum_pair::collide_frustum_with;
use super::geometry::{Geometry, PlacedGeometry};
use super::hull_hull::collide_hulls;
use super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::mesh_manifold::collide_mesh;
use super::plane::collide_plane;
use super::reduction::{choose_corners, reduce};
use super::workspace::Workspace;
use crate::math::Vec3;
use crate::state::box_corner;

/// What gravity gives in a step leads so many times as far as things at rest may overlap, and a little more.
const FALL: f32 = 5.5;

/// Adds where a touches b, or may before it has moved by `reach`, or by an `approach`.
pub(super) fn collide(
    a: &Geometry,
    b: &Geometry,
    at: &Relative,
    (reach, approach): (f32, Option<Approach>),
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    if let Some(then) = approach.and_then(|approach| approach.first_touch([a, b], at)) {
        let first = out.len();
        let resting = room.resting;
        room.resting[1] = FALL * resting[0];
        collide_here(a, b, &then, (reach, None), room, out);
        room.resting = resting;
        if out.len() > first {
            // They are not where they were found.
            out[first..].iter_mut().for_each(|m| m.base = None);
            return;
        }
    }
    collide_here(a, b, at, (reach, approach), room, out);
}

/// The same where they lie; parts of a whole may come together.
fn collide_here(
    a: &Geometry,
    b: &Geometry,
    at: &Relative,
    (reach, approach): (f32, Option<Approach>),
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    use Geometry::{Box, Capsule, Compound, Frustum, Nothing, Plane};
    match (a, b) {
        (Nothing, _) | (_, Nothing) | (Plane { .. }, _) => {}
        (Compound(parts), _) => {
            each_part(&parts.parts, ReferenceBody::A, at, out, |part, at, out| {
                let approach = approach.map(|way| way.of_part(part, ReferenceBody::A));
                collide(&part.geometry, b, at, (reach, approach), room, out);
            });
        }
        (_, Compound(parts)) => {
            each_part(&parts.parts, ReferenceBody::B, at, out, |part, at, out| {
                let approach = approach.map(|way| way.of_part(part, ReferenceBody::B));
                collide(a, &part.geometry, at, (reach, approach), room, out);
            });
        }
        (_, Geometry::Mesh(mesh)) => collide_mesh(a, mesh, at, reach, room, out),
        (Geometry::Mesh(_), _) => {}
        (Capsule { half, radius }, _) => {
            collide_capsule((*half, *radius), b, at, reach, out);
            // Where this one is the longer, the other's ends are met.
            if let Capsule { half, radius } = b
                && half.dot(*half) > 0.0
            {
                let first = out.len();
                reversed(at, out, |at, out| collide_capsule((*half, *radius), a, at, reach, out));
                let mut kept = first;
                for k in first..out.len() {
                    if out[k].part < 2 {
                        out[kept] = Manifold { part: out[k].part + 3, ..out[k] };
                        kept += 1;
                    }
                }
                out.truncate(kept);
            }
        }
        (_, Capsule { half, radius }) => {
            reversed(at, out, |at, out| collide_capsule((*half, *radius), a, at, reach, out));
        }
        (Frustum(a), b) => collide_frustum_with(a, b, at, reach, room, out),
        (a, Frustum(b)) => {
            reversed(at, out, |at, out| collide_frustum_with(b, a, at, reach, room, out));
        }
        (Box(a, _), Box(b, _)) => out.extend(collide_boxes(*a, *b, at, reach, room)),
        (_, Plane { normal }) => above_plane(a, *normal, at, reach, room, out),
        _ => {
            if let (Some(a), Some(b)) = (a.hull(), b.hull()) {
                collide_hulls([a, b], at, reach, room, out);
            }
        }
    }
}

/// Adds the manifolds of a box or a hull close above a plane.
fn above_plane(
    a: &Geometry,
    normal: Point,
    at: &Relative,
    reach: f32,
    Workspace { found, more, .. }: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    more.clear();
    if let Geometry::Box(half, _) = a {
        let corners = (0..8).map(|i| Vec3::from(box_corner(half.to_array(), i)));
        collide_plane(corners, normal, at, reach, found);
        reduce(found, at.turn.rotate(normal));
    } else if let Some(hull) = a.hull() {
        collide_plane(hull.points.iter().copied(), normal, at, reach, found);
        choose_corners(found, more, at.turn.rotate(normal), hull.reach);
    } else {
        return;
    }
    Manifold::add_face(normal, ReferenceBody::B, [0.0; 2], [found, more], 0, out);
}

/// Adds what `act` finds of each part of a whole, which is a or b.
fn each_part(
    parts: &[PlacedGeometry],
    whole: ReferenceBody,
    at: &Relative,
    out: &mut Vec<Manifold>,
    mut act: impl FnMut(&PlacedGeometry, &Relative, &mut Vec<Manifold>),
) {
    for (number, part) in (0..).zip(parts) {
        let first = out.len();
        act(part, &part.seen(at, whole), out);
        out[first..].iter_mut().for_each(|m| *m = part.of_whole(*m, whole, number));
    }
}

/// Adds what `act` finds with a and b in each other's places.
fn reversed(
    at: &Relative,
    out: &mut Vec<Manifold>,
    act: impl FnOnce(&Relative, &mut Vec<Manifold>),
) {
    let first = out.len();
    act(&at.reversed(), out);
    out[first..].iter_mut().for_each(|m| *m = m.reversed());
}
