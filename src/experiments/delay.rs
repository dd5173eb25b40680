//! Contacts that are found too late: once a frame, and sooner (S1-36, S1-37).

use super::prelude::*;
use crate::scenes::Scene;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "detection-delay", ids: &["S1-36", "S1-37"], run: delay,
        about: "two balls fall on a floor, one is squeezed between two: contacts found once a frame, and sooner" },
];

/// Radius of the balls of `limits-delay` (m).
const RADIUS: f64 = 0.02;
const FRAMES: usize = 300;

fn delay() -> Outcome {
    let mut report = Report::default();
    let time = "time [s]";
    let settings =
        "limits-delay:0..3, balls of 2 cm radius, 4 substeps x 10 iterations of 1/60 s, scalar";
    let title =
        "Two balls fall onto a floor: how deep they lie in each other or in the floor (S1-36)";
    let mut depth = Figure::new("depth", title, [time, "overlap [m]"], [false; 2]).under(settings);
    let title = "B between A and C, with less room than it needs (S1-37)";
    let mut swing = Figure::new("swing", title, [time, "way of B from the middle [m]"], [false; 2])
        .under(settings);
    let mut outcomes = Vec::new();
    for (size, name) in
        ["once a frame", "in every substep", "in every iteration", "once a frame, with a margin"]
            .into_iter()
            .enumerate()
    {
        let model = Scene::find("limits-delay")?.model(Some(size))?;
        let mut simulation = Simulation::new(model, Method::Scalar, 1)?;
        let (mut depths, mut ways) = (Vec::new(), Vec::new());
        for _ in 0..FRAMES {
            simulation.step();
            let x: Vec<_> = simulation.positions().into_iter().map(point).collect();
            let overlap = (2.0 * RADIUS - (x[1] - x[0]).length()).max(RADIUS - x[0].y).max(0.0);
            depths.push((simulation.time(), overlap));
            ways.push((simulation.time(), x[3].x - 0.12));
        }
        let deepest = largest(depths.iter().map(|p| p.1));
        // After the first frames, in which it finds its place.
        let settled = || ways[10..].iter().map(|p| p.1);
        let amplitude = settled().fold(f64::MIN, f64::max) - settled().fold(f64::MAX, f64::min);
        outcomes.push((name, deepest, amplitude));
        depths.truncate(60);
        depth.line(name, depths);
        ways.truncate(60);
        swing.line(name, ways);
    }
    let (name, deepest, amplitude) = outcomes[0];
    report.claim(
        deepest > 0.02 && amplitude > 0.005,
        format!(
            "{name}: the delay is there: {:.1} mm deep, B swings by {:.1} mm",
            1e3 * deepest,
            1e3 * amplitude
        ),
    );
    for (name, deepest, amplitude) in &outcomes[1..] {
        report.claim(
            *deepest < 1e-3 && *amplitude < 1e-3,
            format!(
                "{name}: {:.2} mm deep, B swings by {:.2} mm in 300 frames (1 mm)",
                1e3 * deepest,
                1e3 * amplitude
            ),
        );
    }
    report.figures.extend([depth, swing]);
    Ok(report)
}
