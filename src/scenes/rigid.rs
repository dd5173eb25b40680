//! Rigid bodies and joints: `mobile`, `chain`, `net`, `joints`, `pendulum`, `tumble`.

use super::prelude::*;
use crate::math::{Quat, Vec3};
use crate::observe::{observe, violation};
use crate::rigid::{End, Joint, JointKind, Joints, Motor, Shape, Weight};
use crate::settings::Gyro;
use std::sync::Arc;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "mobile", role: Watched, size: 7, seconds: 6.0, color: METAL, sizes: (1, 16), build: mobile, check: |m, s| holds(1e-3, m, s),
        about: "N levels of bars hung from bars by ball joints: 7 levels are 127 joints (Deul et al., figure 1)" },
    Scene { name: "chain", role: Watched, size: 30, seconds: 3.0, color: METAL, sizes: (1, 1_000_000), build: chain, check: |m, s| holds(0.05, m, s),
        about: "N capsules joined end to end by ball joints, let go level" },
    Scene { name: "net", role: Watched, size: 32, seconds: 3.0, color: METAL, sizes: (2, 3_000), build: net, check: |m, s| holds(0.2, m, s),
        about: "N x N balls joined to their neighbors by 2 N (N - 1) ball joints, hung from one edge" },
    Scene { name: "joints", role: Watched, size: 1, seconds: 4.0, color: METAL, sizes: (1, 10_000), build: joints, check: |m, s| holds(1e-3, m, s),
        about: "N rows of joints of several kinds, with limits and motors" },
    Scene { name: "pendulum", role: Watched, size: 1, seconds: 3.0, color: METAL, sizes: (1, 1_000_000), build: pendulum, check: |m, s| holds(1e-3, m, s),
        about: "N boxes of 1 x 0.2 x 0.4 m, each hung by a ball joint at an end and let go level" },
    Scene { name: "tumble", role: Watched, size: 4, seconds: 6.0, color: METAL, sizes: (1, 1_000_000), build: tumble, check: tumbles,
        about: "N free boxes and T-handles that spin about their middle axes, without gravity" },
];

fn mobile(levels: usize) -> Result<Model, ModelError> {
    let mut model = small_steps(16);
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
    model.add_subsystem(joints)?;
    Ok(model)
}

fn chain(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps(20);
    let mut joints = Joints::new();
    let length = 0.2;
    let (sine, cosine) = (0.5_f64.sqrt(), 0.5_f64.sqrt());
    let mut last = End::World;
    for i in 0..n {
        let x = length * i as f64;
        let link = solid(Shape::Capsule([0.05, 0.05]), Weight::Density(1000.0));
        let link = link.at([x + length / 2.0, 0.0, 0.0], [0.0, 0.0, sine, cosine]);
        let link = End::Body(model.add_body(link)?);
        let joint = Joint::new(JointKind::Ball, [last, link], [x, 0.0, 0.0]);
        joints.add(&model, joint)?;
        last = link;
    }
    model.add_subsystem(joints)?;
    Ok(model)
}

fn net(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps(4);
    model.settings.gyro = Gyro::Off; // balls have no gyroscopic term
    let mut joints = Joints::new();
    let step = 0.2;
    let at = |i: usize, j: usize| [step * i as f64, 0.0, step * j as f64];
    for j in 0..n {
        for i in 0..n {
            let ball = solid(Shape::Sphere(0.06), Weight::Density(1000.0));
            let mut ball = ball.at(at(i, j), UPRIGHT);
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
    model.add_subsystem(joints)?;
    Ok(model)
}

fn joints(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps(20);
    let mut joints = Joints::new();
    for row in 0..n {
        let z = 1.5 * row as f64;
        // What holds no point would fall.
        let kinds = JointKind::ALL.into_iter().filter(|kind| kind.has_anchor());
        for (i, kind) in kinds.enumerate() {
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
            let (axis, limits, motor) = match kind {
                JointKind::Ball => (Some([0.0, -1.0, 0.0]), Some([0.0, 0.3]), None),
                JointKind::Line => (Some([1.0, 0.0, 0.0]), Some([-0.15, 0.15]), None),
                JointKind::Plane => (Some([0.0, 1.0, 0.0]), None, None),
                JointKind::Hinge => (Some([0.0, 0.0, 1.0]), None, Some(Motor::Velocity(2.0))),
                JointKind::Universal => (Some([0.0, 0.0, 1.0]), None, None),
                JointKind::Slider => {
                    let motor = Some(Motor::Position(-0.2));
                    (Some([0.0, 1.0, 0.0]), Some([-0.3, 0.3]), motor)
                }
                _ => (None, None, None),
            };
            if let Some(axis) = axis {
                joint = joint.along(axis);
            }
            (joint.limits, joint.motor) = (limits, motor);
            joints.add(&model, joint)?;
        }
    }
    model.add_subsystem(joints)?;
    Ok(model)
}

fn pendulum(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps(20);
    let mut joints = Joints::new();
    for i in 0..n {
        let z = 0.6 * i as f64;
        let body = solid(Shape::Box([0.5, 0.1, 0.2]), Weight::Mass(2.0));
        let body = model.add_body(body.at([0.5, 0.0, z], UPRIGHT))?;
        let ends = [End::World, End::Body(body)];
        joints.add(&model, Joint::new(JointKind::Ball, ends, [0.0, 0.0, z]))?;
    }
    model.add_subsystem(joints)?;
    Ok(model)
}

fn tumble(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps(20);
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
    for (center, half) in
        [([0.0, 0.15, 0.0], [0.25, 0.05, 0.05]), ([0.0, -0.05, 0.0], [0.05, 0.15, 0.05])]
    {
        let first = corners.len() as u32;
        let (points, faces) = Shape::Box(half).surface();
        corners.extend(points.iter().map(|p| std::array::from_fn(|k| p[k] + center[k] as f32)));
        triangles.extend(faces.iter().map(|face| face.map(|i| first + i)));
    }
    Shape::Mesh(Arc::new((corners, triangles)))
}

/// Finite, fixed bodies where they were, and no joint open by more than `most` (m, rad).
fn holds(most: f64, model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    for (i, pose, body) in bodies(model, state) {
        let start = body.position.map(|v| v as f32);
        let moved = body.fixed && pose[..3] != start;
        ensure!(!moved; "fixed body {i} moved to {pose:?}");
    }
    let gap = violation(model, state);
    ensure!(gap <= most; "a joint is open by {gap:.2e}, more than {most:e}");
    Ok(())
}

/// Finite, and both momenta as they were.
fn tumbles(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    let momentum = |s| Vec3::<f64>::of(observe(model, s, &[]).angular_momentum);
    let (before, after) = (momentum(&model.start()), momentum(state));
    let change = (after - before).length() / before.length();
    ensure!(change < 1e-3; "angular momentum changed by a part of {change:.1e}");
    Ok(())
}
