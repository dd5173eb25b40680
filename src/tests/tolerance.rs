//! Stopping by tolerance: where iterations end, the residual is what was asked for, and it was not so long before.

use super::models::{run, simulate};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rigid::{At, Attachments, Body, End, Joint, JointKind, Joints, Motor, Shape, Weight};
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::settings::Detect;
use crate::solvers::{Method, prepare};

/// The largest residual after a step, as reports have it.
fn residual_max(model: &Model, method: Method, threads: usize) -> (f64, u32, Option<f64>) {
    let outcome = run(model, method, threads, 1);
    let seen = outcome.observe(model);
    let statistics = outcome.solver.core().statistics();
    (seen.residual_max, statistics.iterations, statistics.error)
}

/// By every method: few iterations for a coarse tolerance, more for a fine one, all where none is met; the error reported is
/// that of the state (f32 against f64); the same on any number of threads.
#[test]
fn iterations_end_at_the_tolerance() {
    let mut models = [("cloth", 10), ("sheet", 8), ("sphere", 2), ("limits-averaging", 20)]
        .map(|(name, size)| (name, Scene::find(name).unwrap().model(Some(size)).unwrap()));
    for (name, model) in &mut models {
        (model.settings.dt, model.settings.substeps) = (0.05, 1);
        model.settings.iterations = 3000;
        for method in Method::ALL {
            let mut last = 0;
            for tolerance in [3e-3, 1e-3, 3e-4] {
                model.settings.tolerance = tolerance;
                let (residual, iterations, error) = residual_max(model, method, 1);
                let error = error.expect("it was checked");
                let said = format!(
                    "{name} by {method:?} to {tolerance}: {residual:e}, {iterations} iterations"
                );
                assert!(iterations >= last, "{said}, fewer than {last}");
                if iterations < 3000 {
                    assert!(residual < tolerance * 1.01, "{said}");
                    assert!(error < tolerance, "{said}, {error:e} reported");
                }
                let off = (error - residual).abs();
                assert!(off < 1e-5 + 0.01 * residual, "{said}, {error:e} reported");
                last = iterations;
                if method.threaded() {
                    let (_, many, _) = residual_max(model, method, 3);
                    assert_eq!(many, iterations, "{said}");
                }
            }
        }
    }
}

/// A rope in tiles: the wavefront stops between checks too.
#[test]
fn tiles_stop_too() {
    let mut model = super::models::rope(&mut super::models::Random(3), 50_000);
    model.settings.iterations = 60;
    model.settings.tolerance = 1e-3;
    let colored = run(&model, Method::Colored, 1, 2);
    for threads in [1, 2, 3] {
        let lanes = run(&model, Method::Lanes, threads, 2);
        assert_eq!(lanes.solver.core().statistics(), colored.solver.core().statistics());
        assert!(lanes.bits() == colored.bits());
    }
}

/// Without a tolerance all iterations are made, and nothing is checked.
#[test]
fn no_tolerance_no_check() {
    let model = super::models::sheet(5, 5, Stiffness::Factor(1.0));
    for method in Method::ALL {
        let statistics = run(&model, method, 1, 1).solver.core().statistics();
        assert_eq!((statistics.iterations, statistics.error), (10, None), "{method:?}");
    }
}

/// The model of a scene in one substep of few iterations, with a tolerance.
fn checked(name: &str, size: usize, iterations: u32, tolerance: f64) -> Model {
    let mut model = Scene::find(name).unwrap().model(Some(size)).unwrap();
    (model.settings.dt, model.settings.substeps) = (0.02, 1);
    (model.settings.iterations, model.settings.tolerance) = (iterations, tolerance);
    model
}

/// Groups, joints, attachments and contacts are measured as rows are: what a check reports is what reports say of the state,
/// and it stops all methods and threads alike.
#[test]
fn subsystems_are_measured() {
    let scenes = [
        ("mobile", 3),
        ("joints", 1),
        ("jelly", 4),
        ("balloon", 1),
        ("kind-pressure", 2),
        ("kind-shape", 2),
    ];
    for (name, size) in scenes {
        let model = checked(name, size, 9, 1e-9);
        for method in Method::ALL {
            let outcome = run(&model, method, 1, 3);
            let seen = outcome.observe(&model).residual_max;
            let error = outcome.solver.core().statistics().error.unwrap();
            let said = format!("{name} by {method:?}: {error:e} checked, {seen:e} seen");
            assert!((error - seen).abs() < 2e-6 + 0.02 * seen, "{said}");
        }
    }
}

