//! The solver's two ideas by themselves: one row linearized (S1-13), and rows one after another in place of all at once (S0-04).

use super::linear::solve;
use super::prelude::*;
use crate::constraints::{Bending, Constraint, Particle, Response, Stiff, project};

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "newton-step", ids: &["S1-13"], run: newton_step,
        about: "the error of one bending row from projection to projection: each is about the square of the one before" },
    Experiment { name: "dense-solve", ids: &["S0-04"], run: dense_solve,
        about: "a chain of three rows by J M⁻¹ Jᵀ λ = -C solved at once, and by Gauss-Seidel" },
];

/// C of the row after 0, 1, 2.. projections in f64, from a hinge opened to `angle`, where it is to be `goal`.
fn projections(angle: f64, goal: f64) -> Vec<f64> {
    // An edge of a metre, and two wings of unequal length and mass.
    let wing = [0.5, 0.8 * angle.cos(), 0.8 * angle.sin()];
    let x = [[0.0; 3], [1.0, 0.0, 0.0], [0.3, 0.9, 0.0], wing];
    let mut sites = [0, 1, 2, 3].map(|i| Particle::new(Vec3::of(x[i]), [1.0, 2.0, 0.5, 1.5][i]));
    let error = |sites: &[Particle<f64>; 4]| {
        let [row] = Bending::evaluate(sites.map(|s| s.x), [goal]);
        row.c.abs()
    };
    let mut errors = vec![error(&sites)];
    for _ in 0..6 {
        let previous = sites.map(|site| site.x);
        project::<Bending, _, _, _, 4, 1, 1>(
            &mut sites,
            previous,
            [goal],
            Stiff::new([1.0, 0.0]),
            &mut [0.0],
        );
        errors.push(error(&sites));
    }
    errors
}

fn newton_step() -> Outcome {
    let mut report = Report::default();
    let title = "One row is Newton's method along its gradient: each error is the square of the last (S1-13)";
    let axes = ["error before a projection [rad]", "error after it [rad]"];
    let mut figure = Figure::new("", title, axes, [true; 2])
        .under("one bending row on four free particles of unequal masses, in f64; line: order 2 and order 1");
    let mut pairs = Vec::new();
    for off in [1.0, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05] {
        let errors = projections(2.0 + off, 2.0);
        let steps = errors.windows(2).map(|pair| (pair[0], pair[1]));
        // Below this, rounding is what is left.
        pairs.extend(steps.filter(|(_, after)| *after > 1e-13));
    }
    let order = slope(&pairs);
    let most = pairs.iter().map(|p| p.1 / (p.0 * p.0)).fold(0.0, f64::max);
    report.claim(
        (1.9..2.2).contains(&order),
        format!("bending: of order {order:.2} (2), at most {most:.2} times the square"),
    );
    figure.dots("bending", pairs);
    let along = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0];
    figure.expected(along.map(|e| (e, most * e * e)).to_vec());
    figure.expected(along.map(|e| (e, e)).to_vec());
    report.figures.push(figure);
    Ok(report)
}

const MASSES: [f64; 4] = [1.0, 2.0, 4.0, 1.0];

/// Four particles, three links of a metre, each too long or too short by about `off` (m); along a line, or bent.
fn start(off: f64, bent: f64) -> [[f64; 3]; 4] {
    let turns = [0.0, 1.0, -0.5].map(|t: f64| t * bent);
    let mut x = [[0.0; 3]; 4];
    for (k, turn) in turns.into_iter().enumerate() {
        let length = 1.0 + off * [1.0, -0.6, 0.8][k];
        x[k + 1] = [x[k][0] + length * turn.cos(), x[k][1] + length * turn.sin(), 0.0];
    }
    x
}

/// Where one dense solve puts them: Δx = M⁻¹ Jᵀ λ.
fn dense(x: [[f64; 3]; 4]) -> [Vec3<f64>; 4] {
    let mut x = x.map(Vec3::of);
    let n = [0, 1, 2].map(|k| unit(x[k + 1] - x[k]));
    let c = [0, 1, 2].map(|k| (x[k + 1] - x[k]).length() - 1.0);
    let w = MASSES.map(|m| 1.0 / m);
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 => w[i] + w[i + 1],
        1 => -w[i.max(j)] * n[i].dot(n[j]),
        _ => 0.0,
    };
    let a = (0..3).map(|i| (0..3).map(|j| entry(i, j)).collect()).collect();
    let lambda = solve(a, c.map(|c| -c).to_vec()).expect("a chain's matrix is positive definite");
    for k in 0..3 {
        x[k] += n[k] * (-w[k] * lambda[k]);
        x[k + 1] += n[k] * (w[k + 1] * lambda[k]);
    }
    x
}

