//! Rigid bodies and joints: `mobile`, `chain`, `net`, `joints`, `pendulum`, `tumble`.

use super::{Scene, finite};
use crate::error::ModelError;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::observe::observe;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Motor, Shape, Weight};
use crate::rows::Residual;
use crate::settings::Gyro;
use crate::state::Snapshot;
use std::sync::Arc;

pub(super) const MOBILE: Scene = Scene {
    name: "mobile",
    about: "N levels of bars hung from bars by ball joints: 7 levels are 127 joints (Deul et al., figure 1)",
    size: 7,
    sizes: (1, 16),
    build: mobile,
    check: |model, state| holds(1e-3, model, state),
};
pub(super) const CHAIN: Scene = Scene {
    name: "chain",
    about: "N capsules joined end to end by ball joints, let go level",
    size: 30,
    sizes: (1, 1_000_000),
    build: chain,
    check: |model, state| holds(0.05, model, state),
};
pub(super) const NET: Scene = Scene {
    name: "net",
    about: "N x N balls joined to their neighbors by 2 N (N - 1) ball joints, hung from one edge",
    size: 32,
    sizes: (2, 3_000),
    build: net,
    check: |model, state| holds(0.2, model, state),
};
pub(super) const JOINTS: Scene = Scene {
    name: "joints",
    about: "N rows with one joint of each kind, with limits and motors",
    size: 1,
    sizes: (1, 10_000),
    build: joints,
    check: |model, state| holds(1e-3, model, state),
};
pub(super) const PENDULUM: Scene = Scene {
    name: "pendulum",
    about: "N boxes of 1 x 0.2 x 0.4 m, each hung by a ball joint at an end and let go level",
    size: 1,
    sizes: (1, 1_000_000),
    build: pendulum,
    check: |model, state| holds(1e-3, model, state),
};
pub(super) const TUMBLE: Scene = Scene {
    name: "tumble",
    about: "N free boxes and T-handles that spin about their middle axes, without gravity",
    size: 4,
    sizes: (1, 1_000_000),
    build: tumble,
    check: tumbles,
};

/// 20 substeps of one iteration, and a gyroscopic term that keeps the momentum.
fn small_steps() -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (20, 1);
    model.settings.gyro = Gyro::Momentum;
    model
}

fn solid(shape: Shape, weight: Weight) -> Body {
    Body::new(shape, weight, None).expect("a shape of positive size")
}

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn mobile(levels: usize) -> Result<Model, ModelError> {
    let mut model = small_steps();
    (model.settings.substeps, model.settings.iterations) = (16, 1);
    model.settings.gyro = Gyro::Explicit; // at a turn in six seconds and 960 substeps a second it gains nothing to speak of
    let mut joints = Joints::new();
    let drop = 0.25;
    // Half a bar so wide that the bars of the lowest level do not meet.
    let mut half = 0.12 * f64::from(1_u32 << levels.min(20)) / 2.0;
    let mut hooks = vec![(End::World, [0.0; 3])];
    for level in 0..levels {
        let mut next = Vec::new();
        half /= 2.0;
        for (i, (parent, hook)) in hooks.into_iter().enumerate() {
            let [x, y, z] = hook;
            // As heavy as all below it, so that no bar carries more than a few times its own mass.
            let mass = Weight::Mass(0.05 * f64::from(1_u32 << (levels - 1 - level).min(20)));
            let bar = solid(Shape::Box([half + 0.02, 0.02, 0.02]), mass);
            let mut bar = bar.at([x, y - drop, z], UPRIGHT);
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            bar.angular_velocity = [0.0, side * (0.4 + 0.1 * level as f64), 0.0];
            let bar = End::Body(model.add_body(bar)?);
            joints.add(&model, Joint::new(JointKind::Ball, [parent, bar], hook))?;
            next.extend([-half, half].map(|end| (bar, [x + end, y - drop, z])));
        }
        hooks = next;
    }
    model.add_part(joints);
    Ok(model)
}

