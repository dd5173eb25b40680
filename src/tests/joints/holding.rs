//! Joints under load, as springs, with motors and limits.

use super::{cuboid, model};
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::observe::observe;
use crate::rigid::{End, Joint, JointKind, Joints, Motor};
use crate::solvers::Scalar;
use crate::state::{Particles, Snapshot};
use crate::tests::models::simulate;
use crate::{Method, Simulation};

/// Two bodies and a joint, the first fixed; the second carries a load at its far end, and spins.
fn pair(kind: JointKind, load: f64, substeps: u32) -> (Model, Joints) {
    let mut model = model(substeps, 1);
    let mut base = cuboid(1.0, [0.1; 3], [0.0, 0.0, 0.0]);
    base.fixed = true;
    let a = model.add_body(base).unwrap();
    let mut arm = cuboid(1.0, [0.3, 0.1, 0.05], [0.4, 0.0, 0.0]);
    arm.angular_velocity = [0.3, 0.2, 0.5];
    let b = model.add_body(arm).unwrap();
    let end = model.add_body(cuboid(load, [0.1; 3], [0.7, 0.0, 0.0])).unwrap();
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
    model.add_subsystem(part).unwrap();
    (model, judge)
}

/// How far the arm of [`pair`] is off what its joint removes (m, rad), from its pose alone.
fn off_pose(kind: JointKind, [x, y, z, qx, qy, qz, qw]: [f32; 7]) -> [f64; 2] {
    let center: Vec3<f64> = Vec3::of([x, y, z].map(f64::from));
    let [qx, qy, qz, qw] = [qx, qy, qz, qw].map(f64::from);
    let q = Quat::new(qx, qy, qz, qw);
    let anchor = Vec3::new(0.1, 0.0, 0.0);
    let d = center + q.rotate(Vec3::new(-0.3, 0.0, 0.0)) - anchor;
    let gap = match kind {
        JointKind::Line | JointKind::Slider => d.y.hypot(d.z),
        JointKind::Plane => d.y.abs(),
        JointKind::Distance => ((center - anchor).length() - 0.3).abs(),
        _ if !kind.has_anchor() => 0.0,
        _ => d.length(),
    };
    let angle = match kind {
        JointKind::Hinge | JointKind::Parallel => {
            let axis = q.rotate(Vec3::new(0.0, 1.0, 0.0));
            axis.x.hypot(axis.z)
        }
        JointKind::Slider | JointKind::Fixed | JointKind::Orientation => {
            2.0 * Vec3::new(qx, qy, qz).length()
        }
        _ => 0.0,
    };
    [gap, angle]
}

