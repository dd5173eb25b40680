//! Where a step's projections find the particles, and the contiguous phases over all of them.

use crate::lanes::{F32x8, Vec3, WIDTH};
use crate::parallel::{Shared, SharedRecords, State, Worker};
use crate::step::Substep;

use super::Sharing;

/// Where a step's projections find the particles: columns for runs, records for gathers.
#[derive(Clone, Copy)]
pub(crate) enum Places<'a> {
    Columns(Shared<'a>),
    Records(SharedRecords<'a>),
}

impl Places<'_> {
    /// The positions of eight places.
    #[inline(always)]
    pub(crate) fn get8(&self, i: usize) -> Vec3<F32x8> {
        match self {
            Places::Columns(columns) => columns.get8(State::Position, i),
            Places::Records(records) => records.read8(i),
        }
    }

    /// Replaces the positions of eight places, whose inverse masses are `w`.
    #[inline(always)]
    pub(crate) fn set8(&self, i: usize, x: Vec3<F32x8>, w: F32x8) {
        match self {
            Places::Columns(columns) => columns.set8(State::Position, i, x),
            Places::Records(records) => records.fill8(i, x, w),
        }
    }

    /// The corrections gathered at eight places, which start again from zero; they are averaged over `count`.
    #[inline(always)]
    pub(crate) fn take_sums8(&self, i: usize, count: F32x8) -> Vec3<F32x8> {
        match self {
            Places::Columns(columns) => {
                let sums = columns.get8(State::Sum, i);
                columns.set8(State::Sum, i, Vec3::zero());
                sums
            }
            Places::Records(records) => {
                let sums = records.of_sums().read8(i);
                records.of_sums().fill8(i, Vec3::zero(), count);
                sums
            }
        }
    }

    /// The same places, rows of which start from the same positions.
    pub(crate) fn sharing(&self, sharing: Sharing) -> Self {
        match *self {
            Places::Columns(columns) => Places::Columns(columns.sharing(sharing)),
            Places::Records(records) => Places::Records(records.sharing(sharing)),
        }
    }
}

/// A phase over all places, eight at a time.
pub(crate) fn blocks(worker: &Worker, particles: &Shared, act: impl Fn(usize)) {
    worker.share(particles.len() / WIDTH, |part| {
        part.for_each(|block| act(block * WIDTH));
    });
}

// Phases are calls of their own, so that a profile names them.
impl Substep<F32x8> {
    /// x_prev <- x, v <- v + h a; predicted positions go to the places.
    #[inline(never)]
    pub(crate) fn predict_all(&self, worker: &Worker, particles: &Shared, places: &Places) {
        blocks(worker, particles, |i| {
            let x = particles.get8(State::Position, i);
            let v = particles.get8(State::Velocity, i);
            let w = particles.inverse_mass8(i);
            let (next, v) = self.predict(x, v, w);
            particles.set8(State::Previous, i, x);
            particles.set8(State::Velocity, i, v);
            places.set8(i, next, w);
        });
    }

    /// Positions come back to the columns, velocities follow from them.
    #[inline(never)]
    pub(crate) fn update_all(&self, worker: &Worker, particles: &Shared, places: &Places) {
        blocks(worker, particles, |i| {
            let x = places.get8(i);
            let previous = particles.get8(State::Previous, i);
            let v = particles.get8(State::Velocity, i);
            let v = self.update(x, previous, v, particles.inverse_mass8(i));
            particles.set8(State::Velocity, i, v);
            particles.set8(State::Position, i, x);
        });
    }
}