fn chain(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps();
    let mut joints = Joints::new();
    let length = 0.2;
    let (sine, cosine) = (0.5_f64.sqrt(), 0.5_f64.sqrt());
    let mut last = End::World;
    for i in 0..n {
        let x = length * i as f64;
        let link = solid(Shape::Capsule([0.03, 0.07]), Weight::Density(1000.0));
        let link = link.at([x + length / 2.0, 0.0, 0.0], [0.0, 0.0, sine, cosine]);
        let link = End::Body(model.add_body(link)?);
        joints.add(
            &model,
            Joint::new(JointKind::Ball, [last, link], [x, 0.0, 0.0]),
        )?;
        last = link;
    }
    model.add_part(joints);
    Ok(model)
}

fn net(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps();
    (model.settings.substeps, model.settings.iterations) = (4, 1);
    model.settings.gyro = Gyro::Off; // balls have no gyroscopic term
    let mut joints = Joints::new();
    let step = 0.2;
    let at = |i: usize, j: usize| [step * i as f64, 0.0, step * j as f64];
    for j in 0..n {
        for i in 0..n {
            let mut ball =
                solid(Shape::Sphere(0.06), Weight::Density(1000.0)).at(at(i, j), UPRIGHT);
            // Every other ball of one edge: two fixed ones are not joined.
            ball.fixed = j == 0 && i % 2 == 0;
            let ball = model.add_body(ball)?;
            let mut join = |other: u32, dx: f64, dz: f64| {
                let ends = [End::Body(other), End::Body(ball)];
                let [x, y, z] = at(i, j);
                let anchor = [x - dx * step / 2.0, y, z - dz * step / 2.0];
                let joint = Joint::new(JointKind::Ball, ends, anchor);
                joints.add(&model, joint)
            };
            if i > 0 {
                join(ball - 1, 1.0, 0.0)?;
            }
            if j > 0 {
                join(ball - n as u32, 0.0, 1.0)?;
            }
        }
    }
    model.add_part(joints);
    Ok(model)
}

fn joints(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps();
    let mut joints = Joints::new();
    for row in 0..n {
        let z = 1.5 * row as f64;
        for (i, kind) in JointKind::ALL.into_iter().enumerate() {
            let x = 0.8 * i as f64;
            let mut base = solid(Shape::Box([0.12, 0.04, 0.12]), Weight::Mass(1.0));
            base.fixed = true;
            let base = model.add_body(base.at([x, 0.0, z], UPRIGHT))?;
            let arm = solid(Shape::Box([0.06, 0.25, 0.1]), Weight::Density(500.0));
            let mut arm = arm.at([x, -0.35, z], UPRIGHT);
            arm.angular_velocity = [0.5, 1.0, 1.5];
            let arm = model.add_body(arm)?;
            let ends = [End::Body(base), End::Body(arm)];
            let mut joint = Joint::new(kind, ends, [x, -0.1, z]);
            match kind {
                JointKind::Ball => {
                    joint = joint.along([0.0, -1.0, 0.0]);
                    joint.limits = Some([0.0, 0.3]);
                }
                JointKind::Line => {
                    joint = joint.along([1.0, 0.0, 0.0]);
                    joint.limits = Some([-0.15, 0.15]);
                }
                JointKind::Plane => joint = joint.along([0.0, 1.0, 0.0]),
                JointKind::Hinge => {
                    joint = joint.along([0.0, 0.0, 1.0]);
                    joint.motor = Some(Motor::Velocity(2.0));
                }
                JointKind::Universal => joint = joint.along([0.0, 0.0, 1.0]),
                JointKind::Slider => {
                    joint = joint.along([0.0, 1.0, 0.0]);
                    joint.limits = Some([-0.3, 0.3]);
                    joint.motor = Some(Motor::Position(-0.2));
                }
                JointKind::Fixed | JointKind::Distance => {}
            }
            joints.add(&model, joint)?;
        }
    }
    model.add_part(joints);
    Ok(model)
}

