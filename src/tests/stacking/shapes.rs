//! Compounds and height fields, against closed forms.

use super::{UPRIGHT, body, floor, model, run, unrest};
use crate::Method;
use crate::collision::Collider;
use crate::math::{Quat, Vec3};
use crate::rigid::{Body, Part, Shape, Weight};
use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::sync::Arc;

const G: f64 = 9.81;
fn rough(shape: Shape, position: [f64; 3]) -> Body {
    Body { friction: Some(0.8), ..body(shape, 2.0, position) }
}

/// Two halves of a box are the box; the two halves of a dumbbell are as Steiner says; principal axes of a bent one are its own.
#[test]
fn compounds_add_up() {
    let part = |shape: Shape, position| Part { shape, position, orientation: UPRIGHT };
    let new = |parts: Vec<Part>| {
        let shape = Shape::Compound(Arc::new(parts));
        Body::new(shape, Weight::Density(500.0), None).expect("a body")
    };
    let half = |x| part(Shape::Box([0.1, 0.2, 0.3]), [x, 0.5, 0.0]);
    let both = new(vec![half(0.3), half(0.5)]);
    let one = Body::new(Shape::Box([0.2, 0.2, 0.3]), Weight::Density(500.0), None).expect("a body");
    assert!((both.mass / one.mass - 1.0).abs() < 1e-12);
    let sorted = |mut v: [f64; 3]| {
        v.sort_by(f64::total_cmp);
        v
    };
    for (a, b) in sorted(both.inertia).into_iter().zip(sorted(one.inertia)) {
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    }
    let Shape::Compound(parts) = &both.shape else { panic!("a compound") };
    assert!((parts[0].position[0] + 0.1).abs() < 1e-12 && parts[0].position[1].abs() < 1e-12);
    let (r, d) = (0.1, 0.4);
    let along = [d * FRAC_1_SQRT_2, d * FRAC_1_SQRT_2, 0.0];
    let bell = new(vec![part(Shape::Sphere(r), along), part(Shape::Sphere(r), along.map(|v| -v))]);
    let m = 500.0 * 4.0 / 3.0 * PI * r * r * r;
    let expected = sorted([0.8 * m * r * r, 0.8 * m * r * r + 2.0 * m * d * d, 0.0].map(|v| v));
    let found = sorted(bell.inertia);
    assert!((found[0] / expected[1] - 1.0).abs() < 1e-9, "{found:?} {expected:?}");
    assert!(
        (found[1] / expected[2] - 1.0).abs() < 1e-9 && (found[2] / found[1] - 1.0).abs() < 1e-9
    );
    let axis = Vec3::of(along) * (1.0 / d);
    let light = bell.inertia.iter().position(|i| *i == found[0]).expect("one");
    assert!(bell.principal().columns()[light].dot(axis).abs() > 1.0 - 1e-9);
}

/// A ball rests in a valley of a height field, where it touches both sides.
#[test]
fn a_ball_rests_in_a_valley() {
    // A valley y = |x| / 2: a ball of r rests where it touches both sides, at r sqrt(1 + 1/4).
    let heights: Vec<Vec<f64>> = (0..3).map(|_| vec![1.0, 0.0, 1.0]).collect();
    let valley = Collider::height_field([0.0; 3], [2.0, 2.0], &heights).expect("a field");
    let ball = rough(Shape::Sphere(0.3), [0.2, 0.5, 0.1]);
    let mut model = model(8, vec![Body { rolling_resistance: Some(0.02), ..ball }], vec![valley]);
    model.settings.damping = 1.0;
    let simulation = run(model, Method::Lanes, 1, 240);
    let y = f64::from(simulation.bodies()[0][1]);
    assert!((y - 0.3 * 1.25_f64.sqrt()).abs() < 2e-3, "{y}");
}

/// A ball whose center of mass hangs d below its middle rocks with ω² = m g d / (I + m (r - d)²).
#[test]
fn a_ball_of_an_offset_shape_rocks() {
    let (r, d, m, inertia) = (0.2, 0.08, 2.0, 0.02);
    let shape = Part { shape: Shape::Sphere(r), position: [0.0, d, 0.0], orientation: UPRIGHT };
    let shape = Shape::Compound(Arc::new(vec![shape]));
    let body = Body::new(shape, Weight::Mass(m), Some([inertia; 3])).expect("a body");
    let tilt: f64 = 0.1;
    let at = [d * tilt.sin(), r - d * tilt.cos(), 0.0];
    let body = body.at(at, [0.0, 0.0, (tilt / 2.0).sin(), (tilt / 2.0).cos()]);
    let model = model(20, vec![Body { friction: Some(0.9), ..body }], vec![floor()]);
    let mut simulation = crate::Simulation::new(model, Method::Lanes, 1).expect("a simulation");
    let angle = |simulation: &crate::Simulation| {
        let [.., z, w] = simulation.bodies()[0].map(f64::from);
        2.0 * z.atan2(w)
    };
    let (mut last, mut crossings) = (tilt, Vec::new());
    while crossings.len() < 3 && simulation.time() < 10.0 {
        simulation.step();
        let now = angle(&simulation);
        if now * last < 0.0 {
            crossings.push(simulation.time() - now / (now - last) / 60.0);
        }
        last = now;
    }
    let period = crossings[2] - crossings[0];
    let expected = 2.0 * PI / (m * G * d / (inertia + m * (r - d) * (r - d))).sqrt();
    assert!((period / expected - 1.0).abs() < 0.01, "{period} s, expected {expected}");
}

