//! Nets and chains of more joints than are solved at once, under loads for which their settings are too coarse: they open, and
//! gain no energy to speak of.

use super::{cuboid, model};
use crate::Method;
use crate::constraints::Distance;
use crate::model::Model;
use crate::rigid::{At, Attachments, Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::tests::models::simulate;

const G: f64 = 9.81;
/// From body to body (m), and the mass of each (kg).
const STEP: f64 = 0.2;
const MASS: f64 = 0.9;

/// How two bodies of a net are held together.
#[derive(Clone, Copy, Debug)]
enum Held {
    Joint(JointKind),
    /// By the distance of points 2 mm apart.
    Points,
}

/// `columns` x `rows` bodies, level at first, each held to its neighbors; every other one of the first row is fixed.
fn net([columns, rows]: [usize; 2], held: Held, round: bool, settings: [u32; 2]) -> Model {
    let mut model = model(settings[0], settings[1]);
    let (mut joints, mut points) = (Joints::new(), Attachments::new());
    for j in 0..rows {
        for i in 0..columns {
            let at = [STEP * i as f64, 0.0, STEP * j as f64];
            let ball = || Body::new(Shape::Sphere(0.06), Weight::Mass(MASS), None).unwrap();
            let mut body = match round {
                true => ball().at(at, [0.0, 0.0, 0.0, 1.0]),
                false => cuboid(MASS, [0.09, 0.02, 0.02], at),
            };
            body.fixed = j == 0 && i % 2 == 0;
            let b = model.add_body(body).unwrap();
            for (has, a, axis) in [(i > 0, 1, 0), (j > 0, columns as u32, 2)] {
                if !has {
                    continue;
                }
                let (a, mut middle) = (b - a, at);
                middle[axis] -= STEP / 2.0;
                let beside = |way: f64| {
                    let mut point = middle;
                    point[axis] += way;
                    point
                };
                match held {
                    Held::Joint(kind) => {
                        let joint = Joint::new(kind, [End::Body(a), End::Body(b)], middle);
                        let [x, z] = [0, 2].map(|k| f64::from(k == axis));
                        joints.add(&model, joint.along([x, 0.0, z])).unwrap();
                    }
                    Held::Points => {
                        let at = [At::Body(a, beside(-1e-3)), At::Body(b, beside(1e-3))];
                        let stiffness = Stiffness::Compliance(0.0);
                        points.add(&model, Distance, at, [None], stiffness).unwrap();
                    }
                }
            }
        }
    }
    model.add_subsystem(joints).unwrap();
    model.add_subsystem(points).unwrap();
    model
}

/// Nets and chains on ball joints, lines and points, and chains on hinges, gain no energy, where they gained up to 10^3 times what
/// their weight can do in three seconds: bodies turned beyond where they rest by more than they were away from there. Plates of joints
/// that hold directions gain up to eight times that, where they gained 10^5 times.
#[test]
fn overloaded_nets_gain_no_energy() {
    let joint = Held::Joint;
    let cases = [
        ([40, 40], joint(JointKind::Ball), true, [3, 1], 0.01),
        ([30, 30], joint(JointKind::Ball), false, [2, 1], 0.01),
        ([2, 300], joint(JointKind::Ball), true, [4, 1], 0.01),
        ([2, 300], joint(JointKind::Hinge), true, [4, 1], 0.01),
        ([2, 300], Held::Points, true, [4, 1], 0.01),
        ([20, 20], joint(JointKind::Line), true, [4, 1], 0.01),
        ([20, 20], joint(JointKind::Universal), true, [4, 1], 100.0),
        ([20, 20], joint(JointKind::Hinge), true, [4, 1], 100.0),
        ([20, 20], joint(JointKind::Fixed), true, [1, 10], 100.0),
    ];
    for (size, held, round, settings, bound) in cases {
        let mut simulation = simulate(net(size, held, round, settings), Method::Lanes, 1, 0);
        let [columns, rows] = size.map(|n| n as f64);
        let work = MASS * columns * rows * G * STEP * rows;
        let mut most = f64::NEG_INFINITY;
        for _ in 0..200 {
            simulation.step();
            most = most.max(simulation.observe().energy / work);
        }
        println!("{size:?} {held:?} round {round} {settings:?}: {most:.1e} of its work");
        let is_ball = matches!(held, Held::Joint(JointKind::Ball));
        assert!(most < bound, "{size:?} {held:?}, round {round}, {settings:?}: {most}");
        let lowest = simulation.bodies().iter().map(|body| body[1]).fold(0.0, f32::min);
        assert!(!is_ball || lowest < -1.0, "{size:?} {held:?}: it does not fall: {lowest}");
    }
}
