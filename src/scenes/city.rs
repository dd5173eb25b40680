//! `city:N`: everything in one world. A dam breaks above a street; water, crates, soft blocks and an awning meet.

use super::fluid::{RADIUS, STEP, Tank, is_inside, small_frames, water};
use super::prelude::*;
use crate::groups::{Fluid, regions};
use crate::mesh::surface_triangles;
use crate::model::Skin;
use crate::rigid::{Shape, Weight};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "city", role: Watched, size: 15, seconds: 5.0, color: WATER, sizes: (1, 60), build: city, check: is_flooded,
        about: "a dam of N layers of water breaks over a street: houses, crates, soft blocks and an awning, all in one world" },
];

/// The street and the dam (m).
const TANK: Tank = Tank { x: 6.0, z: 2.4 };
/// Balls of what is in contact (m): points of a body and of the water lie farther apart.
const CONTACT: f64 = 0.8 * RADIUS;
/// Middles and half sizes of the houses (m): two on either side of the street, against the walls. A slit would hold water.
const HOUSES: [([f64; 2], [f64; 3]); 4] = [
    ([-0.5, -0.81], [0.4, 0.55, 0.39]),
    ([-0.5, 0.81], [0.4, 0.55, 0.39]),
    ([1.2, -0.81], [0.5, 0.75, 0.39]),
    ([1.2, 0.81], [0.5, 0.35, 0.39]),
];
/// Points of the soft blocks and of the awning, which follow those of the water.
const OTHERS: usize = 3 * 64 + 81;

fn city(n: usize) -> Result<Model, ModelError> {
    let mut model = small_frames();
    let pool = add_pool(&mut model, n)?;
    let blocks = add_blocks(&mut model)?;
    let awning = add_awning(&mut model)?;
    let mut groups = Vec::new();
    for block in &blocks {
        groups.extend(regions(model.positions(), block));
    }
    model.add_subsystem(shapes(&model, groups, 0.3, None)?)?;
    let fluid = Fluid::new(&model, pool, water())?;
    model.add_subsystem(fluid)?;
    add_crates(&mut model)?;
    model.add_triangles(awning);
    let mut colliders = TANK.colliders()?;
    for ([x, z], half) in HOUSES {
        colliders.push(Collider::cuboid([x, half[1], z], half, UPRIGHT)?);
    }
    model.set_contacts(Contacts {
        colliders,
        radius: CONTACT,
        pairs: true, // without friction: water with it stands in columns
        ..Contacts::default()
    })?;
    Ok(model)
}

/// Water behind the dam: a column a metre wide.
fn add_pool(model: &mut Model, n: usize) -> Result<Vec<u32>, ModelError> {
    let grid = Grid { x: 10, y: n, z: (TANK.z / STEP) as usize };
    let add = |point: [usize; 3]| {
        let [x, y, z] = point.map(|i| (i as f64 + 0.5) * STEP);
        let at = [x - 0.5 * TANK.x, y, z - 0.5 * TANK.z];
        model.add_particle(at, [0.0; 3], 1.0 / water().mass())
    };
    grid.points().map(add).collect()
}

/// Three soft blocks of 4 x 4 x 4 points, a third as heavy as water, in the street.
fn add_blocks(model: &mut Model) -> Result<Vec<Vec<u32>>, ModelError> {
    let grid = Grid::cube(4);
    let mut blocks = Vec::new();
    for (i, [x, y, z]) in
        [[0.0, 0.1, -0.2], [0.15, 0.9, 0.0], [2.2, 0.1, -0.9]].into_iter().enumerate()
    {
        let first = model.positions().len() as u32;
        for point in grid.points() {
            let p = point.map(|i| (i as f64 - 1.5) * STEP);
            let at = [x + p[0], y + p[1] + 1.5 * STEP, z + p[2]];
            model.add_particle(at, [0.0, 0.0, 0.1 * i as f64], 3.0 / water().mass())?;
        }
        let tetrahedra = grid.tetrahedra().into_iter();
        let tetrahedra: Vec<[u32; 4]> = tetrahedra.map(|(c, _)| c.map(|i| first + i)).collect();
        add_skin(model, &tetrahedra);
        blocks.push((first..model.positions().len() as u32).collect());
    }
    Ok(blocks)
}

