//! Corners against a plane.

use super::manifold::{FoundPoint, Manifold, Point, ReferenceBody, Relative};

/// The manifold of a body's corners close above a plane; `pick` leaves at most four of the points along a normal.
pub(super) fn collide_plane(
    corners: impl Iterator<Item = Point>,
    normal: Point,
    at: &Relative,
    reach: f32,
    points: &mut Vec<FoundPoint>,
    pick: impl Fn(&mut Vec<FoundPoint>, Point),
) -> Option<Manifold> {
    points.clear();
    for p in corners {
        let y = at.to_b(p);
        let gap = y.dot(normal);
        if gap < reach {
            points.push(([p, y - normal * gap], gap));
        }
    }
    pick(points, at.turn.rotate(normal));
    Manifold::new(normal, ReferenceBody::B, [0.0; 2], points)
}
