//! A heavy ball on a light chain that is let go towards a wall: `wrecking`.

use super::prelude::*;
use crate::math::{Vec3, sine_cosine};
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "wrecking", role: Watched, size: 14, seconds: 4.0, color: STONE, sizes: (2, 200), build: wrecking, check: holds_its_ball,
        about: "a ball of two tonnes on a chain of N links of 2 kg, let go towards a wall of 54 blocks" },
];

/// A link from joint to joint, its radius, and the ball's (m).
const LINK: f64 = 0.25;
const WIRE: f64 = 0.025;
const BALL: f64 = 0.4;
/// How far from hanging the ball is let go (rad).
const TURN: f64 = 1.1;
/// Half a block (m), blocks of a layer and layers.
const BLOCK: [f64; 3] = [0.15, 0.15, 0.3];
const LAYER: usize = 6;
const LAYERS: usize = 9;

/// The chain's upper end, and how far below it the ball's center hangs (m).
fn length(n: usize) -> [f64; 2] {
    let length = LINK * n as f64 + BALL;
    [length + 1.1, length]
}

fn wrecking(n: usize) -> Result<Model, ModelError> {
    let (mut model, contacts) = on_the_floor(8, Detect::Frame)?;
    let [top, reach] = length(n);
    let (sine, cosine) = sine_cosine(-TURN);
    let at = |way: f64| [way * sine, top - way * cosine, 0.0];
    let (half_sine, half_cosine) = sine_cosine(-TURN / 2.0);
    let mut joints = Joints::new();
    let mut last = End::World;
    for i in 0..=n {
        let body = match i == n {
            true => rough(Shape::Sphere(BALL), Weight::Mass(2000.0)).at(at(reach), UPRIGHT),
            false => {
                let link = rough(Shape::Capsule([WIRE, LINK / 2.0 - WIRE]), Weight::Mass(2.0));
                link.at(at(LINK * (i as f64 + 0.5)), [0.0, 0.0, half_sine, half_cosine])
            }
        };
        let next = End::Body(model.add_body(body)?);
        joints.add(&model, Joint::new(JointKind::Ball, [last, next], at(LINK * i as f64)))?;
        last = next;
    }
    model.add_subsystem(joints)?;
    for i in 0..LAYER * LAYERS {
        let (layer, k) = (i / LAYER, i % LAYER);
        let shift = if layer % 2 == 0 { 0.125 } else { -0.125 };
        let z = 2.0 * BLOCK[2] * (k as f64 - 0.5 * (LAYER as f64 - 1.0) + shift);
        let y = BLOCK[1] * (2 * layer + 1) as f64;
        let block: Body = rough(Shape::Box(BLOCK), Weight::Density(1500.0));
        model.add_body(block.at([BALL + 2.0 * BLOCK[0], y, z], UPRIGHT))?;
    }
    model.set_contacts(contacts)?;
    Ok(model)
}

/// The ball hangs on its chain, no longer than it is made, and nothing is below the floor.
fn holds_its_ball(model: &Model, state: &Snapshot) -> Outcome {
    above_the_floor(model, state)?;
    let n = model.bodies().len() - LAYER * LAYERS - 1;
    let [top, reach] = length(n);
    let far = (center(&state.bodies[n]) - Vec3::new(0.0, top, 0.0)).length() / reach;
    ensure!(far < 1.001 || !is_as_built(model); "the chain is {far:.3} times as long as it is made");
    Ok(())
}
