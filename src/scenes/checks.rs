//! Checks of a state that scenes share.

use crate::math::Vec3;
use crate::model::Model;
use crate::rigid::Body;
use crate::state::Snapshot;

/// `ensure!(condition; "message")`: returns the message as an error unless the condition holds.
macro_rules! ensure {
    ($holds:expr; $($message:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            return Err(format!($($message)+));
        }
    };
}
pub(super) use ensure;

pub(super) type Outcome = Result<(), String>;

/// The state is finite, and of the model.
pub(super) fn finite(model: &Model, state: &Snapshot) -> Outcome {
    ensure!(state.finite(); "the state is not finite");
    let (found, expected) = (state.positions.len(), model.positions().len());
    ensure!(found == expected; "{found} particles of {expected}");
    Ok(())
}

/// The particles of the first rows of a model.
pub(super) fn first_rows<const N: usize>(model: &Model) -> &[[u32; N]] {
    let rows = model.row_sets().next();
    rows.map_or(&[], |rows| rows.particles.particles.as_chunks().0)
}

/// Index, position and start of every particle.
pub(super) fn particles<'a>(
    model: &'a Model,
    state: &'a Snapshot,
) -> impl Iterator<Item = (usize, &'a [f32; 3], &'a [f32; 3])> {
    let both = state.positions.iter().zip(model.positions()).enumerate();
    both.map(|(i, (x, start))| (i, x, start))
}

/// Index, pose and start of every body.
pub(super) fn bodies<'a>(
    model: &'a Model,
    state: &'a Snapshot,
) -> impl Iterator<Item = (usize, &'a [f32; 7], &'a Body)> {
    let both = state.bodies.iter().zip(model.bodies()).enumerate();
    both.map(|(i, (pose, body))| (i, pose, body))
}

/// The state is finite, and pins are where they were.
pub(super) fn keeps_its_pins(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    for (i, x, start) in particles(model, state) {
        let pinned = model.inverse_masses()[i] == 0.0 && model.velocities()[i] == [0.0; 3];
        ensure!(!pinned || x == start; "pinned particle {i} moved to {x:?}");
    }
    Ok(())
}

/// For scenes that hang: pins are where they were, and nothing has fallen faster than gravity takes it.
pub(super) fn hangs(model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    let [_, g, _] = model.settings.gravity;
    // The scheme's own fall: h² g n (n + 1) / 2 (S0-02). Gravity that does not point down promises nothing.
    let fall = match g < 0.0 {
        true => 0.5 * g * state.time * (state.time + model.settings.h()) * 1.001 - 0.01,
        false => f64::NEG_INFINITY,
    };
    for (i, x, start) in particles(model, state) {
        let above = f64::from(x[1]) >= f64::from(start[1]) + fall;
        ensure!(above; "particle {i} fell faster than gravity, to {x:?}");
    }
    Ok(())
}

/// For scenes that bend or press, where a lever may outrun gravity: pins are where they were, and nothing has gone further
/// than `most` metres.
pub(super) fn stays_within(most: f32, model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    for (i, x, start) in particles(model, state) {
        let moved = glam::Vec3::from(*x).distance((*start).into());
        ensure!(moved <= most; "particle {i} is {moved:.3} m from its start");
    }
    Ok(())
}

/// [`stays_within`] half a metre.
pub(super) fn near_its_start(model: &Model, state: &Snapshot) -> Outcome {
    stays_within(0.5, model, state)
}

/// No particle is nearer to `center` than `least` (m).
pub(super) fn keeps_off(center: [f64; 3], least: f64, state: &Snapshot) -> Outcome {
    for (i, x) in state.positions.iter().enumerate() {
        let distance = glam::DVec3::from(x.map(f64::from)).distance(center.into());
        ensure!(distance >= least; "particle {i} is {distance} m from {center:?}");
    }
    Ok(())
}

/// The state is finite, and every particle lies in a bin around the origin with walls `half` away along x and z (m), to half a radius.
pub(super) fn in_the_bin(half: [f64; 2], radius: f64, model: &Model, state: &Snapshot) -> Outcome {
    keeps_its_pins(model, state)?;
    let [most_x, most_z] = half.map(|half| (half - 0.5 * radius) as f32);
    for (i, &[x, y, z]) in state.positions.iter().enumerate() {
        let inside = y >= 0.5 * radius as f32 && x.abs() <= most_x && z.abs() <= most_z;
        ensure!(inside; "particle {i} has left the bin, at {x} {y} {z}");
    }
    Ok(())
}

/// The state is finite, and no body's center is below the floor.
pub(super) fn above_the_floor(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    for (i, pose, _) in bodies(model, state) {
        ensure!(pose[1] >= 0.0; "body {i} is below the floor");
    }
    Ok(())
}

/// The least and the greatest height of the particles (m).
pub(super) fn heights(state: &Snapshot) -> [f32; 2] {
    let heights = || state.positions.iter().map(|x| x[1]);
    [heights().fold(0.0, f32::min), heights().fold(0.0, f32::max)]
}

/// The mean height of points (m).
pub(crate) fn mean_height(points: &[[f32; 3]]) -> f64 {
    let sum: f64 = points.iter().map(|x| f64::from(x[1])).sum();
    sum / points.len().max(1) as f64
}

/// Whether gravity is as the scenes are built for.
pub(super) fn is_as_built(model: &Model) -> bool {
    model.settings.gravity == [0.0, -9.81, 0.0]
}

/// The center of a body (m).
pub(super) fn center(pose: &[f32; 7]) -> Vec3<f64> {
    Vec3::new(pose[0], pose[1], pose[2]).to_f64()
}

/// The upright part of a body's own y axis.
pub(super) fn upright(pose: &[f32; 7]) -> f64 {
    let square: f32 = pose[3..].iter().map(|v| v * v).sum();
    let [x, z, length] = [pose[3] * pose[3], pose[5] * pose[5], square].map(f64::from);
    1.0 - 2.0 * (x + z) / length
}
