//! The time that a run will take, before it begins.

use crate::io::Override;
use crate::io::Run;
use crate::simulation::Simulation;
use crate::solvers::Method;
use std::time::{Duration, Instant};

/// A run that takes longer than this says so before it begins (s).
const LONG: f64 = 10.0;

/// The time of a run of very many iterations, estimated from one step of few.
pub fn estimate(run: &Run, overrides: &[Override], frames: u64) -> Option<Duration> {
    const FEW: u32 = 10;
    const MANY: f64 = 1e8;
    let mut file = run.load(overrides).ok()?;
    let settings = &mut file.model.settings;
    let (iterations, substeps) = (settings.iterations, settings.substeps);
    let per_frame = f64::from(iterations) * f64::from(substeps);
    if per_frame * (file.model.constraint_count() + 1) as f64 * frames as f64 <= MANY {
        return None;
    }
    let settings = &mut file.model.settings;
    (settings.iterations, settings.substeps) = (iterations.min(FEW), 1);
    let probed = f64::from(settings.iterations.max(1));
    let method = run.method.or(file.method).unwrap_or(Method::Lanes);
    let threads = run.threads.or(file.threads).unwrap_or(0);
    let mut probe = Simulation::new(file.model, method, threads).ok()?;
    probe.step();
    let started = Instant::now();
    probe.step();
    let seconds = started.elapsed().as_secs_f64() * per_frame.max(1.0) / probed * frames as f64;
    (seconds > LONG).then(|| Duration::from_secs_f64(seconds.min(1e12)))
}
