//! Where a step's projections find the particles, and the contiguous phases over all of them.

use super::{Sharing, Store};
use crate::constraints::Particle;
use crate::math::{F32x8, Vec3, WIDTH};
use crate::state::Substep;
use crate::threads::{Run, Shared, SharedRecords, State};
use std::ops::Range;

/// Positions and inverse masses while rows are projected: columns for runs, records for gathers.
#[derive(Clone, Copy)]
pub(crate) enum Places<'a> {
    Columns(Shared<'a>),
    Records(SharedRecords<'a>),
}

/// Where a step's particles are, as all workers see them.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    /// Velocities and previous positions; positions before and after the iterations.
    pub(crate) particles: Shared<'a>,
    /// Positions and inverse masses while rows are projected.
    pub(crate) places: Places<'a>,
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

// Calls of their own, so that a profile names them.
impl Substep<F32x8> {
    /// x_prev <- x, v <- v + h a; predicted positions go to the places. Whole blocks of eight.
    #[inline(never)]
    pub(crate) fn predict_range(&self, range: Range<usize>, particles: &Shared, places: &Places) {
        for i in range.step_by(WIDTH) {
            let x = particles.get8(State::Position, i);
            let v = particles.get8(State::Velocity, i);
            let w = particles.inverse_mass8(i);
            let (next, v) = self.predict(x, v, w);
            particles.set8(State::Previous, i, x);
            particles.set8(State::Velocity, i, v);
            places.set8(i, next, w);
        }
    }

    /// Velocities follow from the positions, which come back to the columns if they lay elsewhere. Whole blocks of eight.
    #[inline(never)]
    pub(crate) fn update_range(&self, range: Range<usize>, particles: &Shared, places: &Places) {
        for i in range.step_by(WIDTH) {
            let x = places.get8(i);
            if let Places::Records(_) = places {
                particles.set8(State::Position, i, x);
            }
            let previous = particles.get8(State::Previous, i);
            let v = particles.get8(State::Velocity, i);
            let v = self.update(x, previous, v, particles.inverse_mass8(i));
            particles.set8(State::Velocity, i, v);
        }
    }
}

/// For what is projected beside the rows, one particle or eight at a time, eight consecutive places too, wherever they are.
macro_rules! store {
    ($slot:ty, $number:ty) => {
        impl Store<$slot, $number> for Places<'_> {
            #[inline(always)]
            fn load<const N: usize>(&self, slots: [$slot; N]) -> [Particle<$number>; N] {
                match self {
                    Self::Columns(columns) => columns.load(slots),
                    Self::Records(records) => records.load(slots),
                }
            }
            #[inline(always)]
            fn previous<const N: usize>(&self, slots: [$slot; N]) -> [Vec3<$number>; N] {
                match self {
                    Self::Columns(columns) => columns.previous(slots),
                    Self::Records(records) => records.previous(slots),
                }
            }
            #[inline(always)]
            fn store<const N: usize>(&self, slots: [$slot; N], sites: [Particle<$number>; N]) {
                match self {
                    Self::Columns(columns) => columns.store(slots, sites),
                    Self::Records(records) => records.store(slots, sites),
                }
            }
        }
    };
}
store!(u32, f32);
store!([u32; WIDTH], F32x8);
store!(Run, F32x8);
