//! Cloth in contact: draped over a ball, folded, wrung by both ends, pushed by a moving mesh.
//!
//! Sheets of N x N points, one metre square, 0.3 kg/m². Edges keep their length, diagonals and hinges give way.

use super::prelude::*;
use super::sphere::icosphere;
use crate::collision::{Motion, SelfContact, tangles};
use crate::forces::Drive;
use crate::math::sine_cosine;
use std::f64::consts::{PI, TAU};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "drape", role: Watched, size: 48, seconds: 3.0, color: FLAG, sizes: (8, 512), build: drape, check: drapes,
        about: "N x N cloth falling on a ball, with friction and against itself" },
    Scene { name: "fold", role: Watched, size: 32, seconds: 4.0, color: CLOTH, sizes: (8, 512), build: fold, check: is_folded,
        about: "N x N cloth on a floor, one side of it laid over the other" },
    Scene { name: "twist", role: Timed, size: 64, seconds: 5.0, color: CLOTH, sizes: (8, 512), build: twist, check: is_not_tangled,
        about: "N x N cloth wrung by both ends: two full turns in four seconds" },
    Scene { name: "wrung", role: Watched, size: 20, seconds: 8.0, color: CLOTH, sizes: (8, 128), build: wrung, check: is_not_tangled,
        about: "a towel of 2N x N points, wrung by its ends until it holds: four turns in five seconds" },
    Scene { name: "curtain", role: Watched, size: 48, seconds: 5.0, color: FLAG, sizes: (8, 512), build: curtain, check: is_pushed,
        about: "N x N cloth hung in pleats by its upper edge, a mesh moving through it" },
];

/// Distance of cloth and solids (m).
const RADIUS: f64 = 0.01;
/// Radius of the ball that `drape` falls on (m).
const BALL: f64 = 0.3;

/// How a cloth resists bending (hinges) and shear (diagonals).
struct Fabric {
    bending: Stiffness,
    shear: Stiffness,
}

/// Stiff cloth, which is wrung; that of `drape`; and one that hangs in folds.
const STIFF: Fabric =
    Fabric { bending: Stiffness::Damped(10.0, 1e-3), shear: Stiffness::Compliance(1e-4) };
const COTTON: Fabric = Fabric { bending: Stiffness::Damped(3e3, 3e-6), ..STIFF };
const SOFT: Fabric =
    Fabric { bending: Stiffness::Damped(3e4, 3e-7), shear: Stiffness::Compliance(1e-2) };

/// A sheet of N x N points, soft, where `place` puts (x, z) of 0..=1, with the points pinned that `pinned` names.
pub(super) fn sheet(
    n: usize,
    place: impl Fn(f64, f64) -> [f64; 3],
    pinned: impl Fn(usize, usize) -> bool,
) -> Result<(Model, Grid), ModelError> {
    sheet_of(Grid::sheet(n), SOFT, place, pinned)
}

/// The same of any grid and fabric.
fn sheet_of(
    grid: Grid,
    fabric: Fabric,
    place: impl Fn(f64, f64) -> [f64; 3],
    pinned: impl Fn(usize, usize) -> bool,
) -> Result<(Model, Grid), ModelError> {
    let mut model = grid.cloth(0.3, place, pinned)?;
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    model.settings.damping = 0.5;
    let [edges, diagonals] = grid.edges_and_diagonals();
    // One set of rows, so that the colors of both stand in one list.
    let mut links = add(&mut model, Distance, edges, [None], Stiffness::Compliance(1e-6))?;
    links.extend(add(&mut model, Distance, diagonals, [None], fabric.shear)?);
    let hinges = add(&mut model, Bending, grid.hinges(), [None], fabric.bending)?;
    model.set_layout(grid.layout(vec![links, hinges]));
    Ok((model, grid))
}

