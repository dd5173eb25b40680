//! Stiffness of PBD: what k and k' leave of an error, and what they do with the time step (S1-17, S1-18, E5).

use super::prelude::*;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "stiffness", ids: &["S1-17", "S1-18"], run: stiffness,
        about: "stiffness k against the error left after n iterations, by k itself and by k'" },
    Experiment { name: "stiffness-time-step", ids: &["S1-18"], run: time_step,
        about: "how far a weight hangs from a row of stiffness k' as the time step shrinks (E5)" },
];

const ITERATIONS: [u32; 5] = [1, 2, 4, 8, 16];

/// What is left of an error of one metre after a step of `n` iterations (m).
fn left(k: f64, n: u32, plain: bool) -> Result<f64, ModelError> {
    let mut model = Model::new();
    let settings = &mut model.settings;
    (settings.gravity, settings.iterations, settings.plain_stiffness) = ([0.0; 3], n, plain);
    model.add_particle([0.0; 3], [0.0; 3], 1.0)?;
    model.add_particle([2.0, 0.0, 0.0], [0.0; 3], 1.0)?;
    model.add(Distance, [0, 1], [Some(1.0)], Stiffness::Factor(k))?;
    let x = after(model, Method::Lanes, 1)?.positions();
    Ok((point(x[1]) - point(x[0])).length() - 1.0)
}

fn stiffness() -> Outcome {
    let mut report = Report::default();
    let axes = ["stiffness k", "error left of 1 m [m]"];
    for (plain, name, title) in [
        (true, "k", "Plain k: the error left is (1 - k)^n (S1-17)"),
        (false, "corrected", "k' = 1 - (1 - k)^(1/n): the error left is 1 - k (S1-18)"),
    ] {
        let settings = "one distance row, one step of n iterations; dots: lanes, line: the formula";
        let mut figure = Figure::new(name, title, axes, [false; 2]).under(settings);
        let mut off = 0.0_f64;
        for n in ITERATIONS {
            let formula = |k: f64| (1.0 - k).powi(if plain { n as i32 } else { 1 });
            let mut found = Vec::new();
            for k in (0..=20).map(|i| f64::from(i) / 20.0) {
                let left = left(k, n, plain)?;
                off = off.max((left - formula(k)).abs());
                found.push((k, left));
            }
            figure.dots(format!("n = {n}"), found);
            let fine = (0..=100).map(|i| f64::from(i) / 100.0);
            figure.expected(fine.map(|k| (k, formula(k))).collect());
        }
        report.claim(off < 1e-5, format!("{title}; off by {off:.1e} m at most (1e-5)"));
        report.figures.push(figure);
    }
    Ok(report)
}

/// How much too long a row is from which 1 kg has come to rest (m).
fn sag(stiffness: Stiffness, dt: f64) -> Result<f64, ModelError> {
    let mut model = chain(1, 1.0, [0.0, -1.0, 0.0], stiffness)?;
    (model.settings.dt, model.settings.damping) = (dt, 10.0);
    let x = after(model, Method::Scalar, (3.0 / dt) as usize)?.positions();
    Ok(point(x[1]).length() - 1.0)
}

/// At rest a step's fall g dt² and what k leaves are one: s = (1 - k) (s + g dt²), whatever n.
fn time_step() -> Outcome {
    let mut report = Report::default();
    let mut figure = Figure::new(
        "",
        "A weight of 1 kg at rest: k' depends on the time step, compliance does not (E5)",
        ["time step [s]", "too long by [m]"],
        [true; 2],
    )
    .under("one distance row, 10 iterations; dots: scalar; line: (1 - k) g dt² / k, and m g α");
    let steps = [30.0, 60.0, 120.0, 240.0, 480.0].map(|rate: f64| 1.0 / rate);
    let (k, alpha) = (0.1, 1e-3);
    let cases: [(_, _, &dyn Fn(f64) -> f64); 2] = [
        ("PBD, k = 0.1", Stiffness::Factor(k), &|dt| (1.0 - k) * 9.81 * dt * dt / k),
        ("XPBD, α = 1e-3 m/N", Stiffness::Compliance(alpha), &|_| 9.81 * alpha),
    ];
    for (name, stiffness, formula) in cases {
        let mut found = Vec::new();
        for dt in steps {
            found.push((dt, sag(stiffness, dt)?));
        }
        let off = largest(found.iter().map(|(dt, sag)| sag / formula(*dt) - 1.0));
        let order = slope(&found);
        let what = format!(
            "{name}: as the formula says, within {off:.1e} (1e-2); of order {order:.2} in dt"
        );
        report.claim(off < 1e-2, what);
        figure.dots(name, found);
        figure.expected(steps.map(|dt| (dt, formula(dt))).to_vec());
    }
    report.figures.push(figure);
    Ok(report)
}
