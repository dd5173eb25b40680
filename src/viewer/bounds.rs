//! The part of the world that a picture shows.

use super::collider_mesh::ColliderMesh;
use super::joint_lines::JointLines;
use crate::model::Model;
use crate::render::Bounds;
use crate::state::Snapshot;

/// Bounds where there is nothing to see.
pub(super) const EMPTY: Bounds = Bounds { least: [-0.5; 3], most: [0.5; 3] };
/// Colliders larger than what they hold by more than this are not all shown.
const LARGE: f32 = 2.0;

/// The box around every particle, body and joint of a state.
pub(super) fn bounds_of(model: &Model, state: &Snapshot) -> Option<Bounds> {
    let bodies = model.bodies().iter().zip(&state.bodies);
    let corners = bodies.flat_map(|(body, [x, y, z, ..])| {
        let reach = body.shape.reach() as f32;
        [-reach, reach].map(|r| [x + r, y + r, z + r])
    });
    let corners: Vec<_> = corners.collect();
    let joints = JointLines::of(model).place(state);
    Bounds::of(state.positions.iter().chain(&corners).chain(&joints))
}

/// The box around `bounds` and the colliders at some times (s), but for those that are much larger.
pub(super) fn with_colliders(model: &Model, bounds: Bounds, times: [f64; 2]) -> Bounds {
    let size = |b: &Bounds| (0..3).map(|k| b.most[k] - b.least[k]).fold(0.0, f32::max);
    let most = LARGE * size(&bounds);
    let colliders = model.contacts().map_or(&[][..], |contacts| &contacts.colliders);
    let placed = colliders.iter().flat_map(|c| times.map(|time| ColliderMesh::of(c, time)));
    let boxes = placed.filter_map(|mesh| Bounds::of(&mesh.positions));
    boxes.filter(|b| size(b) <= most).fold(bounds, Bounds::and)
}
