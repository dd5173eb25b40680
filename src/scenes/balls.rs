//! Balls in contact: layers in a bin, to be timed, and the limits of contacts found too late and of too few iterations.

use super::prelude::*;
use crate::groups::{Fluid, FluidNumbers};
use crate::math::cube_side;

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "pile", role: Timed, size: 5_000, seconds: 4.0, color: STONE, sizes: (1, 1_000_000), build: pile, check: is_piled,
        about: "N balls with friction, falling in layers into a bin" },
    Scene { name: "limits-delay", role: Limit, size: 0, seconds: 0.6, color: STONE, sizes: (0, 3), build: delay, check: keeps_its_pins,
        about: "contacts found once a frame (N = 0), in every substep (1) or iteration (2), or with a margin (3): two balls falling, one between two" },
    Scene { name: "limits-flow", role: Limit, size: 400, seconds: 0.9, color: STONE, sizes: (8, 20_000), build: flow, check: keeps_its_pins,
        about: "N balls and as many particles of water poured: what comes out depends on the iterations" },
];

/// Radius of every ball (m).
const RADIUS: f64 = 0.02;

/// Half the width of the bin of `pile` (m): it is four times as wide as the pile is high.
fn half_width(n: usize) -> f64 {
    cube_side(4 * n).max(1) as f64 * RADIUS * 1.05
}

fn pile(n: usize) -> Result<Model, ModelError> {
    let half = half_width(n);
    let columns = cube_side(4 * n);
    let mut model = Model::new();
    let mut random = Random(7);
    for i in 0..n {
        let [x, z, y] = [i % columns, i / columns % columns, i / (columns * columns)];
        let mut along = |k: usize| {
            let step = 2.1 * RADIUS;
            (k as f64 + 0.5) * step - half + random.within(0.04 * RADIUS)
        };
        let at = [along(x), along(y) + half + RADIUS, along(z)];
        model.add_particle(at, [0.0; 3], 1.0 / 0.05)?;
    }
    model.set_contacts(Contacts {
        colliders: Collider::bin([-half, half], [-half, half])?,
        radius: RADIUS,
        friction: Some(0.4),
        pairs: true,
        ..Contacts::default()
    })?;
    Ok(model)
}

/// All balls are in the bin.
fn is_piled(model: &Model, state: &Snapshot) -> Outcome {
    in_the_bin([half_width(model.positions().len()); 2], RADIUS, model, state)
}

fn delay(n: usize) -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.settings.substeps = 4;
    for (x, y, w) in [
        // A above B, not touching, above a floor (S1-36).
        (0.0, 0.5, 20.0),
        (0.0, 0.5 + 2.2 * RADIUS, 20.0),
        // B between A and C, with less room than it needs (S1-37).
        (0.12 - 1.8 * RADIUS, RADIUS, 0.0),
        (0.12 - 0.2 * RADIUS, RADIUS, 20.0),
        (0.12 + 1.8 * RADIUS, RADIUS, 0.0),
    ] {
        model.add_particle([x, y, 0.0], [0.0; 3], w)?;
    }
    let detect = [Detect::Frame, Detect::Substep, Detect::Iteration];
    model.set_contacts(Contacts {
        colliders: vec![floor()?],
        radius: RADIUS,
        pairs: true,
        detect: detect[n % 3],
        margin: Some(if n == 3 { 2.0 * RADIUS } else { 0.0 }),
        ..Contacts::default()
    })?;
    Ok(model)
}

/// Layers of four by four and of three by three balls in turn, each above the gaps of the one below: balls in columns would
/// stand one upon the other, or not, as the iterations carry their load.
fn heap(n: usize) -> impl Iterator<Item = [f64; 3]> {
    let of = |i: usize| {
        let (layers, rest) = (i / 25, i % 25);
        let (wide, rest, upper) = if rest < 16 { (4, rest, 0) } else { (3, rest - 16, 1) };
        let along = |k: usize| k as f64 + 0.5 * f64::from(upper);
        let [x, y, z] =
            [along(rest % wide), (2 * layers) as f64 + f64::from(upper), along(rest / wide)];
        [2.2 * RADIUS * x, 0.1 + 1.8 * RADIUS * y, 2.2 * RADIUS * z]
    };
    (0..n).map(of)
}

/// The middle of the basin of `limits-flow`, half its width (m), half thickness and half height of its walls (m); particles of
/// water side by side.
const BASIN: [f64; 3] = [2.2, 0.0, 0.07];
const HALF_BASIN: f64 = 0.65;
const WALL: [f64; 2] = [0.05, 0.15];
const WIDE: usize = 8;

/// A floor, and on it four walls around the water.
fn basin() -> Result<Vec<Collider>, ModelError> {
    let [x, _, z] = BASIN;
    let [thin, high] = WALL;
    let long = HALF_BASIN + 2.0 * thin;
    let mut colliders = vec![floor()?];
    for side in [-1.0, 1.0] {
        let away = side * (HALF_BASIN + thin);
        let walls =
            [([x + away, high, z], [thin, high, long]), ([x, high, z + away], [long, high, thin])];
        for (center, half_size) in walls {
            colliders.push(Collider::cuboid(center, half_size, UPRIGHT)?);
        }
    }
    Ok(colliders)
}

fn flow(n: usize) -> Result<Model, ModelError> {
    let mut model = Model::new();
    let mut random = Random(9);
    for at in heap(n) {
        let near = at.map(|at| at + random.within(0.05 * RADIUS));
        model.add_particle(near, [0.0, -1.0, 0.0], 20.0)?;
    }
    // Its particles rest twice as far apart as balls, so that they do not touch each other as balls.
    let water = FluidNumbers { radius: 2.0 * RADIUS, ..FluidNumbers::default() };
    let mut all = Vec::new();
    for i in 0..n {
        let at = [i % WIDE, i / (WIDE * WIDE), i / WIDE % WIDE].map(|k| k as f64 + 0.5);
        let at = at.map(|at| 2.0 * water.radius * at + random.within(0.05 * RADIUS));
        let half = WIDE as f64 * water.radius;
        let at = [BASIN[0] + at[0] - half, 0.1 + at[1], BASIN[2] + at[2] - half];
        all.push(model.add_particle(at, [0.0, -1.0, 0.0], 1.0 / water.mass())?);
    }
    let water = Fluid::new(&model, all, water)?;
    model.add_subsystem(water)?;
    model.set_contacts(Contacts {
        colliders: basin()?,
        radius: RADIUS,
        friction: Some(0.3),
        pairs: true,
        ..Contacts::default()
    })?;
    Ok(model)
}
