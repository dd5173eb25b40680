//! Legal models at the edge: nothing in them, nothing that can move, far too much on one particle.

use super::models::{Outcome, Random, graph, rope, run, sheet};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::solvers::Method;

const STRENGTHS: [Stiffness; 3] =
    [Stiffness::Factor(1.0), Stiffness::Compliance(1e-7), Stiffness::Damped(1e-7, 1.0)];

/// Runs by every method, lanes on two threads too; every state must be finite.
fn run_all(what: &str, model: &Model, steps: usize) -> Vec<Outcome> {
    let runs = [
        (Method::Scalar, 1),
        (Method::Colored, 1),
        (Method::Lanes, 1),
        (Method::Lanes, 2),
        (Method::Ordered, 1),
        (Method::Jacobi, 1),
        (Method::Hybrid, 1),
        (Method::Impulse, 1),
    ];
    let outcome = |(method, threads)| {
        let outcome = run(model, method, threads, steps);
        assert!(outcome.finite(), "{what}, {method:?} on {threads}");
        outcome
    };
    runs.map(outcome).into_iter().collect()
}

/// No particles, no rows; particles without rows.
#[test]
fn nothing_is_a_model() {
    let mut model = Model::new();
    run_all("empty", &model, 3);
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    run_all("one particle", &model, 3);
}

/// All pinned: nothing moves, however the rows pull (S1-16).
#[test]
fn all_pinned_stays() {
    for stiffness in STRENGTHS {
        let mut model = Model::new();
        for i in 0..40 {
            model.add_particle([f64::from(i), 0.5, -3.0], [0.0; 3], 0.0).unwrap();
        }
        for i in 1..40 {
            model.add(Distance, [i - 1, i], [Some(7.0)], stiffness).unwrap();
        }
        for outcome in run_all("all pinned", &model, 10) {
            assert_eq!(outcome.positions(), model.positions());
        }
    }
}

/// The same row twice, and rows that contradict each other: finite, between what they ask for.
#[test]
fn duplicate_and_contradicting_rows() {
    for stiffness in STRENGTHS {
        let mut model = rope(&mut Random(1), 20);
        for i in 0..20 {
            for rest in [0.1, 0.1, 0.05, 0.3] {
                model.add(Distance, [i, i + 1], [Some(rest)], stiffness).unwrap();
            }
        }
        run_all("contradicting rows", &model, 60);
    }
}

/// Rows that ask two points for 0.1, 0.1, 0.05 and 0.3 m. Springs of one compliance agree on the mean, 0.1375 m, where their
/// forces add up to nothing (f64 of the same four numbers); of stiff rows the last has its way, and averages agree on the mean.
#[test]
fn contradicting_rows_agree_where_forces_do() {
    let rests = [0.1, 0.1, 0.05, 0.3];
    let mean = rests.iter().sum::<f64>() / 4.0;
    for stiffness in [Stiffness::Factor(1.0), Stiffness::Compliance(1e-3)] {
        let mut model = Model::new();
        (model.settings.gravity, model.settings.damping) = ([0.0; 3], 10.0);
        for x in [0.0, 0.2] {
            model.add_particle([x, 0.0, 0.0], [0.0; 3], 1.0).unwrap();
        }
        for rest in rests {
            model.add(Distance, [0, 1], [Some(rest)], stiffness).unwrap();
        }
        for method in Method::ALL {
            let x = run(&model, method, 1, 240).positions();
            let apart = f64::from(x[1][0] - x[0][0]);
            let averaged = method == Method::Jacobi || stiffness != Stiffness::Factor(1.0);
            // The last row in the colored order is the last as authored: all have two particles in common.
            let expected = if averaged { mean } else { rests[3] };
            let middle = f64::from(x[1][0] + x[0][0]) / 2.0 - 0.1;
            let said = format!("{stiffness:?} by {method:?}: {apart} m apart, {middle:e} m off");
            assert!((apart - expected).abs() < 1e-5 && middle.abs() < 1e-5, "{said}");
        }
    }
}

