//! Stopping by tolerance: where iterations end, the residual is what was asked for, and it was not so long before.

use super::models::run;
use crate::model::Model;
use crate::observe::observe;
use crate::rows::Strength;
use crate::scenes::Scene;
use crate::solvers::Method;
use crate::state::Snapshot;

/// The largest residual after a step, as reports have it.
fn residual_max(model: &Model, method: Method, threads: usize) -> (f64, u32, Option<f64>) {
    let outcome = run(model, method, threads, 1);
    let state = Snapshot {
        positions: outcome.positions(),
        velocities: outcome.velocities(),
        ..Snapshot::default()
    };
    let seen = observe(model, &state, &outcome.solver.info().multipliers());
    let effort = outcome.solver.info().effort();
    (seen.residual_max, effort.iterations, effort.error)
}

/// By every method: few iterations for a coarse tolerance, more for a fine one, all where none is met; the error reported is
/// that of the state (f32 against f64); the same on any number of threads.
#[test]
fn iterations_end_at_the_tolerance() {
    let mut models = [
        ("cloth", 10),
        ("sheet", 8),
        ("sphere", 2),
        ("limits-averaging", 20),
    ]
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
                // `impulse` measures each row as it comes to it: later rows undo a little of that.
                let impulse = method == Method::Impulse;
                if iterations < 3000 {
                    let slack = if impulse { 2.0 } else { 1.01 };
                    assert!(residual < tolerance * slack, "{said}");
                    assert!(error < tolerance, "{said}, {error:e} reported");
                }
                let off = (error - residual).abs();
                assert!(
                    impulse || off < 1e-5 + 0.01 * residual,
                    "{said}, {error:e} reported"
                );
                last = iterations;
                if method.threaded() {
                    let (_, many, _) = residual_max(model, method, 3);
                    assert_eq!(many, iterations, "{said}");
                }
            }
        }
    }
}

/// A rope in bands: the wavefront stops between checks too.
#[test]
fn bands_stop_too() {
    let mut model = super::models::rope(&mut super::models::Random(3), 50_000);
    model.settings.iterations = 60;
    model.settings.tolerance = 1e-3;
    let colored = run(&model, Method::Colored, 1, 2);
    for threads in [1, 2, 3] {
        let lanes = run(&model, Method::Lanes, threads, 2);
        assert_eq!(lanes.solver.info().effort(), colored.solver.info().effort());
        assert!(lanes.bits() == colored.bits());
    }
}

/// Without a tolerance all iterations are made, and nothing is checked.
#[test]
fn no_tolerance_no_check() {
    let model = super::models::sheet(5, 5, Strength::Stiffness(1.0));
    for method in Method::ALL.into_iter().filter(|m| *m != Method::Impulse) {
        let effort = run(&model, method, 1, 1).solver.info().effort();
        assert_eq!((effort.iterations, effort.error), (10, None), "{method:?}");
    }
}
