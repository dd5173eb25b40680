//! `taut compare`.

use super::{Failure, input, progress_bar};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use taut::Method;
use taut::bench::{self, Convergence, Curve, Film, Frame, Plot, Variant, table};
use taut::io::Run;

#[derive(Args)]
pub struct CompareArgs {
    /// The scene: a name with its size, or a file
    #[arg(value_name = "SCENE")]
    scene: String,
    /// The methods to compare; left out: all that run the scene
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    methods: Vec<String>,
    /// Frames to simulate
    #[arg(long, value_name = "N", default_value_t = 120)]
    frames: usize,
    /// Where the tables and pictures go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let run: Run = args.scene.parse().map_err(input)?;
    let scene = run.scene();
    let mut methods = Vec::new();
    for name in &args.methods {
        methods.push(Method::parse(name).map_err(input)?);
    }
    if methods.is_empty() {
        let model = scene.load(&[]).map_err(input)?.model;
        for method in Method::ALL {
            match method.refuses(&model) {
                None => methods.push(method),
                Some(part) => say!("{scene}: {} cannot run {part}", method.name()),
            }
        }
    }
    std::fs::create_dir_all(&args.out)
        .map_err(|error| input(format!("{}: {error}", args.out.display())))?;
    let variants = bench::variants(&scene, &methods).map_err(input)?;
    let chosen = |v: &Variant| methods.contains(&v.method);
    let converging: Vec<_> = Convergence::variants().into_iter().filter(chosen).collect();
    let all = (variants.len() + converging.len()) as u64;
    let bar = progress_bar(all, "{bar:30} {pos}/{len} {msg}");
    let begin = |variant: &Variant| bar.set_message(variant.name());
    let end = |bar: &indicatif::ProgressBar| bar.inc(1);

    let mut films = Vec::new();
    for variant in &variants {
        begin(variant);
        films.push(bench::film(&scene, variant, args.frames).map_err(input)?);
        end(&bar);
    }
    let mut convergences = Vec::new();
    for variant in &converging {
        begin(variant);
        convergences.push(bench::converge(&scene, variant).map_err(input)?);
        end(&bar);
    }
    bar.finish_and_clear();

    let mut page = Page::new(&args.out, format!("{scene} by every method"));
    page.films(&films)?;
    page.convergence(&convergences)?;
    if !scene.load(&[]).map_err(input)?.model.bodies().is_empty() {
        page.bodies(&films);
    }
    page.finish()?;
    say!("{}", page.table);
    say!("{}", args.out.join("index.html").display());
    Ok(())
}

/// What is written: tables and pictures in a folder, and the page that shows them together.
struct Page<'a> {
    folder: &'a Path,
    title: String,
    html: String,
    /// The summary, as it is printed.
    table: String,
}

/// A column of the frames' table: name, unit, and what it holds.
type Column = (&'static str, &'static str, fn(&Frame) -> f64);

const COLUMNS: [Column; 12] = [
    ("time", "s", |f| f.time),
    ("step", "ms", |f| f.milliseconds),
    ("residual", "m", |f| f.seen.residual),
    ("residual_max", "m", |f| f.seen.residual_max),
    ("energy", "J", |f| f.seen.energy),
    ("momentum_x", "kg m/s", |f| f.seen.momentum[0]),
    ("momentum_y", "kg m/s", |f| f.seen.momentum[1]),
    ("momentum_z", "kg m/s", |f| f.seen.momentum[2]),
    ("angular_momentum_x", "kg m2/s", |f| {
        f.seen.angular_momentum[0]
    }),
    ("angular_momentum_y", "kg m2/s", |f| {
        f.seen.angular_momentum[1]
    }),
    ("angular_momentum_z", "kg m2/s", |f| {
        f.seen.angular_momentum[2]
    }),
    ("volume", "m3", |f| f.volume.unwrap_or(f64::NAN)),
];

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

