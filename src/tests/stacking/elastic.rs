//! What rebounds with e = 1 keeps its energy where nothing rubs, and no blow gives any.

use super::{body, floor, model};
use crate::collision::{Collider, Contacts};
use crate::math::{Quat, Vec3};
use crate::model::Model;
use crate::rigid::{Body, Shape};
use crate::tests::hulls::ground;
use crate::tests::models::{Random, simulate};
use crate::{Method, Simulation};

const SETTINGS: [(u32, u32); 5] = [(1, 10), (4, 4), (10, 1), (20, 1), (40, 1)];

/// A body of e = 1, turned as `random` says.
fn elastic(shape: Shape, position: [f64; 3], random: &mut Random) -> Body {
    let turn = Quat::<f64>::exp(Vec3::of(random.point()) * 3.0).normalized();
    let thing = body(shape, 1.0, position).at(position, turn.to_array());
    Body { restitution: Some(1.0), ..thing }
}

/// Kinetic and potential energy of bodies (J).
fn energy(simulation: &Simulation) -> f64 {
    simulation.observe().energy
}

/// Six walls, each half a metre from the origin.
fn walls() -> Vec<Collider> {
    let wall = |k: usize| {
        let side = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        let mut normal = [0.0; 3];
        normal[k / 2] = side;
        Collider::plane(normal.map(|n| -0.5 * n), normal).expect("a wall")
    };
    (0..6).map(wall).collect()
}

/// Flat, slender and even boxes fly about between walls: they never have more energy than at the start, and gain none in any frame, but
/// at one substep a frame, where they turn by more than a radian in it; in short substeps they lose none.
#[test]
fn boxes_between_walls_gain_nothing() {
    let mut random = Random(7);
    for (substeps, iterations) in SETTINGS {
        for half in [[0.1, 0.05, 0.1], [0.1; 3], [0.2, 0.02, 0.05]] {
            let mut flying = elastic(Shape::Box(half), [0.0; 3], &mut random);
            flying.velocity = [2.0, -3.0, 1.7];
            let mut model = model(substeps, vec![flying], walls());
            (model.settings.iterations, model.settings.gravity) = (iterations, [0.0; 3]);
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a room");
            let first = energy(&simulation);
            let mut before = first;
            for frame in 0..300 {
                simulation.step();
                let now = energy(&simulation);
                let case = format!("{substeps} x {iterations}, {half:?}, frame {frame}");
                let more = if substeps == 1 { f64::INFINITY } else { 1e-5 };
                assert!(now < before * (1.0 + more), "{case}: from {before} to {now} J");
                assert!(now < first * (1.0 + 1e-3), "{case}: {now} J of {first}");
                before = now;
            }
            println!("{substeps} x {iterations}, {half:?}: {:.4} of the energy", before / first);
            assert!(substeps < 40 || before > 0.97 * first, "{half:?}: {before} J of {first}");
        }
    }
}

/// On a plane and on triangles they rise no higher than they were: in thirty seconds they once gained up to 1.7 times as much.
#[test]
fn boxes_on_a_ground_gain_nothing() {
    let mut random = Random(3);
    for (substeps, iterations) in SETTINGS {
        for (name, collider) in [("plane", floor()), ("triangles", ground(8.0, 21))] {
            let flat = elastic(Shape::Box([0.1, 0.05, 0.1]), [0.0, 1.1, 0.0], &mut random);
            let mut model = model(substeps, vec![flat], vec![collider]);
            model.settings.iterations = iterations;
            let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a ground");
            let (first, mut most) = (energy(&simulation), 0.0_f64);
            for _ in 0..900 {
                simulation.step();
                most = most.max(energy(&simulation) / first);
            }
            println!("{substeps} x {iterations} on {name}: at most {most:.4} of the energy");
            let bound = if substeps == 1 { 1.02 } else { 1.005 };
            assert!(most < bound, "{substeps} x {iterations} on {name}: {most}");
        }
    }
}

/// Of two bodies that meet as they come, with friction and e = 1, no blow gives energy (Kane's paradox), and without friction it takes
/// little.
#[test]
fn no_blow_gives_energy() {
    let shapes = [
        Shape::Box([0.05, 0.09, 0.03]),
        Shape::Capsule([0.04, 0.06]),
        Shape::Cylinder([0.08, 0.04]),
    ];
    for mu in [0.0, 0.5, 2.0] {
        for (substeps, iterations) in SETTINGS {
            let (mut random, mut most, mut least) = (Random(11), 0.0_f64, f64::INFINITY);
            for i in 0..36 {
                let mut both = [0.0, -0.35].map(|x| {
                    let [y, z, _] = random.point().map(|v| 0.05 * v);
                    let shape = shapes[if x < 0.0 { i % 3 } else { i / 3 % 3 }].clone();
                    let mut thing = elastic(shape, [x, y, z], &mut random);
                    thing.friction = Some(mu);
                    thing.angular_velocity = random.point().map(|v| 6.0 * v);
                    thing
                });
                both[1].velocity = [2.0, 0.0, 0.0];
                let mut model = model(substeps, both.to_vec(), Vec::new());
                (model.settings.iterations, model.settings.gravity) = (iterations, [0.0; 3]);
                let mut simulation = Simulation::new(model, Method::Lanes, 1).expect("a pair");
                let first = energy(&simulation);
                (0..30).for_each(|_| simulation.step());
                let share = energy(&simulation) / first;
                (most, least) = (most.max(share), least.min(share));
            }
            println!("µ {mu}, {substeps} x {iterations}: {least:.4} to {most:.4} of the energy");
            assert!(most < 1.0 + 1e-4, "µ {mu}, {substeps} x {iterations}: {most}");
            assert!(mu > 0.0 || least > 0.95, "{substeps} x {iterations}: {least}");
        }
    }
}

/// A box that flies flat at a row of four sends the last away, also where its way in a substep ends just where they meet.
#[test]
fn a_blow_goes_through_a_row_of_boxes() {
    for (substeps, iterations) in SETTINGS {
        let mut model = Model::new();
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        model.settings.gravity = [0.0; 3];
        for (x, v) in [(-0.1, 0.3), (0.205, 0.0), (0.41, 0.0), (0.615, 0.0), (0.82, 0.0)] {
            let mut one = body(Shape::Box([0.1; 3]), 1.0, [x, 0.0, 0.0]);
            (one.restitution, one.velocity) = (Some(1.0), [v, 0.0, 0.0]);
            model.add_body(one).expect("a box");
        }
        model.set_contacts(Contacts::default()).expect("contacts");
        let simulation = simulate(model, Method::Lanes, 1, 120);
        let v = simulation.snapshot().body_velocities;
        assert!((v[4][0] - 0.3).abs() < 1e-3, "{substeps} x {iterations}: {v:?}");
        let rest = v[..4].as_flattened().iter().all(|v| v.abs() < 3e-3);
        assert!(rest, "{substeps} x {iterations}: {v:?}");
    }
}
