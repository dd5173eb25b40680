//! `balloon:N`: a closed surface under pressure.

use super::prelude::*;
use super::sphere::icosphere;
use crate::groups::Pressures;
use crate::mesh::{enclosed_volume, survey_surface, unique_edges};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "balloon", role: Watched, size: 4, seconds: 4.0, color: FLAG, sizes: (1, 7), build: balloon, check: is_full,
        about: "a rubber ball of N subdivisions, hung from its top: distance, bending and 1.5 times its volume" },
];

/// Volume asked for, in volumes at rest.
const PRESSURE: f64 = 1.5;

fn balloon(n: usize) -> Result<Model, ModelError> {
    let (points, triangles) = icosphere(n);
    let mut model = Model::new();
    let w = points.len() as f64 / (0.3 * std::f64::consts::PI);
    let highest = points.iter().map(|x| x[1]).fold(-1.0, f64::max);
    for x in &points {
        let pinned = x[1] == highest;
        model.add_particle(x.map(|v| 0.5 * v), [0.0; 3], if pinned { 0.0 } else { w })?;
    }
    (model.settings.substeps, model.settings.iterations) = (4, 5);
    model.settings.damping = 0.5;
    for edge in unique_edges(&triangles) {
        model.add(Distance, edge, [None], Stiffness::Compliance(1e-3))?;
    }
    for hinge in survey_surface(&triangles).interior {
        model.add(Bending, hinge, [None], Stiffness::Damped(1.0, 0.01))?;
    }
    let mut pressures = Pressures::new();
    let stiff = Stiffness::Factor(1.0);
    pressures.add(&model, &triangles, PRESSURE, None, stiff)?;
    model.add_subsystem(pressures)?;
    model.add_triangles(triangles);
    Ok(model)
}

/// Pressure is projected last: from the third step on the balloon has its volume.
fn is_full(model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    let volume = |x: &[[f32; 3]]| enclosed_volume(x, model.triangles());
    let ratio = volume(&state.positions) / volume(model.positions());
    let full = (ratio / PRESSURE - 1.0).abs() <= 0.03;
    ensure!(full || state.time <= 0.05; "it has {ratio} times its volume");
    Ok(())
}
