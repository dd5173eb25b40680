//! Where two shapes touch: which routine serves which two of them.

use super::box_box::collide_boxes;
use super::capsule::collide_capsule;
use super::convex::Form;
use super::frustum_pair::{collide_frustum, collide_with_plane};
use super::geometry::{Geometry, PlacedGeometry};
use super::hull_hull::collide_hulls;
use super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::mesh_manifold::collide_mesh;
use super::plane::collide_plane;
use super::reduction::{TIGHT, choose, reduce};
use super::workspace::Workspace;
use crate::math::Vec3;
use crate::state::box_corner;

/// Adds where a touches b, or may before it has moved by `reach`.
pub(super) fn collide(
    a: &Geometry,
    b: &Geometry,
    at: &Relative,
    reach: f32,
    room: &mut Workspace,
    out: &mut Vec<Manifold>,
) {
    use Geometry::{Box, Capsule, Compound, Frustum, Hull as Convex, Nothing, Plane};
    match (a, b) {
        (Nothing, _) | (_, Nothing) | (Plane { .. }, _) => {}
        (Compound(parts), _) => {
            each_part(&parts.parts, ReferenceBody::A, at, out, |a, at, out| {
                collide(a, b, at, reach, room, out);
            });
        }
        (_, Compound(parts)) => {
            each_part(&parts.parts, ReferenceBody::B, at, out, |b, at, out| {
                collide(a, b, at, reach, room, out);
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
                collide_reversed((*half, *radius), a, at, reach, out);
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
        (_, Capsule { half, radius }) => collide_reversed((*half, *radius), a, at, reach, out),
        (Frustum(a), Plane { normal }) => collide_with_plane(a, *normal, at, reach, room, out),
        (Frustum(a), Frustum(b)) => collide_frustum(a, Form::Frustum(b), at, reach, room, out),
        (Frustum(a), b) => {
            if let Some(b) = b.hull() {
                collide_frustum(a, Form::Hull(b), at, reach, room, out);
            }
        }
        (_, Frustum(_)) => {
            let first = out.len();
            collide(b, a, &at.reversed(), reach, room, out);
            out[first..].iter_mut().for_each(|m| *m = m.reversed());
        }
        (Box(a, _), Box(b, _)) => out.extend(collide_boxes(*a, *b, at, reach, room)),
        (Convex(a), Plane { normal }) => {
            let corners = a.points.iter().copied();
            let pick = |points: &mut Vec<_>, n| choose(points, n, TIGHT * a.reach);
            out.extend(collide_plane(corners, *normal, at, reach, &mut room.found, pick));
        }
        (Box(half, _), Plane { normal }) => {
            let corners = (0..8).map(|i| Vec3::from(box_corner(half.to_array(), i)));
            out.extend(collide_plane(corners, *normal, at, reach, &mut room.found, reduce));
        }
        _ => {
            if let (Some(a), Some(b)) = (a.hull(), b.hull()) {
                out.extend(collide_hulls(a, b, at, reach, room));
            }
        }
    }
}

/// Adds what `act` finds of each part of a whole, which is a or b.
fn each_part(
    parts: &[PlacedGeometry],
    whole: ReferenceBody,
    at: &Relative,
    out: &mut Vec<Manifold>,
    mut act: impl FnMut(&Geometry, &Relative, &mut Vec<Manifold>),
) {
    for (number, part) in (0..).zip(parts) {
        let first = out.len();
        act(&part.geometry, &part.seen(at, whole), out);
        out[first..].iter_mut().for_each(|m| *m = part.of_whole(*m, whole, number));
    }
}

/// Adds where a touches a capsule that is b.
fn collide_reversed(
    capsule: (Point, f32),
    a: &Geometry,
    at: &Relative,
    reach: f32,
    out: &mut Vec<Manifold>,
) {
    let first = out.len();
    collide_capsule(capsule, a, &at.reversed(), reach, out);
    out[first..].iter_mut().for_each(|m| *m = m.reversed());
}
