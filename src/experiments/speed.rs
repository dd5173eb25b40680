//! Speed: lanes against the scalar loop at equal residual (S1-39), the balance of colors (S1-29), the mobile (S4-04).

use super::prelude::*;
use crate::bench::{Convergence, Variant, converge, inspect, simulate};
use crate::runs::{Run, RunError};
use crate::scenes::Scene;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "equal-residual", ids: &["S1-39"], run: equal_residual,
        about: "the time that scalar and lanes take to the same residual" },
    Experiment { name: "color-balance", ids: &["S1-28", "S1-29"], run: color_balance,
        about: "largest color over mean, for each way to color" },
    Experiment { name: "mobile", ids: &["S4-04"], run: mobile,
        about: "a mobile of 127 joints, smaller and larger ones: time of a step" },
];

/// The time to a residual between the points of a curve, in logarithms (ms).
fn time_to(curve: &Convergence, residual: f64) -> Option<f64> {
    let at = curve.points.iter().position(|p| p.residual <= residual)?;
    let after = &curve.points[at];
    let Some(before) = at.checked_sub(1).map(|i| &curve.points[i]) else {
        return Some(after.milliseconds);
    };
    let share = (residual / before.residual).ln() / (after.residual / before.residual).ln();
    Some(before.milliseconds * (after.milliseconds / before.milliseconds).powf(share))
}

fn equal_residual() -> Outcome {
    let mut report = Report::default();
    let ways = [Method::Scalar, Method::Lanes, Method::Ordered];
    let mut gains = Figure::new(
        "speedup",
        "Scalar's time over that of eight lanes, to the same residual (S1-39)",
        ["iterations of scalar", "speedup at equal residual"],
        [true; 2],
    )
    .under("one step after ten; one thread; lanes: colored order; ordered: the rows' own order, the bits of scalar");
    for (file, name) in
        [("cloth", "cloth:64"), ("sphere", "sphere:5"), ("solid", "kind-neo_hookean:8")]
    {
        let run: Run = name.parse()?;
        let title = format!("{name}: residual of one step against its time");
        let mut figure = Figure::new(file, title, ["step [ms]", "residual [m]"], [true; 2]).under(
            "1 to 320 iterations of one step, ten steps from the start; one thread; best of five",
        );
        let mut curves = Vec::new();
        for method in ways {
            let curve = converge(&run, &Variant::new(method, ""))?;
            let points = curve.points.iter().map(|p| (p.milliseconds, p.residual));
            figure.line(method.name(), points.collect());
            curves.push(curve);
        }
        report.figures.push(figure);
        let goals: Vec<_> =
            curves[0].points.iter().map(|p| (f64::from(p.iterations), p.residual)).collect();
        let mut slowest = f64::MAX;
        for (k, method) in ways.iter().enumerate().skip(1) {
            let gain = |(iterations, residual): &(f64, f64)| {
                let scalar = time_to(&curves[0], *residual)?;
                Some((*iterations, scalar / time_to(&curves[k], *residual)?))
            };
            let found: Vec<_> = goals.iter().filter_map(gain).collect();
            let least = found.iter().map(|p| p.1).fold(f64::MAX, f64::min);
            let most = found.iter().map(|p| p.1).fold(0.0, f64::max);
            let reached = format!("{} of {} residuals", found.len(), goals.len());
            report.note(format!(
                "{name}: {} reaches {reached}, {least:.2} to {most:.2} times as fast",
                method.name()
            ));
            if *method == Method::Ordered {
                slowest = least;
            }
            gains.line(format!("{name}, {}", method.name()), found);
        }
        report.claim(slowest > 1.0, format!("{name}: eight lanes in the rows' own order are ahead at every residual: {slowest:.2} times at least"));
    }
    report.figures.push(gains);
    Ok(report)
}

fn color_balance() -> Outcome {
    let mut report = Report::default();
    let title = "Largest color over mean, by the way to color (S1-29)";
    let axes =
        ["1 structured, 2 first fit, 3 largest first, 4 DSATUR, 5 balanced", "largest over mean"];
    let mut figure = Figure::new("", title, axes, [false; 2])
        .under("rows of the first kind of each scene; 1 is perfect balance");
    let policies = ["structured", "first fit", "largest first", "DSATUR", "balanced"];
    for name in ["sphere:5", "bunny:16", "cloth:64", "kind-neo_hookean:8"] {
        let (scene, size) = name.split_once(':').expect("a name with a size");
        let inspection = inspect(&Scene::find(scene)?.model(size.parse().ok())?)?;
        let Some(kind) = inspection.kinds.first() else {
            continue;
        };
        let place = |policy: &str| {
            policies.iter().position(|p| *p == policy).map_or(f64::NAN, |i| i as f64 + 1.0)
        };
        let trials = kind.colorings.iter();
        figure.dots(name, trials.clone().map(|t| (place(t.policy), t.balance)).collect());
        for trial in trials {
            if trial.policy == "balanced" {
                let what = format!(
                    "{name}: balanced colors are even: {:.3} (1.1), {} colors, {} at least",
                    trial.balance, trial.colors, kind.clique_bound
                );
                report.claim(trial.balance <= 1.1, what);
            }
            if trial.taken.is_some() {
                let (colors, near) = (trial.colors, trial.near);
                report.note(format!("{name}: used is {}, {:.2} over mean, {colors} colors, {:.0} % of rows near the one before", trial.policy, trial.balance, 100.0 * near));
            }
        }
    }
    report.figures.push(figure);
    for name in ["sphere:5", "bunny:16"] {
        let run: Run = name.parse()?;
        let best = |settings| -> Result<f64, RunError> {
            let frames = simulate(&run, &Variant::new(Method::Lanes, settings), 60)?.frames;
            Ok(frames.iter().map(|f| f.milliseconds).fold(f64::MAX, f64::min))
        };
        let [usual, even] = [best("")?, best("balanced_colors=true")?];
        report.note(format!("{name}: a step of lanes takes {usual:.3} ms, with balanced colors {even:.3} ms (best of 60, one thread)"));
    }
    Ok(report)
}

fn mobile() -> Outcome {
    let mut report = Report::default();
    let title = "Mobiles of 2^n - 1 bars and ball joints: time of a step (S4-04)";
    let mut figure = Figure::new("", title, ["joints", "step [ms]"], [true; 2])
        .under("mobile:2 to mobile:10, 16 substeps x 1 iteration, best of 120 steps, one thread; the paper's machine is not known: no ratio is claimed");
    for method in [Method::Scalar, Method::Lanes] {
        let mut found = Vec::new();
        for levels in 2..=10 {
            let run: Run = format!("mobile:{levels}").parse()?;
            let joints = run.load(&[])?.model.joints().count();
            let frames = simulate(&run, &Variant::new(method, ""), 120)?.frames;
            let best = frames.iter().map(|f| f.milliseconds).fold(f64::MAX, f64::min);
            found.push((joints as f64, best));
            if levels == 7 {
                let gap = largest(frames.iter().map(|f| f.seen.residual_max));
                let name = method.name();
                report.claim(joints == 127, format!("{name}: mobile:7 has {joints} joints (127)"));
                report.claim(
                    gap < 1e-3,
                    format!("{name}: its joints are open by {gap:.0e} m at most (1e-3)"),
                );
                report.note(format!("{name}: mobile:7 takes {best:.3} ms a step"));
            }
        }
        figure.line(method.name(), found);
    }
    figure.dots("Deul et al. 2014, their machine", vec![(127.0, 0.83)]);
    report.figures.push(figure);
    Ok(report)
}
