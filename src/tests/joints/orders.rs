//! Joints in lanes, and joints that are refused.

use super::{cuboid, model};
use crate::Method;
use crate::constraints::Distance;
use crate::rigid::{End, Joint, JointKind, Joints, Motor};
use crate::rows::Stiffness;
use crate::settings::Rigid;
use crate::tests::models::{Random, simulate};

/// Joints of every kind with limits and motors beside rows and particles: the same bits by every method that walks the
/// same order, on any number of threads.
#[test]
fn joints_are_the_same_in_lanes() {
    for rigid in Rigid::ALL {
        let build = || {
            let mut random = Random(7);
            let mut model = crate::scenes::Scene::find("joints").unwrap().model(Some(5)).unwrap();
            model.settings.rigid = rigid;
            let mut joints = Joints::new();
            let count = model.bodies().len() as u32;
            let mut last = None;
            for i in (1..count).step_by(2) {
                let x = model.bodies()[i as usize].position;
                let p = model.add_particle(x, random.point(), 2.0).unwrap();
                let ends = [End::Body(i), End::Particle(p)];
                joints.add(&model, Joint::new(JointKind::Ball, ends, x)).unwrap();
                if let Some(last) = last {
                    model.add(Distance, [last, p], [None], Stiffness::Compliance(1e-3)).unwrap();
                }
                last = Some(p);
            }
            model.add_subsystem(joints).unwrap();
            model
        };
        let mut hashes = Vec::new();
        for (method, threads) in [
            (Method::Colored, 1),
            (Method::Lanes, 1),
            (Method::Lanes, 2),
            (Method::Lanes, 3),
            (Method::Lanes, 7),
        ] {
            let simulation = simulate(build(), method, threads, 20);
            let seen = simulation.observe();
            assert!(seen.finite);
            hashes.push(seen.hash);
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
    }
}

/// What is refused, and that what is odd stays finite.
#[test]
fn joints_that_are_refused_and_odd_ones() {
    let mut model = model(4, 2);
    let a = model.add_body(cuboid(1.0, [0.1; 3], [0.0; 3])).unwrap();
    let mut fixed = cuboid(1.0, [0.1; 3], [1.0, 0.0, 0.0]);
    fixed.fixed = true;
    let f = model.add_body(fixed.clone()).unwrap();
    let g = model.add_body(fixed).unwrap();
    let p = model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    let (a, f, g, p) = (End::Body(a), End::Body(f), End::Body(g), End::Particle(p));
    let ball = |ends| Joint::new(JointKind::Ball, ends, [0.0; 3]);
    let hinge = Joint::new(JointKind::Hinge, [a, f], [0.0; 3]);
    let mut limits = hinge.clone().along([0.0, 1.0, 0.0]);
    limits.limits = Some([1.0, -1.0]);
    let mut motor = ball([a, f]);
    motor.motor = Some(Motor::Position(1.0));
    let mut compliance = ball([a, f]);
    compliance.compliance = -1.0;
    let bad = [
        ball([a, a]),
        ball([f, g]),
        ball([End::World, f]),
        ball([End::World, End::World]),
        ball([a, End::Body(9)]),
        ball([a, End::Particle(9)]),
        Joint::new(JointKind::Fixed, [a, p], [0.0; 3]),
        Joint::new(JointKind::Ball, [a, f], [f64::NAN, 0.0, 0.0]),
        hinge.clone(),
        hinge.clone().along([0.0; 3]),
        limits,
        motor,
        compliance,
    ];
    // Angles are within half a turn, swings and lengths not below zero.
    let ranges = [
        (JointKind::Hinge, [-3.2, 0.0]),
        (JointKind::Hinge, [0.0, 3.2]),
        (JointKind::Ball, [-0.1, 1.0]),
        (JointKind::Ball, [0.0, 3.2]),
        (JointKind::Distance, [-0.1, 1.0]),
        (JointKind::Slider, [f64::NAN, 1.0]),
    ];
    let bad = bad.into_iter().chain(ranges.map(|(kind, limits)| {
        let joint = Joint::new(kind, [a, f], [0.0; 3]).along([0.0, 1.0, 0.0]);
        Joint { limits: Some(limits), ..joint }
    }));
    let mut joints = Joints::new();
    for joint in bad {
        let error = joints.add(&model, joint.clone()).expect_err(&format!("{joint:?}"));
        assert!(error.to_string().contains("joints[0]."), "{error}");
    }
    // Contradicting: the same body on two points of the world; and an anchor 10^6 m away.
    joints.add(&model, ball([a, End::World])).unwrap();
    joints.add(&model, Joint::new(JointKind::Fixed, [a, f], [1e6, 0.0, 0.0])).unwrap();
    let mut moved = Joint::new(JointKind::Distance, [a, f], [0.0; 3]);
    moved.limits = Some([5.0, 6.0]);
    joints.add(&model, moved).unwrap();
    model.add_subsystem(joints).unwrap();
    let simulation = simulate(model, Method::Lanes, 1, 300);
    assert!(simulation.snapshot().finite());
}
