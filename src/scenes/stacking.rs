//! Rigid bodies in contact: `stack`, `pyramid`, `heap`, `dominoes`, `cradle`.

use super::prelude::*;
use crate::math::{Vec3, cube_side, sine_cosine};
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "stack", role: Watched, size: 10, seconds: 4.0, color: STONE, sizes: (1, 200), build: stack, check: |m, s| stands(0.01 * 2.0 * BOX, m, s),
        about: "N boxes of 0.5 m on one another" },
    Scene { name: "pyramid", role: Watched, size: 20, seconds: 3.0, color: STONE, sizes: (1, 100), build: pyramid, check: |m, s| stands(0.05 * 2.0 * BOX, m, s),
        about: "a square pyramid of N layers of boxes of 0.5 m, side by side: 20 layers are 2870 boxes" },
    Scene { name: "heap", role: Watched, size: 500, seconds: 2.4, color: STONE, sizes: (1, 100_000), build: heap, check: is_within_walls,
        about: "N boxes, balls and capsules dropped on a floor between four walls" },
    Scene { name: "dominoes", role: Watched, size: 60, seconds: 6.0, color: STONE, sizes: (2, 10_000), build: dominoes, check: none_flies,
        about: "N dominoes in a spiral, the first pushed over" },
    Scene { name: "cradle", role: Watched, size: 5, seconds: 5.0, color: METAL, sizes: (2, 100), build: cradle, check: swings_in_turn,
        about: "Newton's cradle of N balls, one let go" },
];

/// Half a box's size (m).
const BOX: f64 = 0.25;
/// Radius and string of the cradle's balls (m).
const BALL: f64 = 0.05;
const LENGTH: f64 = 0.5;

