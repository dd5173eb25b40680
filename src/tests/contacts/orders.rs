//! Orders, methods and searches: same bits where they must be, better where they may differ.

use super::simulate;
use crate::Simulation;
use crate::collision::{Collider, Contacts, Detect};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::scenes::{Scene, mean_height};
use crate::solvers::Method;
use crate::tests::models::{Random, run};

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
        for (one, many) in [(Method::Colored, Method::Lanes), (Method::Scalar, Method::Ordered)] {
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
            let stiffness = Stiffness::Factor(1.0);
            model.add(Distance, [i - 1, i], [None], stiffness).unwrap();
        }
    }
    let contacts = Contacts {
        colliders: vec![Collider::sphere([0.0; 3], 1.0).unwrap()],
        detect: Detect::Iteration,
        friction: Some(0.5),
        ..Contacts::default()
    };
    model.set_contacts(contacts).unwrap();
    for (one, many) in [(Method::Colored, Method::Lanes), (Method::Scalar, Method::Ordered)] {
        let expected = run(&model, one, 1, 60).bits();
        assert!(run(&model, many, 2, 60).bits() == expected, "{many:?}");
    }
}

/// The experiments of S1-36 and S1-37: how deep the upper ball sinks into the lower one when the floor stops it, and how far a ball
/// without room swings between two, over 300 frames.
#[test]
fn finding_contacts_sooner_shortens_the_delay() {
    let mut outcome = Vec::new();
    for size in 0..4 {
        let model = Scene::find("limits-delay").unwrap().model(Some(size)).unwrap();
        let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
        let (mut deepest, mut swing) = (0.0_f32, [f32::MAX, f32::MIN]);
        for frame in 0..300 {
            simulation.step();
            let x = simulation.positions();
            deepest = deepest.max(0.04 - (x[1][1] - x[0][1]).abs());
            deepest = deepest.max(0.02 - x[0][1]);
            if frame >= 10 {
                swing = [swing[0].min(x[3][0]), swing[1].max(x[3][0])];
            }
        }
        let swing = swing[1] - swing[0];
        println!("limits-delay:{size}: {deepest:.5} m deep, {swing:.5} m swing");
        outcome.push((deepest, swing));
    }
    let [late, sooner @ ..] = &outcome[..] else { panic!() };
    assert!(late.0 > 0.02 && late.1 > 0.005, "the delay is gone: {late:?}");
    for outcome in sooner {
        assert!(outcome.0 < 1e-3 && outcome.1 < 1e-3, "{outcome:?}");
    }
}

/// So many balls and as much water after so many frames, the scene's friction left out or not: their mean heights (m).
fn poured(count: usize, [iterations, substeps]: [u32; 2], rubs: bool, frames: usize) -> [f64; 2] {
    let mut model = Scene::find("limits-flow").unwrap().model(Some(count)).unwrap();
    (model.settings.iterations, model.settings.substeps) = (iterations, substeps);
    let mut contacts = model.contacts().expect("contacts").clone();
    contacts.friction = contacts.friction.filter(|_| rubs);
    model.set_contacts(contacts).unwrap();
    let all = simulate(model, Method::Lanes, frames).positions();
    let (balls, water) = all.split_at(count);
    [mean_height(balls), mean_height(water)]
}

/// Without friction nothing heaps: balls and water are each one layer on the floor, as high as the radius of 2 cm, by whatever
/// number of iterations.
#[test]
fn without_friction_what_is_poured_is_one_layer() {
    for iterations in [2, 8, 32] {
        for height in poured(200, [iterations, 1], false, 240) {
            assert!((0.0199..0.0215).contains(&height), "{iterations} iterations: {height} m");
        }
    }
}

/// S1-35: how high poured balls lie after a second depends on the iterations, less so by many substeps; water does not stand
/// as balls do. How one heap falls is chance, within a centimetre: these are means of five.
#[test]
fn what_is_poured_depends_on_the_iterations() {
    let heights = |iterations, substeps| {
        let all = [196, 198, 200, 202, 204].map(|n| poured(n, [iterations, substeps], true, 60));
        [0, 1].map(|k| all.iter().map(|heights| heights[k]).sum::<f64>() / all.len() as f64)
    };
    let one = [8, 32].map(|iterations| heights(iterations, 1));
    let many = [8, 32].map(|iterations| heights(iterations, 16));
    println!(
        "balls and water, 8 and 32 iterations, 1 substep: {one:.4?} m, 16 substeps: {many:.4?} m"
    );
    let apart = |pair: [[f64; 2]; 2]| (pair[1][0] - pair[0][0]).abs();
    assert!(apart(one) > 0.02 && apart(many) < 0.01, "{one:?} {many:?}");
    // 25 balls to two layers of 1.8 radii between them: no heap lies higher than they came from, nor below the floor.
    for [balls, water] in one.into_iter().chain(many) {
        assert!((0.02..0.29).contains(&balls), "{balls}");
        // A layer on the floor, as thick as its particles.
        assert!((0.0199..0.0215).contains(&water), "{water}");
    }
}
