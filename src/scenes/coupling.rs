//! Bodies with what is not rigid, and with joints: `coupling`, `car`.

use super::stacking::{UPRIGHT, above_the_floor, on_the_floor, solid};
use super::{Scene, finite};
use crate::collision::{Collider, Contacts, Detect};
use crate::constraints::Distance;
use crate::error::ModelError;
use crate::model::{Model, Strength};
use crate::report::Snapshot;
use crate::rigid::{Body, End, Gyro, Joint, JointKind, Joints, Motor, Shape, Weight};

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
    check: above_the_floor,
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

/// Nothing has fallen through the cloth: it hangs by less than 0.6 m.
fn is_carried(_: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    match state.bodies.iter().position(|pose| pose[1] < 0.4) {
        Some(i) => Err(format!(
            "body {i} has fallen through: at {:?}",
            state.bodies[i]
        )),
        None => Ok(()),
    }
}

fn car(n: usize) -> Result<Model, ModelError> {
    let (mut model, mut contacts) = on_the_floor(16, Detect::Substep)?;
    let mut joints = Joints::new();
    for k in 0..n {
        let z = 2.5 * k as f64;
        let mut chassis: Body = solid(Shape::Box([0.6, 0.12, 0.3]), Weight::Mass(60.0));
        chassis.friction = Some(0.3);
        let chassis = model.add_body(chassis.at([0.0, 0.32, z], UPRIGHT))?;
        for [x, side] in [[0.4, -0.4], [0.4, 0.4], [-0.4, -0.4], [-0.4, 0.4]] {
            let mut wheel = solid(Shape::Sphere(0.2), Weight::Mass(5.0));
            wheel.friction = Some(1.0);
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
