//! A state as users see it.

/// A state in authored order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Simulated time (s).
    pub time: f64,
    /// Positions (m).
    pub positions: Vec<[f32; 3]>,
    /// Velocities (m/s).
    pub velocities: Vec<[f32; 3]>,
    /// Position (m) and orientation x y z w of every rigid body.
    pub bodies: Vec<[f32; 7]>,
    /// Velocity (m/s) and angular velocity (rad/s) of every rigid body.
    pub body_velocities: Vec<[f32; 6]>,
}

impl Snapshot {
    /// Whether every position, orientation and velocity is finite.
    pub fn finite(&self) -> bool {
        let finite = |values: &[f32]| values.iter().all(|v| v.is_finite());
        finite(self.positions.as_flattened())
            && finite(self.velocities.as_flattened())
            && finite(self.bodies.as_flattened())
            && finite(self.body_velocities.as_flattened())
    }
}
