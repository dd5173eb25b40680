//! Meshes as grounds.

use super::{ground, mesh_of_box, rubbing, speed};
use crate::collision::Collider;
use crate::rigid::Shape;
use crate::state::CollisionFilter;
use crate::tests::sample::Random;
use crate::tests::stacking::{UPRIGHT, body, floor, model, run};
use crate::{Method, Simulation};
use std::sync::Arc;

/// What is thrown along a ground of triangles, coarse or fine, goes as along a plane and never leaves it.
#[test]
fn a_ground_of_triangles_is_a_plane() {
    let lying = [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
    let things = [
        (Shape::Box([0.2, 0.1, 0.15]), 0.1, UPRIGHT),
        (mesh_of_box([0.2, 0.1, 0.15], 2), 0.1, UPRIGHT),
        (Shape::Sphere(0.1), 0.1, UPRIGHT),
        (Shape::Capsule([0.1, 0.2]), 0.1, lying),
    ];
    for (shape, height, turn) in things {
        let thrown = |collider: Collider| {
            let mut thing = rubbing(body(shape.clone(), 2.0, [0.0; 3]), 0.3);
            thing = thing.at([-1.0, height, -0.4], turn);
            thing.velocity = [3.0, 0.0, 0.7];
            let model = model(16, vec![thing], vec![collider]);
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a simulation");
            let (mut highest, mut lowest) = (0.0_f64, 0.0_f64);
            for _ in 0..60 {
                simulation.step();
                let off = f64::from(simulation.bodies()[0][1]) - height;
                (highest, lowest) = (highest.max(off), lowest.min(off));
            }
            (simulation.bodies()[0], highest, lowest)
        };
        let (expected, ..) = thrown(floor());
        for n in [4, 61] {
            let (found, highest, lowest) = thrown(ground(4.0, n));
            let off = |k: usize| f64::from(found[k] - expected[k]).abs();
            let way = off(0).max(off(2));
            println!(
                "{} on {n} x {n}: {way:.1e} m off, {lowest:.1e} to {highest:.1e} m",
                shape.name()
            );
            assert!(way < 5e-3, "{way} m from where a plane takes it");
            assert!(highest < 1e-3 && lowest > -1e-3, "{lowest} to {highest} m");
        }
    }
}

/// A table made of triangles holds a box whose middle is over it, at its rim, and lets one go whose middle is not, as a box does.
#[test]
fn a_table_of_triangles_holds_to_its_rim() {
    let Shape::Mesh(mesh) = mesh_of_box([0.5, 0.25, 0.5], 3) else {
        panic!("a mesh");
    };
    let points: Vec<[f64; 3]> = mesh.0.iter().map(|x| x.map(f64::from)).collect();
    let table = Collider::mesh(&points, &mesh.1, [0.0, -0.25, 0.0], UPRIGHT).expect("a table");
    for shape in [Shape::Box([0.1; 3]), mesh_of_box([0.1; 3], 1)] {
        for (x, holds) in [(0.47, true), (0.53, false)] {
            let thing = rubbing(body(shape.clone(), 1.0, [x, 0.1, 0.05]), 0.5);
            let end = run(model(16, vec![thing], vec![table.clone()]), Method::Lanes, 1, 60);
            let y = f64::from(end.bodies()[0][1]);
            println!("{} at {x}: {:.1e} m", shape.name(), y - 0.1);
            assert_eq!((y - 0.1).abs() < 2e-3, holds, "{} at {x}: {y}", shape.name());
        }
    }
    // A ball on the very edge of a roof, held from both sides by nothing, falls to neither.
    let points = [[-1.0, -0.5, -1.0], [-1.0, -0.5, 1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
    let points = [&points[..], &[[1.0, -0.5, -1.0], [1.0, -0.5, 1.0]]].concat();
    let faces = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]];
    let roof = Collider::mesh(&points, &faces, [0.0; 3], UPRIGHT).expect("a roof");
    let ball = body(Shape::Sphere(0.1), 1.0, [0.0, 0.1, 0.1]);
    let end = run(model(16, vec![ball], vec![roof.clone()]), Method::Lanes, 1, 10);
    assert!((end.bodies()[0][1] - 0.1).abs() < 1e-3, "{:?}", end.bodies());
    // A capsule across the ridge lies on it with its middle.
    let lying = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    let log = body(Shape::Capsule([0.05, 0.3]), 1.0, [0.0; 3]).at([0.0, 0.05, 0.1], lying);
    let end = run(model(16, vec![log], vec![roof]), Method::Lanes, 1, 10);
    assert!((end.bodies()[0][1] - 0.05).abs() < 1e-3, "{:?}", end.bodies());
}

/// What is thrown at a ground of triangles stays before it, however fast and in however few substeps, and so does what is pressed into it.
#[test]
fn a_ground_loses_nothing() {
    let things = [
        Shape::Box([0.1; 3]),
        mesh_of_box([0.1, 0.05, 0.15], 2),
        Shape::Sphere(0.1),
        Shape::Capsule([0.05, 0.1]),
        Shape::Cylinder([0.1, 0.1]),
        Shape::Cone([0.1, 0.1]),
    ];
    for (shape, speed, substeps) in things.iter().flat_map(|shape| {
        let ways = [(20.0, 1), (20.0, 4), (50.0, 1), (50.0, 4), (50.0, 8)];
        ways.map(|(speed, substeps)| (shape, speed, substeps))
    }) {
        let mut thing = rubbing(body(shape.clone(), 1.0, [0.3, 3.0, 0.2]), 0.5);
        thing.velocity = [0.2 * speed, -speed, 0.0];
        let model = model(substeps, vec![thing], vec![ground(20.0, 40)]);
        let end = run(model, Method::Lanes, 1, 60);
        let y = end.bodies()[0][1];
        println!("{} at {speed} m/s, {substeps} substeps: {y:.3} m", shape.name());
        assert!(y > -0.05, "{} at {speed} m/s, {substeps} substeps: {y} m", shape.name());
    }
    for mass in [100.0, 1000.0] {
        let light = body(Shape::Sphere(0.1), 1.0, [0.3, 0.1, 0.2]);
        let heavy = body(Shape::Box([0.3; 3]), mass, [0.3, 0.5, 0.2]);
        let end = run(model(4, vec![light, heavy], vec![ground(20.0, 40)]), Method::Lanes, 1, 60);
        let y = end.bodies()[0][1];
        println!("{mass} kg on a ball of 1 kg: {y:.3} m");
        assert!(y > -0.2, "{mass} kg on a ball of 1 kg: {y} m");
    }
}

/// A ball that turns meets the side between two flat triangles: rounding puts it over one of them at least. (One in ten fell through.)
#[test]
fn a_turning_ball_lands_on_inner_sides() {
    let mut random = Random(11);
    for (speed, substeps, iterations) in [(10.0, 1, 10), (20.0, 4, 4)] {
        for trial in 0..150 {
            let z = random.within(-1.5, 1.5);
            let mut ball = rubbing(body(Shape::Sphere(0.09), 1.0, [0.013, 1.0, z]), 0.5);
            ball.velocity = [0.0, -speed, 0.0];
            ball.angular_velocity = std::array::from_fn(|_| random.within(-8.0, 8.0));
            let mut model = model(substeps, vec![ball], vec![ground(4.0, 4)]);
            model.settings.iterations = iterations;
            let y = run(model, Method::Lanes, 1, 20).bodies()[0][1];
            assert!((y - 0.09).abs() < 0.01, "trial {trial} at {speed} m/s: {y} m");
        }
    }
}

/// Hulls whose middle is not their center of mass stay before a ground of triangles. (One in ten was lost at 10 m/s: the center had
/// stayed before it, the middle had not.)
#[test]
fn a_ground_holds_what_is_heavier_at_one_end() {
    let Shape::Mesh(block) = mesh_of_box([0.1, 0.08, 0.1], 1) else {
        panic!("a mesh");
    };
    let tapered = block.0.iter().map(|[x, y, z]| {
        let by = if *y > 0.0 { 0.2 } else { 1.0 };
        [by * x, *y, by * z]
    });
    let shape = Shape::Mesh(Arc::new((tapered.collect(), block.1.clone())));
    let mut random = Random(77);
    for (speed, substeps, iterations) in [(10.0, 1, 10), (20.0, 1, 10), (40.0, 4, 4)] {
        let thrown = (0..100).map(|_| {
            let q: [f64; 4] = std::array::from_fn(|_| random.within(-1.0, 1.0));
            let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
            let place = [random.within(-1.0, 1.0), random.within(0.3, 1.0), 0.1];
            let thing = body(shape.clone(), 1.0, [0.0; 3]).at(place, q.map(|v| v / length));
            let mut thing = rubbing(thing, 0.5);
            thing.velocity = [random.within(-0.3, 0.3) * speed, -speed, 0.0];
            thing.angular_velocity = std::array::from_fn(|_| random.within(-8.0, 8.0));
            thing.filter = CollisionFilter { category: 2, mask: 1 };
            thing
        });
        let mut model = model(substeps, thrown.collect(), vec![ground(40.0, 40)]);
        model.settings.iterations = iterations;
        let end = run(model, Method::Lanes, 1, 40);
        let lost = end.bodies().iter().filter(|pose| pose[1] < -0.2).count();
        assert_eq!(lost, 0, "of 100 at {speed} m/s, {substeps} x {iterations}");
    }
}

/// What begins with its middle below a ground of triangles, but not all of it, comes up and rests on it. (It fell.)
#[test]
fn what_begins_in_a_ground_comes_up() {
    let things = [
        (Shape::Box([0.2, 0.1, 0.15]), 0.1),
        (mesh_of_box([0.2, 0.1, 0.15], 2), 0.1),
        (Shape::Sphere(0.1), 0.1),
        (Shape::Capsule([0.1, 0.2]), 0.3),
        (Shape::Cylinder([0.1, 0.1]), 0.1),
        (Shape::Cone([0.1, 0.1]), 0.05),
    ];
    for (shape, height) in things {
        for (n, below) in [(4, 0.02), (4, 0.06), (61, 0.06), (61, 0.0)] {
            let thing = rubbing(body(shape.clone(), 1.0, [0.113, -below, 0.217]), 0.5);
            let end = run(model(8, vec![thing], vec![ground(4.0, n)]), Method::Lanes, 1, 240);
            let (y, v) = (f64::from(end.bodies()[0][1]), speed(&end, 0));
            println!("{} {below} m below {n} x {n}: {y:.4} m, {v:.1e} m/s", shape.name());
            assert!((y - height).abs() < 5e-3 && v < 1e-2, "{}: {y} m, {v} m/s", shape.name());
        }
    }
}
