//! Contacts of particles: against closed forms, and the same bits by all methods on any threads.

mod cloth;
mod colliders;
mod particles;
mod refusals;
mod shapes;

use super::models::{Random, run};
use crate::Simulation;
use crate::collision::{Collider, Contacts, Detect};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Strength;
use crate::scenes::Scene;
use crate::solvers::Method;

fn simulate(model: Model, method: Method, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model, method, 1).expect("a simulation");
    (0..steps).for_each(|_| simulation.step());
    simulation
}

fn shapes() -> Vec<(&'static str, Collider)> {
    vec![
        ("plane", Collider::plane([0.0; 3], [0.0, 2.0, 0.0]).unwrap()),
        ("sphere", Collider::sphere([0.0, -0.2, 0.0], 0.2).unwrap()),
        (
            "capsule",
            Collider::capsule([-1.0, -0.1, 0.0], [1.0, -0.1, 0.0], 0.1).unwrap(),
        ),
        (
            "box",
            Collider::cuboid([0.0, -0.1, 0.0], [0.3, 0.1, 0.3], [0.0, 0.0, 0.0, 1.0]).unwrap(),
        ),
        ("sheet", {
            let points = [
                [-1.0, 0.0, -1.0],
                [1.0, 0.0, -1.0],
                [1.0, 0.0, 1.0],
                [-1.0, 0.0, 1.0],
            ];
            let faces = [[0, 2, 1], [0, 3, 2]];
            Collider::mesh(&points, &faces, [0.0; 3], [0.0, 0.0, 0.0, 1.0]).unwrap()
        }),
    ]
}

/// Where contacts are found by all methods and on any threads: the scenes, small.
fn scenes() -> Vec<(&'static str, usize, usize)> {
    vec![
        ("drape", 16, 25),
        ("fold", 12, 20),
        ("twist", 16, 20),
        ("curtain", 14, 40),
        ("pile", 700, 25),
        ("limits-delay", 0, 30),
        ("limits-delay", 1, 30),
        ("limits-delay", 2, 30),
        ("limits-flow", 60, 30),
    ]
}

#[test]
fn contacts_have_the_same_bits_by_all_methods() {
    for (name, size, steps) in scenes() {
        let model = Scene::find(name).unwrap().model(Some(size)).unwrap();
        for (one, many) in [
            (Method::Colored, Method::Lanes),
            (Method::Scalar, Method::Ordered),
        ] {
            let expected = run(&model, one, 1, steps).bits();
            for threads in [1, 2, 3, 7] {
                let found = run(&model, many, threads, steps).bits();
                assert!(found == expected, "{name}:{size} by {many:?} on {threads}");
            }
        }
    }
}

/// With contacts found in every iteration a particle starts anew when it touches again, whichever others touch beside it: chains
/// that slip over a ball.
#[test]
fn contacts_of_an_iteration_are_those_of_a_particle() {
    let mut model = Model::new();
    let mut random = Random(33);
    model.settings.iterations = 12;
    for i in 0..40_u32 {
        let p = random.point();
        let length = p.iter().map(|v| v * v).sum::<f64>().sqrt().max(0.1);
        let far = 0.95 + 0.15 * random.point()[0].abs();
        let position = p.map(|v| v / length * far);
        model.add_particle(position, [0.0; 3], 1.0).unwrap();
        if i > 0 {
            let strength = Strength::Stiffness(1.0);
            model.add(Distance, [i - 1, i], [None], strength).unwrap();
        }
    }
    let contacts = Contacts {
        colliders: vec![Collider::sphere([0.0; 3], 1.0).unwrap()],
        detect: Detect::Iteration,
        friction: Some(0.5),
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    for (one, many) in [
        (Method::Colored, Method::Lanes),
        (Method::Scalar, Method::Ordered),
    ] {
        let expected = run(&model, one, 1, 60).bits();
        assert!(run(&model, many, 2, 60).bits() == expected, "{many:?}");
    }
}
