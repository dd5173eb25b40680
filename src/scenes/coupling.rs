//! Rigid bodies on cloth (`coupling`) and with joints and contacts (`car`).

use super::prelude::*;
use crate::collision;
use crate::math::{Quat, Vec3};
use crate::rigid::{End, Joint, JointKind, Joints, Motor, Shape, Weight};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "coupling", role: Watched, size: 32, seconds: 4.0, color: FLAG, sizes: (8, 512), build: coupling, check: is_carried,
        about: "a box of 100 kg, a ball and a capsule on an N x N cloth of 0.3 kg/m², two metres square, held along its border" },
    Scene { name: "car", role: Followed, size: 1, seconds: 3.6, color: METAL, sizes: (1, 1_000), build: |n| car_of(n, 1.0), check: drives,
        about: "N cars of four wheels on hinges, driven over bumps by friction alone" },
];

/// Particles' radius in parts of their distance: nothing with a corner passes between them.
const ROUND: f64 = 0.45;

fn coupling(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let step = 2.0 / (n - 1) as f64;
    let mut model = small_steps(20);
    model.settings.iterations = 4;
    model.settings.damping = 0.5;
    let w = grid.len() as f64 / (0.3 * 4.0);
    for [x, _, z] in grid.points() {
        let border = x == 0 || z == 0 || x == n - 1 || z == n - 1;
        let at = [step * x as f64 - 1.0, 1.0, step * z as f64 - 1.0];
        model.add_particle(at, [0.0; 3], if border { 0.0 } else { w })?;
    }
    // One diagonal of each cell.
    for (link, color) in grid.links().filter(|(_, color)| *color < DIAGONALS + 2) {
        let stiffness = match color < DIAGONALS {
            true => Stiffness::Factor(1.0),
            false => Stiffness::Compliance(1e-5),
        };
        model.add(Distance, link, [None], stiffness)?;
    }
    model.add_triangles(grid.halves());
    let capsule = Shape::Capsule([0.08, 0.15]);
    for (shape, mass, position) in [
        (Shape::Box([0.2; 3]), 100.0, [0.0, 1.25, 0.0]),
        (Shape::Sphere(0.12), 5.0, [0.5, 1.2, 0.4]),
        (capsule, 3.0, [-0.5, 1.4, -0.4]),
    ] {
        model.add_body(rough(shape, Weight::Mass(mass)).at(position, UPRIGHT))?;
    }
    model.set_contacts(Contacts {
        radius: ROUND * step,
        friction: Some(0.5),
        ..Contacts::default()
    })?;
    Ok(model)
}

/// Nothing has fallen through the cloth: it hangs by less than 0.6 m, and no particle of it is within a body.
fn is_carried(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    for (i, pose, body) in bodies(model, state) {
        ensure!(pose[1] >= 0.4; "body {i} has fallen through: at {pose:?}");
        let at = |k: usize| f64::from(pose[k]);
        let q = Quat::new(at(3), at(4), at(5), at(6)).normalized();
        let center = center(pose);
        let shape = collision::Shape::of_body(&body.shape);
        for (j, x) in state.positions.iter().enumerate() {
            let y = q.unrotate(Vec3::of(x.map(f64::from)) - center);
            let gap = shape.map_or(f64::INFINITY, |shape| shape.surface(y).0);
            ensure!(gap >= 0.0; "particle {j} is {} m within body {i}", -gap);
        }
    }
    Ok(())
}

/// Cars by the friction of their wheels.
pub(crate) fn car_of(n: usize, friction: f64) -> Result<Model, ModelError> {
    let (mut model, mut contacts) = on_the_floor(16, Detect::Substep)?;
    // Wheels are solved one after another: with fewer iterations the bumps turn a car by more than a few degrees.
    model.settings.iterations = 4;
    let mut joints = Joints::new();
    for k in 0..n {
        let z = 2.5 * k as f64;
        let mut chassis = rough(Shape::Box([0.6, 0.12, 0.3]), Weight::Mass(60.0));
        chassis.friction = Some(0.3);
        let chassis = model.add_body(chassis.at([0.0, 0.32, z], UPRIGHT))?;
        for [x, side] in [[0.4, -0.4], [0.4, 0.4], [-0.4, -0.4], [-0.4, 0.4]] {
            let mut wheel = rough(Shape::Sphere(0.2), Weight::Mass(5.0));
            wheel.friction = Some(friction);
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
    model.add_subsystem(joints)?;
    model.set_contacts(contacts)?;
    Ok(model)
}

/// Every chassis stays upright and on its wheels, in its lane, no farther than the wheels have turned; after two seconds it is on
/// its way.
fn drives(model: &Model, state: &Snapshot) -> Outcome {
    above_the_floor(model, state)?;
    for (i, pose, body) in bodies(model, state).step_by(5) {
        let [x, y, z] = [0, 1, 2].map(|k| f64::from(pose[k]) - body.position[k]);
        // Wheels of 0.2 m at 8 rad/s.
        let most = 0.05 + 1.6 * state.time;
        let under_way = (state.time < 2.0 || x > 1.0) && (-0.02..most).contains(&x);
        let level = (-0.02..0.15).contains(&y) && z.abs() < 0.6 && upright(pose) > 0.9;
        let drives = under_way && level || !is_as_built(model);
        ensure!(drives; "car {} is at {pose:?}", i / 5);
    }
    Ok(())
}
