//! Bodies with what is not rigid, and with joints: `coupling`, `car`.

use super::stacking::{UPRIGHT, above_the_floor, is_as_built, on_the_floor, solid, upright};
use super::{Scene, finite};
use crate::collision::{Collider, Contacts, Detect};
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Motor, Shape, Weight};
use crate::rows::Strength;
use crate::settings::Gyro;
use crate::state::Snapshot;

pub(super) const COUPLING: Scene = Scene {
    name: "coupling",
    about: "a box of 100 kg, a ball and a capsule on an N x N cloth of 0.3 kg/m², two metres square, held along its border",
    size: 32,
    sizes: (8, 512),
    build: coupling,
    check: is_carried,
};
pub(super) const CAR: Scene = Scene {
    name: "car",
    about: "N cars of four wheels on hinges, driven over bumps by friction alone",
    size: 1,
    sizes: (1, 1_000),
    build: car,
    check: drives,
};

/// Particles' radius in parts of their distance: nothing with a corner passes between them.
const ROUND: f64 = 0.45;

fn coupling(n: usize) -> Result<Model, ModelError> {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (20, 4);
    model.settings.gyro = Gyro::Momentum;
    model.settings.damping = 0.5;
    let step = 2.0 / (n - 1) as f64;
    let w = (n * n) as f64 / (0.3 * 4.0);
    let at = |i: usize, j: usize| (j * n + i) as u32;
    for j in 0..n {
        for i in 0..n {
            let border = i == 0 || j == 0 || i == n - 1 || j == n - 1;
            let x = [step * i as f64 - 1.0, 1.0, step * j as f64 - 1.0];
            model.add_particle(x, [0.0; 3], if border { 0.0 } else { w })?;
        }
    }
    for j in 0..n {
        for i in 0..n {
            let mut join = |other: u32, strength: Strength| {
                model.add(Distance, [at(i, j), other], [None], strength)
            };
            let stiff = Strength::Stiffness(1.0);
            if i + 1 < n {
                join(at(i + 1, j), stiff)?;
            }
            if j + 1 < n {
                join(at(i, j + 1), stiff)?;
            }
            if i + 1 < n && j + 1 < n {
                join(at(i + 1, j + 1), Strength::Compliance(1e-5))?;
            }
        }
    }
    for j in 0..n - 1 {
        for i in 0..n - 1 {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            model.add_triangles([[a, c, b], [a, d, c]]);
        }
    }
    let things = [
        (Shape::Box([0.2; 3]), Weight::Mass(100.0), [0.0, 1.25, 0.0]),
        (Shape::Sphere(0.12), Weight::Mass(5.0), [0.5, 1.2, 0.4]),
        (
            Shape::Capsule([0.08, 0.15]),
            Weight::Mass(3.0),
            [-0.5, 1.4, -0.4],
        ),
    ];
    for (shape, weight, position) in things {
        model.add_body(solid(shape, weight).at(position, UPRIGHT))?;
    }
    model.set_contacts(Contacts {
        radius: ROUND * step,
        friction: Some(0.5),
        ..Contacts::default()
    })?;
    Ok(model)
}

/// Nothing has fallen through the cloth: it hangs by less than 0.6 m, and no particle of it is within a body.
fn is_carried(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    for (i, (body, pose)) in model.bodies().iter().zip(&state.bodies).enumerate() {
        if pose[1] < 0.4 {
            return Err(format!("body {i} has fallen through: at {pose:?}"));
        }
        let at = |k: usize| f64::from(pose[k]);
        let q = Quat::new(at(3), at(4), at(5), at(6)).normalized();
        let center = Vec3::new(at(0), at(1), at(2));
        for (j, x) in state.positions.iter().enumerate() {
            let y = q.unrotate(Vec3::of(x.map(f64::from)) - center);
            let outside = outside(&body.shape, y);
            if outside < 0.0 {
                return Err(format!("particle {j} is {} m within body {i}", -outside));
            }
        }
    }
    Ok(())
}

