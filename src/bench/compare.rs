//! Methods side by side on one scene: the state that each reaches frame by frame, and how fast its residual falls.

use crate::mesh::{enclosed_volume, survey_surface};
use crate::model::Model;
use crate::observe::Observation;
use crate::runs::{Opened, Run, RunError};
use crate::settings::Rigid;
use crate::solvers::Method;
use crate::state::Snapshot;
use std::time::Instant;

/// A method with settings of its own.
pub struct Variant {
    pub method: Method,
    /// Settings that replace the scene's, as `--set` takes them.
    settings: String,
}

impl Variant {
    /// A method, and settings as `--set` takes them, with blanks between.
    pub fn new(method: Method, settings: impl Into<String>) -> Self {
        let settings = settings.into();
        Self { method, settings }
    }

    /// The method, and its settings.
    pub fn name(&self) -> String {
        let method = self.method.name();
        let name = format!("{method} {}", self.settings);
        name.replace(&format!(" {method}="), " ").trim_end().into()
    }

    /// Opens the scene by this variant, on one thread.
    fn open(&self, scene: &Run) -> Result<Opened, RunError> {
        let settings = self.settings.split_whitespace();
        let overrides: Vec<_> = settings.filter_map(|s| s.split_once('=')).collect();
        let threads = self.method.threaded().then_some(1);
        scene.with(self.method, threads).open(&overrides)
    }
}

/// The variants compared frame by frame: every method of `methods` with the scene's settings. With `lanes` also PBD against XPBD,
/// and all projections of the scene as substeps; of a scene with bodies instead of PBD and XPBD both velocity updates, with more
/// and fewer substeps.
pub fn variants(model: &Model, methods: &[Method]) -> Vec<Variant> {
    let mut variants: Vec<Variant> = methods.iter().map(|&m| Variant::new(m, "")).collect();
    if !methods.contains(&Method::Lanes) {
        return variants;
    }
    let mut add = |settings: String| variants.push(Variant::new(Method::Lanes, settings));
    let settings = &model.settings;
    let projections = settings.substeps.saturating_mul(settings.iterations.max(1));
    let rigid = !model.bodies().is_empty();
    if !rigid {
        add("response=pbd".into());
        add("response=xpbd".into());
    }
    add(format!("substeps={projections} iterations=1"));
    for velocity in Rigid::ALL.into_iter().filter(|_| rigid) {
        // The same projections as substeps, as four iterations of a quarter as many, and all in one.
        for iterations in [1, 4.min(projections), projections] {
            let (velocity, substeps) = (velocity.name(), projections / iterations);
            add(format!("rigid={velocity} substeps={substeps} iterations={iterations}"));
        }
    }
    variants
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
pub struct History {
    pub name: String,
    pub frames: Vec<Frame>,
}

/// Runs a scene by a variant for `frames` frames, on one thread.
///
/// # Errors
/// A run that cannot begin, among them one that the method refuses.
pub fn simulate(scene: &Run, variant: &Variant, frames: usize) -> Result<History, RunError> {
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
    Ok(History { name: variant.name(), frames: (0..frames).map(frame).collect() })
}

/// A variant's residual after some iterations of one step.
pub struct Sample {
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
    pub points: Vec<Sample>,
}

impl Convergence {
    /// The first point at which the residual was at most `residual` (m).
    pub fn time_to(&self, residual: f64) -> Option<&Sample> {
        self.points.iter().find(|point| point.residual <= residual)
    }

    /// The variants whose convergence is compared: authored order, colored order, Jacobi in its ways, hybrid coloring.
    pub fn variants() -> Vec<Variant> {
        use Method::{Hybrid, Impulse, Jacobi, Lanes, Ordered, Scalar};
        let variants = [
            (Scalar, ""),
            (Ordered, ""),
            (Lanes, ""),
            (Jacobi, "jacobi=sum"),
            (Jacobi, ""),
            (Jacobi, "omega=1.5"),
            (Jacobi, "omega=1.9"),
            (Jacobi, "jacobi=chebyshev"),
            (Hybrid, "colors=2"),
            (Hybrid, "colors=4"),
            (Hybrid, "colors=8"),
            (Impulse, ""),
        ];
        variants.map(|(method, settings)| Variant::new(method, settings)).into()
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
        let failed = |error| RunError::Model { run: variant.name(), error };
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
        points.push(Sample {
            iterations,
            milliseconds: best,
            residual: seen.residual,
            residual_max: seen.residual_max,
        });
        if best > LONG {
            break;
        }
    }
    Ok(Convergence { name: variant.name(), points })
}

/// The state that convergence starts from: the same for every variant.
fn under_way(scene: &Run, substeps: u32) -> Result<Snapshot, RunError> {
    let lanes = Variant::new(Method::Lanes, format!("substeps={substeps}"));
    let mut simulation = lanes.open(scene)?.simulation;
    (0..UNDER_WAY).for_each(|_| simulation.step());
    Ok(simulation.snapshot())
}
