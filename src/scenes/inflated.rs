//! `balloon:N` and `kind-pressure:N`: closed surfaces under pressure.

use super::grid::Random;
use super::sphere::icosphere;
use super::{Scene, keeps_its_pins, near_its_start, tremble};
use crate::constraints::{Bending, Distance};
use crate::error::ModelError;
use crate::groups::Pressures;
use crate::mesh::{enclosed_volume, survey_surface, unique_edges};
use crate::model::Model;
use crate::rows::Strength;
use crate::state::Snapshot;

pub(super) const BALLOON: Scene = Scene {
    name: "balloon",
    about: "a rubber ball of N subdivisions, hung from its top: distance, bending and 1.5 times its volume",
    size: 4,
    sizes: (1, 7),
    build: balloon,
    check: is_full,
};

pub(super) const PRESSURE: Scene = Scene {
    name: "kind-pressure",
    about: "pressure alone: N x N balls of 162 vertices, trembling without gravity",
    size: 16,
    sizes: (1, 128),
    build: kind_pressure,
    check: near_its_start,
};

/// Volume asked for, in volumes at rest.
const PRESSURE_OF_BALLOON: f64 = 1.5;

fn balloon(n: usize) -> Result<Model, ModelError> {
    let (points, triangles) = icosphere(n);
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|i| i as u32)).collect();
    let mut model = Model::new();
    let w = points.len() as f64 / (0.3 * std::f64::consts::PI);
    let highest = points.iter().map(|x| x[1]).fold(-1.0, f64::max);
    for x in &points {
        let pinned = x[1] == highest;
        model.add_particle(x.map(|v| 0.5 * v), [0.0; 3], if pinned { 0.0 } else { w })?;
    }
    (model.settings.substeps, model.settings.iterations) = (4, 5);
    for edge in unique_edges(&triangles) {
        model.add(Distance, edge, [None], Strength::Compliance(1e-3))?;
    }
    for hinge in survey_surface(&triangles).interior {
        model.add(Bending, hinge, [None], Strength::Damped(1.0, 0.01))?;
    }
    let mut pressures = Pressures::new();
    let stiff = Strength::Stiffness(1.0);
    pressures.add(&model, &triangles, PRESSURE_OF_BALLOON, None, stiff)?;
    model.add_part(pressures);
    model.add_triangles(triangles);
    model.settings.damping = 0.5;
    Ok(model)
}

/// Pressure is projected last: from the third step on the balloon has its volume.
fn is_full(model: &Model, state: &Snapshot) -> Result<(), String> {
    keeps_its_pins(model, state)?;
    let volume = |x: &[[f32; 3]]| enclosed_volume(x, model.triangles());
    let ratio = volume(&state.positions) / volume(model.positions());
    let off = (ratio / PRESSURE_OF_BALLOON - 1.0).abs();
    match state.time > 0.05 && off > 0.03 {
        true => Err(format!("it has {ratio} times its volume")),
        false => Ok(()),
    }
}

fn kind_pressure(n: usize) -> Result<Model, ModelError> {
    let (points, triangles) = icosphere(2);
    let mut random = Random(1);
    let mut model = Model::new();
    let mut pressures = Pressures::new();
    for ball in 0..n * n {
        let first = model.positions().len() as u32;
        let center = [(ball % n) as f64, 0.0, (ball / n) as f64];
        for x in &points {
            let x: [f64; 3] = std::array::from_fn(|axis| center[axis] + 0.4 * x[axis]);
            let v = [(); 3].map(|()| random.within(0.2));
            model.add_particle(x, v, 100.0)?;
        }
        let surface = triangles.iter().map(|t| t.map(|i| first + i as u32));
        let surface: Vec<[u32; 3]> = surface.collect();
        pressures.add(&model, &surface, 1.0, None, Strength::Stiffness(0.9))?;
        model.add_triangles(surface);
    }
    model.add_part(pressures);
    Ok(tremble(model))
}
