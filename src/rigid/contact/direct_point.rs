//! Points and bodies as they are solved [directly](super::direct), in f64.

use crate::constraints::across;
use crate::math::Vec3;

/// A point of a manifold, or its first: its batch, packet, lane and number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) batch: usize,
    pub(super) packet: usize,
    pub(super) lane: usize,
    pub(super) k: usize,
}

/// What is known of a point, in f64.
#[derive(Clone, Copy)]
pub(super) struct DirectPoint {
    /// The bodies, b only if contacts move it.
    pub(super) bodies: [Option<u32>; 2],
    /// From b to a.
    pub(super) normal: Vec3<f64>,
    /// As of [`PointStart`](super::constraint::PointStart).
    pub(super) levers: [Vec3<f64>; 2],
    pub(super) gap: f64,
    pub(super) creep: Vec3<f64>,
    /// µ.
    pub(super) friction: f64,
    pub(super) lambda: f64,
    /// f.
    pub(super) rubbed: Vec3<f64>,
}

/// A direction and two across it, the first of them along `t`, if that says one.
pub(super) fn axes(n: Vec3<f64>, t: Vec3<f64>) -> [Vec3<f64>; 3] {
    let (said, any) = (across(t, n), n.cross(n.farthest_axis()));
    let along = if said.length() > 1e-9 { said } else { any };
    let along = along * (1.0 / along.length());
    [n, along, n.cross(along)]
}