/// The surface of tetrahedra, a ball's radius farther out: where it touches.
fn add_skin(model: &mut Model, tetrahedra: &[[u32; 4]]) {
    let surface = surface_triangles(model.positions(), tetrahedra);
    let first = model.triangles().len();
    model.add_triangles(surface.iter().copied());
    let corners: Vec<u32> = tetrahedra.as_flattened().to_vec();
    let least = corners.iter().copied().min().unwrap_or(0);
    let points = &model.positions()[least as usize..];
    let count = points.len() as f32;
    let middle = [0, 1, 2].map(|k| points.iter().map(|x| x[k]).sum::<f32>() / count);
    let out = 1.0 + CONTACT as f32 / (1.5 * STEP as f32);
    let seen = points.iter().map(|x| [0, 1, 2].map(|k| middle[k] + out * (x[k] - middle[k])));
    let seen: Vec<[f32; 3]> = seen.collect();
    let triangles: Vec<[u32; 3]> = surface.iter().map(|t| t.map(|i| i - least)).collect();
    let skin = Skin::bind(model.positions(), tetrahedra, &[], &seen, &triangles);
    let all = first..model.triangles().len();
    if let Some(skin) = skin {
        model.add_skin(skin, all);
    }
}

/// A cloth over the street, held along both of its ends; returns its triangles.
fn add_awning(model: &mut Model) -> Result<Vec<[u32; 3]>, ModelError> {
    let grid = Grid { x: 9, y: 1, z: 9 };
    let first = model.positions().len() as u32;
    for [x, _, z] in grid.points() {
        let at = [-0.9 + STEP * x as f64, 1.15, STEP * (z as f64 - 4.0)];
        let held = z == 0 || z == grid.z - 1;
        model.add_particle(at, [0.0; 3], if held { 0.0 } else { 10.0 / water().mass() })?;
    }
    for (link, _) in grid.links() {
        model.add(Distance, link.map(|i| first + i), [None], Stiffness::Factor(1.0))?;
    }
    Ok(grid.halves().map(|t| t.map(|i| first + i)).collect())
}

/// Crates that fall on the awning, and a stack of them at the end of the street.
fn add_crates(model: &mut Model) -> Result<(), ModelError> {
    let mut add = |at: [f64; 3], half: f64, turn: f64| {
        let body = rough(Shape::Box([half; 3]), Weight::Density(300.0));
        model.add_body(body.at(at, about_y(turn))).map(drop)
    };
    add([-0.5, 1.7, 0.1], 0.13, 0.4)?;
    add([-0.3, 2.1, -0.1], 0.1, 0.9)?;
    for layer in 0..3 {
        for i in 0..3 - layer {
            let z = 0.32 * (i as f64 - 0.5 * (2 - layer) as f64);
            add([2.2, 0.15 * (2 * layer + 1) as f64, 0.35 + z], 0.15, 0.0)?;
        }
    }
    Ok(())
}

/// Nothing has left the street, no body is below it; soon the water is at its end, and at last nearly level.
fn is_flooded(model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    above_the_floor(model, state)?;
    is_inside(model, state)?;
    let furthest = state.positions.iter().map(|x| x[0]).fold(f32::MIN, f32::max);
    let late = state.time > 2.0 && is_as_built(model) && model.positions().len() > 2000;
    ensure!(!late || furthest > 2.5; "the water has come as far as {furthest} m only");
    let high = stands_out(model, state);
    let last = late && state.time > 4.9;
    ensure!(!last || high <= MOST_HIGH; "{high} particles of water stand far above the others");
    Ok(())
}

/// A quarter of a metre above the level that the water comes to is far.
const FAR_ABOVE: f64 = 0.25;
/// Drops that a crate has thrown up may be so high.
const MOST_HIGH: usize = 2;

/// How many particles of water are far above its level, where neither house nor awning holds them.
fn stands_out(model: &Model, state: &Snapshot) -> usize {
    let count = model.positions().len().saturating_sub(OTHERS);
    let houses: f64 = HOUSES.iter().map(|(_, [x, _, z])| 4.0 * x * z).sum();
    let level = count as f64 * STEP.powi(3) / (TANK.x * TANK.z - houses);
    let is_open = |x: f64| !(-1.0..=1.8).contains(&x);
    let water = state.positions[..count].iter().map(|x| x.map(f64::from));
    water.filter(|[x, y, _]| is_open(*x) && *y > level + FAR_ABOVE).count()
}
