//! How strongly rows hold: PBD's k', XPBD's springs and dashpots, inequalities that never pull.

use super::models::{Apart, Random, cloud, run};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::{Method, Scalar, ScalarElement};

/// A mass on a spring below a pin, at rest at the spring's rest length of one metre.
fn hanging(mass: f64, stiffness: Stiffness) -> Model {
    let mut model = Model::new();
    model.add_particle([0.0; 3], [0.0; 3], 0.0).unwrap();
    model.add_particle([0.0, -1.0, 0.0], [0.0; 3], 1.0 / mass).unwrap();
    model.add(Distance, [0, 1], [None], stiffness).unwrap();
    model
}

/// The height of the hanging mass after each of `steps` frames.
fn heights<R: ScalarElement>(model: &Model, steps: usize) -> Vec<f64> {
    let (mut particles, mut solver) = Scalar::<R>::authored(model);
    let mut step = |_| {
        solver.step(&mut particles);
        particles.positions()[1][1].to_f64()
    };
    (0..steps).map(&mut step).collect()
}

/// XPBD is a spring of compliance α: it hangs m g α long, for any number of iterations and any step (S2-01, S2-02).
#[test]
fn a_compliant_row_stretches_by_m_g_alpha() {
    let (mass, alpha) = (2.0, 1.0 / 128.0); // both exact in f32
    let expected = mass * 9.81 * alpha;
    for (iterations, dt) in [(1, 60.0), (50, 60.0), (1, 240.0), (50, 240.0)] {
        let mut model = hanging(mass, Stiffness::Compliance(alpha));
        model.settings.iterations = iterations;
        model.settings.dt = 1.0 / dt;
        model.settings.damping = 10.0; // near critical: at rest within seconds
        let steps = 6 * dt as usize;
        let extension = -1.0 - heights::<f64>(&model, steps)[steps - 1];
        let error = (extension / expected - 1.0).abs();
        assert!(
            error < 1e-9,
            "{iterations} iterations, 1/{dt} s, f64: {extension}, not {expected}"
        );
        for method in Method::ALL {
            let extension = -1.0 - f64::from(run(&model, method, 1, steps).positions()[1][1]);
            let error = (extension / expected - 1.0).abs();
            assert!(
                error < 1e-3,
                "{iterations} iterations, 1/{dt} s, {method:?}: {extension}, not {expected}"
            );
        }
    }
}

/// One iteration of XPBD with damping is implicit Euler of a spring beside a dashpot, here in closed form (XPBD eq. 26,
/// S1-10): v' = (v + h (g - u / α m)) / (1 + h β / m + h² / α m), u' = u + h v'.
#[test]
fn a_damped_row_is_spring_and_dashpot() {
    let (mass, alpha) = (2.0, 1.0 / 128.0);
    for (beta, stiffness) in [
        (0.0, Stiffness::Compliance(alpha)),
        (0.0, Stiffness::Damped(alpha, 0.0)),
        (0.5, Stiffness::Damped(alpha, 0.5)),
        (64.0, Stiffness::Damped(alpha, 64.0)),
        // No spring to speak of, and still its dashpot.
        (0.5, Stiffness::Damped(1e30, 0.5)),
    ] {
        let spring = match stiffness {
            Stiffness::Damped(1e30, _) => 0.0,
            _ => 1.0 / alpha,
        };
        let mut model = hanging(mass, stiffness);
        model.settings.iterations = 1;
        let h = model.settings.h();
        let exact = heights::<f64>(&model, 240);
        let single = heights::<f32>(&model, 240);
        let (mut u, mut v) = (0.0, 0.0);
        for (step, (exact, single)) in exact.into_iter().zip(single).enumerate() {
            v = (v + h * (9.81 - u * spring / mass))
                / (1.0 + h * beta / mass + h * h * spring / mass);
            u += h * v;
            assert!(
                (exact + 1.0 + u).abs() < 1e-9,
                "{stiffness:?}, step {step}: {exact}, not {}",
                -1.0 - u
            );
            assert!(
                (single + 1.0 + u).abs() < 1e-4 * (1.0 + u),
                "{stiffness:?}, step {step}, f32: {single}"
            );
        }
    }
}

/// After n iterations 1 - k of a row's error is left, for any n: k' = 1 - (1-k)^(1/n) (S1-17, S1-18).
#[test]
fn stiffness_does_not_depend_on_iterations() {
    for k in [0.0, 0.1, 0.5, 0.9, 1.0] {
        for n in 1..=64 {
            let mut model = Model::new();
            model.settings.gravity = [0.0; 3];
            model.settings.iterations = n;
            model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
            model.add_particle([2.0, 0.0, 0.0], [0.0; 3], 3.0).unwrap();
            model.add(Distance, [0, 1], [Some(1.0)], Stiffness::Factor(k)).unwrap();
            for method in Method::ALL {
                let x = run(&model, method, 1, 1).positions();
                let error = f64::from(x[1][0] - x[0][0]) - 1.0;
                assert!(
                    (error - (1.0 - k)).abs() < 1e-5,
                    "k {k}, {n} iterations, {method:?}: {error} left"
                );
            }
        }
    }
}

/// An inequality pushes and never pulls: satisfied it moves nothing, violated it parts, and its multiplier stays at or
/// above zero (S1-04, S1-05).
#[test]
fn an_inequality_never_pulls() {
    let mut random = Random(7);
    for round in 0..200 {
        let mut model = cloud(&mut random, 2, 2.0);
        model.settings.gravity = [0.0; 3];
        let stiffness = random.stiffness();
        let least = random.within(0.0, 2.0);
        model.add(Apart, [0, 1], [Some(least)], stiffness).unwrap();
        let gap = |x: &[[f32; 3]]| {
            let square = |axis: usize| f64::from(x[0][axis] - x[1][axis]).powi(2);
            (0..3).map(square).sum::<f64>().sqrt()
        };
        for method in Method::ALL {
            model.settings.iterations = 0;
            let free = run(&model, method, 1, 1);
            model.settings.iterations = 10;
            let held = run(&model, method, 1, 1);
            let (before, after) = (gap(&free.positions()), gap(&held.positions()));
            let said = format!(
                "round {round}, {method:?}, {stiffness:?}: {before} to {after}, least {least}"
            );
            assert!(held.solver.core().multipliers()[0][0] >= 0.0, "{said}");
            match before >= least + 1e-6 {
                true if !matches!(stiffness, Stiffness::Damped(..)) => {
                    assert_eq!(held.positions(), free.positions(), "{said}");
                }
                _ => assert!(after >= before - 1e-6, "{said}"),
            }
        }
    }
}
