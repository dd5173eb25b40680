//! `flag:N` in the wind, `stiff-cloth:N` held out by shape matching.

use super::grid::Grid;
use super::{Scene, keeps_its_pins, stays_within};
use crate::constraints::{Bending, Distance};
use crate::error::ModelError;
use crate::groups::Shapes;
use crate::model::Model;
use crate::rows::Strength;
use crate::state::Snapshot;

pub(super) const FLAG: Scene = Scene {
    name: "flag",
    about: "N x N vertices, a flag of 1.5 m by 1 m on its pole in a wind of 6 m/s: distance and bending",
    size: 48,
    sizes: (2, 1024),
    build: flag,
    check: streams,
};

pub(super) const STIFF_CLOTH: Scene = Scene {
    name: "stiff-cloth",
    about: "N x N vertices, a metre square held along two columns: cloth that overlapping clusters keep flat",
    size: 24,
    sizes: (3, 256),
    build: stiff_cloth,
    check: sticks_out,
};

/// Of a square metre (kg).
const DENSITY: f64 = 0.2;

/// A sheet of `sides` metres, its points where `place` puts them in it, the first `pinned` columns pinned.
fn sheet(
    grid: Grid,
    sides: [f64; 2],
    pinned: usize,
    place: fn([f64; 2]) -> [f64; 3],
) -> Result<Model, ModelError> {
    let mut model = Model::new();
    let w = (grid.x * grid.z) as f64 / (DENSITY * sides[0] * sides[1]);
    for [x, _, z] in grid.points() {
        let part = |i: usize, count: usize| i as f64 / (count - 1) as f64;
        let at = [sides[0] * part(x, grid.x), sides[1] * part(z, grid.z)];
        model.add_particle(place(at), [0.0; 3], if x < pinned { 0.0 } else { w })?;
    }
    model.add_triangles(grid.triangles().into_iter().map(|(t, _)| t));
    Ok(model)
}

/// It starts stretched out along x, with a slight wave to begin from.
fn flag(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let wave = |[x, z]: [f64; 2]| [x, -z, 0.02 * (x * (4.0 + z)).sin()];
    let mut model = sheet(grid, [1.5, 1.0], 1, wave)?;
    model.settings.wind = [6.0, 0.0, 0.0];
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    let links = grid.links();
    for &(link, _) in &links {
        model.add(Distance, link, [None], Strength::Compliance(1e-6))?;
    }
    let hinges = grid.hinges();
    for &(hinge, _) in &hinges {
        let flat = Some(std::f64::consts::PI);
        model.add(Bending, hinge, [flat], Strength::Damped(1.0, 0.01))?;
    }
    let colors = links.iter().map(|(_, color)| *color).collect();
    let bends = hinges.iter().map(|(_, color)| *color).collect();
    model.set_layout(grid.layout(vec![colors, bends]));
    Ok(model)
}

/// Nothing is further from the pole than the cloth is long, and from the third second on the flag stands out downwind.
fn streams(model: &Model, state: &Snapshot) -> Result<(), String> {
    keeps_its_pins(model, state)?;
    let reach = state.positions.iter().map(|x| glam::Vec3::from(*x));
    let furthest = reach.map(|x| glam::Vec2::new(x.x, x.z).length());
    let furthest = furthest.fold(0.0, f32::max);
    if furthest > 1.65 {
        return Err(format!("the flag reaches {furthest} m from its pole"));
    }
    let mean = state.positions.iter().map(|x| x[0]).sum::<f32>() / state.positions.len() as f32;
    let blown = model.settings.wind[0] >= 6.0 && state.time >= 3.0;
    match blown && mean < 0.4 {
        true => Err(format!("the flag hangs: on average {mean} m downwind")),
        false => Ok(()),
    }
}

/// Clusters are patches a quarter of the cloth wide, each half over the next: so few hold it out by few iterations.
fn stiff_cloth(n: usize) -> Result<Model, ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let mut model = sheet(grid, [1.0; 2], 2, |[x, z]| [x, 0.0, z])?;
    let links = grid.links();
    for &(link, _) in &links {
        model.add(Distance, link, [None], Strength::Compliance(1e-7))?;
    }
    let width = ((n - 1) / 4).max(2);
    let last = n - 1 - width;
    let mut starts: Vec<usize> = (0..last).step_by(width / 2).collect();
    starts.push(last);
    let mut clusters: Vec<([usize; 2], Vec<u32>)> = Vec::new();
    for (i, &x) in starts.iter().enumerate() {
        for (j, &z) in starts.iter().enumerate() {
            let points = (z..=z + width).flat_map(|z| (x..=x + width).map(move |x| (x, z)));
            let patch = points.map(|(x, z)| grid.at(x, 0, z)).collect();
            // Patches of one color share no vertex, most of them: projected together.
            clusters.push(([i % 3, j % 3], patch));
        }
    }
    clusters.sort_by_key(|(color, _)| *color);
    let mut shapes = Shapes::new();
    for (_, cluster) in &clusters {
        shapes.add(&model, cluster, None, Strength::Stiffness(1.0), None)?;
    }
    model.add_part(shapes);
    (model.settings.substeps, model.settings.iterations) = (8, 4);
    model.settings.damping = 0.5;
    let colors = links.iter().map(|(_, color)| *color).collect();
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

/// Cloth would hang straight down: this one keeps its free edge less than 0.7 m below the held one.
fn sticks_out(model: &Model, state: &Snapshot) -> Result<(), String> {
    stays_within(1.2, model, state)?;
    let lowest = state.positions.iter().map(|x| x[1]).fold(0.0, f32::min);
    match lowest < -0.7 {
        true => Err(format!("it hangs down to {lowest} m")),
        false => Ok(()),
    }
}
