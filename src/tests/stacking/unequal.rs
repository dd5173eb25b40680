//! Bodies of very unequal mass on each other, which small islands solve directly.

use super::{body, ground, run, unrest};
use crate::rigid::{Body, Shape};
use crate::{Method, Simulation};

const HALF: f64 = 0.25;

/// Boxes of these masses on each other, from the ground up.
fn stack(masses: &[f64]) -> Vec<Body> {
    let boxed = |(i, mass): (usize, &f64)| {
        let y = HALF * (2 * i + 1) as f64;
        Body { friction: Some(0.5), ..body(Shape::Box([HALF; 3]), *mass, [0.0, y, 0.0]) }
    };
    masses.iter().enumerate().map(boxed).collect()
}

/// A light box under a heavy one is neither crushed nor pushed out. (λ of 10^5 kg at 1 x 10 has a grain of 1e-3 N s, which is 1 mm/s of
/// the light one.)
#[test]
fn heavy_boxes_stand_on_light_ones() {
    let stacks = [
        &[1.0, 100.0][..],
        &[1.0, 1e3],
        &[1.0, 1e5],
        &[1.0, 1.0, 1e3],
        &[3.0, 300.0, 0.1, 40.0],
        &[1.0, 7.0, 49.0],
        &[1.0, 3.0, 9.0, 27.0, 81.0],
        &[1.0, 5.0, 25.0, 125.0, 625.0],
    ];
    for masses in stacks {
        for (substeps, iterations) in [(1, 10), (4, 1), (8, 1), (4, 4), (20, 1)] {
            let simulation =
                run(ground(stack(masses), substeps, iterations), Method::Lanes, 1, 300);
            let (way, speed) = unrest(&simulation);
            let name = format!("{masses:?} at {substeps} x {iterations}");
            assert!(way < 2e-3 && speed < 5e-3, "{name}: {way} m, {speed} m/s");
        }
    }
}

/// Cubes of one density on each other, each larger than the one below.
#[test]
fn growing_cubes_stand() {
    for (substeps, iterations) in [(1, 10), (4, 1), (8, 2), (20, 1)] {
        let mut bottom = 0.0;
        let cubes = [0.15, 0.2, 0.27, 0.36, 0.48, 0.64].map(|half: f64| {
            let at = [0.0, bottom + half, 0.0];
            bottom += 2.0 * half;
            let mass = 500.0 * (2.0 * half).powi(3);
            Body { friction: Some(0.6), ..body(Shape::Box([half; 3]), mass, at) }
        });
        let model = ground(cubes.to_vec(), substeps, iterations);
        let (way, speed) = unrest(&run(model, Method::Lanes, 1, 600));
        let at = format!("{substeps} x {iterations}");
        assert!(way < 2e-3 && speed < 5e-3, "{at}: {way} m, {speed} m/s");
    }
}

/// Four light legs carry a heavy slab.
#[test]
fn a_heavy_slab_stands_on_light_legs() {
    let slab = body(Shape::Box([0.5, 0.05, 0.5]), 2000.0, [0.0, 0.65, 0.0]);
    let mut bodies = vec![Body { friction: Some(0.5), ..slab }];
    for [x, z] in [[-0.4, -0.4], [-0.4, 0.4], [0.4, -0.4], [0.4, 0.4]] {
        let leg = body(Shape::Box([0.05, 0.3, 0.05]), 1.0, [x, 0.3, z]);
        bodies.push(Body { friction: Some(0.5), ..leg });
    }
    let simulation = run(ground(bodies, 8, 1), Method::Lanes, 1, 300);
    let (way, speed) = unrest(&simulation);
    assert!(way < 2e-3 && speed < 2e-3, "{way} m, {speed} m/s");
}

/// On a slope of 0.2 with µ = 0.3 a heavy box stays on a light one.
#[test]
fn unequal_boxes_lie_on_a_slope() {
    let (slope, g) = (0.2_f64.atan(), 9.81);
    let boxes = stack(&[1.0, 500.0]).into_iter();
    let boxes = boxes.map(|body| Body { friction: Some(0.3), ..body }).collect();
    let mut model = ground(boxes, 8, 1);
    model.settings.gravity = [g * slope.sin(), -g * slope.cos(), 0.0];
    let (way, speed) = unrest(&run(model, Method::Lanes, 1, 120));
    assert!(way < 1e-3 && speed < 1e-3, "{way} m, {speed} m/s");
}

/// A heavy box that slides over a light one, is dropped on it askew or pushes it makes no energy.
#[test]
fn unequal_boxes_make_no_energy() {
    let sliding = {
        let mut boxes = stack(&[1.0, 1000.0]);
        boxes[1].velocity[0] = 2.0;
        boxes
    };
    let falling = {
        let mut boxes = stack(&[1.0, 1000.0]);
        boxes[1] = boxes[1].clone().at([0.05, 1.6, 0.03], [0.1, 0.05, 0.08, 0.990_505]);
        boxes
    };
    let pushing = {
        let mut boxes = stack(&[1.0, 1000.0]);
        (boxes[1].position, boxes[1].velocity[0]) = ([-1.2, HALF, 0.0], 3.0);
        boxes
    };
    for (name, boxes) in [("slides", sliding), ("falls", falling), ("pushes", pushing)] {
        for (substeps, iterations) in [(1, 10), (4, 1), (8, 2)] {
            let model = ground(boxes.clone(), substeps, iterations);
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
            let before = simulation.observe().energy;
            for frame in 0..240 {
                simulation.step();
                let now = simulation.observe().energy;
                assert!(
                    now < 1.01 * before,
                    "{name}, {substeps} x {iterations}: {now} J of {before} in {frame}"
                );
            }
        }
    }
}

/// Lanes on any threads have the bits of the scalar loop in the colored order, and a run goes on from what it has saved.
#[test]
fn unequal_boxes_have_the_same_bits_by_all_methods() {
    let both = || {
        let mut bodies = stack(&[1.0, 200.0]);
        for (i, mut other) in stack(&[2.0, 900.0, 0.5]).into_iter().enumerate() {
            other.position[0] += 0.6 + 0.05 * i as f64;
            bodies.push(other);
        }
        ground(bodies, 3, 2)
    };
    let expected = run(both(), Method::Colored, 1, 40);
    for threads in [1, 2, 3] {
        let found = run(both(), Method::Lanes, threads, 40);
        assert_eq!(found.observe().hash, expected.observe().hash, "{threads} threads");
    }
    let mut saved = Vec::new();
    run(both(), Method::Lanes, 1, 25).save(&mut saved).expect("saved");
    let mut again = run(both(), Method::Lanes, 2, 3);
    again.load(&mut saved.as_slice()).expect("loaded");
    (0..15).for_each(|_| again.step());
    assert_eq!(again.observe().hash, expected.observe().hash);
}
