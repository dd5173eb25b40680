//! Bodies that touch: `stack`, `pyramid`, `heap`, `dominoes`, `cradle`.

use super::{Scene, finite};
use crate::collision::{Collider, Contacts, Detect};
use crate::error::ModelError;
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::settings::Gyro;
use crate::state::Snapshot;

pub(super) const STACK: Scene = Scene {
    name: "stack",
    about: "N boxes of 0.5 m on one another",
    size: 10,
    sizes: (1, 200),
    build: stack,
    check: |model, state| stands(0.01 * 2.0 * BOX, model, state),
};
pub(super) const PYRAMID: Scene = Scene {
    name: "pyramid",
    about: "a square pyramid of N layers of boxes of 0.5 m, side by side: 20 layers are 2870 boxes",
    size: 20,
    sizes: (1, 100),
    build: pyramid,
    check: |model, state| stands(0.05 * 2.0 * BOX, model, state),
};
pub(super) const HEAP: Scene = Scene {
    name: "heap",
    about: "N boxes, balls and capsules dropped on a floor between four walls",
    size: 500,
    sizes: (1, 100_000),
    build: heap,
    check: is_within_walls,
};
pub(super) const DOMINOES: Scene = Scene {
    name: "dominoes",
    about: "N dominoes in a spiral, the first pushed over",
    size: 60,
    sizes: (2, 10_000),
    build: dominoes,
    check: none_flies,
};
pub(super) const CRADLE: Scene = Scene {
    name: "cradle",
    about: "Newton's cradle of N balls, one let go",
    size: 5,
    sizes: (2, 100),
    build: cradle,
    check: swings_in_turn,
};

/// Half a box's size (m).
const BOX: f64 = 0.25;
/// Radius and string of the cradle's balls (m).
const BALL: f64 = 0.05;
const LENGTH: f64 = 0.5;
pub(super) const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

pub(super) fn solid(shape: Shape, weight: Weight) -> Body {
    let body = Body::new(shape, weight, None);
    let mut body = body.expect("a shape of positive size");
    body.friction = Some(0.5);
    body
}

fn crate_box() -> Body {
    solid(Shape::Box([BOX; 3]), Weight::Density(1000.0))
}

fn floor() -> Result<Collider, ModelError> {
    Collider::plane([0.0; 3], [0.0, 1.0, 0.0])
}

pub(super) fn on_the_floor(substeps: u32, detect: Detect) -> Result<(Model, Contacts), ModelError> {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (substeps, 1);
    model.settings.gyro = Gyro::Momentum;
    let contacts = Contacts {
        colliders: vec![floor()?],
        detect,
        ..Contacts::default()
    };
    Ok((model, contacts))
}

fn stack(n: usize) -> Result<Model, ModelError> {
    let (mut model, contacts) = on_the_floor(16, Detect::Frame)?;
    for i in 0..n {
        let y = BOX * (2 * i + 1) as f64;
        model.add_body(crate_box().at([0.0, y, 0.0], UPRIGHT))?;
    }
    model.set_contacts(contacts)?;
    Ok(model)
}

fn pyramid(n: usize) -> Result<Model, ModelError> {
    let (mut model, contacts) = on_the_floor(4, Detect::Frame)?;
    for layer in 0..n {
        let side = n - layer;
        for i in 0..side * side {
            let at = |k: usize| BOX * (2 * k + 1) as f64 - BOX * side as f64;
            let y = BOX * (2 * layer + 1) as f64;
            model.add_body(crate_box().at([at(i % side), y, at(i / side)], UPRIGHT))?;
        }
    }
    model.set_contacts(contacts)?;
    Ok(model)
}

