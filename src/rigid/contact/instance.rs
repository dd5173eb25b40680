//! What may touch: the shape instances of bodies and colliders, by their numbers, and what two of them are to each other.

use super::geometry::Geometry;
use super::manifold::{Point, Relative};
use crate::collision::{Collider, combine};
use crate::math::{Quat, Vec3};
use crate::state::{Body, CollisionFilter};

/// A body's or a collider's shape.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) geometry: Geometry,
    pub(super) friction: Option<f64>,
    pub(super) restitution: Option<f64>,
    /// Arms against rolling and turning about the normal (m).
    pub(super) resistances: [Option<f64>; 2],
    pub(super) filter: CollisionFilter,
    /// Whether it only reports what it overlaps.
    pub(super) sensor: bool,
    /// Whether no contact ever moves it.
    pub(super) fixed: bool,
    /// Whether it moves all the same.
    pub(super) moving: bool,
}

/// Where an instance is, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstanceState {
    pub(super) x: Point,
    pub(super) q: Quat<f32>,
    pub(super) v: Point,
    /// |ω| (rad/s).
    pub(super) spin: f32,
}

impl InstanceState {
    /// At rest at the origin.
    pub(super) fn still() -> Self {
        Self { x: Vec3::zero(), q: Quat::identity(), v: Vec3::zero(), spin: 0.0 }
    }
}

fn is_moving(velocities: [[f64; 3]; 2]) -> bool {
    velocities.as_flattened().iter().any(|v| *v != 0.0)
}

impl Instance {
    pub(super) fn of_body(body: &Body) -> Self {
        Self {
            geometry: Geometry::of_body(body),
            friction: body.friction,
            restitution: body.restitution,
            resistances: [body.rolling_resistance, body.torsional_resistance],
            filter: body.filter,
            sensor: body.sensor,
            fixed: body.fixed,
            moving: body.fixed && is_moving([body.velocity, body.angular_velocity]),
        }
    }

    pub(super) fn of_collider(collider: &Collider) -> Self {
        let [friction, restitution] = collider.material();
        let motion = collider.motion();
        Self {
            geometry: Geometry::of_collider(collider),
            friction,
            restitution,
            resistances: collider.resistances,
            filter: collider.filter,
            sensor: collider.sensor,
            fixed: true,
            moving: is_moving([motion.velocity, motion.angular_velocity]),
        }
    }

    /// Whether the balls around two shapes, of which this one sees the other `at`, say that they are not within `reach`.
    pub(super) fn is_apart(&self, other: &Self, at: &Relative, reach: f32) -> bool {
        let own = self.geometry.reach();
        match &other.geometry {
            Geometry::Plane { normal } => at.center_in_b().dot(*normal) - own >= reach,
            other => {
                let most = own + other.reach() + reach;
                at.center.dot(at.center) >= most * most
            }
        }
    }
}

/// Arms against rolling and turning about the normal of two that touch (m): combined as friction is.
pub(super) fn resistances(a: &Instance, b: &Instance) -> [f32; 2] {
    let both = |k: usize| combine([a.resistances[k], b.resistances[k]], [None; 2])[0] as f32;
    [both(0), both(1)]
}

/// Friction and restitution of two that touch; the latter at most 1.
pub(super) fn material(friction: [Option<f64>; 2], restitution: [Option<f64>; 2]) -> [f32; 2] {
    let [mu, e] = combine(friction, restitution);
    [mu as f32, e.min(1.0) as f32]
}
