//! Bodies that are meshes: `stones` on a ground of triangles, and a cloth over one in `shroud`.

use super::cloth_contact::sheet;
use super::prelude::*;
use super::sphere::icosphere;
use crate::collision::SelfContact;
use crate::math::cube_side;
use crate::rigid::{Shape, Weight};
use std::sync::Arc;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "stones", role: Watched, size: 100, seconds: 2.4, color: STONE, sizes: (1, 10_000), build: stones, check: in_the_hollow,
        about: "N stones, tetrahedra and icosahedra, bodies that are meshes, dropped into a hollow of triangles" },
    Scene { name: "shroud", role: Watched, size: 48, seconds: 3.0, color: FLAG, sizes: (8, 256), build: shroud, check: covers,
        about: "N x N cloth falling on a stone that lies on the floor" },
];

/// Bumps of the ground (m), and its cells along each side.
const BUMP: f64 = 0.04;
const CELLS: usize = 16;
/// The radius around the particles of the cloth (m).
const ROUND: f64 = 0.012;

/// A mesh with its corners stretched and shaken.
fn shaken(
    (points, triangles): (Vec<[f64; 3]>, Vec<[u32; 3]>),
    size: [f64; 3],
    by: f64,
    random: &mut Xorshift,
) -> Shape {
    let corner = |p: &[f64; 3]| {
        let out = 1.0 + by * (2.0 * random.share() - 1.0);
        [0, 1, 2].map(|k| (p[k] * size[k] * out) as f32)
    };
    Shape::Mesh(Arc::new((points.iter().map(corner).collect(), triangles)))
}

/// The ground without its bumps: flat in the middle, higher at its rim, `half` (m) away.
fn hollow(x: f64, z: f64, half: f64) -> f64 {
    let [x, z] = [x, z].map(|v| (v / half) * (v / half));
    0.15 * (x * x + z * z)
}

fn half_size(n: usize) -> f64 {
    0.25 * cube_side(n) as f64 + 0.8
}

/// The ground's triangles, and what they lie on.
fn ground(half: f64, random: &mut Xorshift) -> Result<Collider, ModelError> {
    let grid = Grid::sheet(CELLS + 1);
    let at = |k: usize| half * (2.0 * k as f64 / CELLS as f64 - 1.0);
    let point = |[x, _, z]: [usize; 3]| {
        let (x, z) = (at(x), at(z));
        [x, hollow(x, z, half) + BUMP * random.share(), z]
    };
    let points: Vec<_> = grid.points().map(point).collect();
    let triangles: Vec<_> = grid.halves().collect();
    Collider::mesh(&points, &triangles, [0.0; 3], UPRIGHT)
}

#[rustfmt::skip]
fn tetrahedron() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    (
        vec![[1.0; 3], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]],
        vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    )
}

fn stones(n: usize) -> Result<Model, ModelError> {
    let (mut model, mut contacts) = on_the_floor(8, Detect::Frame)?;
    let mut random = Xorshift(88_172_645_463_325_252);
    contacts.colliders = vec![ground(half_size(n), &mut random)?];
    let side = cube_side(n);
    for i in 0..n {
        let mut near = |k: usize| {
            let shift = 0.04 * (random.share() - 0.5);
            0.34 * (k as f64 + 0.5 - 0.5 * side as f64) + shift
        };
        let (x, z) = (near(i % side), near(i / side % side));
        let y = 0.4 + 0.34 * (i / (side * side)) as f64;
        let shape = match i % 3 {
            0 => shaken(icosphere(1), [0.15, 0.1, 0.12], 0.15, &mut random),
            1 => shaken(tetrahedron(), [0.09; 3], 0.0, &mut random),
            _ => shaken(icosphere(0), [0.12, 0.12, 0.1], 0.0, &mut random),
        };
        let body = rough(shape, Weight::Density(2500.0));
        model.add_body(body.at([x, y, z], random.orientation()))?;
    }
    model.set_contacts(contacts)?;
    Ok(model)
}

/// No center is below the ground.
fn in_the_hollow(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    let half = half_size(model.bodies().len());
    for (i, pose) in state.bodies.iter().enumerate() {
        let [x, y, z] = center(pose).to_array();
        let inside = x.abs().max(z.abs()) <= half && y >= hollow(x, z, half);
        ensure!(inside; "stone {i} has left the hollow: {x} {y} {z}");
    }
    Ok(())
}

fn shroud(n: usize) -> Result<Model, ModelError> {
    let place = |x: f64, z: f64| [x - 0.5, 0.55, z - 0.5];
    let (mut model, _) = sheet(n, place, |_, _| false)?;
    let (_, contacts) = on_the_floor(1, Detect::Substep)?;
    model.settings.damping = 2.0;
    let mut random = Xorshift(521_288_629_546_311);
    let shape = shaken(icosphere(1), [0.28, 0.2, 0.24], 0.12, &mut random);
    let stone = rough(shape, Weight::Density(2500.0));
    model.add_body(stone.at([0.0, 0.2, 0.0], UPRIGHT))?;
    let thickness = 0.4 / (n - 1) as f64;
    let triangles = model.triangles().to_vec();
    let cloths = vec![SelfContact { triangles, thickness, ..SelfContact::default() }];
    model.set_contacts(Contacts { radius: ROUND, friction: Some(0.5), cloths, ..contacts })?;
    Ok(model)
}

/// The cloth is above the floor, and off the middle of the stone by nearly its least half size.
fn covers(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    for (i, x, _) in particles(model, state) {
        ensure!(x[1] >= 0.0; "particle {i} is below the floor");
    }
    keeps_off(center(&state.bodies[0]).to_array(), 0.15, state)
}
