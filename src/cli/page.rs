//! The output of `taut compare`: tables and pictures in a folder, and the page that shows them together.

use super::html::Html;
use super::output::{Failure, input};
use crate::bench::{Column, Convergence, Curve, Frame, History, Mark, Plot, Sample, layout, rows};
use crate::files::OutputFile;
use crate::math::length;
use std::fmt::Write;
use std::path::Path;

type Value = fn(&Frame) -> f64;

/// Columns of the frames' table: name, unit, value. The volume is the last: most scenes have none.
#[rustfmt::skip]
const COLUMNS: [(&str, &str, Value); 12] = [
    ("time", "s", |f| f.time),
    ("step", "ms", |f| f.milliseconds),
    ("residual", "m", |f| f.seen.residual),
    ("residual_max", "m", |f| f.seen.residual_max),
    ("energy", "J", |f| f.seen.energy),
    ("momentum_x", "kg m/s", |f| f.seen.momentum[0]),
    ("momentum_y", "kg m/s", |f| f.seen.momentum[1]),
    ("momentum_z", "kg m/s", |f| f.seen.momentum[2]),
    ("angular_momentum_x", "kg m2/s", |f| f.seen.angular_momentum[0]),
    ("angular_momentum_y", "kg m2/s", |f| f.seen.angular_momentum[1]),
    ("angular_momentum_z", "kg m2/s", |f| f.seen.angular_momentum[2]),
    ("volume", "m3", |f| f.volume.unwrap_or(f64::NAN)),
];

/// Pictures over time: file, title, axis, whether it is logarithmic, value. The volume is the last here too.
#[rustfmt::skip]
const PLOTS: [(&str, &str, &str, bool, Value); 6] = [
    ("residual.svg", "Residual, root mean square", "residual [m]", true, |f| f.seen.residual),
    ("energy.svg", "Energy: kinetic, potential, elastic", "energy [J]", false, |f| f.seen.energy),
    ("momentum.svg", "Linear momentum, magnitude", "momentum [kg m/s]", false, |f| length(&f.seen.momentum)),
    ("angular_momentum.svg", "Angular momentum about the origin, magnitude", "angular momentum [kg m²/s]", false,
        |f| length(&f.seen.angular_momentum)),
    ("time.svg", "Time of a step, one thread", "step [ms]", true, |f| f.milliseconds),
    ("volume.svg", "Volume enclosed", "volume [m³]", false, |f| f.volume.unwrap_or(f64::NAN)),
];

type SampleValue = fn(&Sample) -> f64;

/// Pictures of one step: file, title, axis, value.
#[rustfmt::skip]
const CONVERGENCE_PLOTS: [(&str, &str, &str, SampleValue); 2] = [
    ("iterations.svg", "Residual against iterations", "iterations", |p| f64::from(p.iterations)),
    ("milliseconds.svg", "Residual against time, one thread", "step [ms]", |p| p.milliseconds),
];

/// Curves that differ by more than this are drawn in decades.
const FAR: f64 = 1e3;

/// The largest value to show where a method runs away, in decades; nothing where none does, or where values have signs.
fn most_of_decades(curves: &[Curve]) -> Option<f64> {
    let sizes = curves.iter().map(|curve| {
        let values = curve.points.iter().map(|(_, y)| *y).filter(|y| y.is_finite());
        values.fold((0.0_f64, 0.0_f64), |(least, most), y| (least.min(y), most.max(y)))
    });
    let (least, mut sizes): (Vec<f64>, Vec<f64>) = sizes.unzip();
    sizes.sort_by(f64::total_cmp);
    let (median, most) = (*sizes.get(sizes.len() / 2)?, *sizes.last()?);
    let runs_away = median > 0.0 && most > FAR * median;
    (runs_away && least.iter().all(|y| *y == 0.0)).then_some(FAR * FAR * median)
}

/// To the nine digits that a table has use for.
fn rounded(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

/// Iterations of the reference after which its residual is a goal for all.
const GOALS: [u32; 3] = [8, 50, 320];

pub struct Page<'a> {
    folder: &'a Path,
    html: Html,
    tables: Vec<String>,
}

impl<'a> Page<'a> {
    pub fn new(folder: &'a Path, title: String) -> Self {
        let mut html = Html::new(title);
        html.links(
            "Tables: ",
            &["frames.csv", "convergence.csv"],
            ". Curves of runs with the same bits coincide.",
        );
        Self { folder, html, tables: Vec::new() }
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        OutputFile::write(self.folder.join(name), text.as_bytes()).map_err(input)
    }

    /// Adds a picture, unless nothing is to be seen in it.
    fn plot(&mut self, name: &str, plot: &Plot) -> Result<(), Failure> {
        if plot.is_empty() {
            return Ok(());
        }
        plot.write(&self.folder.join(name)).map_err(input)?;
        self.html.plot(plot).map_err(input)?;
        self.html.links("", &[name], "");
        Ok(())
    }

    fn table<T>(&mut self, items: &[T], columns: &[Column<T>]) {
        let rows = rows(items, columns);
        self.html.table(&rows);
        self.tables.push(layout(&rows));
    }

