//! What joints hold of the velocities of bodies, for contacts and impacts.

use crate::math::{Quat, Vec3};

/// One equation of two bodies a and b: linear · (v_a - v_b) + turns[0] · ω_a + turns[1] · ω_b = 0.
#[derive(Clone, Copy)]
pub(crate) struct VelocityRow {
    pub(crate) linear: Vec3<f64>,
    pub(crate) turns: [Vec3<f64>; 2],
}

/// What a rigid joint holds.
pub(crate) struct HeldVelocities {
    /// Its bodies; none is the world.
    pub(crate) bodies: [Option<u32>; 2],
    /// Its place among the joints, if it may break.
    pub(crate) breakable: Option<usize>,
    /// Does something with each of its rows and how far that is off (m or rad), where its bodies lie so.
    pub(crate) each_row: Box<EachRow>,
}

type EachRow = dyn Fn([(Vec3<f64>, Quat<f64>); 2], &mut dyn FnMut(VelocityRow, f64)) + Send + Sync;