fn crate_box() -> Body {
    rough(Shape::Box([BOX; 3]), Weight::Density(1000.0))
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

fn heap(n: usize) -> Result<Model, ModelError> {
    let (mut model, mut contacts) = on_the_floor(8, Detect::Frame)?;
    contacts.sleep = Some(0.5);
    let mut random = Xorshift(88_172_645_463_325_252);
    let (side, half) = walls_of_heap(n);
    let step = 0.32;
    contacts.colliders = Collider::bin([-half, half], [-half, half])?;
    for i in 0..n {
        let shape = match i % 3 {
            0 => Shape::Box([0.08, 0.1, 0.12]),
            1 => Shape::Sphere(0.1),
            _ => Shape::Capsule([0.07, 0.07]),
        };
        let mut near = |k: usize| {
            let shift = 0.04 * (random.share() - 0.5);
            step * (k as f64 + 0.5) - 0.5 * step * side as f64 + shift
        };
        let (x, z) = (near(i % side), near(i / side % side));
        let y = 0.2 + step * (i / (side * side)) as f64;
        let mut body = rough(shape, Weight::Density(1000.0));
        // Else balls would roll in their pits for long.
        (body.rolling_resistance, body.torsional_resistance) = (Some(0.005), Some(0.002));
        model.add_body(body.at([x, y, z], random.orientation()))?;
    }
    model.set_contacts(contacts)?;
    Ok(model)
}

/// Bodies side by side when dropped, and how far the walls are from the middle (m).
fn walls_of_heap(n: usize) -> (usize, f64) {
    let side = cube_side(n).max(2);
    (side, 0.16 * side as f64 + 0.1)
}

/// No center is nearer to floor or walls than half the least of all half sizes.
fn is_within_walls(model: &Model, state: &Snapshot) -> Outcome {
    above_the_floor(model, state)?;
    let (_, half) = walls_of_heap(model.bodies().len());
    for (i, pose, _) in bodies(model, state) {
        let aside = f64::from(pose[0].abs().max(pose[2].abs()));
        let apart = f64::from(pose[1]).min(half - aside) >= 0.035;
        ensure!(apart || !is_as_built(model); "body {i} is in a wall: {pose:?}");
    }
    Ok(())
}

fn dominoes(n: usize) -> Result<Model, ModelError> {
    let (mut model, contacts) = on_the_floor(16, Detect::Substep)?;
    // A spiral r = a + b φ, a domino every 0.12 m along it.
    let (mut angle, start, growth) = (0.0_f64, 0.5, 0.06);
    for i in 0..n {
        let r = start + growth * angle;
        let (sine, cosine) = sine_cosine(angle);
        let body = rough(Shape::Box([0.1, 0.15, 0.02]), Weight::Density(700.0));
        let mut body = body.at([r * cosine, 0.15, r * sine], about_y(-angle));
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
    let mut model = small_steps(60);
    // Balls hang a hair apart: impacts come one after another.
    let step = 2.0 * BALL + 1e-3;
    let mut joints = Joints::new();
    for i in 0..n {
        let x = step * i as f64;
        let mut body = rough(Shape::Sphere(BALL), Weight::Density(7800.0));
        (body.friction, body.restitution) = (None, Some(1.0));
        // The first is drawn aside by 40 degrees.
        let angle = if i == 0 { 40.0_f64.to_radians() } else { 0.0 };
        let (sine, cosine) = sine_cosine(angle);
        let body = body.at([x - LENGTH * sine, -LENGTH * cosine, 0.0], UPRIGHT);
        // A string to its center. One that turned the ball too would take part in impacts: 0.4 % of each stayed behind.
        let ends = [End::World, End::Body(model.add_body(body)?)];
        let string = Joint::new(JointKind::Distance, ends, [x, 0.0, 0.0]);
        joints.add(&model, string)?;
    }
    model.add_subsystem(joints)?;
    model.set_contacts(Contacts::default())?;
    Ok(model)
}

/// Every body is within `most` of where it began.
fn stands(most: f64, model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    for (i, pose, body) in bodies(model, state) {
        let moved = (center(pose) - Vec3::of(body.position)).length();
        ensure!(moved <= most; "body {i} is {moved:.3} m from its start");
    }
    Ok(())
}

/// A domino that turns over its lower edge has its center 0.151 m high at most, and is no faster than a falling rod: 3 m/s
/// at the tip. Once the last was pushed (each takes a tenth of a second at most) all lie.
fn none_flies(model: &Model, state: &Snapshot) -> Outcome {
    above_the_floor(model, state)?;
    let late = state.time > 1.0 + 0.1 * model.bodies().len() as f64 && is_as_built(model);
    for (i, (pose, motion)) in state.bodies.iter().zip(&state.body_velocities).enumerate() {
        let speed = (0..3).map(|k| motion[k] * motion[k]).sum::<f32>().sqrt();
        let (height, slow) = (pose[1], speed <= 3.0);
        ensure!(height <= 0.17 && slow; "domino {i} is {height} m high, {speed} m/s fast");
        ensure!(!late || upright(pose) < 0.5; "domino {i} stands");
    }
    Ok(())
}

/// The balls keep their order, and no more energy than the first had.
fn swings_in_turn(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    let (mut energy, mut first) = (0.0, 0.0);
    for ((_, pose, body), motion) in bodies(model, state).zip(&state.body_velocities) {
        let square: f32 = motion.iter().take(3).map(|v| v * v).sum();
        energy += 0.5 * f64::from(square) + 9.81 * (f64::from(pose[1]) + LENGTH);
        first += 9.81 * (body.position[1] + LENGTH);
    }
    // A swing there loses little of it; from then on only that none is won is sure.
    let least = if state.time < 1.0 { 0.9 * first } else { 0.0 };
    let kept = (least..1.02 * first).contains(&energy);
    ensure!(kept || !is_as_built(model); "{energy} J/kg of {first}");
    for (i, pair) in state.bodies.windows(2).enumerate() {
        let square = |k: usize| (pair[1][k] - pair[0][k]).powi(2);
        let gap = (0..3).map(square).sum::<f32>().sqrt() - 2.0 * BALL as f32;
        let in_order = pair[1][0] >= pair[0][0] && gap >= -1e-3;
        ensure!(in_order; "balls {i} and {} are {gap} m apart", i + 1);
    }
    Ok(())
}
