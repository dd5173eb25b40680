//! Joints: Jacobians against dual numbers, what each holds and lets go, momenta, methods and threads.

use super::dual::Dual;
use super::models::Random;
use crate::constraints::Distance;
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::observe::observe;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Motor, Params, Pose, Shape, Sort, Weight};
use crate::rows::Strength;
use crate::settings::{Gyro, Rigid};
use crate::solvers::Scalar;
use crate::state::Particles;
use crate::state::Snapshot;
use crate::{Method, Simulation};

const SORTS: [Sort; 12] = [
    Sort::Ball,
    Sort::Line,
    Sort::Plane,
    Sort::Rod,
    Sort::Hinge,
    Sort::Universal,
    Sort::Slider,
    Sort::Fixed,
    Sort::Angle,
    Sort::Way,
    Sort::Length,
    Sort::Swing,
];

fn turn(random: &mut Random, size: f64) -> Quat<f64> {
    Quat::exp(Vec3::of(random.point()) * size)
}

/// Each row's gradient about each of the 12 coordinates of two bodies is its derivative (S4-13). The angle about an axis is
/// differentiated where the axes agree, as its hinge keeps them.
#[test]
fn jacobians_are_derivatives() {
    let mut random = Random(11);
    for sort in SORTS {
        for _ in 0..20 {
            let frame_a = turn(&mut random, 3.0);
            let q = [turn(&mut random, 3.0), turn(&mut random, 3.0)];
            let frame_b = match sort {
                Sort::Angle => {
                    let about = Quat::exp(Vec3::new(random.within(-2.0, 2.0), 0.0, 0.0));
                    q[1].conjugate() * q[0] * frame_a * about
                }
                _ => turn(&mut random, 3.0),
            };
            let x = [random.point(), random.point()];
            let arms = [random.point(), random.point()];
            // Half and middle such that the coordinate is outside of its limits.
            let p = Params {
                arms: arms.map(Vec3::of),
                frames: [frame_a, frame_b],
                middle: -0.3,
                half: 0.01,
                alpha: 0.0,
            };
            let dual = |v: f64| Dual { v, d: 0.0 };
            let dp = Params::from_array(p.to_array().map(dual));
            let rows = sort.evaluate([(Vec3::of(x[0]), q[0]), (Vec3::of(x[1]), q[1])], &p);
            for body in 0..2 {
                for axis in 0..6 {
                    let pose = |end: usize| -> Pose<Dual> {
                        let d = |k: usize| f64::from(u8::from(end == body && axis == k));
                        let at = |k: usize| Dual {
                            v: x[end][k],
                            d: d(k),
                        };
                        let theta = |k: usize| Dual {
                            v: 0.0,
                            d: d(3 + k),
                        };
                        let q = Quat::from(q[end].to_array().map(dual));
                        let spin = Quat::exp(Vec3::new(theta(0), theta(1), theta(2)));
                        (Vec3::new(at(0), at(1), at(2)), spin * q)
                    };
                    let moved = sort.evaluate([pose(0), pose(1)], &dp);
                    for (row, moved) in rows.iter().zip(&moved) {
                        let linear = row.linear.to_array();
                        let expected = match (axis, body) {
                            (0..3, 0) => linear[axis],
                            (0..3, _) => -linear[axis],
                            _ => row.turn[body].to_array()[axis - 3],
                        };
                        let off = (moved.c.d - expected).abs();
                        assert!(off < 1e-9, "{sort:?}: body {body}, axis {axis}: {off:e}");
                    }
                }
            }
        }
    }
}

fn cuboid(mass: f64, half: [f64; 3], position: [f64; 3]) -> Body {
    let body = Body::new(Shape::Box(half), Weight::Mass(mass), None).unwrap();
    body.at(position, [0.0, 0.0, 0.0, 1.0])
}

