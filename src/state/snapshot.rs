//! A state as users see it, and all that the engine carries beside it.

use super::saved::Saved;

/// A state in authored order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Simulated time (s).
    pub time: f64,
    /// Frames stepped since the start.
    pub frame: u64,
    /// Positions (m).
    pub positions: Vec<[f32; 3]>,
    /// Velocities (m/s).
    pub velocities: Vec<[f32; 3]>,
    /// Position (m) and orientation x y z w of every rigid body.
    pub bodies: Vec<[f32; 7]>,
    /// Velocity (m/s) and angular velocity (rad/s) of every rigid body.
    pub body_velocities: Vec<[f32; 6]>,
    /// The model's triangles as they are now, where any may tear; else empty, and in a state where none has torn it may be.
    pub triangles: Vec<[u32; 3]>,
    /// What else is carried from frame to frame: of the simulation itself, of each row set, of each subsystem. A state that was
    /// put together by hand has none of it, and goes on with what carries nothing yet.
    pub(crate) carried: Vec<Saved>,
}

impl Snapshot {
    /// Leaves out these sections; gives those of them that there were.
    pub(crate) fn drop_sections(&mut self, names: &[&'static str]) -> Vec<&'static str> {
        let mut dropped = names.to_vec();
        dropped.retain(|name| {
            let parts = self.carried.iter_mut();
            parts.filter_map(|part| part.drop_section(name).then_some(())).count() > 0
        });
        dropped
    }

    /// Whether every position, orientation and velocity is finite.
    pub fn finite(&self) -> bool {
        let finite = |values: &[f32]| values.iter().all(|v| v.is_finite());
        finite(self.positions.as_flattened())
            && finite(self.velocities.as_flattened())
            && finite(self.bodies.as_flattened())
            && finite(self.body_velocities.as_flattened())
    }
}
