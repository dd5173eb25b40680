//! Motors of a position that have a largest force: they come to rest at their targets, once.

use super::{cuboid, model};
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Motor, Shape, Weight};
use crate::{Method, Simulation};

/// Substeps and iterations.
const SPLITS: [[u32; 2]; 4] = [[1, 10], [4, 4], [10, 1], [20, 1]];

/// Goes on for `seconds`, watches the coordinate, and says how far it went beyond `target` (in parts of the target) and how far it
/// was from it at most in the last second.
fn watch(
    model: Model,
    target: f64,
    seconds: usize,
    coordinate: impl Fn(&Simulation) -> f64,
) -> [f64; 2] {
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    let [mut beyond, mut off] = [0.0_f64; 2];
    for frame in 0..60 * seconds {
        simulation.step();
        let part = coordinate(&simulation) / target;
        beyond = beyond.max(part - 1.0);
        if frame >= 60 * (seconds - 1) {
            off = off.max((part - 1.0).abs());
        }
    }
    [beyond, off]
}

fn driven(model: &mut Model, bodies: &[Body], joint: Joint) {
    bodies.iter().for_each(|body| _ = model.add_body(body.clone()).unwrap());
    let mut joints = Joints::new();
    joints.add(&*model, joint).unwrap();
    model.add_subsystem(joints).unwrap();
}

fn motor(kind: JointKind, axis: [f64; 3], target: f64, most: f64) -> Joint {
    let joint = Joint::new(kind, [End::World, End::Body(0)], [0.0; 3]).along(axis);
    Joint { motor: Some(Motor::Position(target)), max_force: Some(most), ..joint }
}

fn orientation(simulation: &Simulation, i: usize) -> Quat<f64> {
    let [.., x, y, z, w] = simulation.bodies()[i].map(f64::from);
    Quat::new(x, y, z, w)
}

/// How far b is turned from a about z.
fn angle(a: Quat<f64>, b: Quat<f64>) -> f64 {
    let q = a.conjugate() * b;
    2.0 * q.vector().z.atan2(q.w)
}

fn assert_rests(what: &str, split: [u32; 2], [beyond, off]: [f64; 2]) {
    assert!(beyond < 0.03, "{what}, {split:?}: {beyond} of the way beyond its target");
    assert!(off < 0.005, "{what}, {split:?}: {off} of the way from its target at the end");
}

/// A lift, up against gravity and down with it, with half again to four times the force that carries it.
#[test]
fn a_lift_stops_at_its_target() {
    for split in SPLITS {
        for (target, strength) in [(1.0, 1.5), (1.0, 4.0), (-1.0, 1.5), (-1.0, 4.0)] {
            let mut model = model(split[0], split[1]);
            let body = Body::new(Shape::Sphere(0.2), Weight::Mass(2.0), None).unwrap();
            let most = strength * 2.0 * 9.81;
            let joint = motor(JointKind::Slider, [0.0, 1.0, 0.0], target, most);
            driven(&mut model, &[body], joint);
            let seen = watch(model, target, 5, |s| f64::from(s.bodies()[0][1]));
            assert_rests(&format!("{strength} of the weight to {target} m"), split, seen);
        }
    }
}

/// A flywheel, and an arm whose weight hangs from it or stands on it, about a horizontal axis.
#[test]
fn an_arm_stops_at_its_target() {
    let (mass, g) = (1.0, 9.81);
    for split in SPLITS {
        for (reach, strength) in [(0.0, 0.0), (0.3, 2.0), (0.5, 3.0)] {
            let mut model = model(split[0], split[1]);
            let body = cuboid(mass, [0.2, 0.1, 0.1], [reach, 0.0, 0.0]);
            let most = if reach > 0.0 { strength * mass * g * reach } else { 0.05 };
            let joint = motor(JointKind::Hinge, [0.0, 0.0, 1.0], 1.2, most);
            driven(&mut model, &[body], joint);
            let still = Quat::identity();
            let seen = watch(model, 1.2, 6, |s| angle(still, orientation(s, 0)));
            assert_rests(&format!("an arm of {reach} m, {strength} of its load"), split, seen);
        }
    }
}

/// Two free bodies, one of them the heavier up to a hundred times, turned against each other.
#[test]
fn two_bodies_stop_at_their_target() {
    for split in SPLITS {
        for ratio in [1.0, 10.0, 100.0] {
            let mut model = model(split[0], split[1]);
            model.settings.gravity = [0.0; 3];
            let bodies = [1.0, ratio].map(|m| cuboid(m, [0.2, 0.1, 0.1], [0.0; 3]));
            let [a, b] = bodies;
            let b = Body { position: [0.5, 0.0, 0.0], ..b };
            let joint = Joint {
                ends: [0, 1].map(End::Body),
                anchor: [0.25, 0.0, 0.0],
                ..motor(JointKind::Hinge, [0.0, 0.0, 1.0], 0.8, 0.5)
            };
            driven(&mut model, &[a, b], joint);
            let seen = watch(model, 0.8, 5, |s| angle(orientation(s, 0), orientation(s, 1)));
            assert_rests(&format!("1 : {ratio}"), split, seen);
        }
    }
}

/// Near its target it is as stiff as without bounds: pulled by half of its force it stays where it is.
#[test]
fn a_load_does_not_move_it() {
    for split in SPLITS {
        let off = [Some(40.0), None].map(|most| {
            let mut model = model(split[0], split[1]);
            let body = Body::new(Shape::Sphere(0.2), Weight::Mass(2.0), None).unwrap();
            let joint = motor(JointKind::Slider, [0.0, 1.0, 0.0], 0.0, 1.0);
            driven(&mut model, &[body], Joint { max_force: most, ..joint });
            let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
            let mut off = Vec3::<f64>::zero();
            for _ in 0..60 {
                simulation.step();
                off.y = off.y.max(f64::from(simulation.bodies()[0][1]).abs());
            }
            off.y
        });
        assert!((off[0] - off[1]).abs() < 1e-6, "{split:?}: {off:?} m");
    }
}
