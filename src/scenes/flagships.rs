//! `armada:N`, a heap of N soft bodies, and `tower:N`, a round tower of bricks struck by a ball.

use super::prelude::*;
use super::sphere::icosphere;
use crate::math::{Quat, Vec3, cube_side, sine_cosine};
use crate::mesh::surface_triangles;
use crate::model::Skin;
use crate::rigid::{Shape, Weight};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "armada", role: Watched, size: 1_000, seconds: 2.4, color: RUBBER, sizes: (1, 20_000), build: armada, check: is_heaped,
        about: "N soft dice and balls that fall into a heap: shape matching, and balls around their points that touch" },
    Scene { name: "tower", role: Watched, size: 20, seconds: 2.4, color: STONE, sizes: (2, 60), build: tower, check: above_the_floor,
        about: "a round tower of N layers of bricks, struck by a ball of 900 kg" },
];

/// Radius around the points of soft bodies (m), and how far a body's points are from its middle, along each axis of a die and in
/// all of a ball: neighbors are a little more than two radii apart.
const RADIUS: f64 = 0.04;
const DIE: f64 = 0.043;
const BALL: f64 = 0.08;

/// Points of a body (m), its tetrahedra, and the surface that is seen of it.
struct Soft {
    points: Vec<[f64; 3]>,
    tetrahedra: Vec<[u32; 4]>,
    seen: Vec<[f64; 3]>,
}

/// The corners of a die; seen is what lies within a radius of it.
fn die() -> Soft {
    let grid = Grid::cube(2);
    let corner = |point: [usize; 3]| point.map(|i| DIE * (2.0 * i as f64 - 1.0));
    let tetrahedra = grid.tetrahedra().into_iter().map(|(corners, _)| corners);
    let (directions, _) = icosphere(1);
    let seen = |d: &[f64; 3]| d.map(|v| (2.0 * DIE * v).clamp(-DIE, DIE) + RADIUS * v);
    Soft {
        points: grid.points().map(corner).collect(),
        tetrahedra: tetrahedra.collect(),
        seen: directions.iter().map(seen).collect(),
    }
}

/// The corners of an icosahedron, and its middle.
fn ball() -> Soft {
    let (mut points, faces) = icosphere(0);
    points.iter_mut().flatten().for_each(|v| *v *= BALL);
    let middle = points.len() as u32;
    points.push([0.0; 3]);
    let (directions, _) = icosphere(1);
    let seen = |d: &[f64; 3]| d.map(|v| (BALL + RADIUS) * v);
    Soft {
        points,
        tetrahedra: faces.into_iter().map(|[a, b, c]| [middle, a, b, c]).collect(),
        seen: directions.iter().map(seen).collect(),
    }
}

/// Bodies side by side when dropped, and how far the walls are from the middle (m).
fn bin_of(n: usize) -> (usize, f64) {
    let side = cube_side(n).max(1);
    (side, 0.15 * side as f64 + 0.2)
}

fn armada(n: usize) -> Result<Model, ModelError> {
    let mut model = small_steps(4);
    model.settings.iterations = 2;
    model.settings.damping = 0.3;
    let kinds = [die(), ball()];
    let (_, faces) = icosphere(1);
    let mut random = Xorshift(88_172_645_463_325_252);
    let (side, half) = bin_of(n);
    let (mut bodies, mut tetrahedra) = (Vec::new(), Vec::new());
    let (mut seen, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..n {
        let along = |k: usize| 0.3 * (k as f64 + 0.5 - 0.5 * side as f64);
        let y = 0.3 + 0.3 * (i / (side * side)) as f64;
        let center = Vec3::new(along(i % side), y, along(i / side % side));
        let turn = Quat::of(random.orientation());
        let at = |x: &[f64; 3]| (turn.rotate(Vec3::of(*x)) + center).to_array();
        let Soft { points, tetrahedra: corners, seen: surface } = &kinds[i % 2];
        let first = model.positions().len() as u32;
        for point in points {
            model.add_particle(at(point), [0.0; 3], points.len() as f64 / 0.5)?;
        }
        bodies.push((first..first + points.len() as u32).collect::<Vec<_>>());
        tetrahedra.extend(corners.iter().map(|t| t.map(|i| first + i)));
        let before = seen.len() as u32;
        seen.extend(surface.iter().map(|x| at(x).map(|v| v as f32)));
        triangles.extend(faces.iter().map(|face| face.map(|i| before + i)));
    }
    model.add_subsystem(shapes(&model, bodies, 0.35, None)?)?;
    model.add_triangles(surface_triangles(model.positions(), &tetrahedra));
    let all = 0..model.triangles().len();
    let skin = Skin::bind(model.positions(), &tetrahedra, &[], &seen, &triangles);
    if let Some(skin) = skin {
        model.add_skin(skin, all);
    }
    model.set_contacts(Contacts {
        colliders: Collider::bin([-half, half], [-half, half])?,
        radius: RADIUS,
        friction: Some(0.4),
        pairs: true,
        detect: Detect::Substep,
        ..Contacts::default()
    })?;
    Ok(model)
}

/// Every point is in the bin; later none is higher than all bodies loosely heaped.
fn is_heaped(model: &Model, state: &Snapshot) -> Outcome {
    let n = model.skins().iter().map(Skin::count).sum::<usize>() / icosphere(1).0.len();
    let (side, half) = bin_of(n);
    in_the_bin([half; 2], RADIUS, model, state)?;
    let [_, highest] = heights(state);
    let heap = 0.5 + 0.2 * (n as f64 / (side * side) as f64);
    let late = state.time > 3.0 && is_as_built(model);
    ensure!(!late || f64::from(highest) < heap; "the heap is {highest} m high");
    Ok(())
}

/// Half sizes of a brick, along the ring, up and across it (m), and the ring's radius.
const BRICK: [f64; 3] = [0.21, 0.1, 0.1];
const RING: f64 = 1.5;
const BRICKS: usize = 20;

fn tower(n: usize) -> Result<Model, ModelError> {
    let (mut model, contacts) = on_the_floor(8, Detect::Substep)?;
    for layer in 0..n {
        for i in 0..BRICKS {
            // Each layer lies over the gaps of the one below.
            let turn =
                (i as f64 + 0.5 * (layer % 2) as f64) * std::f64::consts::TAU / BRICKS as f64;
            let (sine, cosine) = sine_cosine(turn);
            let y = BRICK[1] * (2 * layer + 1) as f64;
            let brick = rough(Shape::Box(BRICK), Weight::Density(1800.0));
            // Its own x axis along the ring.
            model.add_body(brick.at([RING * sine, y, RING * cosine], about_y(turn)))?;
        }
    }
    let mut ball = rough(Shape::Sphere(0.45), Weight::Mass(900.0));
    ball.rolling_resistance = Some(0.2);
    ball.velocity = [13.0, 1.5, -1.95];
    let height = (1.2 * BRICK[1] * n as f64).max(0.5);
    model.add_body(ball.at([-6.0, height, 0.9], UPRIGHT))?;
    model.set_contacts(contacts)?;
    Ok(model)
}
