//! Bodies that joints hold together rest on what they stand on: no pass meets a leg without its table.

use super::{body, ground, run};
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape};
use crate::{Method, Simulation};

const STEPS: [(u32, u32); 4] = [(1, 10), (4, 1), (8, 2), (20, 1)];

/// A joint: its kind, its bodies, where, and about what it turns.
type Held = (JointKind, [u32; 2], [f64; 3], [f64; 3]);

fn boxed(half: [f64; 3], mass: f64, at: [f64; 3]) -> Body {
    Body { friction: Some(0.5), ..body(Shape::Box(half), mass, at) }
}

fn weld(bodies: [u32; 2], at: [f64; 3]) -> Held {
    (JointKind::Fixed, bodies, at, [0.0, 1.0, 0.0])
}

fn stood((bodies, held): &(Vec<Body>, Vec<Held>), (substeps, iterations): (u32, u32)) -> Model {
    let mut model = ground(bodies.clone(), substeps, iterations);
    let mut joints = Joints::new();
    for (kind, bodies, at, axis) in held {
        let joint = Joint { axis: Some(*axis), ..Joint::new(*kind, bodies.map(End::Body), *at) };
        joints.add(&model, joint).expect("a sound joint");
    }
    model.add_subsystem(joints).expect("sound joints");
    model
}

/// A top on four legs.
fn table(top: f64, leg: f64, x: f64) -> (Vec<Body>, Vec<Held>) {
    let mut parts = vec![boxed([0.5, 0.05, 0.4], top, [x, 0.5, 0.0])];
    let mut held = Vec::new();
    for [side, front] in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
        let [x, z] = [x + side * 0.45, front * 0.35];
        held.push(weld([0, parts.len() as u32], [x, 0.45, z]));
        parts.push(boxed([0.05, 0.225, 0.05], leg, [x, 0.225, z]));
    }
    (parts, held)
}

/// A heavy box on its own arms, which the floor alone holds level with it.
fn cross() -> (Vec<Body>, Vec<Held>) {
    let mut parts = vec![boxed([0.1; 3], 5.0, [0.0, 0.1, 0.0])];
    let mut held = Vec::new();
    for [x, z] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0_f64]] {
        held.push(weld([0, parts.len() as u32], [0.1 * x, 0.05, 0.1 * z]));
        let half = [0.05 + 0.25 * x.abs(), 0.05, 0.05 + 0.25 * z.abs()];
        parts.push(boxed(half, 1.0, [0.4 * x, 0.05, 0.4 * z]));
    }
    (parts, held)
}

/// A ball that holds a box up at one side.
fn ball_and_box() -> (Vec<Body>, Vec<Held>) {
    let ball = body(Shape::Sphere(0.15), 10.0, [0.35, 0.15, 0.0]);
    let parts = vec![boxed([0.2; 3], 2.0, [0.0, 0.2, 0.0]), Body { friction: Some(0.5), ..ball }];
    (parts, vec![weld([0, 1], [0.2, 0.15, 0.0])])
}

/// A trunk with a neck, two arms and two legs of two parts each, on its back.
fn ragdoll() -> (Vec<Body>, Vec<Held>) {
    let (ball, hinge, y) = (JointKind::Ball, JointKind::Hinge, 0.12);
    let head = body(Shape::Sphere(0.11), 4.0, [0.0, y, 0.45]);
    let mut parts =
        vec![boxed([0.2, 0.12, 0.3], 20.0, [0.0, y, 0.0]), Body { friction: Some(0.5), ..head }];
    let mut held = vec![(ball, [0, 1], [0.0, y, 0.33], [0.0, 1.0, 0.0])];
    for s in [-1.0, 1.0] {
        let upper = parts.len() as u32;
        parts.push(boxed([0.16, 0.05, 0.05], 2.0, [s * 0.38, 0.06, 0.22]));
        parts.push(boxed([0.14, 0.04, 0.04], 1.5, [s * 0.7, 0.05, 0.22]));
        held.push((ball, [0, upper], [s * 0.21, 0.06, 0.22], [0.0, 1.0, 0.0]));
        held.push((hinge, [upper, upper + 1], [s * 0.55, 0.05, 0.22], [0.0, 1.0, 0.0]));
        let thigh = parts.len() as u32;
        parts.push(boxed([0.07, 0.07, 0.2], 6.0, [s * 0.12, 0.07, -0.52]));
        parts.push(boxed([0.06, 0.06, 0.2], 4.0, [s * 0.12, 0.06, -0.95]));
        held.push((ball, [0, thigh], [s * 0.12, 0.07, -0.31], [0.0, 1.0, 0.0]));
        held.push((hinge, [thigh, thigh + 1], [s * 0.12, 0.06, -0.735], [1.0, 0.0, 0.0]));
    }
    (parts, held)
}

/// How far bodies move within two seconds (m), three after they began.
fn creep(simulation: &mut Simulation) -> f64 {
    let places = |simulation: &Simulation| -> Vec<[f32; 7]> { simulation.bodies() };
    let before = places(simulation);
    (0..120).for_each(|_| simulation.step());
    let way = |(now, before): (&[f32; 7], &[f32; 7])| {
        let d = |k: usize| f64::from(now[k] - before[k]).powi(2);
        (d(0) + d(1) + d(2)).sqrt()
    };
    places(simulation).iter().zip(&before).map(way).fold(0.0, f64::max)
}

