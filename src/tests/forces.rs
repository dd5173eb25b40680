//! Forces and impulses: as gravity where they are as large, by every method; torques against closed forms.

use super::models::{floor, sheet, simulate};
use crate::collision::{Collider, Contacts};
use crate::model::Model;
use crate::observe::hash;
use crate::rigid::End;
use crate::rigid::{Body, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::settings::{Gyro, Precision, Rigid};
use crate::{Method, Simulation};

const G: [f64; 3] = [1.0, -9.81, 0.5];

/// A sheet of several masses, one of them driven and some pinned.
fn cloth() -> Model {
    let mut model = sheet(13, 11, Stiffness::Compliance(1e-6));
    for (i, w) in (0..143).zip([1.0, 0.5, 4.0, 2.0, 1.0].into_iter().cycle()) {
        model.set_inverse_mass(i, if i % 40 == 0 { 0.0 } else { w }).unwrap();
    }
    model.settings.iterations = 4;
    model.settings.substeps = 2;
    model
}

/// The acceleration G by gravity alone, by forces alone, and half by each.
fn by_force(mut model: Model, part: f64) -> Model {
    model.settings.gravity = G.map(|g| g * (1.0 - part));
    for i in (0..model.positions().len() as u32).filter(|_| part > 0.0) {
        // What is pinned is pulled too.
        let w = f64::from(model.inverse_masses()[i as usize]);
        let w = if w > 0.0 { w } else { 1.0 };
        model.set_force(i, G.map(|g| g * part / w)).unwrap();
    }
    for i in (0..model.bodies().len()).filter(|_| part > 0.0) {
        let mass = model.bodies()[i].mass;
        model.set_body_force(i as u32, G.map(|g| g * part * mass), [0.0; 3]).unwrap();
    }
    model
}

fn hash_after(model: Model, method: Method, threads: usize) -> u64 {
    let simulation = simulate(model, method, threads, 20);
    assert!(simulation.snapshot().finite());
    hash(&simulation.positions(), &simulation.bodies())
}

#[test]
fn a_force_is_as_gravity_to_the_bit() {
    for method in Method::ALL {
        for colors in [2, 12] {
            let model = |part| {
                let mut model = cloth();
                model.settings.colors = colors;
                model.settings.precision = Precision::Plain; // else gravity has a say in it
                by_force(model, part)
            };
            let gravity = hash_after(model(0.0), method, 1);
            for threads in if method.threaded() { 1..=3 } else { 1..=1 } {
                for part in [1.0, 0.5] {
                    assert_eq!(hash_after(model(part), method, threads), gravity, "{method:?}");
                }
            }
        }
    }
}

/// Two boxes on a fixed one, joined, above a ball of particles that they meet.
fn boxes() -> Model {
    let mut model = Model::new();
    let boxed = |x: f64, mass| {
        let body = Body::new(Shape::Box([0.2, 0.1, 0.1]), Weight::Mass(mass), None).unwrap();
        body.at([x, 0.0, 0.0], [0.0, 0.0, 0.6, 0.8])
    };
    let mut fixed = boxed(0.0, 1.0);
    fixed.fixed = true;
    let all = [fixed, boxed(0.5, 2.0), boxed(1.0, 0.5)];
    for body in all {
        model.add_body(body).unwrap();
    }
    let mut joints = Joints::new();
    for [a, b] in [[0, 1], [1, 2]] {
        let ends = [End::Body(a), End::Body(b)];
        let anchor = [f64::from(a) * 0.5 + 0.25, 0.0, 0.0];
        joints.add(&model, Joint::new(JointKind::Ball, ends, anchor)).unwrap();
    }
    model.add_subsystem(joints).unwrap();
    model.add_particle([0.6, -0.5, 0.0], [0.0; 3], 2.0).unwrap();
    let plane = Collider::plane([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]).unwrap();
    let contacts = Contacts { colliders: vec![plane], radius: 0.05, ..Contacts::default() };
    model.set_contacts(contacts).unwrap();
    model
}

#[test]
fn a_force_on_a_body_is_as_gravity_to_the_bit() {
    for gyro in Gyro::ALL {
        for rigid in Rigid::ALL {
            let model = |part| {
                let mut model = boxes();
                (model.settings.gyro, model.settings.rigid) = (gyro, rigid);
                by_force(model, part)
            };
            let gravity = hash_after(model(0.0), Method::Scalar, 1);
            for method in [Method::Scalar, Method::Colored, Method::Lanes, Method::Ordered] {
                for part in [1.0, 0.5] {
                    assert_eq!(hash_after(model(part), method, 1), gravity, "{method:?} {gyro:?}");
                }
            }
        }
    }
}

/// A constant torque about a principal axis: ω = n h τ / I, θ = n (n + 1) / 2 h² τ / I.
#[test]
fn a_torque_turns_a_body_as_it_should() {
    for gyro in Gyro::ALL {
        for method in [Method::Scalar, Method::Lanes] {
            let mut model = Model::new();
            model.settings.gravity = [0.0; 3];
            model.settings.gyro = gyro;
            for _ in 0..3 {
                let weight = Weight::Mass(2.0);
                let body = Body::new(Shape::None, weight, Some([0.5, 1.0, 2.0])).unwrap();
                // Its second axis points along x.
                let half = 0.5_f64.sqrt();
                model.add_body(body.at([0.0; 3], [0.0, 0.0, -half, half])).unwrap();
            }
            model.set_body_force(1, [0.0, 4.0, 0.0], [3.0, 0.0, 0.0]).unwrap();
            let simulation = simulate(model, method, 1, 30);
            let state = simulation.snapshot();
            let h = 1.0 / 60.0;
            let [_, vy, _, wx, wy, wz] = state.body_velocities[1].map(f64::from);
            assert!((vy - 30.0 * h * 2.0).abs() < 1e-5, "{vy}");
            assert!((wx - 30.0 * h * 3.0).abs() < 1e-5 && wy.abs() + wz.abs() < 1e-5, "{wx}");
            let turned = 3.0 * h * h * 30.0 * 31.0 / 2.0;
            let [_, _, _, qx, qy, qz, qw] = state.bodies[1].map(f64::from);
            // The turn since the start is about x: q = turn * start.
            let half = 0.5_f64.sqrt();
            let expected = (0.5 * turned).sin_cos();
            let start = [0.0, 0.0, -half, half];
            let expected = [
                expected.0 * start[3],
                -expected.0 * start[2],
                expected.1 * start[2],
                expected.1 * start[3],
            ];
            for (found, expected) in [qx, qy, qz, qw].into_iter().zip(expected) {
                assert!((found - expected).abs() < 2e-3, "{gyro:?}: {found} for {expected}");
            }
            // What no force acts on rests.
            assert_eq!(state.body_velocities[0], [0.0; 6]);
            let rest = [0.0, 0.0, 0.0, 0.0, 0.0, -half, half];
            for (found, rest) in state.bodies[2].into_iter().zip(rest) {
                assert!((f64::from(found) - rest).abs() < 1e-6, "{:?}", state.bodies[2]);
            }
        }
    }
}

/// Set during a run a force acts from then on, through a change of method too, until it is set to zero; what is held takes
/// none.
#[test]
fn a_force_lasts_until_it_is_replaced() {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    model.settings.dt = 0.25;
    for w in [2.0, 0.0] {
        model.add_particle([0.0; 3], [0.0; 3], w).unwrap();
    }
    let mut simulation = Simulation::new(model, Method::Lanes, 2).unwrap();
    simulation.step();
    assert_eq!(simulation.velocities()[0], [0.0; 3]);
    simulation.set_force(0, [0.0, 4.0, 0.0]);
    simulation.set_force(1, [0.0, 4.0, 0.0]);
    simulation.set_force(0, [f32::NAN, 0.0, 0.0]);
    simulation.step();
    assert_eq!(simulation.velocities(), [[0.0, 2.0, 0.0], [0.0; 3]]);
    let settings = simulation.model().settings.clone();
    simulation.rebuild(settings, Method::Impulse, 1).unwrap();
    simulation.step();
    assert_eq!(simulation.velocities()[0], [0.0, 4.0, 0.0]);
    simulation.grab(0);
    simulation.push(0, [1.0, 0.0, 0.0]);
    simulation.step();
    assert_eq!(simulation.velocities()[0], [0.0; 3]);
    simulation.release(0);
    simulation.step();
    assert_eq!(simulation.velocities()[0], [0.0, 2.0, 0.0]);
    simulation.set_force(0, [0.0; 3]);
    simulation.step();
    assert_eq!(simulation.velocities()[0], [0.0, 2.0, 0.0]);
}

/// An impulse adds itself to the momentum, and its moment to the angular momentum; what cannot move takes none.
#[test]
fn an_impulse_is_what_the_momenta_grow_by() {
    let mut model = boxes();
    model.settings.gravity = [0.0; 3];
    let pinned = model.add_particle([0.0; 3], [0.0; 3], 0.0).unwrap();
    let mut simulation = Simulation::new(model, Method::Lanes, 1).unwrap();
    simulation.push(0, [0.5, 0.0, 1.0]);
    simulation.push(pinned, [1.0; 3]);
    assert_eq!(simulation.velocities(), [[1.0, 0.0, 2.0], [0.0; 3]]);
    let before = simulation.observe();
    let (p, at) = ([0.3_f64, -0.2, 0.7], [1.1_f64, 0.2, -0.1]);
    simulation.push_body(2, p.map(|v| v as f32), at.map(|v| v as f32));
    simulation.push_body(0, [1.0; 3], [1.0; 3]);
    simulation.push_body(2, [f32::INFINITY, 0.0, 0.0], [0.0; 3]);
    let after = simulation.observe();
    let moment =
        [at[1] * p[2] - at[2] * p[1], at[2] * p[0] - at[0] * p[2], at[0] * p[1] - at[1] * p[0]];
    for k in 0..3 {
        assert!((after.momentum[k] - before.momentum[k] - p[k]).abs() < 1e-6);
        let grown = after.angular_momentum[k] - before.angular_momentum[k];
        assert!((grown - moment[k]).abs() < 1e-6, "{grown} for {}", moment[k]);
    }
    assert_eq!(simulation.snapshot().body_velocities[0], [0.0; 6]);
}

/// What sleeps wakes by an impulse or another force, before the step.
#[test]
fn what_is_pushed_wakes() {
    for method in [Method::Scalar, Method::Lanes] {
        for push in [false, true] {
            let mut model = Model::new();
            let body = Body::new(Shape::Box([0.1; 3]), Weight::Mass(1.0), None).unwrap();
            model.add_body(body.at([0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
            let sleep = Some(0.2);
            model
                .set_contacts(Contacts { colliders: vec![floor()], sleep, ..Contacts::default() })
                .unwrap();
            let mut simulation = simulate(model, method, 1, 60);
            assert_eq!(simulation.snapshot().body_velocities[0], [0.0; 6], "it sleeps");
            match push {
                true => simulation.push_body(0, [0.0, 2.0, 0.0], [0.0, 0.1, 0.0]),
                false => simulation.set_body_force(0, [0.0, 100.0, 0.0], [0.0; 3]),
            }
            simulation.step();
            let [_, v, ..] = simulation.snapshot().body_velocities[0];
            assert!(v > 1.0, "{method:?}, pushed {push}: {v}");
        }
    }
}
