//! Angles of hinges beyond half a turn in a substep, and limits near half a turn.

use super::{cuboid, model};
use crate::math::{Quat, Vec3};
use crate::rigid::{End, Joint, JointKind, Joints, Motor};
use crate::tests::models::simulate;
use crate::{Method, Simulation};

/// A body on a hinge about z, which turns at `spin` (rad/s), without gravity.
fn hinged(joint: impl Fn(Joint) -> Joint, spin: f64, passes: [u32; 2]) -> Simulation {
    let mut model = model(passes[0], passes[1]);
    model.settings.gravity = [0.0; 3];
    let mut body = cuboid(1.0, [0.2, 0.3, 0.1], [0.0; 3]);
    body.angular_velocity = [0.0, 0.0, spin];
    model.add_body(body).unwrap();
    let hinge = Joint::new(JointKind::Hinge, [End::World, End::Body(0)], [0.0; 3]);
    let mut joints = Joints::new();
    joints.add(&model, joint(hinge.along([0.0, 0.0, 1.0]))).unwrap();
    model.add_subsystem(joints).unwrap();
    Simulation::new(model, Method::Lanes, 1).unwrap()
}

fn spin(simulation: &Simulation) -> f64 {
    f64::from(simulation.snapshot().body_velocities[0][5])
}

/// A motor that is to turn by more than half a turn in a substep does its torque forward: ω = T t / I.
#[test]
fn a_motor_drives_forward_however_fast() {
    // T / I of 10 rad/s².
    let torque = 10.0 * (0.4 * 0.4 + 0.6 * 0.6) / 12.0;
    for passes in [[1, 10], [1, 1], [2, 4], [20, 1]] {
        for target in [200.0, -200.0, 400.0, -1000.0, 20.0] {
            let motor = |joint| Joint {
                motor: Some(Motor::Velocity(target)),
                max_force: Some(torque),
                ..joint
            };
            let mut simulation = hinged(motor, 0.0, passes);
            (0..60).for_each(|_| simulation.step());
            let (found, expected) = (spin(&simulation), 10.0 * f64::signum(target));
            assert!((found - expected).abs() < 0.15, "{target} rad/s, {passes:?}: {found}");
        }
    }
}

/// What turns fast between limits of nearly half a turn is stopped by them, and never passes.
#[test]
fn limits_of_half_a_turn_hold() {
    for passes in [[1, 10], [4, 4], [20, 1]] {
        for (limit, speed) in [(3.0, 20.0), (3.0, -20.0), (3.1, 35.0), (2.0, 60.0)] {
            let limits = |joint| Joint { limits: Some([-limit, limit]), ..joint };
            let mut simulation = hinged(limits, speed, passes);
            let mut turned = 0.0;
            let mut last = Quat::identity();
            for _ in 0..120 {
                simulation.step();
                let [.., x, y, z, w] = simulation.bodies()[0].map(f64::from);
                let q = Quat::new(x, y, z, w);
                let way = last.conjugate() * q;
                turned += 2.0 * f64::atan2(way.z * way.w.signum(), way.w.abs());
                last = q;
            }
            assert!(turned.abs() < limit + 0.02, "{limit}, {speed} rad/s, {passes:?}: {turned}");
        }
    }
}

/// Two shafts at an angle β, joined by a cross: as the first turns evenly the second does at cos β / (1 - sin² β cos² θ) of that, θ
/// from where its pin lies in the plane of both, however all of it is turned.
#[test]
fn a_cross_of_two_pins_is_a_cardan_joint() {
    let beta = std::f64::consts::FRAC_PI_6;
    for turn in [Vec3::zero(), Vec3::new(0.5, 0.0, 0.0), Vec3::new(-0.7, 1.9, 0.4)] {
        let q = Quat::<f64>::exp(turn);
        let turned = |x: [f64; 3]| q.rotate(Vec3::of(x)).to_array();
        let second = [beta.cos(), beta.sin(), 0.0];
        let mut model = model(20, 2);
        model.settings.gravity = [0.0; 3];
        let mut joints = Joints::new();
        for (i, axis, side) in [(0, [1.0, 0.0, 0.0], -0.25), (1, second, 0.25)] {
            let mut shaft = cuboid(1.0, [0.1; 3], turned(axis.map(|x| x * side)));
            shaft.angular_velocity =
                turned(axis.map(|x| 5.0 * x * if i == 1 { beta.cos() } else { 1.0 }));
            model.add_body(shaft).unwrap();
            let ends = [End::World, End::Body(i)];
            let hinge = Joint::new(JointKind::Hinge, ends, turned(axis.map(|x| x * side)));
            let motor = (i == 0).then_some(Motor::Velocity(5.0));
            joints.add(&model, Joint { motor, ..hinge.along(turned(axis)) }).unwrap();
        }
        let cross = Joint::new(JointKind::Universal, [End::Body(0), End::Body(1)], [0.0; 3]);
        let pin = Some(turned([-beta.sin(), beta.cos(), 0.0]));
        let cross = Joint { axis2: pin, ..cross.along(turned([0.0, 0.0, 1.0])) };
        joints.add(&model, cross).unwrap();
        model.add_subsystem(joints).unwrap();
        let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for _ in 0..120 {
            simulation.step();
            let speeds: Vec<f64> = simulation
                .snapshot()
                .body_velocities
                .iter()
                .map(|v| Vec3::of([3, 4, 5].map(|k| f64::from(v[k]))).length())
                .collect();
            (least, most) = (least.min(speeds[1] / speeds[0]), most.max(speeds[1] / speeds[0]));
        }
        assert!((least - beta.cos()).abs() < 0.01, "{turn:?}: {least}");
        assert!((most - 1.0 / beta.cos()).abs() < 0.01, "{turn:?}: {most}");
    }
}

/// Joints that hold no points turn bodies and move none: a motor of orientation turns two of them, and their centers stay. So do those of
/// what hangs on a slack rope.
#[test]
fn what_holds_no_point_moves_no_center() {
    for (kind, motor, limits) in [
        (JointKind::Orientation, Some(Motor::Orientation([0.3, 0.6, 0.5])), None),
        (JointKind::Parallel, None, None),
        (JointKind::Perpendicular, None, None),
        (JointKind::Distance, None, Some([0.0, 50.0])),
    ] {
        for (substeps, iterations) in [(1, 10), (20, 10)] {
            let mut model = model(substeps, iterations);
            model.settings.gravity = [0.0; 3];
            let spin = if motor.is_some() { 0.0 } else { 20.0 };
            for (mass, half, x) in [(3.0, [0.2, 0.1, 0.3], 0.0), (1.0, [0.1, 0.2, 0.1], 1.0)] {
                let mut body = cuboid(mass, half, [x, 0.0, 0.0]);
                body.angular_velocity = [spin, 0.1 * spin * x, 0.0];
                model.add_body(body).expect("a body");
            }
            let joint = Joint::new(kind, [End::Body(0), End::Body(1)], [0.1, 0.0, 0.0]);
            let joint = Joint { motor, limits, axis: Some([1.0, 0.0, 0.0]), ..joint };
            let mut joints = Joints::new();
            joints.add(&model, joint).expect("a joint");
            model.add_subsystem(joints).expect("joints");
            let simulation = simulate(model, Method::Lanes, 1, 120);
            for (x, body) in [0.0, 1.0].into_iter().zip(simulation.bodies()) {
                let off = f64::from((body[0] - x as f32).abs() + body[1].abs() + body[2].abs());
                assert!(off < 1e-6, "{kind:?}, {substeps} x {iterations}: {body:?}");
            }
        }
    }
}
