//! Where two shapes touch: which routine serves which two of them.

use super::box_box::collide_boxes;
use super::capsule::collide_capsule;
use super::geometry::Geometry;
use super::hull_hull::collide_hulls;
use super::manifold::{FoundPoint, Manifold, Point, ReferenceBody, Relative};
use super::mesh_manifold::collide_mesh;
use super::reduction::{TIGHT, choose, reduce};
use crate::math::Vec3;
use crate::state::box_corner;

/// Adds where a touches b, or may before it has moved by `reach`.
pub(super) fn collide(
    a: &Geometry,
    b: &Geometry,
    at: &Relative,
    reach: f32,
    out: &mut Vec<Manifold>,
) {
    use Geometry::{Box, Capsule, Hull as Convex, Nothing, Plane};
    match (a, b) {
        (Nothing, _) | (_, Nothing) | (Plane { .. }, _) => {}
        (_, Geometry::Mesh(mesh)) => collide_mesh(a, mesh, at, reach, out),
        (Geometry::Mesh(_), _) => {}
        (Capsule { half, radius }, _) => {
            collide_capsule((*half, *radius), b, at, reach, out);
            // Where this one is the longer, the other's ends are met.
            if let Capsule { half, radius } = b
                && half.dot(*half) > 0.0
            {
                let first = out.len();
                collide_reversed((*half, *radius), a, at, reach, out);
                let ends = out.split_off(first).into_iter().filter(|m| m.part < 2);
                out.extend(ends.map(|m| Manifold { part: m.part + 3, ..m }));
            }
        }
        (_, Capsule { half, radius }) => collide_reversed((*half, *radius), a, at, reach, out),
        (Box(a, _), Box(b, _)) => out.extend(collide_boxes(*a, *b, at, reach)),
        (Convex(a), Plane { normal }) => {
            let corners = a.points.iter().copied();
            collide_plane(corners, *normal, at, reach, out, |points, n| {
                choose(points, n, TIGHT * a.reach);
            });
        }
        (Box(half, _), Plane { normal }) => {
            let corners = (0..8).map(|i| Vec3::from(box_corner(half.to_array(), i)));
            collide_plane(corners, *normal, at, reach, out, reduce);
        }
        _ => {
            if let (Some(a), Some(b)) = (a.hull(), b.hull()) {
                out.extend(collide_hulls(a, b, at, reach));
            }
        }
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

/// Corners of a body close above a plane; `pick` leaves at most four of the points along a normal.
fn collide_plane(
    corners: impl Iterator<Item = Point>,
    normal: Point,
    at: &Relative,
    reach: f32,
    out: &mut Vec<Manifold>,
    pick: impl Fn(&mut Vec<FoundPoint>, Point),
) {
    let mut points = Vec::with_capacity(8);
    for p in corners {
        let y = at.to_b(p);
        let gap = y.dot(normal);
        if gap < reach {
            points.push(([p, y - normal * gap], gap));
        }
    }
    pick(&mut points, at.turn.rotate(normal));
    out.extend(Manifold::new(normal, ReferenceBody::B, [0.0; 2], &points));
}