/// A random number in 0..1, the same on every machine (Marsaglia's xorshift).
pub(super) fn random(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

fn heap(n: usize) -> Result<Model, ModelError> {
    let (mut model, mut contacts) = on_the_floor(8, Detect::Frame)?;
    // Stands for what resists rolling: balls would roll in their pits for long.
    model.settings.damping = 0.5;
    contacts.sleep = Some(0.5);
    let mut state = 88_172_645_463_325_252;
    let (side, half) = walls_of_heap(n);
    let step = 0.32;
    for [x, z] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
        let wall = Collider::plane([-x * half, 0.0, -z * half], [x, 0.0, z])?;
        contacts.colliders.push(wall);
    }
    for i in 0..n {
        let shape = match i % 3 {
            0 => Shape::Box([0.08, 0.1, 0.12]),
            1 => Shape::Sphere(0.1),
            _ => Shape::Capsule([0.07, 0.07]),
        };
        let mut near = |k: usize| {
            let shift = 0.04 * (random(&mut state) - 0.5);
            step * (k as f64 + 0.5) - 0.5 * step * side as f64 + shift
        };
        let (x, z) = (near(i % side), near(i / side % side));
        let y = 0.2 + step * (i / (side * side)) as f64;
        let turn: [f64; 4] = std::array::from_fn(|_| random(&mut state) - 0.5);
        let length = turn.iter().map(|v| v * v).sum::<f64>().sqrt();
        let body = solid(shape, Weight::Density(1000.0));
        model.add_body(body.at([x, y, z], turn.map(|v| v / length)))?;
    }
    model.set_contacts(contacts)?;
    Ok(model)
}

/// Bodies side by side when dropped, and how far the walls are from the middle (m).
fn walls_of_heap(n: usize) -> (usize, f64) {
    let side = (n as f64).cbrt().ceil().max(2.0) as usize;
    (side, 0.16 * side as f64 + 0.1)
}

/// No center is nearer to floor or walls than half the least of all half sizes.
fn is_within_walls(model: &Model, state: &Snapshot) -> Result<(), String> {
    above_the_floor(model, state)?;
    let (_, half) = walls_of_heap(model.bodies().len());
    let near = |pose: &[f32; 7]| {
        let aside = f64::from(pose[0].abs().max(pose[2].abs()));
        f64::from(pose[1]).min(half - aside) < 0.035
    };
    match state.bodies.iter().position(near) {
        Some(i) if is_as_built(model) => {
            Err(format!("body {i} is in a wall: {:?}", state.bodies[i]))
        }
        _ => Ok(()),
    }
}

fn dominoes(n: usize) -> Result<Model, ModelError> {
    let (mut model, contacts) = on_the_floor(16, Detect::Substep)?;
    // A spiral r = a + b φ, a domino every 0.12 m along it.
    let (mut angle, start, growth) = (0.0_f64, 0.5, 0.06);
    for i in 0..n {
        let r = start + growth * angle;
        let (sine, cosine) = angle.sin_cos();
        let (s, c) = ((-angle / 2.0).sin(), (-angle / 2.0).cos());
        let body = solid(Shape::Box([0.1, 0.15, 0.02]), Weight::Density(700.0));
        let mut body = body.at([r * cosine, 0.15, r * sine], [0.0, s, 0.0, c]);
        if i == 0 {
            // About its lower edge, fast enough to pass the upright (0.9 rad/s).
            body.angular_velocity = [2.0, 0.0, 0.0];
            body.velocity = [0.0, 0.04, 0.3];
        }
        model.add_body(body)?;
        angle += 0.12 / r;
    }
    model.set_contacts(contacts)?;
    Ok(model)
}

fn cradle(n: usize) -> Result<Model, ModelError> {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (60, 1);
    model.settings.gyro = Gyro::Momentum;
    let (radius, length) = (BALL, LENGTH);
    // Balls hang a hair apart: impacts come one after another.
    let step = 2.0 * radius + 1e-3;
    let mut joints = Joints::new();
    for i in 0..n {
        let x = step * i as f64;
        let mut body = solid(Shape::Sphere(radius), Weight::Density(7800.0));
        (body.friction, body.restitution) = (None, Some(1.0));
        // The first is drawn aside by 40 degrees.
        let angle = if i == 0 { 40.0_f64.to_radians() } else { 0.0 };
        let (sine, cosine) = angle.sin_cos();
        let body = body.at([x - length * sine, -length * cosine, 0.0], UPRIGHT);
        // A string to its center. One that turned the ball too would take part in impacts: 0.4 % of each stayed behind.
        let ends = [End::World, End::Body(model.add_body(body)?)];
        let string = Joint::new(JointKind::Distance, ends, [x, 0.0, 0.0]);
        joints.add(&model, string)?;
    }
    model.add_part(joints);
    model.set_contacts(Contacts::default())?;
    Ok(model)
}

