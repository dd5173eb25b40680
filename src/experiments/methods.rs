//! Every method on every system: what a step does beside rows follows them by all methods.

use super::prelude::*;
use crate::scenes::Scene;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "every-method", ids: &["S1-31", "S1-33", "S3-01"], run: every_method,
        about: "all methods on groups, fluids, joints, contacts, wind and all else that a step does" },
];

/// A system, and a scene of some size that has it.
#[rustfmt::skip]
const SYSTEMS: [(&str, &str, usize); 15] = [
    ("rows", "sheet", 12),
    ("inequalities", "kind-pair", 6),
    ("wind", "flag", 12),
    ("hierarchy", "cloth", 16),
    ("tearing", "tear", 20),
    ("pressure", "balloon", 2),
    ("shape matching", "jelly", 5),
    ("plastic shapes", "bent-metal", 1),
    ("melting", "melt", 4),
    ("fluid", "dam", 300),
    ("contacts of particles", "drape", 12),
    ("drives", "wrung", 10),
    ("joints", "mobile", 4),
    ("contacts of bodies", "heap", 20),
    ("attachments, all in one world", "unified", 4),
];

/// How long each is simulated at most (s).
const SECONDS: f64 = 1.2;

/// The largest error of what has multipliers, or the deepest overlap, at the end (m); and what the scene's own check says of the
/// first frame that is wrong.
fn left(
    scene: &Scene,
    size: usize,
    method: Method,
) -> Result<(f64, Result<(), String>), ModelError> {
    let mut model = scene.model(Some(size))?;
    if scene.name == "cloth" {
        model.settings.hierarchy = 2;
    }
    let mut simulation = Simulation::new(model, method, 1)?;
    let mut right = Ok(());
    while simulation.time() < scene.seconds.min(SECONDS) {
        simulation.step();
        right = right.and_then(|()| (scene.check)(simulation.model(), &simulation.snapshot()));
    }
    let error = simulation.observe().residual_max.max(simulation.penetration().unwrap_or(0.0));
    Ok((error, right))
}

fn every_method() -> Outcome {
    let mut report = Report::default();
    let title = "The largest error or overlap that each method leaves of each system";
    let axes = ["the system, by its line in every-method.md", "error [m]"];
    let mut figure = Figure::new("", title, axes, [false, true])
        .under("scenes of the catalogue, small, one thread, after 1.2 s at most");
    let head = Method::ALL.map(|method| format!(" `{}` |", method.name())).concat();
    let rule = "---|".repeat(Method::ALL.len());
    let mut table = format!("| system | scene |{head}\n|---|---|{rule}\n");
    let mut points = Method::ALL.map(|_| Vec::new());
    for (i, (system, name, size)) in SYSTEMS.into_iter().enumerate() {
        let scene = Scene::find(name)?;
        let mut wrong = String::new();
        table += &format!("| {system} | `{name}:{size}` |");
        for (method, points) in Method::ALL.into_iter().zip(&mut points) {
            let (error, right) = left(scene, size, method)?;
            table += &format!(" {error:.0e} |");
            points.push((i as f64 + 1.0, error));
            if let Err(what) = right {
                wrong += &format!("; {}: {what}", method.name());
            }
        }
        table += "\n";
        let what =
            format!("{system}: every frame of {name}:{size} passes its check by all methods");
        report.claim(wrong.is_empty(), what + &wrong);
    }
    for (method, points) in Method::ALL.into_iter().zip(points) {
        figure.dots(method.name(), points);
    }
    report.figures.push(figure);
    report.table = Some(table);
    Ok(report)
}