/// Rest length zero is legal: the two points meet, and stay finite when they have (S0-06).
#[test]
fn rest_length_zero() {
    for stiffness in STRENGTHS {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        for i in 0..32 {
            model.add_particle([f64::from(i % 2), f64::from(i), 0.0], [0.0; 3], 1.0).unwrap();
        }
        for i in 0..16 {
            model.add(Distance, [2 * i, 2 * i + 1], [Some(0.0)], stiffness).unwrap();
        }
        for outcome in run_all("rest length 0", &model, 20) {
            for (i, pair) in outcome.positions().chunks(2).enumerate() {
                // They were a step of the stairs apart: (0, 2i) and (1, 2i + 1). Nothing moves what is between them.
                let middle = [0, 1]
                    .map(|k| (pair[0][k] + pair[1][k]) / 2.0 - [0.5, 2.0 * i as f32 + 0.5][k]);
                assert!(middle.iter().all(|off| off.abs() < 1e-5), "{stiffness:?}: {middle:?}");
                let apart = (pair[0][0] - pair[1][0]).hypot(pair[0][1] - pair[1][1]);
                assert!(apart < 1e-4, "{stiffness:?}: {apart} m apart");
            }
        }
    }
}

/// A hub of valence 5000: as many colors, none of them worth a thread, and still the same bits (S1-28).
#[test]
fn a_hub_of_valence_5000() {
    let mut model = Model::new();
    let mut random = Random(2);
    model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
    for i in 1..=5000 {
        model.add_particle(random.point(), [0.0; 3], 1.0).unwrap();
        model.add(Distance, [0, i], [None], Stiffness::Compliance(1e-6)).unwrap();
    }
    model.settings.iterations = 3;
    let outcomes = run_all("hub", &model, 3);
    assert_eq!(outcomes[2].solver.core().colors(), 5000);
    assert_eq!(outcomes[1].bits(), outcomes[2].bits());
    assert_eq!(outcomes[1].bits(), outcomes[3].bits());
}

/// Compliance 1e30 acts as no constraint, also where α / h² overflows f32 (docs/scene-format.md).
#[test]
fn compliance_1e30_holds_nothing() {
    for (alpha, dt) in [(1e30, 1.0 / 60.0), (3e38, 1.0 / 60.0), (1e30, 1e-12)] {
        for stiffness in [Stiffness::Compliance(alpha), Stiffness::Damped(alpha, 0.0)] {
            let mut model = sheet(6, 5, stiffness);
            model.settings.dt = dt;
            let held = run_all("compliance 1e30", &model, 20);
            model.settings.iterations = 0;
            let free = run_all("free", &model, 20);
            for (held, free) in held.iter().zip(&free) {
                for (a, b) in
                    held.positions().as_flattened().iter().zip(free.positions().as_flattened())
                {
                    assert!((a - b).abs() < 1e-9, "{stiffness:?}, dt {dt}: {a}, free {b}");
                }
            }
        }
    }
}

/// A step of 1e-12 s, and the shortest of steps by substeps: finite.
#[test]
fn dt_1e_12_is_finite() {
    for stiffness in STRENGTHS {
        let mut model = sheet(9, 9, stiffness);
        model.settings.dt = 1e-12;
        run_all("dt 1e-12", &model, 60);
        model.settings.dt = 1.0;
        model.settings.substeps = 100;
        run_all("100 substeps", &model, 1);
    }
}

/// Scenes of every least size run, and their checks hold.
#[test]
fn the_least_scenes_run() {
    for scene in crate::scenes::all() {
        let model = Scene::find(scene.name).unwrap().model(Some(scene.sizes.0)).unwrap();
        run_all(scene.name, &model, 10);
        let too_small = scene.sizes.0.checked_sub(1);
        let refused = [too_small, Some(scene.sizes.1 + 1)];
        for size in refused.into_iter().flatten() {
            assert!(scene.model(Some(size)).is_err(), "{}:{size}", scene.name);
        }
    }
}

/// Violent data stays finite: random graphs of all classes, fast and far from rest.
#[test]
fn random_graphs_stay_finite() {
    let mut random = Random(3);
    for size in [2, 9, 40] {
        let model = graph(&mut random, size, 3 * size);
        run_all("graph", &model, 60);
    }
}