/// By one contact after another tables walked by 2 to 28 mm/s, the cross was thrown to 1e27 m, and the ragdoll trembled at 30 mm/s.
#[test]
fn what_joints_hold_together_stands_still() {
    let all = [
        ("a heavy top", table(10.0, 1.0, 0.0), 5e-5),
        ("equal parts", table(2.0, 2.0, 0.0), 5e-5),
        ("heavy legs", table(1.0, 5.0, 0.0), 5e-5),
        ("a cross", cross(), 5e-5),
        ("a ball and a box", ball_and_box(), 5e-5),
        ("a ragdoll", ragdoll(), 5e-4),
    ];
    for (name, parts, most) in &all {
        for steps in STEPS {
            let mut simulation = run(stood(parts, steps), Method::Lanes, 1, 180);
            let crept = creep(&mut simulation);
            println!("{name} at {steps:?}: {crept:.1e} m in two seconds");
            assert!(crept < *most, "{name} at {steps:?}: {crept} m");
            let [now, began] = [f64::from(simulation.bodies()[0][1]), parts.0[0].position[1]];
            assert!((now - began).abs() < 0.01, "{name} at {steps:?}: from {began} to {now} m");
        }
    }
}

/// A table that falls on a corner comes to rest without ever having more energy than it fell with.
#[test]
fn a_table_that_falls_gains_nothing() {
    for steps in STEPS {
        let mut parts = table(10.0, 1.0, 0.0);
        let turn = Quat::exp(Vec3::new(0.3, 0.2, 0.5));
        for part in &mut parts.0 {
            let [x, y, z] = part.position;
            let at = turn.rotate(Vec3::new(x, y - 0.5, z)).to_array();
            part.position = [at[0], at[1] + 1.5, at[2]];
            part.orientation = turn.to_array();
        }
        for (_, _, at, _) in &mut parts.1 {
            let moved = turn.rotate(Vec3::new(at[0], at[1] - 0.5, at[2])).to_array();
            *at = [moved[0], moved[1] + 1.5, moved[2]];
        }
        let mut simulation = run(stood(&parts, steps), Method::Lanes, 1, 0);
        let start = simulation.observe().energy;
        let mut most = f64::NEG_INFINITY;
        for _ in 0..600 {
            simulation.step();
            most = most.max(simulation.observe().energy);
        }
        println!("at {steps:?}: {start:.2} J, at most {most:.2}");
        assert!(most < start * 1.005, "at {steps:?}: from {start} to {most} J");
        let crept = creep(&mut simulation);
        assert!(crept < 2e-4, "at {steps:?}: {crept} m");
    }
}

/// Two small boxes, welded a metre apart, fall at 8 m/s: none has more energy after the blow, where two of six had three times as much.
#[test]
fn a_pair_that_falls_gains_nothing() {
    let turns = [
        [0.7, 0.2, -0.3],
        [0.1, 1.3, 0.4],
        [-0.5, 0.3, 1.1],
        [0.9, -1.2, 0.6],
        [0.2, 0.1, 0.3],
        [1.4, 0.8, -0.9_f64],
    ];
    for steps in [(1, 10), (2, 5), (4, 1), (4, 4), (16, 4)] {
        for [x, y, z] in turns {
            let turn = Quat::exp(Vec3::new(x, y, z));
            let mut parts = (Vec::new(), vec![weld([0, 1], [0.0, 1.0, 0.0])]);
            for side in [-0.5, 0.5] {
                let [x, y, z] = turn.rotate(Vec3::new(side, 0.0, 0.0)).to_array();
                let mut part = boxed([0.05; 3], 1.0, [x, y + 1.0, z]);
                part.orientation = turn.to_array();
                part.velocity = [0.0, -8.0, 0.0];
                parts.0.push(part);
            }
            let mut simulation = run(stood(&parts, steps), Method::Lanes, 1, 0);
            let start = simulation.observe().energy;
            for frame in 0..30 {
                simulation.step();
                let energy = simulation.observe().energy;
                assert!(energy < 1.005 * start, "{steps:?}, {frame}: {start}, then {energy} J");
            }
        }
    }
}

/// Several such islands on any threads have the bits of the scalar loop in the colored order.
#[test]
fn islands_of_joints_have_the_same_bits_by_all_methods() {
    let model = || {
        let mut all = (Vec::new(), Vec::new());
        for x in [0.0, 1.5, 3.0, 4.5, 6.0_f64] {
            let (bodies, held) = table(2.0 + x, 1.0, x);
            let first = all.0.len() as u32;
            all.0.extend(bodies);
            let moved =
                |(kind, bodies, at, axis): Held| (kind, bodies.map(|i| i + first), at, axis);
            all.1.extend(held.into_iter().map(moved));
        }
        all.0.push(body(Shape::Sphere(0.2), 3.0, [3.2, 1.2, 0.1]));
        stood(&all, (4, 2))
    };
    let expected = run(model(), Method::Colored, 1, 90).observe().hash;
    for threads in [1, 2, 3, 7] {
        let found = run(model(), Method::Lanes, threads, 90).observe().hash;
        assert_eq!(found, expected, "on {threads}");
    }
}
