//! What may touch: bodies and colliders, by their numbers; where they stand, and what two of them are to each other.

use super::geometry::Geometry;
use super::manifold::Point;
use crate::math::Quat;

/// A body or a collider.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) geometry: Geometry,
    pub(super) friction: Option<f64>,
    pub(super) restitution: Option<f64>,
    /// Whether no contact ever moves it.
    pub(super) still: bool,
    /// Whether it moves all the same.
    pub(super) stirs: bool,
}

/// Where a thing is, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) x: Point,
    pub(super) q: Quat<f32>,
    pub(super) v: Point,
    /// |ω| (rad/s).
    pub(super) spin: f32,
}

/// The reach of the smallest body that moves (m); zero where there is none.
pub(super) fn smallest(things: &[Thing]) -> f32 {
    let moving = things.iter().filter(|thing| !thing.still);
    let reaches = moving.map(|thing| thing.geometry.reach());
    let least = reaches.filter(|reach| *reach > 0.0);
    let least = least.fold(f32::INFINITY, f32::min);
    if least.is_finite() { least } else { 0.0 }
}

/// Friction sqrt(µ1 µ2) and restitution max(e1, e2); where only one side has a value, it counts.
pub(super) fn meet(a: &Thing, b: &Thing) -> [f32; 2] {
    let mu = match (a.friction, b.friction) {
        (Some(a), Some(b)) => (a * b).sqrt(),
        (a, b) => a.or(b).unwrap_or(0.0),
    };
    let e = match (a.restitution, b.restitution) {
        (Some(a), Some(b)) => a.max(b),
        (a, b) => a.or(b).unwrap_or(0.0),
    };
    [mu as f32, e.min(1.0) as f32]
}
