//! The limitations that the sources name, as experiments with numbers (S1-35, S1-38; Small Steps 2019): what iterations,
//! substeps and masses do to the same scheme, in f64 where f32 would hide it; and that all methods meet in the end.

use super::models::run;
use crate::constraints::Distance;
use crate::math;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::settings::JacobiMode;
use crate::solvers::{Method, Scalar, ScalarElement};

/// `links` links of length `link`, stiff, the first particle pinned and the last of mass `end`, along `direction`.
fn chain(links: usize, link: f64, end: f64, direction: [f64; 3]) -> Model {
    let mut model = Model::new();
    for i in 0..=links {
        let w = match i {
            0 => 0.0,
            i if i == links => 1.0 / end,
            _ => 1.0,
        };
        let x = direction.map(|d| d * link * i as f64);
        model.add_particle(x, [0.0; 3], w).unwrap();
    }
    for i in 0..links as u32 {
        let stiffness = Stiffness::Factor(1.0);
        model.add(Distance, [i, i + 1], [Some(link)], stiffness).unwrap();
    }
    model
}

const LEVEL: [f64; 3] = [1.0, 0.0, 0.0];
const DOWN: [f64; 3] = [0.0, -1.0, 0.0];

/// The positions after each frame, rows in authored order.
fn film<R: ScalarElement>(model: &Model, frames: usize) -> Vec<Vec<[f64; 3]>> {
    let (mut particles, mut solver) = Scalar::<R>::authored(model);
    let mut step = || {
        solver.step(&mut particles);
        let x = particles.positions();
        x.into_iter().map(|x| x.map(math::Scalar::to_f64)).collect()
    };
    (0..frames).map(|_| step()).collect()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// The largest relative stretch of a link, of all frames.
fn stretch(film: &[Vec<[f64; 3]>], link: f64) -> f64 {
    let links = film.iter().flat_map(|x| x.windows(2));
    let stretches = links.map(|pair| (distance(pair[0], pair[1]) / link - 1.0).abs());
    stretches.fold(0.0, f64::max)
}

/// Where both bobs of a double pendulum are 0.25 s after it is let go level (1 kg and 1 m each, g = 10 m/s²): a Lagrangian's
/// equations, integrated outside this project.
const DOUBLE_PENDULUM: [[f64; 2]; 2] =
    [[0.9535541125927415, -0.3012217693950244], [1.953491278297316, -0.31243179360117646]];

/// The error of the double pendulum at 0.25 s in the steps h = 1/60, 1/600, 1/6000.
fn pendulum_errors<R: ScalarElement>() -> Vec<f64> {
    let error = |rate: u32| {
        let mut model = chain(2, 1.0, 1.0, LEVEL);
        model.settings.gravity = [0.0, -10.0, 0.0];
        (model.settings.dt, model.settings.iterations) = (1.0 / f64::from(rate), 1);
        let film = film::<R>(&model, rate as usize / 4);
        let off = |i: usize| {
            let [x, y] = DOUBLE_PENDULUM[i];
            distance(film[film.len() - 1][i + 1], [x, y, 0.0])
        };
        off(0).max(off(1))
    };
    [60, 600, 6000].map(error).to_vec()
}

/// First order in h (Small Steps 2019): a tenth of the step leaves a tenth of the error, over two decades, in f32 as in f64.
#[test]
fn the_scheme_is_first_order() {
    let ratios = |errors: &[f64]| -> Vec<f64> {
        println!("errors at h = 1/60, 1/600, 1/6000: {errors:?}");
        errors.windows(2).map(|pair| pair[0] / pair[1]).collect()
    };
    for (number, errors) in [("f64", pendulum_errors::<f64>()), ("f32", pendulum_errors::<f32>())] {
        for ratio in ratios(&errors) {
            assert!((8.0..12.0).contains(&ratio), "{ratio} in {number}");
        }
    }
}

/// The top link of a hanging chain of 20 carries the 19 particles below it: |λ| / h² = 19 m g = 190 N; within 1 %, by every
/// method. (Of links of 1 m `jacobi` carries 192.8 N: an iteration's corrections are then below what f32 resolves of a
/// position at 19 m.)
#[test]
fn the_top_link_carries_the_chain() {
    let mut model = Model::new();
    model.settings.gravity = [0.0, -10.0, 0.0];
    (model.settings.damping, model.settings.iterations) = (5.0, 3000);
    for i in 0..20 {
        let w = if i == 0 { 0.0 } else { 1.0 };
        model.add_particle([0.0, -0.1 * f64::from(i), 0.0], [0.0; 3], w).unwrap();
    }
    for i in 0..19 {
        let stiffness = Stiffness::Compliance(1e-5);
        model.add(Distance, [i, i + 1], [Some(0.1)], stiffness).unwrap();
    }
    for method in Method::ALL {
        let lambda = run(&model, method, 1, 90).solver.core().multipliers()[0][0];
        let force = f64::from(lambda.abs()) / model.settings.h().powi(2);
        println!("{method:?}: {force:.2} N");
        assert!((force / 190.0 - 1.0).abs() < 0.01, "{method:?}: {force} N");
    }
}

/// At equal cost substeps beat iterations: 20 x 1 stretch a swinging chain at least five times less than 1 x 20 (S1-35).
#[test]
fn substeps_beat_iterations() {
    let stretch = |substeps, iterations| {
        let mut model = chain(20, 0.05, 1.0, LEVEL);
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        stretch(&film::<f64>(&model, 120), 0.05)
    };
    let (iterations, substeps) = (stretch(1, 20), stretch(20, 1));
    println!("1 x 20 stretch {iterations:.3}, 20 x 1 {substeps:.4}");
    assert!(iterations > 5.0 * substeps);
}

/// With a load of 1e5 times a link's mass, 1 x 100 stretch 50 to 200 times as much as 100 x 1.
#[test]
fn substeps_carry_heavy_loads() {
    let stretch = |substeps, iterations| {
        let mut model = chain(3, 1.0, 1e5, DOWN);
        (model.settings.substeps, model.settings.iterations) = (substeps, iterations);
        stretch(&film::<f64>(&model, 120), 1.0)
    };
    let ratio = stretch(1, 100) / stretch(100, 1);
    println!("1 x 100 over 100 x 1: {ratio:.0}");
    assert!((50.0..200.0).contains(&ratio), "{ratio}");
}

/// A wavy 8 x 8 cloth of triangles, pinned at two corners, as that of the recording o3.
fn cloth() -> Model {
    let mut model = Model::new();
    for i in 0..64 {
        let (x, z) = (f64::from(i % 8), f64::from(i / 8));
        let w = if i == 0 || i == 7 { 0.0 } else { 1.0 };
        let y = 0.03 * (1.2 * x).sin();
        model.add_particle([0.1 * x, y, 0.1 * z], [0.0; 3], w).unwrap();
    }
    let mut link = |a: u32, b: u32| {
        let stiffness = Stiffness::Factor(1.0);
        model.add(Distance, [a, b], [None], stiffness).unwrap();
    };
    for i in 0..64 {
        let (right, down) = (i % 8 < 7, i < 56);
        if right {
            link(i, i + 1);
        }
        if down {
            link(i, i + 8);
        }
        if right && down {
            link(i, i + 9);
        }
    }
    model
}

/// All methods find the same rest: iterations raised for each until the residual is a ten-thousandth of an edge, an 8 x 8
/// cloth of two pinned corners hangs as low by all of them, within 1 %.
#[test]
fn all_methods_find_the_same_rest() {
    let hang = |method, gather| {
        let mut model = cloth();
        model.settings.damping = 4.0;
        model.settings.jacobi = gather;
        model.settings.colors = 3;
        for iterations in [50, 150, 500, 1500, 5000, 15_000] {
            model.settings.iterations = iterations;
            let outcome = run(&model, method, 1, 240);
            let seen = outcome.observe(&model);
            let heights = outcome.positions().into_iter().map(|x| f64::from(x[1]));
            let lowest = heights.fold(0.0, f64::min);
            if seen.residual < 1e-4 * 0.1 {
                println!("{method:?} {gather:?}: {lowest:.5} m by {iterations} iterations");
                return lowest;
            }
        }
        panic!("{method:?} {gather:?} does not get there");
    };
    let expected = hang(Method::Scalar, JacobiMode::Average);
    let others = Method::ALL.map(|method| (method, JacobiMode::Average));
    for (method, gather) in others.into_iter().chain([(Method::Jacobi, JacobiMode::Chebyshev)]) {
        let lowest = hang(method, gather);
        let error = (lowest / expected - 1.0).abs();
        assert!(error < 0.01, "{method:?} {gather:?}: {lowest}, not {expected}");
    }
}