/// A table of five boxes with a box on it, and a dumbbell, turned askew.
fn furniture() -> Vec<Body> {
    let part = |half, position| Part { shape: Shape::Box(half), position, orientation: UPRIGHT };
    let mut table = vec![part([0.5, 0.05, 0.3], [0.0, 0.6, 0.0])];
    for (x, z) in [(-0.4, -0.2), (0.4, -0.2), (-0.4, 0.2), (0.4, 0.2)] {
        table.push(part([0.05, 0.3, 0.05], [x, 0.25, z]));
    }
    let table = Shape::Compound(Arc::new(table));
    let table = Body::new(table, Weight::Density(600.0), None).expect("a table");
    let Shape::Compound(parts) = &table.shape else { panic!("a compound") };
    let low = parts[1].position[1] - 0.3;
    let turned = Quat::exp(Vec3::new(0.0, 0.4, 0.0)).normalized().to_array();
    let on = rough(Shape::Box([0.1; 3]), [0.1, 0.8, 0.0]);
    let balls = [-0.3, 0.3].map(|x| Part {
        shape: Shape::Sphere(0.1),
        position: [x, 0.0, 0.0],
        orientation: UPRIGHT,
    });
    let rod = Shape::Capsule([0.05, 0.2]);
    let rod = Part {
        shape: rod,
        position: [0.0; 3],
        orientation: [0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2],
    };
    let bell = Shape::Compound(Arc::new(balls.into_iter().chain([rod]).collect()));
    let bell = Body::new(bell, Weight::Mass(3.0), None).expect("a bell");
    let bell = Body { rolling_resistance: Some(0.01), friction: Some(0.8), ..bell };
    vec![
        Body { friction: Some(0.8), ..table.at([0.0, -low, 0.0], turned) },
        on,
        bell.at([2.0, 0.1, 0.0], turned),
    ]
}

/// A table stands on its legs and carries a box, and a dumbbell lies on both its balls.
#[test]
fn compounds_stand() {
    let simulation = run(model(8, furniture(), vec![floor()]), Method::Lanes, 1, 180);
    let (way, speed) = unrest(&simulation);
    assert!(way < 5e-3 && speed < 2e-3, "{way} m, {speed} m/s: {:?}", simulation.bodies());
}

/// Compounds among others on a height field: lanes have the scalar bits, on any number of threads.
#[test]
fn compounds_have_the_same_bits() {
    let heap = || {
        let mut all = furniture();
        for (i, thing) in all.iter_mut().enumerate() {
            thing.position[1] += 0.4;
            thing.angular_velocity = [2.0, -1.0, 3.0 * i as f64];
        }
        for i in 0..6 {
            let shape = match i % 3 {
                0 => Shape::Capsule([0.1, 0.2]),
                1 => Shape::Sphere(0.15),
                _ => Shape::Box([0.1, 0.15, 0.1]),
            };
            let q = Quat::exp(Vec3::new(0.5 * f64::from(i), 1.0, 0.3)).normalized().to_array();
            all.push(
                rough(shape, [0.0; 3]).at([0.1 * f64::from(i), 1.4 + 0.35 * f64::from(i), 0.05], q),
            );
        }
        let rows: Vec<Vec<f64>> =
            (0..9).map(|z| (0..9).map(|x| 0.1 * f64::from((x * z) % 3)).collect()).collect();
        let ground = Collider::height_field([0.0, -0.2, 0.0], [0.8, 0.7], &rows).expect("a field");
        model(4, all, vec![ground])
    };
    let expected = run(heap(), Method::Colored, 1, 90).observe();
    assert!(expected.finite);
    for threads in [1, 2, 3, 7] {
        assert_eq!(
            run(heap(), Method::Lanes, threads, 90).observe().hash,
            expected.hash,
            "{threads}"
        );
    }
}

/// Wrong shapes are refused.
#[test]
fn bad_shapes_are_refused() {
    let refused = |shape| Body::new(shape, Weight::Mass(1.0), None).is_err();
    assert!(refused(Shape::Compound(Arc::default())));
    let part = |shape, orientation| {
        Shape::Compound(Arc::new(vec![Part { shape, position: [0.0; 3], orientation }]))
    };
    assert!(refused(part(Shape::None, UPRIGHT)) && refused(part(Shape::Sphere(0.0), UPRIGHT)));
    assert!(refused(part(part(Shape::Sphere(1.0), UPRIGHT), UPRIGHT)));
    assert!(refused(part(Shape::Sphere(1.0), [1.0; 4])));
    let rows =
        [vec![vec![0.0; 3]], vec![vec![0.0; 3], vec![0.0; 2]], vec![vec![0.0]; 2], Vec::new()];
    for heights in &rows {
        assert!(Collider::height_field([0.0; 3], [1.0; 2], heights).is_err(), "{heights:?}");
    }
    let rows = vec![vec![0.0; 2]; 2];
    assert!(Collider::height_field([0.0; 3], [0.0, 1.0], &rows).is_err());
}
