//! Solids: `bar:N`, `jelly:N`, `bent-metal:N`, `bunny:N` and `kind-shape:N`, all cut from blocks of cells.

use super::grid::{Grid, Random};
use super::{Scene, near_its_start, stays_within, tremble};
use crate::constraints::{Distance, NeoHookean, Volume};
use crate::error::ModelError;
use crate::groups::{Plastic, Shapes, regions};
use crate::math::Vec3;
use crate::mesh::{surface_triangles, unique_edges};
use crate::model::Model;
use crate::rows::Strength;
use crate::state::Snapshot;

pub(super) const BAR: Scene = Scene {
    name: "bar",
    about: "4N x N x N cells of neo-Hookean rubber, 1 m by 0.25 m, held at one end",
    size: 6,
    sizes: (1, 64),
    build: bar,
    check: sags,
};

pub(super) const JELLY: Scene = Scene {
    name: "jelly",
    about: "a block of N^3 cells on its pinned foot, pushed sideways: overlapping clusters of shape matching",
    size: 10,
    sizes: (2, 64),
    build: jelly,
    check: |model, state| stays_within(1.0, model, state),
};

pub(super) const BENT_METAL: Scene = Scene {
    name: "bent-metal",
    about: "a bar of 12N x N x N cells that yields: plastic clusters of eight, held at one end, bent by its own weight",
    size: 2,
    sizes: (1, 4),
    build: bent_metal,
    check: is_bent,
};

pub(super) const BUNNY: Scene = Scene {
    name: "bunny",
    about: "a rabbit of ellipsoids cut from N^3 cells, its foot pinned, its ears free: distance and volume",
    size: 24,
    sizes: (12, 64),
    build: bunny,
    check: |model, state| stays_within(0.5, model, state),
};

pub(super) const SHAPE: Scene = Scene {
    name: "kind-shape",
    about: "shape matching alone: a block of N^3 cells, a cluster of four for each of five tetrahedra a cell, trembling without gravity",
    size: 16,
    sizes: (1, 128),
    build: kind_shape,
    check: near_its_start,
};

/// A grid's points `step` metres apart, pinned where `pinned` says, all of one mass.
fn points(
    grid: Grid,
    step: f64,
    mass: f64,
    pinned: fn([usize; 3]) -> bool,
) -> Result<Model, ModelError> {
    let mut model = Model::new();
    for point in grid.points() {
        let w = if pinned(point) { 0.0 } else { 1.0 / mass };
        model.add_particle(point.map(|i| i as f64 * step), [0.0; 3], w)?;
    }
    Ok(model)
}

const YOUNG: f64 = 2e6;
const DENSITY: f64 = 1000.0;

fn bar(n: usize) -> Result<Model, ModelError> {
    let [x, y, z] = [4 * n + 1, n + 1, n + 1];
    let grid = Grid { x, y, z };
    let step = 0.25 / n as f64;
    let mass = DENSITY * 0.0625 / (x * y * z) as f64;
    let mut model = points(grid, step, mass, |[x, ..]| x == 0)?;
    (model.settings.substeps, model.settings.iterations) = (20, 2);
    let (rows, colors): (Vec<_>, Vec<_>) = grid.tetrahedra().into_iter().unzip();
    for row in rows {
        let material = NeoHookean::material(YOUNG, 0.3);
        model.add(NeoHookean, row, material, Strength::Material)?;
    }
    model.add_triangles(grid.skin());
    model.set_layout(grid.layout(vec![colors]));
    Ok(model)
}

/// The free end is never above its start, nor further below than a beam let go falls: twice the static sag of
/// ρ g L⁴ 12 / 8 E h², as far as iterations let few rows hold many.
fn sags(model: &Model, state: &Snapshot) -> Result<(), String> {
    let g = model.settings.gravity[1].abs();
    let sag = DENSITY * g * 12.0 / (8.0 * YOUNG * 0.0625);
    stays_within(3.0 * sag as f32 + 0.1, model, state)?;
    let end = |i: &usize| model.positions()[*i][0] > 0.999;
    let ends = (0..state.positions.len()).filter(end);
    let (mut fall, mut count) = (0.0, 0.0);
    for i in ends {
        fall += f64::from(model.positions()[i][1] - state.positions[i][1]);
        count += 1.0;
    }
    let fall = fall / count;
    // Let go, a beam of this kind swings to twice its sag in 0.28 s; one cell across, to 0.8 of it, sooner.
    let swung = state.time > 0.15 && state.time < 0.25;
    match fall < -0.02 || (swung && fall < 0.5 * sag) {
        true => Err(format!("the end sags by {fall} m; a beam by {sag} m")),
        false => Ok(()),
    }
}

