//! One run as a report's row (`docs/scene-format.md`, `--json`).

use super::Bound;
use crate::io::Opened;
use crate::observe::Observation;

/// What is said of every run.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Entry {
    /// The run's name in full.
    pub run: String,
    /// The scene, without size.
    pub scene: String,
    /// The size, where the scene has one.
    pub size: Option<usize>,
    /// The method.
    pub method: &'static str,
    /// Threads used.
    pub threads: usize,
    /// Particles.
    pub particles: usize,
    /// Rows of all kinds.
    pub constraints: usize,
    /// Iterations in a substep.
    pub iterations: u32,
    /// Iterations that the last step's substeps took at most: fewer, where a `tolerance` ended them.
    pub iterations_used: u32,
    /// The velocity loop's iterations in the same sense; of method `impulse` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity_iterations_used: Option<u32>,
    /// The largest error that the last check of a `tolerance` met (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest_error: Option<f64>,
    /// Substeps in a frame.
    pub substeps: u32,
    /// Colors of all kinds together; zero in authored order.
    pub colors: usize,
    /// Best time of a whole step (ms).
    pub ms_per_step: f64,
    /// Median time of a whole step (ms).
    pub ms_per_step_median: f64,
    /// Constraints x iterations x substeps / best time of a whole step.
    pub projections_per_second: f64,
    /// Over `scalar` of the same scene in the same call; absent where there is none.
    pub speedup: Option<f64>,
    /// Root mean square of |C + α/h² λ| / |∇C| (m).
    pub residual: f64,
    /// The largest of them (m).
    pub residual_max: f64,
    /// The state's hash, 16 hex digits.
    pub hash: String,
    /// What bounds the rung, and the share of it reached; of `taut bench` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
}

impl Entry {
    /// Projections in a frame.
    pub fn projections(&self) -> f64 {
        self.constraints as f64 * f64::from(self.iterations) * f64::from(self.substeps)
    }

    /// Takes residual and hash of a state.
    pub fn observe(&mut self, seen: &Observation) {
        self.residual = seen.residual;
        self.residual_max = seen.residual_max;
        self.hash = hex(seen.hash);
    }
}

/// A hash as it is printed.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The entry of a run in its present state, without times.
pub fn entry(opened: &Opened) -> Entry {
    let simulation = &opened.simulation;
    let model = simulation.model();
    let mut entry = Entry {
        run: opened.run.to_string(),
        scene: opened.run.scene_name(),
        size: opened
            .run
            .size
            .or(opened.run.catalogue().map(|scene| scene.size)),
        method: simulation.method().name(),
        threads: simulation.threads(),
        particles: model.positions().len(),
        constraints: model.constraint_count(),
        iterations: model.settings.iterations,
        iterations_used: simulation.effort().iterations,
        velocity_iterations_used: simulation.effort().velocity_iterations,
        largest_error: simulation.effort().error,
        substeps: model.settings.substeps,
        colors: simulation.colors(),
        ms_per_step: 0.0,
        ms_per_step_median: 0.0,
        projections_per_second: 0.0,
        speedup: None,
        residual: 0.0,
        residual_max: 0.0,
        hash: String::new(),
        bound: None,
    };
    entry.observe(&simulation.observe());
    entry
}

/// A run's report: an entry, and what only a finished run has.
#[derive(Clone, Debug, serde::Serialize)]
pub struct RunReport {
    /// The entry, with hash and residual after the last frame.
    #[serde(flatten)]
    pub entry: Entry,
    /// Frames simulated.
    pub frames: u64,
    /// Whether every position and velocity is finite.
    pub finite: bool,
    /// Kinetic, potential and elastic energy (J).
    pub energy: f64,
    /// Σ m v (kg m/s).
    pub momentum: [f64; 3],
    /// Σ x × m v about the origin (kg m²/s).
    pub angular_momentum: [f64; 3],
}

impl RunReport {
    /// The report of a run whose last state was `seen`.
    pub fn new(entry: Entry, frames: u64, seen: &Observation) -> Self {
        Self {
            entry,
            frames,
            finite: seen.finite,
            energy: seen.energy,
            momentum: seen.momentum,
            angular_momentum: seen.angular_momentum,
        }
    }
}