/// Where the engine puts them in `iterations`.
fn gauss_seidel(x: [[f64; 3]; 4], iterations: u32) -> Result<[Vec3<f64>; 4], ModelError> {
    let mut model = Model::new();
    (model.settings.gravity, model.settings.iterations) = ([0.0; 3], iterations);
    for (x, m) in x.into_iter().zip(MASSES) {
        model.add_particle(x, [0.0; 3], 1.0 / m)?;
    }
    for i in 0..3 {
        model.add(Distance, [i, i + 1], [Some(1.0)], Stiffness::Factor(1.0))?;
    }
    let x = after(model, Method::Scalar, 1)?.positions();
    Ok([0, 1, 2, 3].map(|i| point(x[i])))
}

fn apart(a: [Vec3<f64>; 4], b: [Vec3<f64>; 4]) -> f64 {
    largest((0..4).map(|i| (a[i] - b[i]).length()))
}

/// The factor by which an iteration of Gauss-Seidel shrinks what is left: of three rows in line, that of (D + L)⁻¹ Lᵀ.
fn rate() -> f64 {
    let w = MASSES.map(|m| 1.0 / m);
    let coupling = |i: usize| w[i].powi(2) / ((w[i - 1] + w[i]) * (w[i] + w[i + 1]));
    // A tridiagonal matrix is consistently ordered: the square of Jacobi's spectral radius.
    coupling(1) + coupling(2)
}

fn dense_solve() -> Outcome {
    let mut report = Report::default();
    let title =
        "Three rows in line: Gauss-Seidel reaches the dense solution of J M⁻¹ Jᵀ λ = -C (S0-04)";
    let mut figure = Figure::new("", title, ["iterations", "distance from the dense solution [m]"], [false, true])
        .under("four particles of 1, 2, 4, 1 kg, links off by 10, -6, 8 cm; line: the rate of Gauss-Seidel in theory; scalar");
    let line = start(0.1, 0.0);
    let mut found = Vec::new();
    for iterations in 1..=24 {
        found.push((f64::from(iterations), apart(gauss_seidel(line, iterations)?, dense(line))));
    }
    let rate = rate();
    let converged = found[23].1;
    // From the second on: the other eigenvalues are zero.
    let measured = (found[5].1 / found[1].1).powf(0.25);
    report.claim(
        converged < 5e-7,
        format!("in line: {converged:.1e} m from the dense solution after 24 iterations (5e-7)"),
    );
    report.claim(
        (measured / rate - 1.0).abs() < 0.02,
        format!("in line: an iteration leaves {measured:.4} of the distance, {rate:.4} in theory"),
    );
    let second = found[1].1;
    figure.dots("scalar", found);
    figure.expected(
        (1..=24)
            .map(|i| (f64::from(i), second * rate.powi(i - 2)))
            .filter(|p| p.1 > 1e-8)
            .collect(),
    );
    report.figures.push(figure);

    let title = "A bent chain: what one linear solve and Gauss-Seidel differ by is of second order";
    let mut figure =
        Figure::new("bent", title, ["error of the links [m]", "distance apart [m]"], [true; 2])
            .under("the same chain, bent by 1 and -0.5 rad; 200 iterations; line: order 2");
    let mut found = Vec::new();
    for off in [0.2, 0.1, 0.05, 0.02, 0.01] {
        let x = start(off, 1.0);
        found.push((off, apart(gauss_seidel(x, 200)?, dense(x))));
    }
    let order = slope(&found);
    report.claim(
        (1.8..2.2).contains(&order),
        format!("bent: they differ by order {order:.2} of the error (2)"),
    );
    let scale = found[1].1 / 0.01;
    let along: Vec<_> = found.iter().map(|p| (p.0, scale * p.0 * p.0)).collect();
    figure.dots("scalar", found);
    figure.expected(along);
    report.figures.push(figure);
    Ok(report)
}