fn jelly(n: usize) -> Result<Model, ModelError> {
    let [x, y, z] = [n + 1; 3];
    let grid = Grid { x, y, z };
    let (step, mass) = (0.5 / n as f64, 125.0 / (x * y * z) as f64);
    let mut model = Model::new();
    for point in grid.points() {
        let x = point.map(|i| i as f64 * step);
        let w = if point[1] == 0 { 0.0 } else { 1.0 / mass };
        model.add_particle(x, [3.0 * x[1], 0.0, x[1]], w)?;
    }
    let all: Vec<u32> = (0..model.positions().len() as u32).collect();
    let mut shapes = Shapes::new();
    for cluster in regions(model.positions(), &all) {
        shapes.add(&model, &cluster, None, Strength::Stiffness(0.8), None)?;
    }
    model.add_part(shapes);
    model.add_triangles(grid.skin());
    Ok(model)
}

/// Stiffness and masses do not matter to speed: every cluster is fitted anew, whatever it finds.
fn kind_shape(n: usize) -> Result<Model, ModelError> {
    let [x, y, z] = [n + 1; 3];
    let grid = Grid { x, y, z };
    let mut random = Random(1);
    let mut model = Model::new();
    for point in grid.points() {
        let place = point.map(|i| i as f64 * 0.1 + random.within(0.01));
        let w = if point[1] == 0 { 0.0 } else { 1.0 };
        let v = if w > 0.0 { random.within(0.5) } else { 0.0 };
        model.add_particle(place, [0.0, v, 0.0], w)?;
    }
    let mut rows = grid.tetrahedra();
    rows.sort_by_key(|(_, color)| *color);
    let mut shapes = Shapes::new();
    for (corners, _) in &rows {
        shapes.add(&model, corners, None, Strength::Stiffness(0.9), None)?;
    }
    model.add_part(shapes);
    model.add_triangles(grid.skin());
    Ok(tremble(model))
}

fn bent_metal(n: usize) -> Result<Model, ModelError> {
    let [x, y, z] = [12 * n + 1, n + 1, n + 1];
    let grid = Grid { x, y, z };
    let step = 0.1 / n as f64;
    let mut model = points(
        grid,
        step,
        7800.0 * 0.012 / (x * y * z) as f64,
        |[x, ..]| x == 0,
    )?;
    let mut clusters = Vec::new();
    let cell = |[x, y, z]: &[usize; 3]| x + 1 < grid.x && y + 1 < grid.y && z + 1 < grid.z;
    for [x, y, z] in grid.points().filter(cell) {
        let corner = |i: usize| grid.at(x + i % 2, y + i / 2 % 2, z + i / 4);
        let corners: Vec<u32> = (0..8).map(corner).collect();
        clusters.push((super::grid::parity(x, y, z), corners));
    }
    clusters.sort_by_key(|(color, _)| *color);
    let plastic = Some(Plastic {
        strain: 0.01,
        creep: 20.0,
    });
    let mut shapes = Shapes::new();
    for (_, cluster) in &clusters {
        shapes.add(&model, cluster, None, Strength::Stiffness(1.0), plastic)?;
    }
    model.add_part(shapes);
    // What bends over N cells needs N² as many sweeps: with fewer the bar flows, with more it does not yield.
    (model.settings.substeps, model.settings.iterations) = ((n * n).max(2) as u32, 20);
    model.settings.damping = 1.0;
    model.add_triangles(grid.skin());
    Ok(model)
}

/// The bar keeps its length, and from the second second on it is bent for good.
fn is_bent(model: &Model, state: &Snapshot) -> Result<(), String> {
    stays_within(1.7, model, state)?;
    let lowest = state.positions.iter().map(|x| x[1]).fold(0.0, f32::min);
    match state.time > 2.0 && model.settings.gravity[1] < -9.0 && lowest > -0.1 {
        true => Err(format!("the bar has bent down to {lowest} m only")),
        false => Ok(()),
    }
}

/// Centers and half axes of the rabbit's ellipsoids (m): body, tail, head, ears, paws.
const RABBIT: [([f64; 3], [f64; 3]); 8] = [
    ([0.00, 0.32, 0.00], [0.34, 0.30, 0.26]),
    ([0.34, 0.26, 0.00], [0.10, 0.10, 0.10]),
    ([-0.26, 0.66, 0.00], [0.20, 0.18, 0.17]),
    ([-0.20, 0.93, 0.10], [0.07, 0.24, 0.06]),
    ([-0.20, 0.93, -0.10], [0.07, 0.24, 0.06]),
    ([-0.26, 0.10, 0.15], [0.15, 0.10, 0.09]),
    ([-0.26, 0.10, -0.15], [0.15, 0.10, 0.09]),
    ([0.10, 0.12, 0.00], [0.28, 0.13, 0.27]),
];

