//! How deep what touches lies in one another: from the state alone, apart from what the engine has found.
//!
//! Corners of boxes and meshes, centers of balls, ends of capsules, and particles are held against planes, balls, boxes,
//! capsules, cylinders and cones, of colliders and of bodies; particles against each other, where they touch. Edges that cross and the insides of
//! meshes are not looked at, so the depth is a lower bound.

use crate::collision::{Collider, Contacts, Shape, Solid};
use crate::math::Vec3;
use crate::mesh::point;
use crate::model::Model;
use crate::state::{Body, CollisionFilter, Pose, Shape as BodyShape, Snapshot};

/// What a ball is, or is part of.
enum Owner {
    Particle(u32),
    Body(u32),
}

/// A ball that should lie outside of everything else.
struct Ball {
    at: Vec3<f64>,
    radius: f64,
    of: Owner,
    filter: CollisionFilter,
}

/// The depth of the deepest overlap (m), zero where nothing overlaps; of a model whose contacts are none that
/// are looked at, nothing.
pub fn penetration(model: &Model, state: &Snapshot) -> Option<f64> {
    let contacts = model.contacts()?;
    if contacts.colliders.is_empty() && !contacts.pairs && model.bodies().is_empty() {
        return None;
    }
    let mut points = particles(model, contacts, state);
    let mut deepest = if contacts.pairs { between(&mut points) } else { 0.0 };
    for (i, (body, pose)) in model.bodies().iter().zip(&state.bodies).enumerate() {
        if !body.fixed && !body.sensor {
            points.extend(corners(body, pose).map(|(at, radius)| Ball {
                at,
                radius,
                of: Owner::Body(i as u32),
                filter: body.filter,
            }));
        }
    }
    points.sort_by(|a, b| a.at.x.total_cmp(&b.at.x));
    for collider in contacts.colliders.iter().filter(|collider| !collider.sensor) {
        if let Solid::Shape(shape) = collider.solid() {
            let pose = Collider::pose(collider, state.time);
            deepest = points
                .iter()
                .filter(|point| point.filter.meets(&collider.filter))
                .fold(deepest, |deepest, point| depth(point, shape, &pose).max(deepest));
        }
    }
    let largest = points.iter().fold(0.0, |most, point| point.radius.max(most));
    let [mut joined, mut held] = model.joined();
    joined.iter_mut().for_each(|pair| pair.sort_unstable());
    joined.sort_unstable();
    held.sort_unstable();
    for (i, (body, pose)) in model.bodies().iter().zip(&state.bodies).enumerate() {
        let (Some(shape), pose, false) = (Shape::of_body(&body.shape), placed(pose), body.sensor)
        else {
            continue;
        };
        let reach = body.shape.reach() + largest;
        let from = points.partition_point(|point| point.at.x < pose.center.x - reach);
        let near = points[from..].iter().take_while(|point| point.at.x <= pose.center.x + reach);
        let near = near.filter(|point| (point.at - pose.center).length() <= reach);
        let may_touch = |point: &&Ball| {
            let own = i as u32;
            let is_free = match point.of {
                Owner::Body(i) if i == own => false,
                Owner::Body(i) => joined.binary_search(&[own.min(i), own.max(i)]).is_err(),
                Owner::Particle(i) => held.binary_search(&[i, own]).is_err(),
            };
            is_free && point.filter.meets(&body.filter)
        };
        deepest = near
            .filter(may_touch)
            .fold(deepest, |deepest, point| depth(point, &shape, &pose).max(deepest));
    }
    Some(deepest)
}

/// How deep a ball lies in a shape (m); negative outside.
fn depth(point: &Ball, shape: &Shape, pose: &Pose<f64>) -> f64 {
    let (distance, _) = shape.surface(pose.local(point.at));
    point.radius - distance
}

/// The balls of particles that touch: not of those that wait to be sent out.
fn particles(model: &Model, contacts: &Contacts, state: &Snapshot) -> Vec<Ball> {
    let waiting = model.waiting(Some(state));
    let point = |i: u32| {
        let at = point(&state.positions, i);
        Ball { at, radius: contacts.radius, of: Owner::Particle(i), filter: contacts.filter }
    };
    let members = contacts.members(state.positions.len());
    members.filter(|i| !waiting.contains_key(i)).map(point).collect()
}

/// The deepest overlap of two of some balls of one size (m).
fn between(points: &mut [Ball]) -> f64 {
    points.sort_by(|a, b| a.at.x.total_cmp(&b.at.x));
    let mut deepest = 0.0_f64;
    for (i, a) in points.iter().enumerate() {
        let near = points[i + 1..].iter().take_while(|b| b.at.x - a.at.x < a.radius + b.radius);
        let depth = |b: &Ball| a.radius + b.radius - (b.at - a.at).length();
        deepest = near.map(depth).fold(deepest, f64::max);
    }
    deepest
}

/// The balls whose hull a body's shape is: where they are (m), and their radii.
fn corners(body: &Body, pose: &[f32; 7]) -> impl Iterator<Item = (Vec3<f64>, f64)> {
    let (points, radius): (Vec<[f64; 3]>, f64) = match &body.shape {
        BodyShape::Sphere(radius) => (vec![[0.0; 3]], *radius),
        BodyShape::Capsule([radius, half]) => (vec![[0.0, *half, 0.0], [0.0, -half, 0.0]], *radius),
        shape => (shape.surface().0.iter().map(|x| x.map(f64::from)).collect(), 0.0),
    };
    let pose = placed(pose);
    points.into_iter().map(move |point| (pose.world(Vec3::of(point)), radius))
}

fn placed([x, y, z, rest @ ..]: &[f32; 7]) -> Pose<f64> {
    Pose::new([*x, *y, *z].map(f64::from), rest.map(f64::from))
}