/// What only a check knows: contacts of particles and bodies, fluids, what melts.
#[test]
fn a_check_stops_all_methods_alike() {
    let scenes = [
        ("pile", 40),
        ("drape", 8),
        ("coupling", 8),
        ("heap", 12),
        ("stones", 4),
        ("dam", 200),
        ("melt", 3),
        ("unified", 4),
        ("car", 1),
    ];
    for (name, size) in scenes {
        for detect in [Detect::Substep, Detect::Iteration] {
            let mut model = checked(name, size, 12, 2e-4);
            if let Some(mut contacts) = model.contacts().cloned() {
                contacts.detect = detect;
                model.set_contacts(contacts).unwrap();
            }
            let statistics =
                |method, threads| run(&model, method, threads, 12).solver.core().statistics();
            let [scalar, colored] = [Method::Scalar, Method::Colored].map(|m| statistics(m, 1));
            assert!(scalar.error > Some(0.0), "{name}: nothing was measured");
            for threads in [1, 2, 3] {
                assert_eq!(
                    statistics(Method::Ordered, threads),
                    scalar,
                    "{name} {detect:?} @{threads}"
                );
                assert_eq!(
                    statistics(Method::Lanes, threads),
                    colored,
                    "{name} {detect:?} @{threads}"
                );
            }
        }
    }
}

/// The joints of a mobile hang together before its iterations end.
#[test]
fn no_joint_is_left_open() {
    let mut model = checked("mobile", 7, 50, 1e-9);
    model.settings.dt = 1.0 / 60.0;
    for method in Method::ALL {
        let statistics = run(&model, method, 1, 1).solver.core().statistics();
        let open = statistics.error.unwrap() >= 1e-9;
        assert_eq!(statistics.iterations, 50, "{method:?}: {statistics:?}");
        assert!(open, "{method:?}: {statistics:?}");
    }
}

/// A state that is not finite meets no tolerance, whoever is broken: rows, an inequality, a particle of no row, a group, a body.
#[test]
fn what_is_broken_never_meets_a_tolerance() {
    let mut rows = super::models::sheet(5, 5, Stiffness::Factor(1.0));
    let mut apart = super::models::sheet(5, 5, Stiffness::Factor(1.0));
    apart.add(super::models::Apart, [0, 24], [Some(0.1)], Stiffness::Compliance(0.0)).unwrap();
    for model in [&mut rows, &mut apart] {
        model.add_particle([9.0; 3], [0.0; 3], 1.0).unwrap();
    }
    let jelly = Scene::find("jelly").unwrap().model(Some(3)).unwrap();
    let last = |model: &Model| model.positions().len() as u32 - 1;
    let broken = [(0, rows), (0, apart)];
    let mut broken: Vec<_> = broken.into_iter().collect();
    broken.push((last(&jelly), jelly));
    for (particle, mut model) in broken {
        for particle in [particle, last(&model)] {
            (model.settings.substeps, model.settings.iterations) = (1, 20);
            model.settings.tolerance = 1e9;
            for method in Method::ALL {
                let (mut particles, mut solver) = prepare(&model, method, 1).unwrap();
                particles.set(particle, [f32::NAN, 0.0, 0.0], [0.0; 3]);
                solver.step(&mut particles);
                let statistics = solver.core().statistics();
                assert_eq!(statistics.iterations, 20, "{method:?}: {statistics:?}");
            }
        }
    }
    let mut model = checked("mobile", 2, 20, 1e9);
    model.settings.tolerance = 1e9;
    for method in Method::ALL {
        let (mut particles, mut solver) = prepare(&model, method, 1).unwrap();
        particles.bodies.set(0, [f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0; 6]);
        solver.step(&mut particles);
        assert_eq!(solver.core().statistics().iterations, 20, "{method:?}");
    }
}

/// Checked after every iteration, iterations are counted one by one; else they are those of the next check.
#[test]
fn every_iteration_is_counted() {
    let mut model = Scene::find("limits-averaging").unwrap().model(Some(32)).unwrap();
    model.settings.iterations = 1000;
    model.settings.tolerance = 1e-4;
    for method in [Method::Scalar, Method::Lanes, Method::Hybrid, Method::Jacobi] {
        let iterations =
            |model: &Model| run(model, method, 1, 1).solver.core().statistics().iterations;
        model.settings.check_every = false;
        let sparse = iterations(&model);
        model.settings.check_every = true;
        let counted = iterations(&model);
        model.settings.tolerance = 0.0;
        model.settings.iterations = counted - 1;
        let outcome = run(&model, method, 1, 1);
        let left = outcome.observe(&model).residual_max;
        assert!(
            counted <= sparse && left >= 0.99e-4,
            "{method:?}: {counted} of {sparse}, {left:e} before"
        );
        (model.settings.tolerance, model.settings.iterations) = (1e-4, 1000);
    }
}

