//! Where a step's projections find the particles, and the contiguous phases over all of them.

use super::{Averaging, Column3, Integrator, ParticleView, RecordView, Run, Store, Width};
use crate::constraints::Particle;
use crate::math::{F32x8, Scalar, Vec3, WIDTH};
use std::ops::Range;

/// Positions and inverse masses while rows are projected: columns for runs, records for gathers and scalar loops.
#[derive(Clone, Copy)]
pub(crate) enum PositionView<'a, E> {
    Columns(ParticleView<'a, E>),
    Records(RecordView<'a, E>),
}

impl<E: Scalar> PositionView<'_, E> {
    /// Positions and inverse masses.
    #[inline(always)]
    pub(crate) fn load<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Particle<W>; N] {
        match self {
            Self::Columns(columns) => columns.load(slots),
            Self::Records(records) => records.load(slots),
        }
    }

    /// Begins to fetch what [`load`](Self::load) will read, where that is far away.
    #[inline(always)]
    pub(crate) fn fetch<W: Width<Element = E>>(&self, slots: &[W::Slots]) {
        if let Self::Records(records) = self {
            slots.iter().for_each(|&slots| records.fetch::<W>(slots));
        }
    }

    /// Positions at the start of the substep.
    #[inline(always)]
    pub(crate) fn previous<W: Width<Element = E>>(&self, slots: W::Slots) -> Vec3<W> {
        self.columns().gather(Column3::Previous, slots)
    }

    /// Replaces positions.
    #[inline(always)]
    pub(crate) fn store<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
        sites: [Particle<W>; N],
    ) {
        match self {
            Self::Columns(columns) => columns.store(slots, sites),
            Self::Records(records) => records.store(slots, sites),
        }
    }

    /// Positions of consecutive particles.
    #[inline(always)]
    pub(crate) fn read<W: Width<Element = E>>(&self, i: usize) -> Vec3<W> {
        match self {
            Self::Columns(columns) => columns.read(Column3::Position, i),
            Self::Records(records) => records.read(i),
        }
    }

    /// Replaces the positions of consecutive particles, whose inverse masses are `w`.
    #[inline(always)]
    pub(crate) fn write<W: Width<Element = E>>(&self, i: usize, x: Vec3<W>, w: W) {
        match self {
            Self::Columns(columns) => columns.write(Column3::Position, i, x),
            Self::Records(records) => records.write(i, x, w),
        }
    }

    fn columns(&self) -> &ParticleView<'_, E> {
        match self {
            Self::Columns(columns) => columns,
            Self::Records(records) => &records.columns,
        }
    }

    /// The same positions, rows of which start from the same ones.
    pub(crate) fn averaging(&self, averaging: Averaging) -> Self {
        match *self {
            Self::Columns(columns) => Self::Columns(columns.averaging(averaging)),
            Self::Records(records) => Self::Records(records.averaging(averaging)),
        }
    }

    /// The corrections gathered at consecutive slots, which start again from zero; they are averaged over `count`.
    #[inline(always)]
    pub(crate) fn take_sums<W: Width<Element = E>>(&self, i: usize, count: W) -> Vec3<W> {
        match self {
            Self::Columns(columns) => {
                let sums = columns.read(Column3::Sum, i);
                columns.write(Column3::Sum, i, Vec3::<W>::zero());
                sums
            }
            Self::Records(records) => {
                let sums = Self::Records(records.of_sums());
                let sum = sums.read(i);
                sums.write(i, Vec3::zero(), count);
                sum
            }
        }
    }
}

/// Slot by slot, wherever the positions are.
macro_rules! store {
    ([$($generic:tt)*] $element:ty, $slots:ty, $number:ty) => {
        impl<$($generic)*> Store<$slots, $number> for PositionView<'_, $element> {
            #[inline(always)]
            fn load<const N: usize>(&self, slots: [$slots; N]) -> [Particle<$number>; N] {
                match self {
                    Self::Columns(columns) => Store::load(columns, slots),
                    Self::Records(records) => Store::load(records, slots),
                }
            }
            #[inline(always)]
            fn previous<const N: usize>(&self, slots: [$slots; N]) -> [Vec3<$number>; N] {
                match self {
                    Self::Columns(columns) => Store::previous(columns, slots),
                    Self::Records(records) => Store::previous(records, slots),
                }
            }
            #[inline(always)]
            fn store<const N: usize>(&self, slots: [$slots; N], sites: [Particle<$number>; N]) {
                match self {
                    Self::Columns(columns) => Store::store(columns, slots, sites),
                    Self::Records(records) => Store::store(records, slots, sites),
                }
            }
        }
    };
}
store!([] f32, [u32; WIDTH], F32x8);
store!([] f32, Run, F32x8);
store!([E: Scalar + Width<Element = E, Slots = u32>] E, u32, E);

// Phases are calls of their own, so that a profile names them.
impl<W: Width> Integrator<W> {
    /// x_prev <- x, v <- v + h a; predicted positions go to `positions`. Whole blocks of as many particles as `W` has lanes.
    #[inline(never)]
    pub(crate) fn predict_range(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        positions: &PositionView<W::Element>,
    ) {
        match particles.velocity_steps() {
            None => self.predict_each(range, particles, positions, |_| self.gravity_step),
            Some(steps) => {
                self.predict_each(range, particles, positions, |i| Vec3::from(W::read(steps, i)))
            }
        }
    }

    /// `step`: what the velocities from a slot on grow by.
    #[inline(always)]
    fn predict_each(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        positions: &PositionView<W::Element>,
        step: impl Fn(usize) -> Vec3<W>,
    ) {
        for i in range.step_by(W::LANES) {
            let x = particles.read(Column3::Position, i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            let (next, v) = self.predict(step(i), x, v, w);
            particles.write(Column3::Previous, i, x);
            particles.write(Column3::Velocity, i, v);
            positions.write(i, next, w);
        }
    }

    /// Velocities follow from the positions, which come back to the columns if they lay elsewhere.
    #[inline(never)]
    pub(crate) fn update_range(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        positions: &PositionView<W::Element>,
    ) {
        for i in range.step_by(W::LANES) {
            let x = positions.read(i);
            if let PositionView::Records(_) = positions {
                particles.write(Column3::Position, i, x);
            }
            let previous = particles.read(Column3::Previous, i);
            let v = particles.read(Column3::Velocity, i);
            let v = self.update(x, previous, v, particles.inverse_mass(i));
            particles.write(Column3::Velocity, i, v);
        }
    }
}