/// The whole sheet against itself, and against a collider if there is one.
fn against_itself(model: &Model, n: usize, collider: Option<Collider>, friction: f64) -> Contacts {
    Contacts {
        colliders: collider.into_iter().collect(),
        radius: RADIUS,
        friction: Some(friction),
        cloths: vec![SelfContact {
            triangles: model.triangles().to_vec(),
            thickness: 0.4 / (n - 1) as f64,
            ..SelfContact::default()
        }],
        ..Contacts::default()
    }
}

fn drape(n: usize) -> Result<Model, ModelError> {
    let place = |x: f64, z: f64| [x - 0.5, BALL + 0.05, z - 0.5];
    let (mut model, _) = sheet_of(Grid::sheet(n), COTTON, place, |_, _| false)?;
    model.settings.damping = 2.0;
    let ball = Collider::sphere([0.0; 3], BALL)?;
    model.set_contacts(against_itself(&model, n, Some(ball), 0.6))?;
    Ok(model)
}

/// No particle is deeper than half the radius, and nothing has passed through itself.
fn drapes(model: &Model, state: &Snapshot) -> Outcome {
    stays_within(2.0, model, state)?;
    keeps_off([0.0; 3], BALL + RADIUS / 2.0, state)?;
    is_not_tangled(model, state)
}

fn is_not_tangled(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    let count = tangles(&state.positions, model.triangles());
    ensure!(count == 0; "{count} edges pass through triangles");
    Ok(())
}

/// Half the height that the edge of `fold` comes to lie in (m); of coarse cloth its thickness.
const FOLDED: f64 = 0.015;

fn fold(n: usize) -> Result<Model, ModelError> {
    let (mut model, grid) = sheet(n, |x, z| [x, RADIUS, z], |_, z| z == n - 1)?;
    model.settings.damping = 2.0;
    let edge = (0..n).map(|x| grid.at(x, 0, n - 1)).collect();
    // Half a turn about a line above the middle and a little beyond, so that the edge comes to lie above the cloth, and what hangs
    // from it on the cloth too.
    let above = FOLDED.max(0.4 / (n - 1) as f64);
    model.add_subsystem(Drive {
        particles: edge,
        center: [0.5, RADIUS + above, 0.56],
        motion: Motion { angular_velocity: [-PI / 2.0, 0.0, 0.0], ends: 2.0, ..Motion::default() },
    })?;
    model.set_contacts(against_itself(&model, n, Some(floor()?), 0.5))?;
    Ok(model)
}

/// Nothing has passed through itself, and what is laid over the rest is above it.
fn is_folded(model: &Model, state: &Snapshot) -> Outcome {
    is_not_tangled(model, state)?;
    if state.time < 3.0 {
        return Ok(());
    }
    let n = model.positions().len().isqrt();
    // Next to the bend the two are one.
    for z in 0..n / 2 - 2 {
        let upper = n - 1 - z;
        for x in 0..n {
            let [below, above] = [z, upper].map(|z| state.positions[z * n + x][1]);
            ensure!(above >= below; "row {upper} lies below row {z}, at column {x}");
        }
    }
    Ok(())
}

/// How a sheet along x is wrung: half its length (m), the share of each end that is held, turns of each end, how much nearer each
/// comes (m), as what is wrung shortens, in what time (s), and the friction of cloth on itself.
struct Wringing {
    half: f64,
    held: f64,
    turns: f64,
    nearer: f64,
    seconds: f64,
    friction: f64,
}

impl Wringing {
    /// Whether the point at column x and row z of a grid is held: the middle of each end.
    fn holds(&self, grid: Grid, x: usize, z: usize) -> bool {
        let middle = z.abs_diff(grid.z - 1 - z) <= (self.held * grid.z as f64) as usize;
        (x == 0 || x == grid.x - 1) && middle
    }

