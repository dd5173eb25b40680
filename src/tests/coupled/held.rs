//! A particle that is held to a body does not touch it; what rows at bodies hold wakes with it.

use super::{body, space, touching};
use crate::collision::{Collider, Contacts};
use crate::constraints::{Distance, Tether};
use crate::model::Model;
use crate::rigid::{At, Attachments, End, Joint, JointKind, Joints, Shape};
use crate::rows::Stiffness;
use crate::{Method, Simulation};

const UP: [f64; 3] = [0.0, 1.0, 0.0];

fn run(model: Model, method: Method, frames: usize) -> Simulation {
    let mut simulation = Simulation::new(model, method, 1).unwrap();
    (0..frames).for_each(|_| simulation.step());
    simulation
}

/// A box at rest with a particle on its surface, or within: the joint or the row is closed, and nothing moves.
#[test]
fn what_is_held_to_a_body_does_not_push_it() {
    for (substeps, iterations) in [(1, 10), (8, 2), (20, 1)] {
        for (x, by_joint) in [(0.1, true), (0.07, true), (0.1, false)] {
            let mut model = space(substeps, iterations);
            model.add_body(body(Shape::Box([0.1; 3]), 1.0, [0.0; 3])).unwrap();
            let at = [x, 0.03, 0.0];
            model.add_particle(at, [0.0; 3], 10.0).unwrap();
            if by_joint {
                let mut joints = Joints::new();
                let joint = Joint::new(JointKind::Ball, [End::Body(0), End::Particle(0)], at);
                joints.add(&model, joint).unwrap();
                model.add_subsystem(joints).unwrap();
            } else {
                let (mut rows, at) = (Attachments::new(), [At::Particle(0), At::Body(0, at)]);
                let hard = Stiffness::Factor(1.0);
                rows.add(&model, Distance, at, [Some(0.0)], hard).unwrap();
                model.add_subsystem(rows).unwrap();
            }
            touching(&mut model, 0.02, Vec::new());
            let simulation = run(model, Method::Lanes, 60);
            let (seen, state) = (simulation.observe(), simulation.snapshot());
            assert!(seen.residual < 1e-6, "{substeps} x {iterations}, {x}: {}", seen.residual);
            let moves = state.body_velocities[0].iter().any(|v| v.abs() > 1e-6);
            assert!(!moves, "{substeps} x {iterations}, {x}: {:?}", state.body_velocities);
        }
    }
}

/// A joint that breaks lets its particle touch the body: it then lies on it.
#[test]
fn what_has_broken_off_touches() {
    let mut model = space(4, 4);
    model.settings.gravity = [0.0, -9.81, 0.0];
    let mut table = body(Shape::Box([0.1; 3]), 1.0, [0.0; 3]);
    table.fixed = true;
    model.add_body(table).unwrap();
    let at = [0.0, 0.13, 0.0];
    model.add_particle(at, [0.0; 3], 1.0).unwrap();
    let mut joints = Joints::new();
    let joint = Joint::new(JointKind::Ball, [End::Body(0), End::Particle(0)], at);
    joints.add(&model, Joint { break_force: Some(5.0), ..joint }).unwrap();
    model.add_subsystem(joints).unwrap();
    touching(&mut model, 0.02, Vec::new());
    let simulation = run(model, Method::Lanes, 60);
    assert_eq!(simulation.broken_joints(), [0]);
    let y = simulation.positions()[0][1];
    assert!((y - 0.12).abs() < 1e-3, "{y}");
}

/// Balls on a smooth floor where what rests sleeps, and the rows that hold them, each of two places as far apart as they may come.
fn sleepers(balls: &[[f64; 2]], hold: impl Fn(&mut Model) -> [At; 2]) -> Model {
    let mut model = space(4, 4);
    model.settings.gravity = [0.0, -9.81, 0.0];
    for &[x, v] in balls {
        let mut ball = body(Shape::Sphere(0.1), 1.0, [x, 0.1, 0.0]);
        (ball.velocity, ball.friction) = ([v, 0.0, 0.0], Some(0.0));
        model.add_body(ball).unwrap();
    }
    let (mut rows, at) = (Attachments::new(), hold(&mut model));
    rows.add(&model, Tether, at, [Some(1.0)], Stiffness::Factor(1.0)).unwrap();
    model.add_subsystem(rows).unwrap();
    let colliders = vec![Collider::plane([0.0; 3], UP).unwrap()];
    let contacts = Contacts { colliders, sleep: Some(0.1), ..Contacts::default() };
    model.set_contacts(contacts).unwrap();
    model
}

/// A driven particle drags a ball along, which would have slept.
#[test]
fn a_driven_particle_keeps_what_it_holds_awake() {
    let model = sleepers(&[[0.0, 0.0]], |model| {
        let driven = model.add_particle([0.0, 0.5, 0.0], [1.0, 0.0, 0.0], 0.0).unwrap();
        [At::Particle(driven), At::Body(0, [0.0, 0.1, 0.0])]
    });
    let simulation = run(model, Method::Lanes, 120);
    let (particle, ball) = (simulation.positions()[0][0], simulation.bodies()[0][0]);
    assert!(particle - ball < 1.0 && particle > 1.9, "{particle} {ball}");
}

/// So does one that stood still until it was taken in the hand.
#[test]
fn a_particle_in_the_hand_drags_what_it_holds() {
    let model = sleepers(&[[0.0, 0.0]], |model| {
        let held = model.add_particle([0.0, 0.5, 0.0], [0.0; 3], 0.0).unwrap();
        [At::Particle(held), At::Body(0, [0.0, 0.1, 0.0])]
    });
    let mut simulation = run(model, Method::Lanes, 60);
    simulation.grab(0);
    for i in 0..120 {
        simulation.drag(0, [0.02 * i as f32, 0.5, 0.0]);
        simulation.step();
    }
    assert!(simulation.bodies()[0][0] > 1.3, "{:?}", simulation.bodies());
}

/// Two balls at rest on one rope, a third that strikes one: the other is woken, and the momentum is kept.
#[test]
fn what_rows_hold_together_wakes_together() {
    let model = sleepers(&[[0.0, 0.0], [1.0, 0.0], [-1.0, 1.0]], |_| {
        [At::Body(0, [0.0, 0.1, 0.0]), At::Body(1, [1.0, 0.1, 0.0])]
    });
    let simulation = run(model, Method::Lanes, 240);
    let state = simulation.snapshot();
    let sum: f32 = state.body_velocities.iter().map(|v| v[0]).sum();
    assert!((sum - 1.0).abs() < 0.01, "{sum}: {:?}", state.body_velocities);
}