    pub fn frames(&mut self, runs: &[History]) -> Result<(), Failure> {
        let mut frames = runs.iter().flat_map(|run| &run.frames);
        let without = usize::from(!frames.any(|frame| frame.volume.is_some()));
        let columns = &COLUMNS[..COLUMNS.len() - without];
        let mut csv = String::from("run,frame");
        for (name, unit, _) in columns {
            let _ = write!(csv, ",{name} [{unit}]");
        }
        csv.push('\n');
        for run in runs {
            for (i, frame) in run.frames.iter().enumerate() {
                let _ = write!(csv, "{},{}", run.name, i + 1);
                for (.., value) in columns {
                    let _ = write!(csv, ",{:e}", rounded(value(frame)));
                }
                csv.push('\n');
            }
        }
        self.write("frames.csv", &csv)?;
        self.html.heading("Frame by frame");
        for (name, title, axis, logarithmic, value) in &PLOTS[..PLOTS.len() - without] {
            let curve = |run: &History| Curve {
                name: run.name.clone(),
                points: run.frames.iter().map(|f| (f.time, value(f))).collect(),
                mark: Mark::Line,
            };
            let curves: Vec<Curve> = runs.iter().map(curve).collect();
            let most = if *logarithmic { None } else { most_of_decades(&curves) };
            let (axes, decades) = (["simulated time [s]", axis], *logarithmic || most.is_some());
            let plot = Plot { most, ..Plot::new(title, axes, [false, decades], &curves) };
            self.plot(name, &plot)?;
        }
        Ok(())
    }

    /// The gaps of joints and the energy at the end, of a scene with bodies.
    pub fn bodies(&mut self, runs: &[History]) {
        let all = |run: &History, value: Value| run.frames.iter().map(value).collect::<Vec<_>>();
        let best = |run: &History| all(run, |f| f.milliseconds).into_iter().reduce(f64::min);
        let gap = |run: &History| all(run, |f| f.seen.residual_max).into_iter().reduce(f64::max);
        let end = |run: &History, value: Value| run.frames.last().map_or(f64::NAN, value);
        let momentum = |run: &History| end(run, |f| length(&f.seen.angular_momentum));
        self.html.heading("Bodies");
        self.table(
            runs,
            &[
                ("run", &|run| run.name.clone()),
                ("best ms", &|run| format!("{:.3}", best(run).unwrap_or(f64::NAN))),
                ("largest gap", &|run| format!("{:.1e}", gap(run).unwrap_or(0.0))),
                ("energy at the end [J]", &|run| format!("{:.3}", end(run, |f| f.seen.energy))),
                ("|L| [kg m²/s]", &|run| format!("{:.4}", momentum(run))),
            ],
        );
    }

    pub fn convergence(&mut self, all: &[Convergence]) -> Result<(), Failure> {
        let mut csv = String::from("run,iterations,step [ms],residual [m],residual_max [m]\n");
        for one in all {
            for p in &one.points {
                let [ms, rms, max] = [p.milliseconds, p.residual, p.residual_max].map(rounded);
                let _ = writeln!(csv, "{},{},{ms:e},{rms:e},{max:e}", one.name, p.iterations);
            }
        }
        self.write("convergence.csv", &csv)?;
        // Scenes of bodies alone leave nothing that iterations could solve better.
        if !all.iter().flat_map(|one| &one.points).any(|p| p.residual > 0.0) {
            return Ok(());
        }
        self.html.heading("One step, more and more iterations");
        for (name, title, axis, x) in CONVERGENCE_PLOTS {
            let curve = |one: &Convergence| Curve {
                name: one.name.clone(),
                points: one.points.iter().map(|p| (x(p), p.residual)).collect(),
                mark: Mark::Line,
            };
            let curves: Vec<Curve> = all.iter().map(curve).collect();
            let (axes, logarithmic) = ([axis, "residual [m]"], [true; 2]);
            self.plot(name, &Plot::new(title, axes, logarithmic, &curves))?;
        }
        // The reference is `lanes`, where it is among them.
        let reference = all.iter().find(|one| one.name == "lanes").or(all.first());
        if let Some(reference) = reference {
            self.html.heading("Time to a residual");
            self.time_to_goals(all, reference);
        }
        Ok(())
    }

    /// The tables, as they are printed.
    pub fn summary(&self) -> String {
        self.tables.join("\n\n")
    }

    pub fn finish(&self) -> Result<(), Failure> {
        self.write("index.html", &self.html.finish())
    }

    /// The time that each takes to reach the residuals of `reference` after [`GOALS`].
    fn time_to_goals(&mut self, all: &[Convergence], reference: &Convergence) {
        let left = GOALS.map(|iterations| {
            let points = reference.points.iter();
            let before = points.take_while(|p| p.iterations <= iterations).last();
            before.map_or(0.0, |p| p.residual)
        });
        let goal = |i: usize| format!("to {:.2e} m ({} x {})", left[i], reference.name, GOALS[i]);
        let goals = [0, 1, 2].map(goal);
        let cell = |one: &Convergence, i: usize| match one.time_to(left[i]) {
            Some(p) => format!("{:.3} ms, {} iterations", p.milliseconds, p.iterations),
            None => "not reached".into(),
        };
        self.table(
            all,
            &[
                ("method", &|one| one.name.clone()),
                (&goals[0], &|one| cell(one, 0)),
                (&goals[1], &|one| cell(one, 1)),
                (&goals[2], &|one| cell(one, 2)),
                ("last [m]", &|one| {
                    let last = one.points.last().map_or(f64::NAN, |p| p.residual);
                    format!("{last:.1e}")
                }),
            ],
        );
    }
}

#[test]
fn a_table_has_no_digits_of_rounding() {
    assert_eq!(format!("{:e}", rounded(1.427_760_000_000_000_1e-1)), "1.42776e-1");
    assert!(rounded(f64::NAN).is_nan());
    let curve = |y: f64| Curve { name: String::new(), points: vec![(0.0, y)], mark: Mark::Line };
    assert_eq!(most_of_decades(&[1.0, 2.0, 1e9].map(curve)), Some(2e6));
    assert_eq!(most_of_decades(&[1.0, 2.0, 1e3].map(curve)), None);
    assert_eq!(most_of_decades(&[-1.0, 2.0, 1e9].map(curve)), None);
}