    /// A grid whose ends are turned against each other, in contact with itself.
    fn apply(&self, grid: Grid, place: impl Fn(f64, f64) -> [f64; 3]) -> Result<Model, ModelError> {
        let (mut model, grid) = sheet_of(grid, STIFF, place, |x, z| self.holds(grid, x, z))?;
        // Enough that nothing moves by its thickness in one.
        model.settings.substeps = 6;
        for (x, sense) in [(0, 1.0), (grid.x - 1, -1.0)] {
            let end = (0..grid.z).filter(|&z| self.holds(grid, x, z)).map(|z| grid.at(x, 0, z));
            model.add_subsystem(Drive {
                particles: end.collect(),
                center: [-self.half * sense, 0.0, 0.0],
                motion: Motion {
                    velocity: [sense * self.nearer / self.seconds, 0.0, 0.0],
                    angular_velocity: [sense * self.turns * TAU / self.seconds, 0.0, 0.0],
                    ends: self.seconds,
                    ..Motion::default()
                },
            })?;
        }
        model.set_contacts(Contacts {
            radius: 0.0,
            detect: Detect::Substep,
            max_speed: Some(4.0),
            ..against_itself(&model, grid.z, None, self.friction)
        })?;
        Ok(model)
    }
}

fn twist(n: usize) -> Result<Model, ModelError> {
    let wringing =
        Wringing { half: 0.5, held: 0.25, turns: 1.0, nearer: 0.17, seconds: 4.0, friction: 0.2 };
    let mut model = wringing.apply(Grid::sheet(n), |x, z| [x - 0.5, 0.0, z - 0.5])?;
    model.settings.gravity = [0.0; 3];
    model.settings.damping = 1.0;
    Ok(model)
}

/// A towel of 1.2 m by 0.6 m.
fn wrung(n: usize) -> Result<Model, ModelError> {
    let wringing =
        Wringing { half: 0.6, held: 0.5, turns: 2.0, nearer: 0.12, seconds: 5.0, friction: 0.4 };
    let grid = Grid { x: 2 * n, y: 1, z: n };
    let mut model = wringing.apply(grid, |x, z| [1.2 * x - 0.6, 0.0, 0.6 * z - 0.3])?;
    model.settings.damping = 2.0;
    Ok(model)
}

/// The mesh of `curtain` at the start (m), its radius and its speed along z (m/s), and when it stops (s).
const MESH: ([f64; 3], f64, f64, f64) = ([0.0, 0.35, -0.6], 0.25, 0.5, 2.4);

/// How wide `curtain` is where it hangs (m), its pleats and their depth to either side (m): of cloth one metre wide.
const PLEATS: (f64, f64, f64) = (0.75, 6.0, 0.0255);

fn curtain(n: usize) -> Result<Model, ModelError> {
    let (width, pleats, depth) = PLEATS;
    let place = |x: f64, z: f64| {
        let (sine, _) = sine_cosine(TAU * pleats * x);
        [width * (x - 0.5), 1.0 - z, depth * sine]
    };
    let (mut model, _) = sheet(n, place, |x, z| z == 0 && (x % 4 == 0 || x == n - 1))?;
    let (center, radius, speed, ends) = MESH;
    let (points, triangles) = icosphere(3);
    let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(|v| radius * v)).collect();
    let ball = Collider::mesh(&points, &triangles, center, UPRIGHT)?;
    let motion = Motion { velocity: [0.0, 0.0, speed], ends, ..Motion::default() };
    model.set_contacts(Contacts {
        colliders: vec![ball.moving(motion)?],
        radius: RADIUS,
        friction: Some(0.2),
        ..Contacts::default()
    })?;
    Ok(model)
}

/// No particle is inside the moving mesh: deeper than half a radius below the sphere inside its triangles.
fn is_pushed(model: &Model, state: &Snapshot) -> Outcome {
    stays_within(2.0, model, state)?;
    let ([x, y, z], radius, speed, ends) = MESH;
    let center = [x, y, z + speed * state.time.min(ends)];
    // Faces of this icosphere lie up to 0.8 % below its corners.
    keeps_off(center, radius * 0.992 + RADIUS / 2.0, state)
}