/// Every body is within `most` of where it began.
fn stands(most: f64, model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    for (i, (body, pose)) in model.bodies().iter().zip(&state.bodies).enumerate() {
        let square = |k: usize| (f64::from(pose[k]) - body.position[k]).powi(2);
        let moved = (0..3).map(square).sum::<f64>().sqrt();
        if moved > most {
            return Err(format!("body {i} is {moved} m from its start"));
        }
    }
    Ok(())
}

/// What turns over its lower edge has its center 0.151 m high at most, and is no faster than a rod that falls on its end: 3 m/s
/// at the tip. From when the last has had its push (each takes a tenth of a second at most) all lie.
fn none_flies(model: &Model, state: &Snapshot) -> Result<(), String> {
    above_the_floor(model, state)?;
    for (i, (pose, motion)) in state.bodies.iter().zip(&state.body_velocities).enumerate() {
        let speed = (0..3).map(|k| motion[k] * motion[k]).sum::<f32>().sqrt();
        if pose[1] > 0.17 || speed > 3.0 {
            return Err(format!(
                "domino {i} is {} m high, {speed} m/s fast",
                pose[1]
            ));
        }
        let fallen = upright(pose) < 0.5;
        let late = state.time > 1.0 + 0.1 * model.bodies().len() as f64;
        if !fallen && late && is_as_built(model) {
            return Err(format!("domino {i} stands"));
        }
    }
    Ok(())
}

/// Whether gravity is as the scenes are built for.
pub(super) fn is_as_built(model: &Model) -> bool {
    model.settings.gravity == [0.0, -9.81, 0.0]
}

/// The upright part of a body's own y axis.
pub(super) fn upright(pose: &[f32; 7]) -> f64 {
    let [x, z, length] = [
        pose[3] * pose[3],
        pose[5] * pose[5],
        pose[3..].iter().map(|v| v * v).sum(),
    ]
    .map(f64::from);
    1.0 - 2.0 * (x + z) / length
}

/// The balls keep their order, and no more energy than the first had.
fn swings_in_turn(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    let (mut energy, mut first) = (0.0, 0.0);
    let both = state.bodies.iter().zip(&state.body_velocities);
    for (body, (pose, motion)) in model.bodies().iter().zip(both) {
        let square: f32 = motion.iter().take(3).map(|v| v * v).sum();
        energy += 0.5 * f64::from(square) + 9.81 * (f64::from(pose[1]) + LENGTH);
        first += 9.81 * (body.position[1] + LENGTH);
    }
    // A swing there loses little of it; from then on only that none is won is sure.
    let least = if state.time < 1.0 { 0.9 * first } else { 0.0 };
    if is_as_built(model) && !(least..1.02 * first).contains(&energy) {
        return Err(format!("{energy} J/kg of {first}"));
    }
    for (i, pair) in state.bodies.windows(2).enumerate() {
        let gap = (0..3)
            .map(|k| (pair[1][k] - pair[0][k]).powi(2))
            .sum::<f32>()
            .sqrt()
            - 2.0 * BALL as f32;
        if pair[1][0] < pair[0][0] || gap < -1e-3 {
            return Err(format!("balls {i} and {} are {gap} m apart", i + 1));
        }
    }
    Ok(())
}

/// No center is below the floor.
pub(super) fn above_the_floor(_: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    match state.bodies.iter().position(|pose| pose[1] < 0.0) {
        Some(i) => Err(format!("body {i} is below the floor")),
        None => Ok(()),
    }
}