/// What each joint removes stays removed in the tenth second under load, without damping: 1e-4 m and 1e-3 rad, at 20
/// substeps where the load is light or equal, at 1000 (2000 where it swings below a rail or on a plane) for a thousand times the mass behind
/// the joint.
#[test]
fn joints_hold_under_load() {
    for kind in JointKind::ALL {
        for (load, substeps) in [(1.0, 20), (0.001, 20), (1000.0, 1000)] {
            // Unoptimised that many substeps take minutes: half a second of them then.
            let brief = cfg!(debug_assertions) && substeps > 20;
            let frames = if brief { 30 } else { 600 };
            // A load that swings below a rail or on a plane.
            let swings = matches!(kind, JointKind::Line | JointKind::Plane);
            let twice = u32::from(swings && substeps > 20);
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
                    let pose = off_pose(kind, at);
                    most = [0, 1].map(|unit| most[unit].max(now[unit]).max(pose[unit]));
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
        let p = model.add_particle([0.3, 0.2, 0.1], [0.02, -0.05, 0.03], 1.0 / particle).unwrap();
        let mut joints = Joints::new();
        let ends = [End::Body(body), End::Particle(p)];
        joints.add(&model, Joint::new(JointKind::Ball, ends, [0.3, 0.2, 0.1])).unwrap();
        model.add_subsystem(joints).unwrap();
        let (mut state, mut solver) = Scalar::<f64>::authored(&model);
        let total = |state: &Particles<f64>| {
            let narrow = |v: Vec<[f64; 3]>| v.iter().map(|x| x.map(|v| v as f32)).collect();
            let seen = Snapshot {
                positions: narrow(state.positions()),
                velocities: narrow(state.velocities()),
                bodies: state.bodies.poses().iter().map(|x| x.map(|v| v as f32)).collect(),
                body_velocities: state
                    .bodies
                    .motions()
                    .iter()
                    .map(|x| x.map(|v| v as f32))
                    .collect(),
                ..Snapshot::default()
            };
            let seen = observe(&model, &seen, &[]);
            (Vec3::<f64>::of(seen.momentum), Vec3::<f64>::of(seen.angular_momentum))
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
        let body = model.add_body(cuboid(2.0, [0.1; 3], [0.0, -0.5, 0.0])).unwrap();
        let mut joint = Joint::new(kind, [End::World, End::Body(body)], [0.0; 3]);
        joint.compliance = 1e-3;
        let mut joints = Joints::new();
        joints.add(&model, joint).unwrap();
        model.add_subsystem(joints).unwrap();
        let simulation = simulate(model, Method::Scalar, 1, 600);
        let sag = -0.5 - f64::from(simulation.bodies()[0][1]);
        let expected = 1e-3 * 2.0 * 9.81;
        assert!((sag / expected - 1.0).abs() < 0.01, "{kind:?}: {sag} for {expected}");
    }
}

/// Motors reach their goals, limits hold.
#[test]
fn motors_and_limits() {
    let hinge = |motor, limits| {
        let mut model = model(20, 1);
        let body = model.add_body(cuboid(1.0, [0.2, 0.1, 0.1], [0.2, 0.0, 0.0])).unwrap();
        let mut joint = Joint::new(JointKind::Hinge, [End::World, End::Body(body)], [0.0; 3]);
        joint.axis = Some([0.0, 0.0, 1.0]);
        (joint.motor, joint.limits) = (motor, limits);
        let mut joints = Joints::new();
        joints.add(&model, joint).unwrap();
        model.add_subsystem(joints).unwrap();
        let simulation = simulate(model, Method::Lanes, 1, 120);
        let [_, _, _, _, _, z, w] = simulation.bodies()[0].map(f64::from);
        2.0 * z.atan2(w)
    };
    let pi = std::f64::consts::PI;
    let at = hinge(Some(Motor::Position(1.0)), None);
    assert!((at - 1.0).abs() < 1e-3, "{at}");
    let at = hinge(Some(Motor::Velocity(2.0)), None);
    assert!(((at - 4.0 + pi).rem_euclid(2.0 * pi) - pi).abs() < 5e-3, "{at}");
    let at = hinge(None, Some([-0.4, 0.2]));
    assert!((at + 0.4).abs() < 1e-3, "{at}");
}

/// `rigid_pendulum`: the period of a release from 90° is 1.9430 s (1.6461 s for small swings, times 1.18034, the complete
/// elliptic integral); what the method loses of the amplitude shortens it in proportion to the substep.
#[test]
fn the_period_of_a_pendulum() {
    let period = |substeps: u32| {
        let mut model = crate::scenes::Scene::find("pendulum").unwrap().model(None).unwrap();
        assert_eq!((model.settings.substeps, model.settings.iterations), (20, 1));
        model.settings.substeps = substeps;
        let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
        // Twice a period it passes below the pivot; interpolated between frames.
        let (mut last, mut passes) = (0.5, Vec::new());
        while passes.len() < 3 && simulation.time() < 5.0 {
            simulation.step();
            let now = f64::from(simulation.bodies()[0][0]);
            if now * last <= 0.0 {
                let dt = simulation.model().settings.dt;
                passes.push(simulation.time() - now / (now - last) * dt);
            }
            last = now;
        }
        passes[2] - passes[0]
    };
    let off = [20, 80].map(|substeps| period(substeps) / 1.9430 - 1.0);
    println!("the period is off by {off:?} at 20 and 80 substeps");
    assert!(off[0].abs() < 1e-2 && off[1].abs() < 0.35 * off[0].abs(), "{off:?}");
}

/// A net of 32 x 32 balls stays where it hangs for 4000 steps.
#[test]
fn a_net_stays_bounded() {
    let model = crate::scenes::Scene::find("net").unwrap().model(Some(32)).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    for step in 0..if cfg!(debug_assertions) { 200 } else { 4000 } {
        simulation.step();
        let far = simulation.bodies().iter().flatten().any(|v| v.is_nan() || v.abs() > 20.0);
        assert!(!far, "step {step}");
    }
}

/// A compact load that rests on the limit of a hinge or of a ball joint, far from its point, leaves the joint closed, whatever the settings.
#[test]
fn a_limit_holds_a_load_at_a_long_arm() {
    for kind in [JointKind::Hinge, JointKind::Ball] {
        for (substeps, iterations) in [(1, 10), (4, 4), (10, 1), (20, 1)] {
            for arm in [0.2, 1.0] {
                let mut model = model(substeps, iterations);
                let load = model.add_body(cuboid(1.0, [0.06, 0.04, 0.04], [arm, 0.0, 0.0]));
                let ends = [End::World, End::Body(load.expect("a load"))];
                let joint = Joint::new(kind, ends, [0.0; 3]);
                // A ball joint swings away from its axis: it may hang by 0.3 at most.
                let (axis, limits) = match kind {
                    JointKind::Hinge => ([0.0, 0.0, 1.0], [0.0, 1.0]),
                    _ => ([1.0, 0.0, 0.0], [0.0, 0.3]),
                };
                let joint = Joint { limits: Some(limits), ..joint.along(axis) };
                let mut joints = Joints::new();
                joints.add(&model, joint).expect("a joint");
                model.add_subsystem(joints).expect("joints");
                let mut simulation = simulate(model, Method::Lanes, 1, 120);
                let mut widest = 0.0_f64;
                for _ in 0..60 {
                    simulation.step();
                    let [x, y, z, ..] = simulation.bodies()[0].map(f64::from);
                    let length = Vec3::new(x, y, z).length();
                    widest = widest.max((length - arm).abs());
                }
                println!("{kind:?}, {substeps} x {iterations}, arm {arm}: {widest:.1e} m");
                let case = format!("{kind:?}, {substeps} x {iterations}, arm {arm}");
                assert!(widest < 5e-4 * arm, "{case}: open by {widest} m");
            }
        }
    }
}

/// Two bodies in a row on a hinge or ball joint with limits, the second joined to the first, fall or swing into the limits: no more
/// energy than at the start, whatever the settings. (With joints left open where limits are passed: 18 kJ and 132 kJ of 32 J at 8 x 1 and
/// 20 x 1.)
#[test]
fn a_limit_beside_another_joint_gains_no_energy() {
    // A gate of two panels, and two boxes that fall.
    let gate = ([20.0, 8.0], [[0.4, 1.0, 0.02], [0.4, 0.3, 0.02]], [0.0, 1.0, 0.0]);
    let fall = ([1.0, 1.0], [[0.3, 0.1, 0.1]; 2], [0.0, 0.0, 1.0]);
    for (first, second, (masses, sizes, axis), spin, limits) in [
        (JointKind::Hinge, JointKind::Fixed, gate, 2.0, [0.0, 1.2]),
        (JointKind::Hinge, JointKind::Fixed, fall, 0.0, [-0.9, 0.9]),
        (JointKind::Hinge, JointKind::Ball, fall, 0.0, [-0.9, 0.9]),
        (JointKind::Ball, JointKind::Fixed, fall, 0.0, [0.0, 0.9]),
    ] {
        for (substeps, iterations) in [(1, 10), (4, 1), (4, 2), (8, 1), (20, 1), (20, 4)] {
            let mut model = model(substeps, iterations);
            if spin > 0.0 {
                model.settings.gravity = [0.0; 3];
            }
            for k in 0..2 {
                let at = 0.4 + 0.8 * k as f64;
                let mut body = cuboid(masses[k], sizes[k], [at, 0.0, 0.0]);
                body.angular_velocity = axis.map(|a| a * spin);
                body.velocity = [0.0, 0.0, -spin * at];
                model.add_body(body).expect("a body");
            }
            let axis = if first == JointKind::Ball { [1.0, 0.0, 0.0] } else { axis };
            let limited = Joint::new(first, [End::World, End::Body(0)], [0.0; 3]).along(axis);
            let mut joints = Joints::new();
            joints.add(&model, Joint { limits: Some(limits), ..limited }).expect("a joint");
            let joint = Joint::new(second, [End::Body(0), End::Body(1)], [0.8, 0.0, 0.0]);
            joints.add(&model, joint).expect("a joint");
            model.add_subsystem(joints).expect("joints");
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("sound");
            let start = simulation.observe().energy;
            let mut most = f64::MIN;
            for _ in 0..300 {
                simulation.step();
                most = most.max(simulation.observe().energy);
            }
            let case = format!("{first:?}, {second:?}, {substeps} x {iterations}");
            println!("{case}: {start:.1} to {most:.1} J at most");
            // Gravity does 17 J on the way to the limits.
            assert!(most < start + 1.5, "{case}: {start} to {most} J");
        }
    }
}

/// A soft joint yields to a torque by what its compliance says, about every axis and either way.
#[test]
fn what_yields_does_so_alike_either_way() {
    let third = 1.0 / 3.0_f64.sqrt();
    for kind in [JointKind::Fixed, JointKind::Slider, JointKind::Orientation] {
        for direction in [[third; 3], [0.6, -0.8, 0.0], [1.0, 0.0, 0.0]] {
            let turned = [1.0, -1.0].map(|sign| {
                let mut model = model(4, 5);
                (model.settings.gravity, model.settings.damping) = ([0.0; 3], 4.0);
                let body = model.add_body(cuboid(10.0, [0.3; 3], [0.0; 3])).expect("a body");
                let joint = Joint::new(kind, [End::World, End::Body(body)], [0.0; 3]);
                let joint = Joint { compliance: 1e-2, axis: Some([0.0, 1.0, 0.0]), ..joint };
                let mut joints = Joints::new();
                joints.add(&model, joint).expect("a joint");
                model.add_subsystem(joints).expect("joints");
                let torque = direction.map(|v| 20.0 * sign * v);
                model.set_body_force(body, [0.0; 3], torque).expect("a torque");
                let simulation = simulate(model, Method::Scalar, 1, 900);
                let [.., x, y, z, w] = simulation.bodies()[0].map(f64::from);
                2.0 * (x * x + y * y + z * z).sqrt().atan2(w)
            });
            println!("{kind:?}, about {direction:?}: {turned:?} rad");
            assert!(turned.iter().all(|angle| (angle - 0.2).abs() < 2e-3), "{kind:?}: {turned:?}");
        }
    }
}
