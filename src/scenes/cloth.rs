//! Sheets of N x N vertices in the x-z plane: `cloth`, by which most figures of `docs/measured.md` were taken, `sheet`, `flag`
//! in the wind, and `stiff-cloth` held out by shape matching.

use super::prelude::*;
use crate::constraints::Tether;
use crate::groups::Shapes;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "cloth", size: 64, sizes: (2, 8192), build: cloth, check: hangs,
        about: "N x N vertices, one metre square, hung from two corners: structural edges and both diagonals" },
    Scene { name: "sheet", size: 64, sizes: (2, 8192), build: sheet, check: |m, s| stays_within(3.0, m, s),
        about: "N x N vertices, one metre square, hung from two corners: distance, tether and bending" },
    Scene { name: "flag", size: 48, sizes: (2, 1024), build: flag, check: streams,
        about: "N x N vertices, a flag of 1.5 m by 1 m on its pole in a wind of 6 m/s: distance and bending" },
    Scene { name: "stiff-cloth", size: 24, sizes: (3, 256), build: stiff_cloth, check: sticks_out,
        about: "N x N vertices, a metre square held along two columns: cloth that overlapping clusters keep flat" },
];

/// A metre square of 0.3 kg without rows, pinned at (0,0,0) and (1,0,0).
fn hung(grid: Grid) -> Result<Model, ModelError> {
    let w = grid.len() as f64 / 0.3;
    let step = 1.0 / (grid.x - 1) as f64;
    let mut model = grid.model(|[x, _, z]| {
        let pinned = z == 0 && (x == 0 || x == grid.x - 1);
        let position = [x as f64 * step, 0.0, z as f64 * step];
        (position, [0.0; 3], if pinned { 0.0 } else { w })
    })?;
    model.add_triangles(grid.faces());
    Ok(model)
}

/// Every row has the compliance 1e-7 m/N.
fn cloth(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let mut model = hung(grid)?;
    let soft = Strength::Compliance(1e-7);
    let links = add(&mut model, Distance, grid.links(), [None], soft)?;
    model.set_layout(grid.layout(vec![links]));
    Ok(model)
}

/// Edges keep their length, diagonals only hold, hinges bend.
fn sheet(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let mut model = hung(grid)?;
    // Hinges this light buckle and blow up at one substep of ten or twenty iterations.
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    let is_edge = |(_, color): &([u32; 2], u16)| *color < DIAGONALS;
    let (edges, diagonals) = grid.links().into_iter().partition(is_edge);
    let (soft, stiff) = (Strength::Compliance(1e-7), Strength::Stiffness(0.9));
    let edges = add(&mut model, Distance, edges, [None], soft)?;
    let diagonals = add(&mut model, Tether, diagonals, [None], stiff)?;
    let bending = Strength::Damped(1e-3, 0.1);
    let hinges = add(&mut model, Bending, grid.hinges(), [None], bending)?;
    model.set_layout(grid.layout(vec![edges, diagonals, hinges]));
    Ok(model)
}

/// A sheet of `sides` metres, 0.2 kg/m², its points where `place` puts them in it, the first `pinned` columns pinned.
fn beside_pole(
    grid: Grid,
    sides: [f64; 2],
    pinned: usize,
    place: fn([f64; 2]) -> [f64; 3],
) -> Result<Model, ModelError> {
    let w = grid.len() as f64 / (0.2 * sides[0] * sides[1]);
    let share = |i: usize, count: usize| i as f64 / (count - 1) as f64;
    let mut model = grid.model(|[x, _, z]| {
        let at = [sides[0] * share(x, grid.x), sides[1] * share(z, grid.z)];
        (place(at), [0.0; 3], if x < pinned { 0.0 } else { w })
    })?;
    model.add_triangles(grid.faces());
    Ok(model)
}

/// It starts stretched out along x, with a slight wave to begin from.
fn flag(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let wave = |[x, z]: [f64; 2]| [x, -z, 0.02 * (x * (4.0 + z)).sin()];
    let mut model = beside_pole(grid, [1.5, 1.0], 1, wave)?;
    model.settings.wind = [6.0, 0.0, 0.0];
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    let soft = Strength::Compliance(1e-6);
    let links = add(&mut model, Distance, grid.links(), [None], soft)?;
    let (flat, bending) = (std::f64::consts::PI, Strength::Damped(1.0, 0.01));
    let hinges = add(&mut model, Bending, grid.hinges(), [Some(flat)], bending)?;
    model.set_layout(grid.layout(vec![links, hinges]));
    Ok(model)
}

/// Nothing is further from the pole than the cloth is long, and from the third second on the flag stands out downwind.
fn streams(model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    let reach = state.positions.iter().map(|x| x[0].hypot(x[2]));
    let furthest = reach.fold(0.0, f32::max);
    ensure!(furthest <= 1.65; "the flag reaches {furthest} m from its pole");
    let mean = state.positions.iter().map(|x| x[0]).sum::<f32>() / state.positions.len() as f32;
    let blown = model.settings.wind[0] >= 6.0 && state.time >= 3.0;
    ensure!(!blown || mean >= 0.4; "the flag hangs: on average {mean} m downwind");
    Ok(())
}

/// Clusters are patches a quarter of the cloth wide, each half over the next: so few hold it out by few iterations.
fn stiff_cloth(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let mut model = beside_pole(grid, [1.0; 2], 2, |[x, z]| [x, 0.0, z])?;
    let soft = Strength::Compliance(1e-7);
    let links = add(&mut model, Distance, grid.links(), [None], soft)?;
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
    model.set_layout(grid.layout(vec![links]));
    Ok(model)
}

/// Cloth would hang straight down: this one keeps its free edge less than 0.7 m below the held one.
fn sticks_out(model: &Model, state: &Snapshot) -> Outcome {
    stays_within(1.2, model, state)?;
    let [lowest, _] = heights(state);
    ensure!(lowest >= -0.7; "it hangs down to {lowest} m");
    Ok(())
}
