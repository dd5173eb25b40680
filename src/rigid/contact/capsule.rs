//! Balls and capsules against anything whose distance is known: points of their core with a radius around.
//!
//! A capsule is met at both ends and where its core comes closest, or, where it lies along a face, where it enters and leaves
//! that. Each point is a manifold of its own, as each has its own normal.

use super::geometry::Geometry;
use super::manifold::{Manifold, Point, ReferenceBody, Relative};
use super::segment::{beside_box, beside_segment, over_box_face};
use crate::math::Vec3;

/// Halvings of the core where the closest point has no closed form: to less than a ten-thousandth of its length.
const HALVINGS: usize = 14;

/// The sine of the slope up to which a core lies along a face, and the cosine between normals that are one face's.
const LEVEL: f32 = 0.05;
const ALIKE: f32 = 0.9999;
/// The least part of a core that lies along a face.
const LEAST: f32 = 0.05;

/// Adds where the round thing a touches b.
pub(super) fn collide_capsule(
    (half, radius): (Point, f32),
    b: &Geometry,
    at: &Relative,
    reach: f32,
    out: &mut Vec<Manifold>,
) {
    let mut probe = |core: Point, part: u32| {
        let y = at.to_b(core);
        let Some((d, n, kept)) = b.surface(y, radius + reach) else {
            return;
        };
        if d - radius < reach {
            let on_b = y - n * (d + kept);
            let found = ([core, on_b], d - radius);
            let manifold = Manifold::new(n, ReferenceBody::B, [radius, kept], &[found]);
            out.extend(manifold.map(|m| Manifold { part, ..m }));
        }
    };
    if half.dot(half) == 0.0 {
        return probe(Vec3::zero(), 0);
    }
    // Nowhere nearer than its middle less its half.
    let middle = b.surface(at.center_in_b(), f32::INFINITY);
    if middle.is_none_or(|(d, _, _)| d - half.length() - radius >= reach) {
        return;
    }
    probe(half, 0);
    probe(-half, 1);
    let (from, to) = (at.to_b(-half), at.to_b(half));
    let Some(t) = closest(from, to, b) else {
        return;
    };
    let places = match along(from, to, t, b) {
        Some([low, high]) => [(low, 2), (high, 5)],
        None => [(t, 2), (0.0, 5)],
    };
    for (t, part) in places {
        if (0.02..0.98).contains(&t) {
            probe(-half + (half + half) * t, part);
        }
    }
}

/// Where a segment that lies level over a face of b at `t` comes over it and leaves it.
fn along(from: Point, to: Point, t: f32, b: &Geometry) -> Option<[f32; 2]> {
    if let Geometry::Capsule { .. } = b {
        return None;
    }
    let normal = |t: f32| b.surface(from + (to - from) * t, f32::INFINITY);
    let (_, n, _) = normal(t)?;
    let line = to - from;
    if n.dot(line).abs() > LEVEL * line.length() {
        return None;
    }
    if let Geometry::Box(half, _) = b
        && let Some(ends) = over_box_face(from, line, t, *half)
    {
        return Some(ends).filter(|[low, high]| high - low > LEAST);
    }
    let over = |t: f32| normal(t).is_some_and(|(_, m, _)| m.dot(n) > ALIKE);
    // Over what is convex it lies all the way between two places.
    let end = |out: f32| {
        let (mut inside, mut outside) = (t, out);
        if over(out) {
            return out;
        }
        for _ in 0..HALVINGS {
            let middle = (inside + outside) * 0.5;
            match over(middle) {
                true => inside = middle,
                false => outside = middle,
            }
        }
        inside
    };
    let [low, high] = [end(0.0), end(1.0)];
    (high - low > LEAST).then_some([low, high])
}

/// Where along a segment b is closest; nothing where it is as close everywhere.
fn closest(from: Point, to: Point, b: &Geometry) -> Option<f32> {
    let exact = match b {
        Geometry::Plane { .. } => return None,
        Geometry::Capsule { half, .. } => Some(beside_segment([from, to], [-*half, *half])),
        Geometry::Box(half, _) => beside_box(from, to, *half),
        _ => None,
    };
    exact.or_else(|| by_halves(from, to, b))
}

/// Where along a segment what is convex is closest, by halves: its distance falls before there and rises behind.
fn by_halves(from: Point, to: Point, b: &Geometry) -> Option<f32> {
    let line = to - from;
    let (mut low, mut high) = (0.0_f32, 1.0_f32);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let (_, n, _) = b.surface(from + line * middle, f32::INFINITY)?;
        let slope = n.dot(line);
        if slope.abs() < 1e-6 * line.length() {
            return Some(middle);
        }
        match slope > 0.0 {
            true => high = middle,
            false => low = middle,
        }
    }
    Some(0.5 * (low + high))
}
