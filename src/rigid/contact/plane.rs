//! Corners against a plane.

use super::manifold::{FoundPoint, Point, Relative};

/// Finds a body's corners close above a plane.
pub(super) fn collide_plane(
    corners: impl Iterator<Item = Point>,
    normal: Point,
    at: &Relative,
    reach: f32,
    points: &mut Vec<FoundPoint>,
) {
    points.clear();
    for p in corners {
        let y = at.to_b(p);
        let gap = y.dot(normal);
        if gap < reach {
            points.push(([p, y - normal * gap], gap));
        }
    }
}
