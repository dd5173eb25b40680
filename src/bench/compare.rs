//! Methods side by side on one scene: what each makes of it frame by frame, and how fast its residual falls.

use crate::io::{Opened, Run, RunError};
use crate::model::Model;
use crate::observe::Observation;
use crate::settings::Rigid;
use crate::simulation::Simulation;
use crate::solvers::Method;
use crate::state::Snapshot;
use std::collections::HashMap;
use std::time::Instant;

/// A method with settings of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The method.
    pub method: Method,
    /// Settings that replace the scene's, as `--set` takes them.
    pub settings: Vec<(&'static str, String)>,
}

impl Variant {
    fn new<const N: usize>(method: Method, settings: [(&'static str, &str); N]) -> Self {
        Self {
            method,
            settings: settings.map(|(key, value)| (key, value.into())).into(),
        }
    }

    /// What tells it apart: the method, and its settings.
    pub fn name(&self) -> String {
        let settings = self.settings.iter();
        let method = self.method.name();
        let settings = settings.map(|(key, value)| match *key == method {
            true => format!(" {value}"),
            false => format!(" {key}={value}"),
        });
        format!("{method}{}", settings.collect::<String>())
    }

    /// Opens the scene by this variant, on one thread.
    fn open(&self, scene: &Run) -> Result<Opened, RunError> {
        let overrides: Vec<_> = self
            .settings
            .iter()
            .map(|(k, v)| (*k, v.as_str()))
            .collect();
        let threads = self.method.threaded().then_some(1);
        scene.with(self.method, threads).open(&overrides)
    }
}

/// What is compared frame by frame: every method of `methods` as the scene has it; by the fastest of them PBD against XPBD,
/// and the scene's projections all spent on substeps; of a scene with bodies both ways to their velocities instead of PBD and
/// XPBD, by more and fewer substeps.
pub fn variants(scene: &Run, methods: &[Method]) -> Result<Vec<Variant>, RunError> {
    let mut variants: Vec<Variant> = methods.iter().map(|&m| Variant::new(m, [])).collect();
    if methods.contains(&Method::Lanes) {
        let model = scene.load(&[])?.model;
        let settings = &model.settings;
        let projections = settings.substeps.saturating_mul(settings.iterations.max(1));
        let rigid = !model.bodies().is_empty();
        for response in ["pbd", "xpbd"].into_iter().filter(|_| !rigid) {
            variants.push(Variant::new(Method::Lanes, [("response", response)]));
        }
        let all = projections.to_string();
        let substeps = [("substeps", all.as_str()), ("iterations", "1")];
        variants.push(Variant::new(Method::Lanes, substeps));
        for velocity in Rigid::ALL.into_iter().filter(|_| rigid) {
            // The same projections as substeps, as four iterations of a quarter as many, and all in one.
            for iterations in [1, 4.min(projections), projections] {
                let substeps = (projections / iterations).to_string();
                let settings = [
                    ("rigid", velocity.name()),
                    ("substeps", &substeps),
                    ("iterations", &iterations.to_string()),
                ];
                variants.push(Variant::new(Method::Lanes, settings));
            }
        }
    }
    Ok(variants)
}

/// One frame of a variant.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Simulated time (s).
    pub time: f64,
    /// What the step took (ms).
    pub milliseconds: f64,
    /// The state behind it.
    pub seen: Observation,
    /// The volume that the model's surface encloses, where it is closed (m³).
    pub volume: Option<f64>,
}

/// A variant's frames.
#[derive(Clone, Debug)]
pub struct Film {
    /// The variant's name.
    pub name: String,
    /// Frame by frame, from the first step's end.
    pub frames: Vec<Frame>,
}

/// Runs a scene by a variant for `frames` frames, on one thread.
///
/// # Errors
/// A run that cannot begin, among them one that the method refuses.
pub fn film(scene: &Run, variant: &Variant, frames: usize) -> Result<Film, RunError> {
    let mut simulation = variant.open(scene)?.simulation;
    let closed = is_closed(simulation.model());
    let mut frame = || {
        let started = Instant::now();
        simulation.step();
        let milliseconds = started.elapsed().as_secs_f64() * 1e3;
        let volume = closed.then(|| volume(simulation.model(), &simulation.snapshot()));
        Frame {
            time: simulation.time(),
            milliseconds,
            seen: simulation.observe(),
            volume,
        }
    };
    Ok(Film {
        name: variant.name(),
        frames: (0..frames).map(|_| frame()).collect(),
    })
}

/// Whether every edge of the model's triangles is walked once each way.
fn is_closed(model: &Model) -> bool {
    let mut walks: HashMap<(u32, u32), i32> = HashMap::new();
    for &[a, b, c] in model.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *walks.entry((from.min(to), from.max(to))).or_default() +=
                if from < to { 1 } else { -1 };
        }
    }
    !walks.is_empty() && walks.values().all(|&sum| sum == 0)
}

