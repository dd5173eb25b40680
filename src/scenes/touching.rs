//! Cloth that touches: draped over a ball, folded, wrung by both ends, pushed by a moving mesh.
//!
//! Sheets of N x N points, one metre square, 0.3 kg/m². Edges keep their length, diagonals and hinges give way.

use super::grid::Grid;
use super::sphere::icosphere;
use super::{Scene, stays_within};
use crate::collision::{Collider, Contacts, Detect, Motion, SelfContact, tangles};
use crate::constraints::{Bending, Distance};
use crate::error::ModelError;
use crate::forces::Drive;
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Strength;
use crate::state::Snapshot;
use std::f64::consts::{PI, TAU};

const CLOTH: Scene = Scene {
    name: "",
    about: "",
    size: 64,
    sizes: (8, 512),
    build: drape,
    check: |model, state| stays_within(3.0, model, state),
};

pub(super) const DRAPE: Scene = Scene {
    name: "drape",
    about: "N x N cloth falling on a ball, with friction and against itself",
    size: 48,
    build: drape,
    check: drapes,
    ..CLOTH
};

pub(super) const FOLD: Scene = Scene {
    name: "fold",
    about: "N x N cloth on a floor, one side of it laid over the other",
    size: 32,
    build: fold,
    check: is_folded,
    ..CLOTH
};

pub(super) const TWIST: Scene = Scene {
    name: "twist",
    about: "N x N cloth wrung by both ends: two full turns in four seconds",
    build: twist,
    check: is_not_tangled,
    ..CLOTH
};

pub(super) const CURTAIN: Scene = Scene {
    name: "curtain",
    about: "N x N cloth hung by its upper edge, a mesh moving through it",
    size: 48,
    build: curtain,
    check: is_pushed,
    ..CLOTH
};

/// How far cloth and solids are apart (m).
const RADIUS: f64 = 0.01;
/// Of the ball that `drape` falls on (m).
const BALL: f64 = 0.3;

/// A sheet of N x N points where `place` puts (x, z) of 0..=1, with the points pinned that `pinned` names.
pub(super) fn sheet(
    n: usize,
    place: impl Fn(f64, f64) -> [f64; 3],
    pinned: impl Fn(usize, usize) -> bool,
) -> Result<(Model, Grid), ModelError> {
    let grid = Grid { x: n, y: 1, z: n };
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    model.settings.damping = 0.5;
    let w = (n * n) as f64 / 0.3;
    let last = (n - 1) as f64;
    for [x, _, z] in grid.points() {
        let at = place(x as f64 / last, z as f64 / last);
        model.add_particle(at, [0.0; 3], if pinned(x, z) { 0.0 } else { w })?;
    }
    let links = grid.links();
    let (edges, diagonals): (Vec<_>, Vec<_>) = links.into_iter().partition(|(_, color)| *color < 4);
    // One set of rows, so that the colors of both stand in one list.
    let mut colors = Vec::new();
    for (list, compliance) in [(edges, 1e-6), (diagonals, 1e-4)] {
        for (link, color) in list {
            model.add(Distance, link, [None], Strength::Compliance(compliance))?;
            colors.push(color);
        }
    }
    let hinges = grid.hinges();
    for &(hinge, _) in &hinges {
        model.add(Bending, hinge, [None], Strength::Damped(10.0, 1e-3))?;
    }
    let bends = hinges.into_iter().map(|(_, color)| color).collect();
    model.add_triangles(grid.triangles().into_iter().map(|(t, _)| t));
    model.set_layout(grid.layout(vec![colors, bends]));
    Ok((model, grid))
}

/// The whole sheet against itself.
fn against_itself(model: &Model, n: usize) -> Vec<SelfContact> {
    vec![SelfContact {
        triangles: model.triangles().to_vec(),
        thickness: 0.4 / (n - 1) as f64,
    }]
}

fn drape(n: usize) -> Result<Model, ModelError> {
    let (mut model, _) = sheet(n, |x, z| [x - 0.5, BALL + 0.05, z - 0.5], |_, _| false)?;
    model.settings.damping = 2.0;
    let cloths = against_itself(&model, n);
    model.set_contacts(Contacts {
        colliders: vec![Collider::sphere([0.0; 3], BALL)?],
        radius: RADIUS,
        friction: Some(0.6),
        cloths,
        ..Contacts::default()
    })?;
    Ok(model)
}

/// No particle is deeper than half the radius, and nothing has passed through itself.
fn drapes(model: &Model, state: &Snapshot) -> Result<(), String> {
    stays_within(2.0, model, state)?;
    for (i, x) in state.positions.iter().enumerate() {
        let distance = Vec3::<f64>::of(x.map(f64::from)).length();
        if distance < BALL + RADIUS / 2.0 {
            return Err(format!(
                "particle {i} is {distance} m from the ball's center"
            ));
        }
    }
    is_not_tangled(model, state)
}

fn is_not_tangled(model: &Model, state: &Snapshot) -> Result<(), String> {
    if !state.finite() {
        return Err("the state is not finite".into());
    }
    match tangles(&state.positions, model.triangles()) {
        0 => Ok(()),
        count => Err(format!("{count} edges pass through triangles")),
    }
}

