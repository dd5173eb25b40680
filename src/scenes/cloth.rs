//! Sheets of N x N vertices in the x-z plane: `cloth`, with which `docs/notes/measured.md` was made, `sheet`, `banner`
//! that does not stretch, `flag` in the wind, and `stiff-cloth` held out by shape matching.

use super::prelude::*;
use crate::constraints::Tether;
use crate::math::sine_cosine;
use crate::model::attach;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "cloth", role: Timed, size: 64, seconds: 1.5, color: CLOTH, sizes: (2, 4096), build: cloth, check: hangs,
        about: "N x N vertices, one metre square, hung from two corners: structural edges and both diagonals" },
    Scene { name: "sheet", role: Timed, size: 64, seconds: 1.5, color: CLOTH, sizes: (2, 4096), build: sheet, check: |m, s| stays_within(3.0, m, s),
        about: "N x N vertices, one metre square, hung from two corners: distance, tether and bending" },
    Scene { name: "banner", role: Watched, size: 40, seconds: 5.0, color: CLOTH, sizes: (3, 256), build: banner, check: keeps_its_length,
        about: "N x N vertices, one metre square, hung from two corners by long-range attachments: no edge gives way" },
    Scene { name: "flag", role: Watched, size: 48, seconds: 4.0, color: FLAG, sizes: (2, 1024), build: flag, check: streams,
        about: "N x N vertices, a flag of 1.5 m by 1 m on its pole in a wind of 6 m/s: distance and bending" },
    Scene { name: "stiff-cloth", role: Watched, size: 24, seconds: 3.0, color: FLAG, sizes: (3, 256), build: stiff_cloth, check: sticks_out,
        about: "N x N vertices, a metre square held along two columns: cloth that overlapping clusters keep flat" },
];

/// A metre square of 0.3 kg without rows, pinned at (0,0,0) and (1,0,0).
fn hung(grid: Grid) -> Result<Model, ModelError> {
    grid.cloth(0.3, |x, z| [x, 0.0, z], |x, z| z == 0 && (x == 0 || x == grid.x - 1))
}

/// Every row has the compliance 1e-7 m/N.
fn cloth(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    colored(hung(grid)?, grid, Distance, grid.links(), [None], Stiffness::Compliance(1e-7))
}

/// Edges keep their length, diagonals only hold, hinges bend.
fn sheet(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let mut model = hung(grid)?;
    // Hinges this light buckle and blow up at one substep of ten or twenty iterations.
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    let [edges, diagonals] = grid.edges_and_diagonals();
    let (soft, stiff) = (Stiffness::Compliance(1e-7), Stiffness::Factor(0.9));
    let edges = add(&mut model, Distance, edges, [None], soft)?;
    let diagonals = add(&mut model, Tether, diagonals, [None], stiff)?;
    let bending = Stiffness::Damped(1e-3, 0.1);
    let hinges = add(&mut model, Bending, grid.hinges(), [None], bending)?;
    model.set_layout(grid.layout(vec![edges, diagonals, hinges]));
    Ok(model)
}

/// Small steps, and ropes from every third point to the nearer pin.
fn banner(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let mut model = hung(grid)?;
    (model.settings.substeps, model.settings.iterations) = (20, 1);
    model.settings.damping = 0.5;
    let [edges, diagonals] = grid.edges_and_diagonals();
    let edges: Vec<[u32; 2]> = edges.into_iter().map(|(edge, _)| edge).collect();
    let diagonals: Vec<[u32; 2]> = diagonals.into_iter().map(|(edge, _)| edge).collect();
    let all = [&edges[..], &diagonals].concat();
    attach(&mut model, &all, 3)?;
    for edge in edges {
        model.add(Distance, edge, [None], Stiffness::Factor(1.0))?;
    }
    for diagonal in diagonals {
        model.add(Distance, diagonal, [None], Stiffness::Compliance(1e-5))?;
    }
    for (hinge, _) in grid.hinges() {
        model.add(Bending, hinge, [None], Stiffness::Damped(1.0, 0.01))?;
    }
    Ok(model)
}

/// No point is farther from a corner than the cloth reaches, and a tenth.
fn keeps_its_length(model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    for (i, x, start) in particles(model, state) {
        for pin in [[0.0; 3], [1.0, 0.0, 0.0]].map(glam::Vec3::from) {
            let [now, rest] = [x, start].map(|x| pin.distance((*x).into()));
            let holds = now <= 1.1 * rest + 0.02;
            ensure!(holds || !is_as_built(model); "particle {i}, {rest} m from its pin, is {now} m away");
        }
    }
    Ok(())
}

/// It starts stretched out along x, with a slight wave to begin from.
fn flag(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let wave = |x: f64, z: f64| [1.5 * x, -z, 0.02 * sine_cosine(1.5 * x * (4.0 + z)).0];
    let mut model = grid.cloth(0.2 * 1.5, wave, |x, _| x == 0)?;
    model.settings.wind = [6.0, 0.0, 0.0];
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    let soft = Stiffness::Compliance(1e-6);
    let links = add(&mut model, Distance, grid.links(), [None], soft)?;
    let (flat, bending) = (std::f64::consts::PI, Stiffness::Damped(1.0, 0.01));
    let hinges = add(&mut model, Bending, grid.hinges(), [Some(flat)], bending)?;
    model.set_layout(grid.layout(vec![links, hinges]));
    Ok(model)
}

/// Nothing is further from the pole than the cloth is long, and from the third second on the flag stands out downwind.
fn streams(model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    let reach = state.positions.iter().map(|x| (x[0] * x[0] + x[2] * x[2]).sqrt());
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
    let model = grid.cloth(0.2, |x, z| [x, 0.0, z], |x, _| x < 2)?;
    let soft = Stiffness::Compliance(1e-7);
    let mut model = colored(model, grid, Distance, grid.links(), [None], soft)?;
    let width = ((n - 1) / 4).max(2);
    let last = n - 1 - width;
    let mut starts: Vec<usize> = (0..last).step_by(width / 2).collect();
    starts.push(last);
    let mut clusters = Vec::new();
    for (i, &x) in starts.iter().enumerate() {
        for (j, &z) in starts.iter().enumerate() {
            let points = (z..=z + width).flat_map(|z| (x..=x + width).map(move |x| (x, z)));
            let patch: Vec<u32> = points.map(|(x, z)| grid.at(x, 0, z)).collect();
            // Patches of one color share no vertex, most of them: projected together.
            clusters.push(([i % 3, j % 3], patch));
        }
    }
    clusters.sort_by_key(|(color, _)| *color);
    let clusters = clusters.into_iter().map(|(_, patch)| patch);
    model.add_subsystem(shapes(&model, clusters, 1.0, None)?)?;
    (model.settings.substeps, model.settings.iterations) = (8, 4);
    model.settings.damping = 0.5;
    Ok(model)
}

/// Cloth would hang straight down: this one keeps its free edge less than 0.7 m below the held one.
fn sticks_out(model: &Model, state: &Snapshot) -> Outcome {
    stays_within(1.2, model, state)?;
    let [lowest, _] = heights(state);
    ensure!(lowest >= -0.7; "it hangs down to {lowest} m");
    Ok(())
}
