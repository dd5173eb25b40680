//! The part of the world that a picture shows.

use super::collider_mesh::ColliderMesh;
use super::joint_lines::JointLines;
use super::stage::colliders;
use crate::groups::Fluid;
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

/// One particle of a fluid in so many may be spray, and is where it flies higher above all others than this part of how high those reach.
const SPRAY: usize = 200;
const ABOVE: f32 = 0.1;

/// Whether each particle is spray, for which no picture is widened: it would show all else small.
fn spray(model: &Model, state: &Snapshot) -> Vec<bool> {
    let mut spray = vec![false; state.positions.len()];
    let height = |i: u32| state.positions.get(i as usize).map_or(f32::NAN, |x| x[1]);
    for fluid in model.subsystems_of::<Fluid>() {
        let known = |i: &u32| height(*i).is_finite();
        let mut heights: Vec<f32> =
            fluid.particles().iter().filter(|i| known(i)).map(|&i| height(i)).collect();
        if heights.len() < SPRAY {
            continue;
        }
        let at = heights.len() - heights.len() / SPRAY - 1;
        let least = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let (_, most, _) = heights.select_nth_unstable_by(at, f32::total_cmp);
        let top = *most + ABOVE * (*most - least);
        for &i in fluid.particles().iter().filter(|i| height(**i) > top) {
            spray[i as usize] = true;
        }
    }
    spray
}

/// Every particle of a state but spray, and points around each body and joint (m).
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
    let spray = spray(model, state);
    let particles = state.positions.iter().zip(spray).filter(|(_, spray)| !spray);
    particles.map(|(x, _)| *x).chain(around).chain(joints.places(state))
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
