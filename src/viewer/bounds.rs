//! The part of the world that a picture shows.

use super::collider_mesh::ColliderMesh;
use super::joint_lines::JointLines;
use super::stage::colliders;
use crate::model::Model;
use crate::render::Bounds;
use crate::simulation::Simulation;
use crate::state::Snapshot;

/// Bounds where there is nothing to see.
pub(super) const EMPTY: Bounds = Bounds { least: [-0.5; 3], most: [0.5; 3] };
/// Colliders larger than what they hold by more than this are not all shown.
const LARGE: f32 = 2.0;
/// Frames and projections that a scene is simulated ahead for, to place a floor below it.
const AHEAD: (u64, u64) = (150, 10_000_000);
/// The picture widens for what leaves it by no more than so many of its first sizes.
const WIDEST: f32 = 2.0;

/// Every particle of a state, and points around each body and joint (m).
pub(super) fn points_of<'a>(
    model: &'a Model,
    state: &'a Snapshot,
    joints: &'a JointLines,
) -> impl Iterator<Item = [f32; 3]> + 'a {
    let bodies = model.bodies().iter().zip(&state.bodies);
    let around = bodies.flat_map(|(body, &[x, y, z, ..])| {
        let r = body.shape.reach() as f32;
        let along = move |r: f32| [[x + r, y, z], [x, y + r, z], [x, y, z + r]];
        [-r, r].into_iter().flat_map(along)
    });
    state.positions.iter().copied().chain(around).chain(joints.places(state))
}

/// The box around every particle, body and joint of a state.
pub(super) fn bounds_of(model: &Model, state: &Snapshot, joints: &JointLines) -> Option<Bounds> {
    Bounds::of_all(points_of(model, state, joints))
}

/// The box around `bounds` and the colliders at a time (s), but for those that are much larger.
fn with_colliders(model: &Model, bounds: Bounds, time: f64) -> Bounds {
    let points = collider_points(model, bounds, [time; 2]);
    Bounds::of(&points).map_or(bounds, |colliders| bounds.and(colliders))
}

/// Points of the colliders at some times (s and m), but for those that are much larger than `bounds`.
pub(super) fn collider_points(model: &Model, bounds: Bounds, times: [f64; 2]) -> Vec<[f32; 3]> {
    let most = LARGE * bounds.longest_side();
    let placed = colliders(model).iter().flat_map(|c| times.map(|time| ColliderMesh::of(c, time)));
    let is_shown =
        |mesh: &ColliderMesh| Bounds::of(&mesh.positions).is_some_and(|b| b.longest_side() <= most);
    placed.filter(is_shown).flat_map(|mesh| mesh.positions).collect()
}

/// The box around a model as it begins. Without a floor it is around its motion, as far as that is quickly known, so that a
/// floor is shown below all of it; the simulation stays where it is.
pub(super) fn first_bounds(simulation: &mut Simulation) -> Bounds {
    let start = simulation.snapshot();
    let model = simulation.model();
    let joints = JointLines::of(model);
    let mut bounds = bounds_of(model, &start, &joints);
    if !colliders(model).iter().any(|collider| collider.still_plane().is_some()) {
        let settings = &model.settings;
        let projections = model.constraint_count() as u64 + model.positions().len() as u64;
        let step = projections * u64::from(settings.iterations) * u64::from(settings.substeps);
        for _ in 0..(AHEAD.1 / step.max(1)).clamp(1, AHEAD.0) {
            simulation.step();
            let now = bounds_of(simulation.model(), &simulation.visible(), &joints);
            bounds = bounds.map(|bounds| now.map_or(bounds, |now| bounds.and(now)));
        }
        simulation.restore(&start);
        simulation.timers().clear();
    }
    with_colliders(simulation.model(), bounds.unwrap_or(EMPTY), start.time)
}

/// A box so much larger that the picture is widened as far.
pub(super) fn widened(bounds: Bounds) -> Bounds {
    let size = bounds.longest_side();
    Bounds {
        least: bounds.least.map(|v| v - WIDEST * size),
        most: bounds.most.map(|v| v + WIDEST * size),
    }
}