/// Rods on hinges of a compliance, the first at the world; if asked for with a motor that is to lift the last and can lift nothing.
fn rods(alpha: f64, lifted: bool) -> Model {
    let mut model = Model::new();
    // So short that passes hold them: they are not solved at once.
    (model.settings.substeps, model.settings.iterations) = (8, 1);
    (model.settings.tolerance, model.settings.check_every) = (1e-9, true);
    let mut joints = Joints::new();
    for i in 0..4_u32 {
        let rod = Body::new(Shape::Box([0.25, 0.05, 0.05]), Weight::Mass(1.0), None).unwrap();
        let x = 0.5 * f64::from(i);
        model.add_body(rod.at([x + 0.25, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
        let ends = [if i == 0 { End::World } else { End::Body(i - 1) }, End::Body(i)];
        let joint = Joint::new(JointKind::Hinge, ends, [x, 0.0, 0.0]).along([0.0, 0.0, 1.0]);
        joints.add(&model, Joint { compliance: alpha, ..joint }).unwrap();
    }
    if lifted {
        let lift = Joint {
            motor: Some(Motor::Position(1.0)),
            max_force: Some(0.1),
            ..Joint::new(JointKind::Parallel, [End::World, End::Body(3)], [0.0; 3])
        };
        joints.add(&model, lift.along([0.0, 0.0, 1.0])).unwrap();
    }
    model.add_subsystem(joints).unwrap();
    model
}

/// Of joints the error that ends iterations is the one that a state shows by itself: |C + α λ|, soft or rigid, and none of a motor
/// that does its most (f32 against f64).
#[test]
fn joints_are_as_far_off_as_their_state_says() {
    for (alpha, lifted) in [(0.0, false), (1e-5, false), (1e-3, false), (0.0, true)] {
        for method in [Method::Scalar, Method::Lanes] {
            let simulation = simulate(rods(alpha, lifted), method, 1, 5);
            let error = simulation.statistics().error.expect("it was checked");
            let expected = simulation.observe().residual_max;
            assert!(expected > 1e-6, "{alpha}: {expected} m");
            assert!((error / expected - 1.0).abs() < 0.01, "{alpha}: {error} m for {expected}");
        }
    }
}

/// Springs at arms are as far off as their state says, too.
#[test]
fn rows_at_arms_are_as_far_off_as_their_state_says() {
    for alpha in [0.0, 1e-4] {
        let model = || {
            let mut model = Model::new();
            (model.settings.substeps, model.settings.iterations) = (1, 3);
            (model.settings.tolerance, model.settings.check_every) = (1e-9, true);
            let mut springs = Attachments::new();
            let first = model.add_particle([0.0; 3], [0.0; 3], 0.0).unwrap();
            let mut last = At::Particle(first);
            for i in 0..4_u32 {
                let rod =
                    Body::new(Shape::Box([0.2, 0.05, 0.05]), Weight::Mass(1.0), None).unwrap();
                let x = 0.5 * f64::from(i) + 0.3;
                model.add_body(rod.at([x, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).unwrap();
                let at = [last, At::Body(i, [x - 0.2, 0.0, 0.0])];
                let stiffness = Stiffness::Compliance(alpha);
                springs.add(&model, Distance, at, [Some(0.1)], stiffness).unwrap();
                last = At::Body(i, [x + 0.2, 0.0, 0.0]);
            }
            model.add_subsystem(springs).unwrap();
            model
        };
        for method in [Method::Scalar, Method::Lanes] {
            let simulation = simulate(model(), method, 1, 5);
            let error = simulation.statistics().error.expect("it was checked");
            let expected = simulation.observe().residual_max;
            assert!(expected > 1e-5, "{alpha}: {expected} m");
            assert!((error / expected - 1.0).abs() < 0.01, "{alpha}: {error} m for {expected}");
        }
    }
}

/// As many iterations as a number can say are not none, where sweeps go there and back and their number is rounded up to an even one.
#[test]
fn the_most_iterations_are_not_none() {
    let mut model = Scene::find("balloon").unwrap().model(Some(2)).unwrap();
    assert!(model.is_swept_back());
    (model.settings.dt, model.settings.substeps, model.settings.tolerance) = (1e-3, 1, 1.0);
    model.settings.iterations = u32::MAX;
    let (_, iterations, _) = residual_max(&model, Method::Lanes, 1);
    assert!((1..10).contains(&iterations), "{iterations}");
}