/// Σ a · (b x c) / 6 over the triangles (m³).
fn volume(model: &Model, state: &Snapshot) -> f64 {
    let point = |i: u32| state.positions[i as usize].map(f64::from);
    let each = model.triangles().iter().map(|t| {
        let [a, b, c] = t.map(point);
        let cross = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
        (a[0] * cross(1, 2) + a[1] * cross(2, 0) + a[2] * cross(0, 1)) / 6.0
    });
    each.sum()
}

/// A variant's residual after some iterations of one step.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Iterations.
    pub iterations: u32,
    /// What the step took at best (ms).
    pub milliseconds: f64,
    /// Root mean square of |C + α/h² λ| / |∇C| (m).
    pub residual: f64,
    /// The largest of them (m).
    pub residual_max: f64,
}

/// How fast a variant's residual falls.
#[derive(Clone, Debug)]
pub struct Convergence {
    /// The variant's name.
    pub name: String,
    /// From few iterations to many.
    pub points: Vec<Point>,
}

impl Convergence {
    /// The first point at which the residual was at most `residual` (m).
    pub fn time_to(&self, residual: f64) -> Option<&Point> {
        self.points.iter().find(|point| point.residual <= residual)
    }

    /// The variants whose convergence is compared: authored order, colored order, Jacobi in its ways, hybrid coloring.
    pub fn variants() -> Vec<Variant> {
        use Method::{Hybrid, Impulse, Jacobi, Lanes, Ordered, Scalar};
        vec![
            Variant::new(Scalar, []),
            Variant::new(Ordered, []),
            Variant::new(Lanes, []),
            Variant::new(Jacobi, [("jacobi", "sum")]),
            Variant::new(Jacobi, []),
            Variant::new(Jacobi, [("omega", "1.5")]),
            Variant::new(Jacobi, [("omega", "1.9")]),
            Variant::new(Jacobi, [("jacobi", "chebyshev")]),
            Variant::new(Hybrid, [("colors", "2")]),
            Variant::new(Hybrid, [("colors", "4")]),
            Variant::new(Hybrid, [("colors", "8")]),
            Variant::new(Impulse, []),
        ]
    }
}

/// Frames by `lanes` after which convergence is looked at: the scene is on its way by then.
const UNDER_WAY: usize = 10;
/// Iterations of the step looked at.
const ITERATIONS: [u32; 13] = [1, 2, 3, 5, 8, 13, 20, 32, 50, 80, 130, 200, 320];
/// A step of more than this is not repeated, nor followed by one of more iterations (ms).
const LONG: f64 = 400.0;

/// The residual of one step of the scene against its iterations, and against its time on one thread.
///
/// # Errors
/// A run that cannot begin, among them one that the method refuses.
pub fn converge(scene: &Run, variant: &Variant) -> Result<Convergence, RunError> {
    let opened = variant.open(scene)?;
    let (method, threads) = (opened.simulation.method(), opened.simulation.threads());
    let mut simulation = opened.simulation;
    let settings = simulation.model().settings.clone();
    let start = under_way(scene, &settings.substeps)?;
    let mut points = Vec::new();
    for iterations in ITERATIONS {
        let mut settings = settings.clone();
        settings.iterations = iterations;
        let failed = |error| RunError::Model {
            run: variant.name(),
            error,
        };
        simulation
            .rebuild(settings, method, threads)
            .map_err(failed)?;
        let mut best = f64::MAX;
        for _ in 0..5 {
            simulation.restore(&start);
            let started = Instant::now();
            simulation.step();
            best = best.min(started.elapsed().as_secs_f64() * 1e3);
            if best > LONG / 10.0 {
                break;
            }
        }
        let seen = simulation.observe();
        points.push(Point {
            iterations,
            milliseconds: best,
            residual: seen.residual,
            residual_max: seen.residual_max,
        });
        if best > LONG {
            break;
        }
    }
    Ok(Convergence {
        name: variant.name(),
        points,
    })
}

/// The state that convergence starts from: the same for every variant.
fn under_way(scene: &Run, substeps: &u32) -> Result<Snapshot, RunError> {
    let lanes = Variant::new(Method::Lanes, [("substeps", &substeps.to_string())]);
    let mut simulation: Simulation = lanes.open(scene)?.simulation;
    (0..UNDER_WAY).for_each(|_| simulation.step());
    Ok(simulation.snapshot())
}
