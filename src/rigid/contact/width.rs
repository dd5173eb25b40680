//! Eight lanes or sixteen for contacts of bodies: whichever this machine is faster with.
//!
//! A packet waits for itself: friction of a point needs the velocities that the point before it left, a root and a quotient.
//! Sixteen lanes wait no longer than eight. But a Zen 4 computes them in halves, and where registers do not hold as many, numbers
//! go over the stack. So both are measured, once in a process, on contacts of four points in the second-level cache.

use super::batch::{Batch, ContactBatch};
use super::constraint::ContactConstraint;
use super::pass::PassParameters;
use super::settings::Needs;
use super::solver_bodies::SolverBodies;
use crate::math::{F32x8, F32x16, SIXTEEN};
use crate::rigid::packets::Packets;
use crate::rows::{CONTACTS, best_times};
use crate::settings::Settings;
use crate::state::Lanes;
use std::time::Duration;

/// Whether sixteen lanes are compiled at all. Tests have them everywhere.
pub(super) const WIDE: bool = SIXTEEN || cfg!(test);
/// So many bodies fill packets of sixteen: colors of fewer are mostly repeated lanes.
const WORTH: usize = 64;
/// Manifolds measured: they take some 55 kB.
const MANIFOLDS: u32 = 128;
/// Sweeps in a measurement, some fifty microseconds of eight lanes.
const SWEEPS: usize = 10;

/// Whether contacts of so many bodies should be in packets of sixteen lanes.
pub(super) fn is_wide(settings: &Settings, count: usize) -> bool {
    match settings.width {
        Some(width) => WIDE && width == 16,
        None => SIXTEEN && count >= WORTH && CONTACTS.is_sixteen(settings, measure),
    }
}

/// The best time of eight lanes and of sixteen.
pub(super) fn measure() -> [Duration; 2] {
    let bodies = SolverBodies::new(2 * MANIFOLDS as usize, false);
    let pass = PassParameters { h: 1.0, ways: 1, parts: true, ..PassParameters::default() };
    let sweeps = |batch: &dyn Batch<f32>| {
        let packets = batch.packets().len();
        (0..SWEEPS).for_each(|_| batch.project(0..packets, &bodies, &pass));
    };
    let (eight, sixteen) = (contacts::<F32x8>(), contacts::<F32x16>());
    best_times([&|| sweeps(&eight), &|| sweeps(&sixteen)])
}

/// Manifolds of two bodies each, none of which is another's. Nothing moves: what they compute takes as long.
pub(super) fn contacts<W: Lanes<Element = f32>>() -> ContactBatch<W, 4, false> {
    let mut packets = Packets::default();
    packets.push(&(0..MANIFOLDS).collect::<Vec<_>>(), W::LANES);
    let mut batch = ContactBatch::new();
    batch.lay_out(&packets, Needs { impacts: false, resistances: false });
    for i in 0..packets.len() {
        let body = |lane: usize| 2 * (i * W::LANES + lane) as u32;
        let slots = [W::slots(body), W::slots(|lane| body(lane) + 1)];
        batch.constraints.set(i, ContactConstraint { slots, ..ContactBatch::blank() });
    }
    batch
}