/// Below zero inside: the least of the ellipsoids' own, with its gradient.
fn rabbit(x: Vec3<f64>) -> (f64, Vec3<f64>) {
    let mut best = (f64::INFINITY, Vec3::zero());
    for (center, axes) in RABBIT {
        let p = x - Vec3::of(center);
        let scaled = Vec3::new(p.x / axes[0], p.y / axes[1], p.z / axes[2]);
        let size = scaled.length().max(1e-9);
        let slope = Vec3::new(scaled.x / axes[0], scaled.y / axes[1], scaled.z / axes[2]);
        let slope = slope * (1.0 / size);
        let distance = (size - 1.0) / slope.length();
        if distance < best.0 {
            best = (distance, slope * (1.0 / slope.length()));
        }
    }
    best
}

/// The cells whose centers lie inside, their outer corners moved onto the surface where no tetrahedron minds.
fn bunny(n: usize) -> Result<Model, ModelError> {
    let side = 1.2;
    let step = side / n as f64;
    let [x, y, z] = [n + 1; 3];
    let grid = Grid { x, y, z };
    let place = |i: u32| {
        let i = i as usize;
        let at = [i % x, i / x % y, i / (x * y)].map(|k| k as f64 * step);
        Vec3::new(at[0] - 0.5 * side, at[1], at[2] - 0.5 * side)
    };
    let inside = |corners: &[u32; 4]| {
        let center = corners.iter().fold(Vec3::zero(), |sum, &i| sum + place(i)) * 0.25;
        rabbit(center).0 < 0.1 * step
    };
    let tetrahedra = grid.tetrahedra().into_iter().map(|(corners, _)| corners);
    let kept: Vec<[u32; 4]> = tetrahedra.filter(inside).collect();
    let mut used: Vec<u32> = kept.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    let number = |i: u32| used.binary_search(&i).expect("it is used") as u32;
    let kept: Vec<[u32; 4]> = kept.into_iter().map(|c| c.map(number)).collect();
    let mut at: Vec<Vec3<f64>> = used.iter().map(|&i| place(i)).collect();
    smooth(&mut at, &kept, step);
    let mut model = Model::new();
    let mass = 1000.0 * 0.1 / at.len() as f64;
    for x in &at {
        let w = if x.y < 0.06 { 0.0 } else { 1.0 / mass };
        model.add_particle([x.x, x.y, x.z], [0.0; 3], w)?;
    }
    for edge in unique_edges(&kept) {
        model.add(Distance, edge, [None], Strength::Compliance(2e-5))?;
    }
    for &corners in &kept {
        model.add(Volume, corners, [None], Strength::Stiffness(0.9))?;
    }
    (model.settings.substeps, model.settings.iterations) = (4, 4);
    let skin = surface_triangles(model.positions(), &kept);
    model.add_triangles(skin);
    Ok(model)
}

/// Moves the skin's points towards the surface, and back where a tetrahedron would lose its volume.
fn smooth(at: &mut [Vec3<f64>], tetrahedra: &[[u32; 4]], step: f64) {
    let volume = |at: &[Vec3<f64>], t: &[u32; 4]| {
        let [a, b, c, d] = t.map(|i| at[i as usize]);
        (b - a).dot((c - a).cross(d - a)) / 6.0
    };
    let start: Vec<[f32; 3]> = at
        .iter()
        .map(|x| [x.x, x.y, x.z].map(|v| v as f32))
        .collect();
    let mut outer: Vec<u32> = surface_triangles(&start, tetrahedra)
        .as_flattened()
        .to_vec();
    outer.sort_unstable();
    outer.dedup();
    for _ in 0..4 {
        let before = at.to_vec();
        for &i in &outer {
            let x = at[i as usize];
            let (distance, normal) = rabbit(x);
            at[i as usize] = x - normal * distance.clamp(-0.4 * step, 0.4 * step) * 0.6;
        }
        for _ in 0..8 {
            let least = 0.03 * step * step * step;
            let bad: Vec<[u32; 4]> = tetrahedra
                .iter()
                .filter(|t| volume(at, t) < least)
                .copied()
                .collect();
            for i in bad.into_iter().flatten() {
                at[i as usize] = before[i as usize];
            }
        }
    }
}
