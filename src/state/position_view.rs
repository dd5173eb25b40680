//! Where a step's projections find the particles, and the contiguous phases over all of them.

use super::lane_number::LaneNumber;
use super::particle_view::{Column3, ParticleView, Run};
use super::record_view::RecordView;
use super::store::Store;
use super::{Averaging, Integrator};
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
    pub(crate) fn load<W: PositionWidth<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Particle<W>; N] {
        W::load(self, slots)
    }

    /// Begins to fetch what [`load`](Self::load) will read, where that is far away.
    #[inline(always)]
    pub(crate) fn fetch<W: PositionWidth<Element = E>>(&self, slots: &[W::Slots]) {
        slots.iter().for_each(|&slots| W::fetch(self, &[slots]));
    }

    /// Positions at the start of the substep.
    #[inline(always)]
    pub(crate) fn previous<W: PositionWidth<Element = E>>(&self, slots: W::Slots) -> Vec3<W> {
        W::previous(self, slots)
    }

    /// Replaces positions.
    #[inline(always)]
    pub(crate) fn store<W: PositionWidth<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
        sites: [Particle<W>; N],
    ) {
        W::store(self, slots, sites);
    }

    /// Positions of consecutive particles.
    #[inline(always)]
    pub(crate) fn read<W: PositionWidth<Element = E>>(&self, i: usize) -> Vec3<W> {
        W::read_positions(self, i)
    }

    /// Replaces the positions of consecutive particles, whose inverse masses are `w`.
    #[inline(always)]
    pub(crate) fn write<W: PositionWidth<Element = E>>(&self, i: usize, x: Vec3<W>, w: W) {
        W::write_positions(self, i, x, w);
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
    pub(crate) fn take_sums<W: PositionWidth<Element = E>>(&self, i: usize, count: W) -> Vec3<W> {
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
                    Self::Columns(columns) => columns.load(slots),
                    Self::Records(records) => records.load(slots),
                }
            }
            #[inline(always)]
            fn previous<const N: usize>(&self, slots: [$slots; N]) -> [Vec3<$number>; N] {
                match self {
                    Self::Columns(columns) => columns.previous(slots),
                    Self::Records(records) => records.previous(slots),
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
store!([E: Scalar + LaneNumber<Element = E, Slots = u32>] E, u32, E);

/// A number of lanes, and how particles are loaded into it and stored from it while rows are projected.
pub(crate) trait PositionWidth: LaneNumber {
    /// Positions and inverse masses while rows are projected.
    fn load<const N: usize>(
        view: &PositionView<Self::Element>,
        slots: [Self::Slots; N],
    ) -> [Particle<Self>; N];
    /// Begins to fetch what [`load`](PositionWidth::load) will read, where that is far away.
    fn fetch<const N: usize>(view: &PositionView<Self::Element>, slots: &[Self::Slots; N]);
    /// Positions at the start of the substep.
    fn previous(view: &PositionView<Self::Element>, slots: Self::Slots) -> Vec3<Self>;
    /// Replaces positions while rows are projected.
    fn store<const N: usize>(
        view: &PositionView<Self::Element>,
        slots: [Self::Slots; N],
        sites: [Particle<Self>; N],
    );
    /// Consecutive particles' positions while rows are projected.
    fn read_positions(view: &PositionView<Self::Element>, i: usize) -> Vec3<Self>;
    /// Replaces the positions of consecutive particles, whose inverse masses are `w`.
    fn write_positions(view: &PositionView<Self::Element>, i: usize, x: Vec3<Self>, w: Self);
}

macro_rules! one_lane {
    ($number:ty) => {
        impl PositionWidth for $number {
            #[inline(always)]
            fn load<const N: usize>(
                view: &PositionView<$number>,
                slots: [u32; N],
            ) -> [Particle<Self>; N] {
                Store::load(view, slots)
            }
            #[inline(always)]
            fn fetch<const N: usize>(_: &PositionView<$number>, _: &[u32; N]) {}
            #[inline(always)]
            fn previous(view: &PositionView<$number>, slots: u32) -> Vec3<Self> {
                let [x] = Store::previous(view, [slots]);
                x
            }
            #[inline(always)]
            fn store<const N: usize>(
                view: &PositionView<$number>,
                slots: [u32; N],
                sites: [Particle<Self>; N],
            ) {
                Store::store(view, slots, sites);
            }
            #[inline(always)]
            fn read_positions(view: &PositionView<$number>, i: usize) -> Vec3<Self> {
                let [site]: [Particle<$number>; 1] = Store::load(view, [i as u32]);
                site.x
            }
            #[inline(always)]
            fn write_positions(view: &PositionView<$number>, i: usize, x: Vec3<Self>, w: Self) {
                Store::store(view, [i as u32], [Particle { x, w }]);
            }
        }
    };
}
one_lane!(f32);
one_lane!(f64);

impl PositionWidth for F32x8 {
    #[inline(always)]
    fn load<const N: usize>(
        view: &PositionView<f32>,
        slots: [Self::Slots; N],
    ) -> [Particle<Self>; N] {
        Store::load(view, slots)
    }
    #[inline(always)]
    fn fetch<const N: usize>(view: &PositionView<f32>, slots: &[Self::Slots; N]) {
        if let PositionView::Records(records) = view {
            records.fetch(slots);
        }
    }
    #[inline(always)]
    fn previous(view: &PositionView<f32>, slots: Self::Slots) -> Vec3<Self> {
        let [x] = Store::previous(view, [slots]);
        x
    }
    #[inline(always)]
    fn store<const N: usize>(
        view: &PositionView<f32>,
        slots: [Self::Slots; N],
        sites: [Particle<Self>; N],
    ) {
        Store::store(view, slots, sites);
    }
    #[inline(always)]
    fn read_positions(view: &PositionView<f32>, i: usize) -> Vec3<Self> {
        match view {
            PositionView::Columns(columns) => columns.read(Column3::Position, i),
            PositionView::Records(records) => records.read8(i),
        }
    }
    #[inline(always)]
    fn write_positions(view: &PositionView<f32>, i: usize, x: Vec3<Self>, w: Self) {
        match view {
            PositionView::Columns(columns) => columns.write(Column3::Position, i, x),
            PositionView::Records(records) => records.fill8(i, x, w),
        }
    }
}

// Phases are calls of their own, so that a profile names them.
impl<W: PositionWidth> Integrator<W> {
    /// x_prev <- x, v <- v + h a; predicted positions go to `positions`. Whole blocks of as many particles as `W` has lanes.
    #[inline(never)]
    pub(crate) fn predict_range(
        &self,
        range: Range<usize>,
        particles: &ParticleView<W::Element>,
        positions: &PositionView<W::Element>,
    ) {
        for i in range.step_by(W::LANES) {
            let x = particles.read(Column3::Position, i);
            let v = particles.read(Column3::Velocity, i);
            let w = particles.inverse_mass(i);
            let (next, v) = self.predict(x, v, w);
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
