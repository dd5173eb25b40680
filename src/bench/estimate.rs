//! The time that a run will take, before it begins.

use crate::io::Override;
use crate::runs::Run;
use crate::simulation::Simulation;
use crate::solvers::Method;
use std::time::{Duration, Instant};

/// A run that takes longer than this says so before it begins (s).
const LONG: f64 = 10.0;

/// The time of a run of a step so long that not even the first should be waited for, estimated from one of few iterations.
/// Only for such a run is the scene made once more.
pub fn estimate(
    run: &Run,
    overrides: &[Override],
    simulation: &Simulation,
    frames: u64,
) -> Option<Duration> {
    const FEW: u32 = 10;
    const MANY: f64 = 1e8;
    let model = simulation.model();
    let (iterations, substeps) = (model.settings.iterations, model.settings.substeps);
    let per_frame = f64::from(iterations) * f64::from(substeps);
    let is_usual = per_frame <= 100.0 * f64::from(FEW);
    if frames == 0 || is_usual || per_frame * (model.constraint_count() + 1) as f64 <= MANY {
        return None;
    }
    let mut file = run.load(overrides).ok()?;
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
    long(seconds)
}

/// The time, where it is so long that it should be said.
pub fn long(seconds: f64) -> Option<Duration> {
    (seconds > LONG).then(|| Duration::from_secs_f64(seconds.min(1e12)))
}

/// A time in its two largest units, as `6 days 20 hours` or `35 seconds`.
pub fn spoken(time: Duration) -> String {
    const UNITS: [(u64, &str); 5] =
        [(365 * 86_400, "year"), (86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
    let seconds = time.as_secs_f64().round() as u64;
    let counted = |count: u64, name: &str| match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    };
    let largest = UNITS.iter().position(|(unit, _)| seconds >= *unit).unwrap_or(UNITS.len() - 1);
    let (unit, name) = UNITS[largest];
    let first = counted(seconds / unit, name);
    match UNITS.get(largest + 1).map(|(less, name)| (seconds % unit / less, name)) {
        Some((rest @ 1.., name)) => format!("{first} {}", counted(rest, name)),
        _ => first,
    }
}

#[test]
fn times_are_said_in_their_two_largest_units() {
    for (seconds, said) in [
        (0.2, "0 seconds"),
        (61.0, "1 minute 1 second"),
        (7200.0, "2 hours"),
        (589_738.0, "6 days 19 hours"),
        (1e12, "31709 years 289 days"),
    ] {
        assert_eq!(spoken(Duration::from_secs_f64(seconds)), said);
    }
}
