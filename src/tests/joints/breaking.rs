//! Joints that break, judged from poses and closed forms.

use super::{cuboid, model};
use crate::collision::Contacts;
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::tests::models::simulate;
use crate::{Method, Simulation};

const G: f64 = 9.81;

/// Bodies held by joints.
fn held(mut model: Model, bodies: Vec<Body>, joints: Vec<Joint>) -> Simulation {
    for body in bodies {
        model.add_body(body).unwrap();
    }
    let mut all = Joints::new();
    joints.into_iter().for_each(|joint| all.add(&model, joint).unwrap());
    model.add_subsystem(all).unwrap();
    Simulation::new(model, Method::Lanes, 1).unwrap()
}

fn breaking(kind: JointKind, anchor: [f64; 3], force: Option<f64>, torque: Option<f64>) -> Joint {
    let joint = Joint::new(kind, [End::World, End::Body(0)], anchor);
    Joint { break_force: force, break_torque: torque, ..joint }
}

/// A weight hangs from what bears m g and falls from what bears less; a bracket bears m g d about its end.
#[test]
fn a_joint_bears_what_it_is_said_to() {
    let weight = 2.0 * G;
    for share in [0.97, 1.03] {
        let hangs = breaking(JointKind::Ball, [0.0, 0.5, 0.0], Some(share * weight), None);
        let bracket =
            breaking(JointKind::Fixed, [-0.4, 0.0, 0.0], None, Some(share * 0.4 * weight));
        let slides = breaking(JointKind::Slider, [0.0; 3], Some(share * weight), None);
        for joint in [hangs, bracket, slides.along([1.0, 0.0, 0.0])] {
            let kind = joint.kind;
            let body = cuboid(2.0, [0.1, 0.05, 0.1], [0.0; 3]);
            let mut simulation = held(model(10, 1), vec![body], vec![joint]);
            (0..30).for_each(|_| simulation.step());
            let fallen = -f64::from(simulation.bodies()[0][1]);
            let broken = simulation.broken_joints();
            if share < 1.0 {
                assert!(
                    (fallen / (0.5 * G * (29.0_f64 / 60.0).powi(2)) - 1.0).abs() < 0.02,
                    "{kind:?}: fell {fallen} m"
                );
                assert_eq!(broken, [0]);
                assert!(simulation.observe().residual < 1e-9, "a broken joint holds nothing");
            } else {
                assert!(fallen.abs() < 1e-3, "{kind:?}: fell {fallen} m");
                assert!(broken.is_empty());
            }
        }
    }
}