/// How far a point in a body's own frame is from its surface, negative within (m).
fn outside(shape: &Shape, y: Vec3<f64>) -> f64 {
    match shape {
        Shape::Box(half) => {
            let over = [
                y.x.abs() - half[0],
                y.y.abs() - half[1],
                y.z.abs() - half[2],
            ];
            let far = Vec3::<f64>::of(over.map(|v: f64| v.max(0.0))).length();
            far + over.into_iter().fold(f64::NEG_INFINITY, f64::max).min(0.0)
        }
        Shape::Sphere(r) => y.length() - r,
        Shape::Capsule([r, h]) => (y - Vec3::new(0.0, y.y.clamp(-h, *h), 0.0)).length() - r,
        Shape::Mesh(_) | Shape::None => f64::INFINITY,
    }
}

fn car(n: usize) -> Result<Model, ModelError> {
    car_of(n, 1.0)
}

/// Cars whose wheels have that friction.
pub(crate) fn car_of(n: usize, grip: f64) -> Result<Model, ModelError> {
    let (mut model, mut contacts) = on_the_floor(16, Detect::Substep)?;
    // Wheels are solved one after another: with fewer iterations the bumps turn a car by more than a few degrees.
    model.settings.iterations = 4;
    let mut joints = Joints::new();
    for k in 0..n {
        let z = 2.5 * k as f64;
        let mut chassis: Body = solid(Shape::Box([0.6, 0.12, 0.3]), Weight::Mass(60.0));
        chassis.friction = Some(0.3);
        let chassis = model.add_body(chassis.at([0.0, 0.32, z], UPRIGHT))?;
        for [x, side] in [[0.4, -0.4], [0.4, 0.4], [-0.4, -0.4], [-0.4, 0.4]] {
            let mut wheel = solid(Shape::Sphere(0.2), Weight::Mass(5.0));
            wheel.friction = Some(grip);
            let at = [x, 0.2, z + side];
            let wheel = model.add_body(wheel.at(at, UPRIGHT))?;
            let ends = [End::Body(chassis), End::Body(wheel)];
            let mut joint = Joint::new(JointKind::Hinge, ends, at).along([0.0, 0.0, 1.0]);
            if x < 0.0 {
                // Forward is +x: the wheels turn clockwise about z.
                joint.motor = Some(Motor::Velocity(-8.0));
            }
            joints.add(&model, joint)?;
        }
        for i in 0..6 {
            let x = 2.0 + 0.8 * f64::from(i);
            let ends = [[x, -0.02, z - 0.8], [x, -0.02, z + 0.8]];
            let bump = Collider::capsule(ends[0], ends[1], 0.06)?;
            contacts.colliders.push(bump.of_material(Some(1.0), None)?);
        }
    }
    model.add_part(joints);
    model.set_contacts(contacts)?;
    Ok(model)
}

/// Every chassis stays upright and on its wheels, in its lane, no farther than the wheels have turned; after two seconds it is on
/// its way.
fn drives(model: &Model, state: &Snapshot) -> Result<(), String> {
    above_the_floor(model, state)?;
    for (i, (body, pose)) in model.bodies().iter().zip(&state.bodies).enumerate() {
        if i % 5 > 0 || !is_as_built(model) {
            continue;
        }
        let [x, y, z] = [0, 1, 2].map(|k| f64::from(pose[k]) - body.position[k]);
        // Wheels of 0.2 m at 8 rad/s.
        let most = 0.05 + 1.6 * state.time;
        let under_way = state.time < 2.0 || x > 1.0;
        let level = (-0.02..0.15).contains(&y) && z.abs() < 0.6 && upright(pose) > 0.9;
        if !(under_way && level && (-0.02..most).contains(&x)) {
            return Err(format!("car {} is at {pose:?}", i / 5));
        }
    }
    Ok(())
}
