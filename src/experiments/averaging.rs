//! Jacobi beside Gauss-Seidel: sums, averages, over-relaxation, copies, and the iterations that each needs (S1-30 to S1-33, S1-38).

use super::prelude::*;
use crate::observe::hash;
use crate::scenes::Scene;
use crate::settings::{JacobiMode, Settings};

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "jacobi-sums", ids: &["S1-30", "S1-31"], run: sums,
        about: "the error of a fan of n rows by Jacobi, summed and averaged: sums diverge beyond three rows" },
    Experiment { name: "over-relaxation", ids: &["S1-32"], run: over_relaxation,
        about: "iterations to a tolerance against ω: a minimum between 1 and 2" },
    Experiment { name: "hybrid", ids: &["S1-33"], run: hybrid,
        about: "iterations to a tolerance against the colors of hybrid: from averaged Jacobi to colored Gauss-Seidel" },
    Experiment { name: "rows-per-particle", ids: &["S1-38", "S1-30", "S1-31", "S1-32", "S1-33"], run: rows_per_particle,
        about: "iterations to a tolerance against the rows of a particle, for every way to solve" },
];

/// Rows of a fan that share one particle, all from the same point to the same point, 1 mm too long.
fn fan(rows: u32, mode: JacobiMode, iterations: u32) -> Result<f64, ModelError> {
    let mut model = Model::new();
    let settings = &mut model.settings;
    (settings.gravity, settings.jacobi, settings.iterations) = ([0.0; 3], mode, iterations);
    model.add_particle([0.0; 3], [0.0; 3], 1.0)?;
    for i in 1..=rows {
        model.add_particle([1.001, 0.0, 0.0], [0.0; 3], 1.0)?;
        model.add(Distance, [0, i], [Some(1.0)], Stiffness::Factor(1.0))?;
    }
    let x = after(model, Method::Jacobi, 1)?.positions();
    Ok(((point(x[1]) - point(x[0])).length() - 1.0).abs())
}

/// By sums an iteration takes half of the error for its own row, and half for each other: -(n - 1)/2 of it is left.
fn sums() -> Outcome {
    let mut report = Report::default();
    let title = "Jacobi on a fan of n equal rows: sums diverge, averages do not (S1-30, S1-31)";
    let mut figure = Figure::new("", title, ["iterations", "error of a row [m]"], [false, true])
        .under("n rows of equal masses share a particle; error 1 mm at the start; line: ((n - 1)/2)^i; method jacobi");
    for rows in [2, 3, 4, 8] {
        let mut found = vec![(0.0, 1e-3)];
        for i in 1..=6 {
            found.push((f64::from(i), fan(rows, JacobiMode::Sum, i)?));
        }
        let factor = (f64::from(rows) - 1.0) / 2.0;
        let formula: Vec<_> = (0..=6).map(|i| (f64::from(i), 1e-3 * factor.powi(i))).collect();
        // As long as the error is far from the length, and above what f32 resolves.
        let compared = found.iter().zip(&formula).filter(|(_, f)| (2e-5..0.05).contains(&f.1));
        let off = largest(compared.map(|(found, formula)| found.1 / formula.1 - 1.0));
        report.claim(
            off < 0.05,
            format!(
                "{rows} rows: an iteration leaves {factor} of the error, within {off:.1e} (5e-2)"
            ),
        );
        figure.dots(format!("sum, n = {rows}"), found);
        figure.expected(formula.into_iter().filter(|f| f.1 < 2.0).collect());
    }
    let averaged = fan(8, JacobiMode::Average, 1)?;
    figure.line("average, n = 8", vec![(0.0, 1e-3), (1.0, averaged.max(1e-7))]);
    report.claim(
        averaged < 1e-6,
        format!("8 rows: averages reach it in one iteration: {averaged:.1e} m left"),
    );
    report.figures.push(figure);
    Ok(report)
}

/// No row is off by more than this (m).
const TOLERANCE: f64 = 1e-4;
/// Where counting ends.
const MOST: u32 = 20_000;

/// A hub that hangs from one row with `n` rows below it (`limits-averaging`).
fn hub(n: u32) -> Result<Model, ModelError> {
    Scene::find("limits-averaging")?.model(Some(n as usize))
}

/// Iterations of the first step until no row is off by more than the tolerance, one by one; none where they do not suffice.
fn count(
    mut model: Model,
    method: Method,
    with: impl Fn(&mut Settings),
) -> Result<Option<u32>, ModelError> {
    let settings = &mut model.settings;
    (settings.iterations, settings.tolerance, settings.check_every) = (MOST, TOLERANCE, true);
    with(settings);
    let statistics = after(model, method, 1)?.statistics();
    let met = statistics.error.is_some_and(|error| error <= TOLERANCE);
    Ok(Some(statistics.iterations).filter(|_| met))
}