/// A pendulum let go level pulls with m g cos θ (1 + 2 l² / (l² + k²)), θ from below: it breaks where that is what the joint bears.
#[test]
fn a_pendulum_breaks_at_its_angle() {
    let (l, r, most) = (0.5, 0.1, 2.0 * G);
    let k2 = 0.4 * r * r;
    let share = 1.0 + 2.0 * l * l / (l * l + k2);
    let cosine: f64 = 2.0 / share;
    let ball = Body::new(Shape::Sphere(r), Weight::Mass(1.0), None).unwrap();
    let ball = ball.at([l, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
    let mut model = model(10, 1);
    model.settings.dt = 1.0 / 240.0;
    let joint = breaking(JointKind::Ball, [0.0; 3], Some(most), None);
    let mut simulation = held(model, vec![ball], vec![joint]);
    while simulation.broken_joints().is_empty() && simulation.time() < 2.0 {
        simulation.step();
    }
    let [x, y, ..] = simulation.bodies()[0].map(f64::from);
    let found = -y / x.hypot(y);
    // A frame late it is 0.02 farther.
    assert!((found - cosine).abs() < 0.025, "broke at cos θ = {found}, expected {cosine}");
    let v = simulation.snapshot().body_velocities[0];
    let speed = f64::from(v[0]).hypot(f64::from(v[1]));
    let expected = (2.0 * G * -y * l * l / (l * l + k2)).sqrt();
    assert!((speed / expected - 1.0).abs() < 0.02, "{speed} m/s, expected {expected}");
}

/// Bodies of a broken joint touch each other, and those of a whole one do not.
#[test]
fn what_is_parted_touches() {
    let gap = |strength: f64| {
        let mut model = model(10, 1);
        let below = Body { fixed: true, ..cuboid(1.0, [0.5, 0.1, 0.5], [0.0; 3]) };
        // 5 cm into the plate below, as joined things may be.
        let above = cuboid(1.0, [0.1; 3], [0.0, 0.15, 0.0]);
        for body in [below, above] {
            model.add_body(body).unwrap();
        }
        let mut joints = Joints::new();
        let joint = Joint::new(JointKind::Fixed, [End::Body(0), End::Body(1)], [0.0, 0.1, 0.0]);
        joints.add(&model, Joint { break_force: Some(strength), ..joint }).unwrap();
        model.add_subsystem(joints).unwrap();
        model.set_contacts(Contacts::default()).unwrap();
        let simulation = simulate(model, Method::Lanes, 1, 120);
        f64::from(simulation.bodies()[1][1])
    };
    let (whole, parted) = (gap(100.0), gap(5.0));
    assert!((whole - 0.15).abs() < 1e-3, "{whole}");
    assert!((parted - 0.2).abs() < 2e-3, "{parted}");
}

/// A chain that breaks as it swings, with motors and orientations: the same bits by all methods and from a checkpoint.
#[test]
fn breaking_has_the_same_bits() {
    let chain = || {
        let mut model = model(8, 2);
        let mut joints = Joints::new();
        for i in 0..12_u32 {
            let at = [0.2 * f64::from(i), 0.0, 0.01 * f64::from(i % 3)];
            model.add_body(cuboid(1.0, [0.08, 0.05, 0.05], at)).unwrap();
        }
        for i in 0..12_u32 {
            let ends = [i.checked_sub(1).map_or(End::World, End::Body), End::Body(i)];
            let anchor = [0.2 * f64::from(i) - 0.1, 0.0, 0.0];
            let kinds = [JointKind::Ball, JointKind::Hinge, JointKind::Fixed, JointKind::Parallel];
            let mut joint = Joint::new(kinds[i as usize % 4], ends, anchor).along([0.0, 0.0, 1.0]);
            joint.break_force = Some(60.0 + 20.0 * f64::from(i % 3));
            joint.break_torque = Some(8.0);
            if i % 4 == 0 {
                joint.motor = Some(crate::rigid::Motor::AngularVelocity([0.5, 0.2, 1.0]));
                joint.max_force = Some(0.5);
            }
            joints.add(&model, joint).unwrap();
        }
        model.add_subsystem(joints).unwrap();
        let floor = crate::collision::Collider::plane([0.0, -0.8, 0.0], [0.0, 1.0, 0.0]).unwrap();
        let contacts = Contacts { colliders: vec![floor], ..Contacts::default() };
        model.set_contacts(contacts).unwrap();
        model
    };
    let run = |method, threads| simulate(chain(), method, threads, 60);
    let expected = run(Method::Colored, 1);
    let broken = expected.broken_joints();
    assert!((2..12).contains(&broken.len()), "{broken:?}");
    for threads in [1, 2, 3, 7] {
        let found = run(Method::Lanes, threads);
        assert_eq!(found.observe().hash, expected.observe().hash, "on {threads}");
        assert_eq!(found.broken_joints(), broken);
    }
    for frames in [10, 25, 45] {
        let first = simulate(chain(), Method::Lanes, 1, frames);
        let mut saved = Vec::new();
        first.save(&mut saved).unwrap();
        // Into a simulation that has broken more.
        let mut second = run(Method::Lanes, 2);
        second.load(&mut saved.as_slice()).unwrap();
        assert_eq!(second.broken_joints(), first.broken_joints(), "after {frames}");
        (frames..60).for_each(|_| second.step());
        assert_eq!(second.observe().hash, expected.observe().hash, "after {frames}");
        assert_eq!(second.broken_joints(), broken);
    }
}
