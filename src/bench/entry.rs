//! One run as a report's row (`docs/scene-format.md`, `--json`).

use super::ceiling::Bound;
use super::touching::{TouchingEvent, TouchingPair};
use crate::observe::Observation;
use crate::runs::Opened;
use crate::timers::PhaseTime;
use std::collections::BTreeMap;

/// The figures of a run in every report; times are those of whole steps.
#[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub struct Entry {
    /// The run's name in full.
    pub run: String,
    /// The scene, without size.
    pub scene: String,
    pub size: Option<usize>,
    pub method: String,
    pub threads: usize,
    /// Lanes that most rows are computed in.
    pub width: usize,
    pub particles: usize,
    /// Rows of all kinds, and what subsystems count as.
    pub constraints: usize,
    pub bodies: usize,
    pub joints: usize,
    /// What subsystems have found, by name: contacts, neighbors, islands.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, usize>,
    /// Iterations of a substep.
    pub iterations: u32,
    /// Most iterations that a substep of the last step took: fewer, where a `tolerance` ended them.
    pub iterations_used: u32,
    /// The velocity loop's iterations in the same sense; of method `impulse` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity_iterations_used: Option<u32>,
    /// The largest error at the last check of a `tolerance` (m).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest_error: Option<f64>,
    pub substeps: u32,
    /// Colors of all kinds together; zero in authored order.
    pub colors: usize,
    /// The best time (ms).
    pub ms_per_step: f64,
    pub ms_per_step_median: f64,
    /// Constraints x iterations x substeps / best time.
    pub projections_per_second: f64,
    /// Over `scalar` of the same scene in the same call; absent where there is none.
    pub speedup: Option<f64>,
    /// Root mean square of |C + α/h² λ| / |∇C| (m).
    pub residual: f64,
    /// The largest of them (m).
    pub residual_max: f64,
    /// The deepest overlap of what touches (m), a lower bound; absent where nothing may touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penetration: Option<f64>,
    /// Edges of cloths in contact with themselves that pass through triangles; absent where there is no such cloth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangled: Option<usize>,
    /// The state's hash, 16 hex digits.
    pub hash: String,
    /// The bound of the rung, and the share of it reached; of `taut bench` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// Bytes of rows and particles that a projection reads and writes; of `taut bench` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_projection: Option<f64>,
    /// What a step's time went to, as the first worker sees it.
    pub phases: Vec<Phase>,
}

/// A phase of a step.
#[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize)]
pub struct Phase {
    pub name: String,
    /// In a step, on average.
    pub ms: f64,
}

impl Entry {
    /// The entry of a run in its present state, without times.
    pub fn of(opened: &Opened, seen: &Observation) -> Self {
        let (run, simulation) = (&opened.run, &opened.simulation);
        let (model, statistics) = (simulation.model(), simulation.statistics());
        Self {
            run: run.to_string(),
            scene: run.scene_name(),
            size: run.size.or(run.catalogue().map(|scene| scene.size)),
            method: simulation.method().name().into(),
            threads: simulation.threads(),
            width: simulation.width(),
            particles: model.positions().len(),
            constraints: model.constraint_count(),
            iterations: model.settings.iterations,
            iterations_used: statistics.iterations,
            velocity_iterations_used: statistics.velocity_iterations,
            largest_error: statistics.error,
            substeps: model.settings.substeps,
            colors: simulation.colors(),
            residual: seen.residual,
            residual_max: seen.residual_max,
            penetration: simulation.penetration(),
            tangled: simulation.tangled(),
            bodies: model.bodies().len(),
            joints: model.joints().count(),
            counts: simulation
                .counts()
                .into_iter()
                .map(|(name, count)| (name.into(), count))
                .collect(),
            hash: format!("{:016x}", seen.hash),
            ..Self::default()
        }
    }

    /// Takes the times of the phases of so many steps.
    pub fn time_phases(&mut self, phases: &[PhaseTime], steps: usize) {
        let ms = |phase: &PhaseTime| phase.time.as_secs_f64() * 1e3 / steps.max(1) as f64;
        let phase = |phase: &PhaseTime| Phase { name: phase.name.clone(), ms: ms(phase) };
        let took_time = |phase: &&PhaseTime| !phase.time.is_zero();
        self.phases = phases.iter().filter(took_time).map(phase).collect();
    }

    /// Takes the times of steps (s).
    pub fn time(&mut self, mut seconds: Vec<f64>) {
        seconds.sort_by(f64::total_cmp);
        if let Some(&best) = seconds.first() {
            self.ms_per_step = best * 1e3;
            self.ms_per_step_median = seconds[seconds.len() / 2] * 1e3;
            let a_substep = self.constraints as f64 * f64::from(self.iterations);
            let projections = a_substep * f64::from(self.substeps);
            self.projections_per_second = projections / best.max(f64::MIN_POSITIVE);
        }
    }
}

/// A run's report: an entry, and the figures of its last state.
#[derive(Clone, Debug, serde::Serialize)]
pub struct RunReport {
    /// With hash and residual after the last frame.
    #[serde(flatten)]
    pub entry: Entry,
    pub frames: u64,
    /// Whether every position and velocity is finite.
    pub finite: bool,
    /// What broke in the frame after the last, where that ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Equations that do not hold and get no correction: without a gradient in f32.
    pub degenerate: usize,
    /// Kinetic, potential and elastic energy (J).
    pub energy: f64,
    /// Σ m v (kg m/s).
    pub momentum: [f64; 3],
    /// Σ x × m v about the origin (kg m²/s).
    pub angular_momentum: [f64; 3],
    /// Bodies that touch after the last frame; absent where the scene does not ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contacts: Option<Vec<TouchingPair>>,
    /// Contacts that began or ended, frame by frame; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<TouchingEvent>>,
}

impl RunReport {
    /// The report of a run whose last state was `seen`.
    pub fn new(entry: Entry, frames: u64, seen: &Observation) -> Self {
        Self {
            entry,
            frames,
            finite: seen.finite,
            stopped: None,
            degenerate: seen.degenerate,
            energy: seen.energy,
            momentum: seen.momentum,
            angular_momentum: seen.angular_momentum,
            contacts: None,
            events: None,
        }
    }
}