fn over_relaxation() -> Outcome {
    let mut report = Report::default();
    let title = "Over-relaxation: iterations to 0.1 mm have a minimum in 1 < ω < 2 (S1-32)";
    let mut figure = Figure::new("", title, ["over-relaxation ω", "iterations"], [false, true])
        .under("limits-averaging:N, a hub of N + 1 rows, first step, tolerance 1e-4 m, counted one by one; method jacobi");
    for n in [2, 8, 32, 128] {
        let mut found = Vec::new();
        for omega in (10..=39).map(|i| f64::from(i) / 20.0).chain([1.97, 1.98, 1.99, 1.995]) {
            let needed = count(hub(n)?, Method::Jacobi, |s| s.omega = omega)?;
            found.extend(needed.map(|needed| (omega, f64::from(needed))));
        }
        let least = found.iter().min_by(|a, b| a.1.total_cmp(&b.1)).copied();
        let plain = found.iter().find(|(omega, _)| *omega == 1.0).map_or(f64::NAN, |p| p.1);
        let (omega, needed) = least.unwrap_or((f64::NAN, f64::NAN));
        report.claim(
            omega > 1.0 && omega < 2.0 && needed < plain,
            format!("N = {n}: the fewest iterations, {needed}, at ω = {omega}; {plain} at ω = 1"),
        );
        figure.line(format!("N = {n}"), found);
    }
    report.figures.push(figure);
    Ok(report)
}

fn hybrid() -> Outcome {
    let mut report = Report::default();
    let title = "Hybrid: more colors, fewer copies, fewer iterations (S1-33)";
    let mut figure = Figure::new("", title, ["most colors k", "iterations"], [true, true])
        .under("limits-averaging:N, a hub of N + 1 rows, first step, tolerance 1e-4 m; line: colored Gauss-Seidel (lanes)");
    for n in [8, 32, 128] {
        let mut found = Vec::new();
        for k in [1, 2, 3, 4, 6, 8, 12, 16, 24, 33, 48, 64, 96, 129, 192]
            .into_iter()
            .filter(|k| *k <= 3 * n / 2)
        {
            let needed = count(hub(n)?, Method::Hybrid, |s| s.colors = k)?;
            found.extend(needed.map(|needed| (f64::from(k), f64::from(needed))));
        }
        let counted =
            |method| count(hub(n)?, method, |_| ()).map(|n| n.map_or(f64::NAN, f64::from));
        let (jacobi, lanes) = (counted(Method::Jacobi)?, counted(Method::Lanes)?);
        let (first, last) =
            (found.first().map_or(f64::NAN, |p| p.1), found.last().map_or(f64::NAN, |p| p.1));
        // Which copies a color takes from a particle is first come, first served: now and then one more does not help.
        let falls = found.windows(2).all(|pair| pair[1].1 <= pair[0].1 + 1.0);
        report.claim(
            falls && first == jacobi && last == lanes,
            format!("N = {n}: falls from {first} (jacobi {jacobi}) to {last} (lanes {lanes})"),
        );
        let colors: Vec<f64> = found.iter().map(|p| p.0).collect();
        figure.line(format!("N = {n}"), found);
        figure.expected(colors.into_iter().map(|k| (k, lanes)).collect());
    }
    report.figures.push(figure);
    let bits = |method, colors| -> Result<u64, ModelError> {
        let mut model = Scene::find("cloth")?.model(Some(24))?;
        model.settings.colors = colors;
        Ok(hash(&after(model, method, 10)?.positions(), &[]))
    };
    let ends = bits(Method::Hybrid, 1)? == bits(Method::Jacobi, 1)?
        && bits(Method::Hybrid, 99)? == bits(Method::Lanes, 1)?;
    report.claim(
        ends,
        "cloth:24, ten steps: one color has the bits of jacobi, enough colors those of lanes",
    );
    Ok(report)
}

type Way = (&'static str, Method, fn(&mut Settings));

const WAYS: [Way; 8] = [
    ("Jacobi, sums", Method::Jacobi, |s| s.jacobi = JacobiMode::Sum),
    ("Jacobi, averages", Method::Jacobi, |_| ()),
    ("Jacobi, ω = 1.5", Method::Jacobi, |s| s.omega = 1.5),
    ("Jacobi, ω = 1.9", Method::Jacobi, |s| s.omega = 1.9),
    ("Jacobi, Chebyshev", Method::Jacobi, |s| s.jacobi = JacobiMode::Chebyshev),
    ("hybrid, 4 colors", Method::Hybrid, |s| s.colors = 4),
    ("colored (lanes)", Method::Lanes, |_| ()),
    ("authored order (scalar)", Method::Scalar, |_| ()),
];

fn rows_per_particle() -> Outcome {
    let mut report = Report::default();
    let title =
        "Averaging: iterations grow with the rows of a particle; colored they do not (S1-38)";
    let mut figure = Figure::new("", title, ["rows below the hub N", "iterations"], [true, true])
        .under("limits-averaging:N, first step, until no row is off by 0.1 mm, counted one by one; the rows' bobs are light, so that sums converge too");
    for (name, method, with) in WAYS {
        let mut found = Vec::new();
        for n in [2, 4, 8, 16, 32, 64, 128, 256] {
            found.extend(count(hub(n)?, method, with)?.map(|i| (f64::from(n), f64::from(i))));
        }
        let growth = if found.len() > 2 { slope(&found) } else { f64::NAN };
        let last = found.last().map_or(f64::INFINITY, |p| p.1);
        match name {
            "Jacobi, averages" => {
                report.claim(
                    (0.7..1.3).contains(&growth),
                    format!("{name}: iterations grow as N^{growth:.2}, to {last}"),
                );
            }
            "colored (lanes)" | "authored order (scalar)" => {
                report.claim(
                    growth.abs() < 0.1 && last < 10.0,
                    format!("{name}: iterations do not grow: N^{growth:.2}, {last} at 256"),
                );
            }
            _ => report.note(format!("{name}: N^{growth:.2}, {last} at 256")),
        }
        figure.line(name, found);
    }
    report.figures.push(figure);
    Ok(report)
}
