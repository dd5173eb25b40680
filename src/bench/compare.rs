//! Methods side by side on one scene: the state that each reaches frame by frame, and how fast its residual falls.

use crate::io::{Opened, Run, RunError};
use crate::mesh::{enclosed_volume, survey_surface};
use crate::observe::Observation;
use crate::settings::Rigid;
use crate::solvers::Method;
use crate::state::Snapshot;
use std::time::Instant;

/// A method with settings of its own.
pub struct Variant {
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

    /// The method, and its settings.
    pub fn name(&self) -> String {
        let mut name = self.method.name().to_owned();
        for (key, value) in &self.settings {
            name += &match *key == self.method.name() {
                true => format!(" {value}"),
                false => format!(" {key}={value}"),
            };
        }
        name
    }

    /// Opens the scene by this variant, on one thread.
    fn open(&self, scene: &Run) -> Result<Opened, RunError> {
        let overrides = self.settings.iter().map(|(k, v)| (*k, v.as_str()));
        let threads = self.method.threaded().then_some(1);
        let run = scene.with(self.method, threads);
        run.open(&overrides.collect::<Vec<_>>())
    }
}

/// The variants compared frame by frame: every method of `methods` with the scene's settings; by the fastest of them PBD against XPBD,
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
pub struct Frame {
    /// Simulated time (s).
    pub time: f64,
    /// The time that the step took (ms).
    pub milliseconds: f64,
    /// The state after it.
    pub seen: Observation,
    /// The volume that the model's surface encloses, where it is closed (m³).
    pub volume: Option<f64>,
}

/// The frames of the variant of that name, from the first step's end.
pub struct Film {
    pub name: String,
    pub frames: Vec<Frame>,
}

/// Runs a scene by a variant for `frames` frames, on one thread.
///
/// # Errors
/// A run that cannot begin, among them one that the method refuses.
pub fn film(scene: &Run, variant: &Variant, frames: usize) -> Result<Film, RunError> {
    let mut simulation = variant.open(scene)?.simulation;
    let triangles = simulation.model().triangles().to_vec();
    let closed = !triangles.is_empty() && survey_surface(&triangles).unbalanced == 0;
    let frame = |_| {
        let started = Instant::now();
        simulation.step();
        Frame {
            milliseconds: started.elapsed().as_secs_f64() * 1e3,
            time: simulation.time(),
            seen: simulation.observe(),
            volume: closed.then(|| enclosed_volume(&simulation.positions(), &triangles)),
        }
    };
    Ok(Film {
        name: variant.name(),
        frames: (0..frames).map(frame).collect(),
    })
}

/// A variant's residual after some iterations of one step.
pub struct Point {
    pub iterations: u32,
    /// The best time of the step (ms).
    pub milliseconds: f64,
    /// Root mean square of |C + α/h² λ| / |∇C| (m).
    pub residual: f64,
    /// The largest of them (m).
    pub residual_max: f64,
}

/// How fast the residual of the variant of that name falls.
pub struct Convergence {
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
    let start = under_way(scene, settings.substeps)?;
    let mut points = Vec::new();
    for iterations in ITERATIONS {
        let mut settings = settings.clone();
        settings.iterations = iterations;
        let failed = |error| RunError::Model {
            run: variant.name(),
            error,
        };
        let rebuilt = simulation.rebuild(settings, method, threads);
        rebuilt.map_err(failed)?;
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
fn under_way(scene: &Run, substeps: u32) -> Result<Snapshot, RunError> {
    let lanes = Variant::new(Method::Lanes, [("substeps", &substeps.to_string())]);
    let mut simulation = lanes.open(scene)?.simulation;
    (0..UNDER_WAY).for_each(|_| simulation.step());
    Ok(simulation.snapshot())
}
