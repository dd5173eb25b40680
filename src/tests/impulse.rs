//! Method `impulse`: what its two loops promise.

use super::models::{Apart, Random, cloud, graph, run};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::{Impulse, Method};

/// A chain of `links` hanging from its first particle, let go level.
fn chain(links: u32, stiffness: Stiffness) -> Model {
    let mut model = Model::new();
    for i in 0..=links {
        let w = if i == 0 { 0.0 } else { 1.0 };
        model.add_particle([f64::from(i), 0.0, 0.0], [0.0; 3], w).unwrap();
    }
    for i in 0..links {
        model.add(Distance, [i, i + 1], [None], stiffness).unwrap();
    }
    model
}

/// A compliant row is a spring: it hangs m g α low, and swings as implicit Euler has it, whatever the iterations (S2-01).
#[test]
fn a_compliant_row_is_a_spring() {
    let (alpha, h) = (1e-2, 0.01);
    let mut model = Model::new();
    (model.settings.dt, model.settings.iterations) = (h, 3);
    model.add_particle([0.0; 3], [0.0; 3], 0.0).unwrap();
    model.add_particle([0.0, -1.0, 0.0], [0.0; 3], 2.0).unwrap();
    let stiffness = Stiffness::Compliance(alpha);
    model.add(Distance, [0, 1], [Some(1.0)], stiffness).unwrap();
    let (mut particles, mut solver) = Impulse::<f64>::scalar(&model).unwrap();
    // m (x' - x - h v) / h² = m g - (x' - d) / α downward, along the line; α and g as the f32 they are kept in.
    let alpha = f64::from(alpha as f32);
    let (mut x, mut v) = (1.0_f64, 0.0_f64);
    for step in 0..300 {
        solver.step(&mut particles);
        let pull = 2.0 * h * h / alpha;
        let next = (x + h * v + h * h * 9.81 + pull) / (1.0 + pull);
        (v, x) = ((next - x) / h, next);
        let found = -particles.positions()[1][1];
        assert!((found - x).abs() < 1e-9, "step {step}: {found}, {x}");
    }
}

/// After a step no row's length changes: dC/dt = 0 (S3-06), and C = 0 (S3-01).
#[test]
fn positions_and_velocities_hold() {
    let mut model = chain(5, Stiffness::Factor(1.0));
    model.settings.iterations = 300;
    let (mut particles, mut solver) = Impulse::<f64>::scalar(&model).unwrap();
    for _ in 0..60 {
        solver.step(&mut particles);
    }
    let (x, v) = (particles.positions(), particles.velocities());
    for i in 0..5 {
        let d: [f64; 3] = std::array::from_fn(|axis| x[i][axis] - x[i + 1][axis]);
        let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
        let rate: f64 = (0..3).map(|a| d[a] * (v[i][a] - v[i + 1][a])).sum();
        assert!((length - 1.0).abs() < 1e-9, "link {i} is {length} m long");
        assert!(rate.abs() < 1e-9, "link {i} changes at {rate} m²/s");
    }
}

/// Both loops end when the tolerance is met, and say after how many iterations and with what error (S3-02).
#[test]
fn loops_end_at_the_tolerance() {
    let mut model = chain(5, Stiffness::Factor(1.0));
    model.settings.iterations = 1_000;
    let statistics = |model: &Model| run(model, Method::Impulse, 1, 30).solver.core().statistics();
    let all = statistics(&model);
    assert_eq!((all.iterations, all.velocity_iterations), (1_000, Some(1_000)));
    model.settings.tolerance = 1e-4;
    let coarse = statistics(&model);
    model.settings.tolerance = 1e-5;
    let fine = statistics(&model);
    assert!(coarse.iterations < fine.iterations && fine.iterations < 1_000);
    assert!(coarse.velocity_iterations.unwrap() < 1_000);
    assert!(fine.error.unwrap() < 1e-5 && coarse.error.unwrap() < 1e-4);
}

/// Impulses come in pairs: momentum is kept to rounding (S3-05), rows of all classes, inequalities among them.
#[test]
fn momentum_is_kept() {
    let mut model = graph(&mut Random(3), 40, 160);
    model.settings.gravity = [0.0; 3];
    let (mut particles, mut solver) = Impulse::<f64>::scalar(&model).unwrap();
    let sum = |v: Vec<[f64; 3]>| {
        let masses = model.inverse_masses().iter().map(|&w| 1.0 / f64::from(w));
        let each = v.into_iter().zip(masses);
        each.fold([0.0; 3], |s, (v, m)| std::array::from_fn(|a| s[a] + v[a] * m))
    };
    let before = sum(particles.velocities());
    for _ in 0..20 {
        solver.step(&mut particles);
    }
    let after = sum(particles.velocities());
    for axis in 0..3 {
        let change = (after[axis] - before[axis]).abs();
        assert!(change < 1e-9, "{change:e}");
    }
}

/// An inequality pushes points apart, never together, and takes away only closing speed.
#[test]
fn an_inequality_only_pushes() {
    let pair = |distance: f64, speed: f64| {
        let mut model = cloud(&mut Random(1), 0, 0.0);
        model.settings.gravity = [0.0; 3];
        for (x, v) in [(0.0, 0.0), (distance, speed)] {
            model.add_particle([x, 0.0, 0.0], [v, 0.0, 0.0], 1.0).unwrap();
        }
        let least = [Some(1.0)];
        model.add(Apart, [0, 1], least, Stiffness::Factor(1.0)).unwrap();
        let (mut particles, mut solver) = Impulse::<f64>::scalar(&model).unwrap();
        solver.step(&mut particles);
        let (x, v) = (particles.positions(), particles.velocities());
        (x[1][0] - x[0][0], v[1][0] - v[0][0])
    };
    let (apart, speed) = pair(2.0, 3.0);
    assert!((apart - 2.05).abs() < 1e-6 && (speed - 3.0).abs() < 1e-6);
    let (apart, speed) = pair(1.01, -3.0); // would be 0.96 m apart
    assert!((apart - 1.0).abs() < 1e-6, "{apart}");
    assert!(speed > -0.61, "closes at {speed} m/s");
    let (apart, _) = pair(0.5, 0.0);
    assert!((apart - 1.0).abs() < 1e-6, "{apart}");
}