fn model(substeps: u32, iterations: u32) -> Model {
    let mut model = Model::new();
    model.settings.gyro = Gyro::Momentum;
    (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
    model
}

/// Two bodies and a joint, the first fixed; the second carries a load at its far end, and spins.
fn pair(kind: JointKind, load: f64, substeps: u32) -> (Model, Joints) {
    let mut model = model(substeps, 1);
    let mut base = cuboid(1.0, [0.1; 3], [0.0, 0.0, 0.0]);
    base.fixed = true;
    let a = model.add_body(base).unwrap();
    let mut arm = cuboid(1.0, [0.3, 0.1, 0.05], [0.4, 0.0, 0.0]);
    arm.angular_velocity = [0.3, 0.2, 0.5];
    let b = model.add_body(arm).unwrap();
    let end = model
        .add_body(cuboid(load, [0.1; 3], [0.7, 0.0, 0.0]))
        .unwrap();
    let joints = || {
        let mut joints = Joints::new();
        let ends = [End::Body(a), End::Body(b)];
        let mut joint = Joint::new(kind, ends, [0.1, 0.0, 0.0]);
        // What slides does so level, so that nothing falls for ever.
        joint.axis = Some(match kind {
            JointKind::Line | JointKind::Slider => [1.0, 0.0, 0.0],
            _ => [0.0, 1.0, 0.0],
        });
        joints.add(&model, joint).unwrap();
        let ends = [End::Body(b), End::Body(end)];
        let weight = Joint::new(JointKind::Fixed, ends, [0.7, 0.0, 0.0]);
        joints.add(&model, weight).unwrap();
        joints
    };
    let (part, judge) = (joints(), joints());
    model.add_part(part);
    (model, judge)
}

/// What each joint removes stays removed in the tenth second under load, without damping: 1e-4 m and 1e-3 rad, at 20
/// substeps where the load is light or equal, at 1000 (2000 where it swings below a rail) for a thousand times the mass behind
/// the joint.
#[test]
fn joints_hold_under_load() {
    for kind in JointKind::ALL {
        for (load, substeps) in [(1.0, 20), (0.001, 20), (1000.0, 1000)] {
            // Unoptimised that many substeps take minutes: half a second of them then.
            let brief = cfg!(debug_assertions) && substeps > 20;
            let frames = if brief { 30 } else { 600 };
            // A load that swings below a rail.
            let twice = u32::from(kind == JointKind::Line && substeps > 20);
            let substeps = substeps << twice;
            let (model, judge) = pair(kind, load, substeps);
            let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
            let (mut farthest, mut most) = (0.0_f32, [0.0_f64; 2]);
            for frame in 0..frames {
                simulation.step();
                let at = simulation.bodies()[1];
                farthest = farthest.max((at[0] - 0.4).abs() + at[1].abs() + at[2].abs());
                if frame >= frames * 9 / 10 {
                    let now = judge.largest_gaps(&simulation.snapshot());
                    most = [0, 1].map(|unit| most[unit].max(now[unit]));
                }
            }
            let [gap, angle] = most;
            println!(
                "{}: load {load} kg, {substeps} substeps: open by {gap:.1e} m, {angle:.1e} rad",
                kind.name()
            );
            assert!(gap < 1e-4 && angle < 1e-3, "{kind:?}, {load}: {most:?}");
            // Allowed motion is free.
            match kind {
                JointKind::Fixed => assert!(farthest < 1e-3, "{load}: {farthest} m"),
                JointKind::Slider => {} // nothing pushes it along
                _ if load > 1.0 => {}   // too heavy for its own spin to move it far
                _ => assert!(farthest > 1e-3, "{kind:?}, {load}: {farthest} m"),
            }
        }
    }
}

/// A ball between a particle and a body, no gravity: both momenta stay, with either side 1000 times heavier.
#[test]
fn a_particle_on_a_body_keeps_the_momenta() {
    for (mass, particle) in [(1.0, 1.0), (1000.0, 1.0), (1.0, 1000.0)] {
        let mut model = model(20, 4);
        model.settings.gravity = [0.0; 3];
        let mut body = cuboid(mass, [0.3, 0.2, 0.1], [0.0; 3]);
        body.angular_velocity = [0.02, 0.05, -0.03];
        let body = model.add_body(body).unwrap();
        let p = model
            .add_particle([0.3, 0.2, 0.1], [0.02, -0.05, 0.03], 1.0 / particle)
            .unwrap();
        let mut joints = Joints::new();
        let ends = [End::Body(body), End::Particle(p)];
        joints
            .add(&model, Joint::new(JointKind::Ball, ends, [0.3, 0.2, 0.1]))
            .unwrap();
        model.add_part(joints);
        let (mut state, mut solver) = Scalar::<f64>::authored(&model);
        let total = |state: &Particles<f64>| {
            let narrow = |v: Vec<[f64; 3]>| v.iter().map(|x| x.map(|v| v as f32)).collect();
            let seen = Snapshot {
                positions: narrow(state.positions()),
                velocities: narrow(state.velocities()),
                bodies: state
                    .bodies
                    .poses()
                    .iter()
                    .map(|x| x.map(|v| v as f32))
                    .collect(),
                body_velocities: state
                    .bodies
                    .motions()
                    .iter()
                    .map(|x| x.map(|v| v as f32))
                    .collect(),
                ..Snapshot::default()
            };
            let seen = observe(&model, &seen, &[]);
            (
                Vec3::<f64>::of(seen.momentum),
                Vec3::<f64>::of(seen.angular_momentum),
            )
        };
        let before = total(&state);
        (0..60).for_each(|_| solver.step(&mut state));
        let after = total(&state);
        let linear = (after.0 - before.0).length() / before.0.length();
        let angular = (after.1 - before.1).length() / before.1.length();
        println!("{mass} kg and {particle} kg: linear {linear:.1e}, angular {angular:.1e}");
        assert!(linear < 1e-5 && angular < 1e-5, "{linear:e} {angular:e}");
    }
}

/// A compliant joint gives way by α F.
#[test]
fn compliant_joints_are_springs() {
    for kind in [JointKind::Ball, JointKind::Fixed, JointKind::Distance] {
        let mut model = model(10, 4);
        model.settings.damping = 3.0;
        let body = model
            .add_body(cuboid(2.0, [0.1; 3], [0.0, -0.5, 0.0]))
            .unwrap();
        let mut joint = Joint::new(kind, [End::World, End::Body(body)], [0.0; 3]);
        joint.compliance = 1e-3;
        let mut joints = Joints::new();
        joints.add(&model, joint).unwrap();
        model.add_part(joints);
        let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
        (0..600).for_each(|_| simulation.step());
        let sag = -0.5 - f64::from(simulation.bodies()[0][1]);
        let expected = 1e-3 * 2.0 * 9.81;
        assert!(
            (sag / expected - 1.0).abs() < 0.01,
            "{kind:?}: {sag} for {expected}"
        );
    }
}

/// Motors reach their goals, limits hold.
#[test]
fn motors_and_limits() {
    let hinge = |motor, limits| {
        let mut model = model(20, 1);
        let body = model
            .add_body(cuboid(1.0, [0.2, 0.1, 0.1], [0.2, 0.0, 0.0]))
            .unwrap();
        let mut joint = Joint::new(JointKind::Hinge, [End::World, End::Body(body)], [0.0; 3]);
        joint.axis = Some([0.0, 0.0, 1.0]);
        (joint.motor, joint.limits) = (motor, limits);
        let mut joints = Joints::new();
        joints.add(&model, joint).unwrap();
        model.add_part(joints);
        let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
        (0..120).for_each(|_| simulation.step());
        let [_, _, _, _, _, z, w] = simulation.bodies()[0].map(f64::from);
        2.0 * z.atan2(w)
    };
    let pi = std::f64::consts::PI;
    let at = hinge(Some(Motor::Position(1.0)), None);
    assert!((at - 1.0).abs() < 1e-3, "{at}");
    let at = hinge(Some(Motor::Velocity(2.0)), None);
    assert!(
        ((at - 4.0 + pi).rem_euclid(2.0 * pi) - pi).abs() < 5e-3,
        "{at}"
    );
    let at = hinge(None, Some([-0.4, 0.2]));
    assert!((at + 0.4).abs() < 1e-3, "{at}");
}

/// Joints of every kind with limits and motors beside rows and particles: the same bits by every method that walks the
/// same order, on any number of threads.
#[test]
fn joints_are_the_same_in_lanes() {
    for rigid in Rigid::ALL {
        let build = || {
            let mut random = Random(7);
            let mut model = crate::scenes::Scene::find("joints")
                .unwrap()
                .model(Some(5))
                .unwrap();
            model.settings.rigid = rigid;
            let mut joints = Joints::new();
            let count = model.bodies().len() as u32;
            let mut last = None;
            for i in (1..count).step_by(2) {
                let x = model.bodies()[i as usize].position;
                let p = model.add_particle(x, random.point(), 2.0).unwrap();
                let ends = [End::Body(i), End::Particle(p)];
                joints
                    .add(&model, Joint::new(JointKind::Ball, ends, x))
                    .unwrap();
                if let Some(last) = last {
                    model
                        .add(Distance, [last, p], [None], Strength::Compliance(1e-3))
                        .unwrap();
                }
                last = Some(p);
            }
            model.add_part(joints);
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
            let mut simulation = Simulation::new(build(), method, threads).unwrap();
            (0..20).for_each(|_| simulation.step());
            let seen = simulation.observe();
            assert!(seen.finite);
            hashes.push(seen.hash);
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
    }
}

/// `rigid_pendulum`: the period of a release from 90°. Without loss it is 1.9430 s (1.6461 s for small swings, times 1.18034);
/// what the method loses of the amplitude makes it 1.9343 s at 20 substeps.
#[test]
fn the_period_of_a_pendulum() {
    let model = crate::scenes::Scene::find("pendulum")
        .unwrap()
        .model(None)
        .unwrap();
    assert_eq!(
        (model.settings.substeps, model.settings.iterations),
        (20, 1)
    );
    let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
    // Twice a period it passes below the pivot; interpolated between frames.
    let (mut last, mut passes) = (0.5, Vec::new());
    while passes.len() < 3 && simulation.time() < 5.0 {
        simulation.step();
        let now = f64::from(simulation.bodies()[0][0]);
        if now * last <= 0.0 {
            passes.push(simulation.time() - now / (now - last) * simulation.model().settings.dt);
        }
        last = now;
    }
    let period = passes[2] - passes[0];
    println!("period {period:.4} s");
    assert!((period / 1.9343 - 1.0).abs() < 0.005, "{period}");
}

/// A net of 32 x 32 balls stays where it hangs for 4000 steps.
#[test]
fn a_net_stays_bounded() {
    let model = crate::scenes::Scene::find("net")
        .unwrap()
        .model(Some(32))
        .unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    for step in 0..if cfg!(debug_assertions) { 200 } else { 4000 } {
        simulation.step();
        let far = simulation
            .bodies()
            .iter()
            .flatten()
            .any(|v| v.is_nan() || v.abs() > 20.0);
        assert!(!far, "step {step}");
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
    let mut joints = Joints::new();
    for joint in bad {
        let error = joints
            .add(&model, joint.clone())
            .expect_err(&format!("{joint:?}"));
        assert!(error.to_string().contains("joints[0]."), "{error}");
    }
    // Contradicting: the same body on two points of the world; and an anchor 10^6 m away.
    joints.add(&model, ball([a, End::World])).unwrap();
    joints
        .add(
            &model,
            Joint::new(JointKind::Fixed, [a, f], [1e6, 0.0, 0.0]),
        )
        .unwrap();
    let mut moved = Joint::new(JointKind::Distance, [a, f], [0.0; 3]);
    moved.limits = Some([5.0, 6.0]);
    joints.add(&model, moved).unwrap();
    model.add_part(joints);
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    (0..300).for_each(|_| simulation.step());
    assert!(simulation.snapshot().finite());
}
