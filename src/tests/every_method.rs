//! `jacobi`, `hybrid` and `impulse` with all that a step does beside rows: lanes are scalar, threads do not matter, and what
//! physics says of subsystems holds by every method.

use super::models::{bits, floor, run, scene};
use crate::Simulation;
use crate::collision::Contacts;
use crate::constraints::Distance;
use crate::model::Model;
use crate::rigid::{Body, End, Joint, JointKind, Joints, Shape, Weight};
use crate::rows::Stiffness;
use crate::solvers::{Impulse, Jacobi, Method};
use crate::state::{Particles, Snapshot};
use crate::subsystem::SubsystemStatistics;

/// Scenes that have rows of every form and every subsystem, with how many frames show it.
const SCENES: [(&str, usize, usize); 14] = [
    ("sheet", 12, 3),
    ("cloth", 70, 2), // in tiles
    ("sphere", 2, 3),
    ("kind-neo_hookean", 4, 3),
    ("rope", 1000, 2),
    ("flag", 8, 4),
    ("balloon", 2, 4),
    ("bar", 2, 3),
    ("jelly", 4, 4),
    ("drape", 8, 20),
    ("wrung", 8, 12),
    ("joints", 1, 4),
    ("unified", 4, 20),
    ("coupling", 8, 12),
];

/// The bits of all particles and bodies.
fn state(particles: &Particles) -> Vec<u32> {
    bits(&Snapshot {
        positions: particles.positions(),
        velocities: particles.velocities(),
        bodies: particles.bodies.poses(),
        body_velocities: particles.bodies.motions(),
        ..Snapshot::default()
    })
}

/// The state after some frames, and what the subsystems counted.
fn after(model: &Model, method: Method, threads: usize, frames: usize) -> (Vec<u32>, Vec<usize>) {
    let outcome = run(model, method, threads, frames);
    let counts = |s: SubsystemStatistics| s.counts.into_iter().map(|(_, count)| count);
    let counts = outcome.solver.core().subsystem_statistics().into_iter().flat_map(counts);
    (state(&outcome.particles), counts.collect())
}

/// Eight rows at a time and one at a time, on any number of threads, plain and carried, with a tolerance and without.
#[test]
fn lanes_are_scalar_and_threads_do_not_matter() {
    let mut contacts = 0;
    for (name, size, frames) in SCENES {
        for tolerance in [0.0, 1e-3] {
            let mut model = scene(name, size);
            model.settings.tolerance = tolerance;
            model.settings.substeps = model.settings.substeps.min(4);
            for method in [Method::Jacobi, Method::Hybrid, Method::Impulse] {
                let (expected, counts) = after(&model, method, 1, frames);
                contacts += counts.iter().sum::<usize>();
                for threads in [2, 3, 7] {
                    let (found, _) = after(&model, method, threads, frames);
                    assert!(found == expected, "{name} by {method:?} on {threads}");
                }
                let scalar = match method {
                    Method::Jacobi => {
                        let (mut particles, mut solver) = Jacobi::<f32>::scalar(&model).unwrap();
                        (0..frames).for_each(|_| solver.step(&mut particles));
                        state(&particles)
                    }
                    Method::Impulse => {
                        let (mut particles, mut solver) = Impulse::<f32>::scalar(&model).unwrap();
                        (0..frames).for_each(|_| solver.step(&mut particles));
                        state(&particles)
                    }
                    _ => continue,
                };
                assert!(scalar == expected, "{name} by {method:?}: lanes are not scalar");
            }
        }
    }
    assert!(contacts > 0, "nothing was ever touched");
}

/// Two points on a stick and a box above a floor, and a ball level with its pivot, a metre away.
fn above_a_floor() -> Model {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (10, 4);
    for x in [0.0, 1.0] {
        model.add_particle([x, 0.3, 0.0], [0.0; 3], 1.0).unwrap();
    }
    model.add(Distance, [0, 1], [Some(1.0)], Stiffness::Factor(1.0)).unwrap();
    let upright = [0.0, 0.0, 0.0, 1.0];
    let cube = Body::new(Shape::Box([0.1; 3]), Weight::Mass(2.0), None).unwrap();
    model.add_body(cube.at([0.5, 0.2, 3.0], upright)).unwrap();
    let ball = Body::new(Shape::Sphere(0.1), Weight::Mass(1.0), None).unwrap();
    let ball = model.add_body(ball.at([1.0, 2.0, -3.0], upright)).unwrap();
    let mut joints = Joints::new();
    let ends = [End::World, End::Body(ball)];
    joints.add(&model, Joint::new(JointKind::Ball, ends, [0.0, 2.0, -3.0])).unwrap();
    model.add_subsystem(joints).unwrap();
    let contacts = Contacts { colliders: vec![floor()], radius: 0.05, ..Contacts::default() };
    model.set_contacts(contacts).unwrap();
    model
}

/// A floor bears, a joint holds, a row keeps its length, by every method: stick and box come to rest where they lie on the floor,
/// and the ball that swings stays a metre from its pivot.
#[test]
fn floors_bear_and_joints_hold_by_every_method() {
    for method in Method::ALL {
        let mut simulation = Simulation::new(above_a_floor(), method, 1).unwrap();
        for _ in 0..120 {
            simulation.step();
            let [x, y, z] = [0, 1, 2].map(|k| simulation.bodies()[1][k]);
            let length = (x * x + (y - 2.0) * (y - 2.0) + (z + 3.0) * (z + 3.0)).sqrt();
            assert!((length - 1.0).abs() < 1e-4, "{method:?}: {length} m from the pivot");
        }
        let [a, b] = [0, 1].map(|i| simulation.positions()[i]);
        assert!((b[0] - a[0] - 1.0).abs() < 1e-5, "{method:?}: {a:?} {b:?}");
        let [on, of_box] = [a[1] - 0.05, simulation.bodies()[0][1] - 0.1];
        // The weight presses a box in by N g h² / n (docs/rigid.md).
        assert!(on.abs() < 1e-5 && of_box.abs() < 1e-4, "{method:?}: {on} {of_box}");
    }
}