impl<'a> Page<'a> {
    fn new(folder: &'a Path, title: String) -> Self {
        Self {
            folder,
            title,
            html: String::new(),
            table: String::new(),
        }
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|e| input(format!("{}: {e}", path.display())))
    }

    fn plot(&mut self, name: &str, plot: &Plot) -> Result<(), Failure> {
        plot.write(&self.folder.join(name)).map_err(input)?;
        let title = plot.title;
        let _ = writeln!(self.html, "<img src=\"{name}\" alt=\"{title}\">");
        Ok(())
    }

    fn films(&mut self, films: &[Film]) -> Result<(), Failure> {
        let has_volume = films
            .iter()
            .any(|f| f.frames.iter().any(|f| f.volume.is_some()));
        let columns = &COLUMNS[..COLUMNS.len() - usize::from(!has_volume)];
        let mut csv = String::from("run,frame");
        for (name, unit, _) in columns {
            let _ = write!(csv, ",{name} [{unit}]");
        }
        csv.push('\n');
        for film in films {
            for (i, frame) in film.frames.iter().enumerate() {
                let _ = write!(csv, "{},{}", film.name, i + 1);
                for (.., value) in columns {
                    let _ = write!(csv, ",{:e}", value(frame));
                }
                csv.push('\n');
            }
        }
        self.write("frames.csv", &csv)?;
        type Value = fn(&Frame) -> f64;
        let plots: [(&str, &str, &str, bool, Value); 6] = [
            (
                "residual.svg",
                "Residual, root mean square",
                "residual [m]",
                true,
                |f| f.seen.residual,
            ),
            (
                "energy.svg",
                "Energy: kinetic, potential, elastic",
                "energy [J]",
                false,
                |f| f.seen.energy,
            ),
            (
                "momentum.svg",
                "Linear momentum, magnitude",
                "momentum [kg m/s]",
                false,
                |f| length(f.seen.momentum),
            ),
            (
                "angular_momentum.svg",
                "Angular momentum about the origin, magnitude",
                "angular momentum [kg m²/s]",
                false,
                |f| length(f.seen.angular_momentum),
            ),
            (
                "time.svg",
                "Time of a step, one thread",
                "step [ms]",
                true,
                |f| f.milliseconds,
            ),
            (
                "volume.svg",
                "Volume enclosed",
                "volume [m³]",
                false,
                |f| f.volume.unwrap_or(f64::NAN),
            ),
        ];
        self.html.push_str("<h2>Frame by frame</h2>\n");
        for (name, title, axis, logarithmic, value) in plots {
            if name == "volume.svg" && !has_volume {
                continue;
            }
            let curve = |film: &Film| Curve {
                name: film.name.clone(),
                points: film.frames.iter().map(|f| (f.time, value(f))).collect(),
            };
            let curves: Vec<Curve> = films.iter().map(curve).collect();
            let plot = Plot {
                title,
                axes: ["simulated time [s]", axis],
                logarithmic: [false, logarithmic],
                curves: &curves,
            };
            self.plot(name, &plot)?;
        }
        Ok(())
    }

    /// What each run made of a scene with bodies: how far its joints opened, and what it lost.
    fn bodies(&mut self, films: &[Film]) {
        let rows = films.iter().map(|film| {
            let frames = film.frames.iter();
            let fastest = frames.clone().map(|f| f.milliseconds);
            let gap = frames.map(|f| f.seen.residual_max).fold(0.0, f64::max);
            let end = film.frames.last().map(|f| f.seen.clone());
            let [energy, spin] = end.map_or([f64::NAN; 2], |seen| {
                [seen.energy, length(seen.angular_momentum)]
            });
            vec![
                film.name.clone(),
                format!("{:.3}", fastest.fold(f64::INFINITY, f64::min)),
                format!("{gap:.1e}"),
                format!("{energy:.3}"),
                format!("{spin:.4}"),
            ]
        });
        let header = [
            "run",
            "best ms",
            "largest gap",
            "energy at the end [J]",
            "|L| [kg m²/s]",
        ];
        let text = table(&header, &rows.collect::<Vec<_>>());
        let _ = writeln!(self.html, "<h2>Bodies</h2>\n<pre>{text}</pre>");
        self.table = format!("{}\n\n{text}", self.table);
    }

    fn convergence(&mut self, all: &[Convergence]) -> Result<(), Failure> {
        let mut csv = String::from("run,iterations,step [ms],residual [m],residual_max [m]\n");
        for one in all {
            for p in &one.points {
                let (ms, rms, max) = (p.milliseconds, p.residual, p.residual_max);
                let _ = writeln!(csv, "{},{},{ms:e},{rms:e},{max:e}", one.name, p.iterations);
            }
        }
        self.write("convergence.csv", &csv)?;
        self.html
            .push_str("<h2>One step, more and more iterations</h2>\n");
        let curves = |x: fn(&bench::Point) -> f64| -> Vec<Curve> {
            let curve = |one: &Convergence| Curve {
                name: one.name.clone(),
                points: one.points.iter().map(|p| (x(p), p.residual)).collect(),
            };
            all.iter().map(curve).collect()
        };
        let by_iterations = curves(|p| f64::from(p.iterations));
        let by_time = curves(|p| p.milliseconds);
        for (name, title, axis, curves) in [
            (
                "iterations.svg",
                "Residual against iterations",
                "iterations",
                &by_iterations,
            ),
            (
                "milliseconds.svg",
                "Residual against time, one thread",
                "step [ms]",
                &by_time,
            ),
        ] {
            let plot = Plot {
                title,
                axes: [axis, "residual [m]"],
                logarithmic: [true, true],
                curves,
            };
            self.plot(name, &plot)?;
        }
        // What one method leaves after so many iterations is the goal of all: of `lanes`, where it is among them.
        const GOALS: [u32; 3] = [8, 50, 320];
        let Some(goal) = all.iter().find(|one| one.name == "lanes").or(all.first()) else {
            return Ok(());
        };
        let left = |iterations| {
            let mut points = goal.points.iter().filter(|p| p.iterations <= iterations);
            points.next_back().map_or(0.0, |p| p.residual)
        };
        let cell = |one: &Convergence, iterations| match one.time_to(left(iterations)) {
            Some(p) => format!("{:.3} ms, {} iterations", p.milliseconds, p.iterations),
            None => "not reached".into(),
        };
        let rows = all.iter().map(|one| {
            let last = one.points.last().map_or(f64::NAN, |p| p.residual);
            let mut row = vec![one.name.clone()];
            row.extend(GOALS.map(|iterations| cell(one, iterations)));
            row.push(format!("{last:.1e}"));
            row
        });
        let goals = GOALS.map(|n| format!("to {:.2e} m ({} x {n})", left(n), goal.name));
        let header = ["method", &goals[0], &goals[1], &goals[2], "last [m]"];
        self.table = table(&header, &rows.collect::<Vec<_>>());
        let _ = writeln!(
            self.html,
            "<h2>Time to a residual</h2>\n<pre>{}</pre>",
            self.table
        );
        Ok(())
    }

    fn finish(&self) -> Result<(), Failure> {
        let Self { title, html, .. } = self;
        let page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <style>body {{ font-family: sans-serif; max-width: 1020px; margin: auto }} img {{ width: 100% }}</style>\n\
             <h1>{title}</h1>\n<p>Tables: <a href=\"frames.csv\">frames.csv</a>, \
             <a href=\"convergence.csv\">convergence.csv</a>. Runs that have the same bits lie on each other.</p>\n\
             {html}</html>\n"
        );
        self.write("index.html", &page)
    }
}