fn pendulum(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps();
    let mut joints = Joints::new();
    for i in 0..n {
        let z = 0.6 * i as f64;
        let body = solid(Shape::Box([0.5, 0.1, 0.2]), Weight::Mass(2.0));
        let body = model.add_body(body.at([0.5, 0.0, z], UPRIGHT))?;
        let ends = [End::World, End::Body(body)];
        joints.add(&model, Joint::new(JointKind::Ball, ends, [0.0, 0.0, z]))?;
    }
    model.add_part(joints);
    Ok(model)
}

fn tumble(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps();
    model.settings.gravity = [0.0; 3];
    for i in 0..n {
        let handle = i % 2 == 1;
        let shape = match handle {
            true => t_handle(),
            false => Shape::Box([0.1, 0.2, 0.3]),
        };
        let mut body = solid(shape, Weight::Density(1000.0));
        // About the middle axis, a little off.
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| body.inertia[a].total_cmp(&body.inertia[b]));
        let mut spin = [0.0; 3];
        spin[order[1]] = 5.0;
        spin[order[0]] = 0.05;
        body.angular_velocity = Quat::of(body.axes).rotate(Vec3::of(spin)).to_array();
        body.position = [0.9 * i as f64, 0.0, 0.0];
        model.add_body(body)?;
    }
    Ok(model)
}

/// A bar along x with a stem along y in its middle.
fn t_handle() -> Shape {
    let mut corners = Vec::new();
    let mut triangles = Vec::new();
    for (center, half) in [
        ([0.0, 0.15, 0.0], [0.25, 0.05, 0.05]),
        ([0.0, -0.05, 0.0], [0.05, 0.15, 0.05]),
    ] {
        let first = corners.len() as u32;
        let (points, faces) = Shape::Box(half).surface();
        corners.extend(
            points
                .iter()
                .map(|p| std::array::from_fn(|k| p[k] + center[k] as f32)),
        );
        triangles.extend(faces.iter().map(|face| face.map(|i| first + i)));
    }
    Shape::Mesh(Arc::new((corners, triangles)))
}

/// Finite, fixed bodies where they were, and no joint open by more than `most` (m, rad).
fn holds(most: f64, model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    for (i, (body, pose)) in model.bodies().iter().zip(&state.bodies).enumerate() {
        let start = body.position.map(|v| v as f32);
        if body.fixed && pose[..3] != start {
            return Err(format!("fixed body {i} moved to {pose:?}"));
        }
    }
    let mut sum = Residual::default();
    for part in model.parts() {
        part.add_residual(state, &[], &model.settings, &mut sum);
    }
    match sum.largest <= most {
        true => Ok(()),
        false => Err(format!(
            "a joint is open by {:.2e}, more than {most:e}",
            sum.largest
        )),
    }
}

/// Finite, and both momenta as they were.
fn tumbles(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    let start = Snapshot {
        bodies: model.bodies().iter().map(pose).collect(),
        body_velocities: model.bodies().iter().map(motion).collect(),
        ..Snapshot::default()
    };
    let momentum = |s| Vec3::<f64>::of(observe(model, s, &[]).angular_momentum);
    let (before, after) = (momentum(&start), momentum(state));
    let change = (after - before).length() / before.length();
    match change < 1e-3 {
        true => Ok(()),
        false => Err(format!(
            "angular momentum changed by a part of {change:.1e}"
        )),
    }
}

fn pose(body: &Body) -> [f32; 7] {
    let ([x, y, z], [qx, qy, qz, qw]) = (body.position, body.orientation);
    [x, y, z, qx, qy, qz, qw].map(|v| v as f32)
}

fn motion(body: &Body) -> [f32; 6] {
    let ([x, y, z], [a, b, c]) = (body.velocity, body.angular_velocity);
    [x, y, z, a, b, c].map(|v| v as f32)
}