fn fold(n: usize) -> Result<Model, ModelError> {
    let (mut model, grid) = sheet(n, |x, z| [x, RADIUS, z], |_, z| z == n - 1)?;
    model.settings.damping = 2.0;
    let edge = (0..n).map(|x| grid.at(x, 0, n - 1)).collect();
    // Half a turn about a line above the middle, so that the edge comes to lie 6 cm above the other.
    model.add_part(Drive {
        particles: edge,
        center: [0.5, RADIUS + 0.03, 0.5],
        motion: Motion {
            angular_velocity: [-PI / 2.0, 0.0, 0.0],
            ends: 2.0,
            ..Motion::default()
        },
    });
    let cloths = against_itself(&model, n);
    let floor = Collider::plane([0.0; 3], [0.0, 1.0, 0.0])?;
    model.set_contacts(Contacts {
        colliders: vec![floor],
        radius: RADIUS,
        friction: Some(0.5),
        cloths,
        ..Contacts::default()
    })?;
    Ok(model)
}

/// Nothing has passed through itself, and what is laid over the rest is above it.
fn is_folded(model: &Model, state: &Snapshot) -> Result<(), String> {
    is_not_tangled(model, state)?;
    if state.time < 3.0 {
        return Ok(());
    }
    let n = model.positions().len().isqrt();
    // Next to the bend the two are one.
    for z in 0..n / 2 - 2 {
        for x in 0..n {
            let below = state.positions[z * n + x];
            let above = state.positions[(n - 1 - z) * n + x];
            if above[1] < below[1] {
                return Err(format!(
                    "row {} lies below row {z}, at column {x}",
                    n - 1 - z
                ));
            }
        }
    }
    Ok(())
}

fn twist(n: usize) -> Result<Model, ModelError> {
    // The middle quarter of each end is held.
    let held = |x: usize, z: usize| (x == 0 || x == n - 1) && z.abs_diff(n - 1 - z) <= n / 4;
    let (mut model, grid) = sheet(n, |x, z| [x - 0.5, 0.0, z - 0.5], held)?;
    model.settings.gravity = [0.0; 3];
    model.settings.damping = 1.0;
    // Enough that nothing moves by its thickness in one.
    model.settings.substeps = 6;
    for (x, sense) in [(0, 1.0), (n - 1, -1.0)] {
        let end = (0..n).filter(|&z| held(x, z)).map(|z| grid.at(x, 0, z));
        // A turn each in four seconds, coming a third closer, as what is wrung shortens.
        model.add_part(Drive {
            particles: end.collect(),
            center: [-0.5 * sense, 0.0, 0.0],
            motion: Motion {
                velocity: [sense * 0.17 / 4.0, 0.0, 0.0],
                angular_velocity: [sense * TAU / 4.0, 0.0, 0.0],
                ends: 4.0,
                ..Motion::default()
            },
        });
    }
    let cloths = against_itself(&model, n);
    model.set_contacts(Contacts {
        radius: 0.0,
        friction: Some(0.2),
        cloths,
        detect: Detect::Substep,
        max_speed: Some(4.0),
        ..Contacts::default()
    })?;
    Ok(model)
}

fn curtain(n: usize) -> Result<Model, ModelError> {
    let place = |x: f64, z: f64| [x - 0.5, 1.0 - z, 0.0];
    let (mut model, _) = sheet(n, place, |x, z| z == 0 && (x % 4 == 0 || x == n - 1))?;
    let (points, triangles) = icosphere(3);
    let points: Vec<[f64; 3]> = points.iter().map(|p| p.map(|v| 0.25 * v)).collect();
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|i| i as u32)).collect();
    let ball = Collider::mesh(&points, &triangles, [0.0, 0.35, -0.6], [0.0, 0.0, 0.0, 1.0])?;
    let motion = Motion {
        velocity: [0.0, 0.0, 0.5],
        ends: 2.4,
        ..Motion::default()
    };
    model.set_contacts(Contacts {
        colliders: vec![ball.moving(motion)?],
        radius: RADIUS,
        friction: Some(0.2),
        ..Contacts::default()
    })?;
    Ok(model)
}

/// No particle is inside the moving mesh: deeper than half a radius below the sphere inside its triangles.
fn is_pushed(model: &Model, state: &Snapshot) -> Result<(), String> {
    stays_within(2.0, model, state)?;
    let center = [0.0, 0.35, -0.6 + 0.5 * state.time.min(2.4)];
    for (i, x) in state.positions.iter().enumerate() {
        let d = [0, 1, 2].map(|k| f64::from(x[k]) - center[k]);
        let distance = Vec3::<f64>::of(d).length();
        // Faces of this icosphere lie up to 0.8 % below its corners.
        if distance < 0.25 * 0.992 + RADIUS / 2.0 {
            return Err(format!(
                "particle {i} is {distance} m from the mesh's center"
            ));
        }
    }
    Ok(())
}
