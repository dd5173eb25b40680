//! The particles' columns as all workers see them.

#![allow(clippy::needless_range_loop)] // slots and sites run side by side, and `zip` is not always inlined

use super::columns::Columns3;
use super::store::{each_slot, nothing};
use super::{Averaging, Particles, Width};
use crate::constraints::Particle;
use crate::math::{Scalar, Vec3};
use crate::threads::SharedColumns;

/// The columns of all particles, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct ParticleView<'a, E> {
    position: SharedColumns<'a, E, 3>,
    previous: SharedColumns<'a, E, 3>,
    velocity: SharedColumns<'a, E, 3>,
    inverse_mass: SharedColumns<'a, E, 1>,
    /// Corrections gathered, and what they are averaged over; the positions themselves where there are none.
    sums: SharedColumns<'a, E, 3>,
    pub(super) counts: SharedColumns<'a, E, 1>,
    pub(super) averaging: Option<Averaging>,
}

/// One of the three-column states of a particle.
#[derive(Clone, Copy)]
pub(crate) enum Column3 {
    Position,
    Previous,
    Velocity,
    /// Corrections gathered, not yet taken.
    Sum,
}

impl<'a, E: Scalar> ParticleView<'a, E> {
    pub(crate) fn new(particles: &'a mut Particles<E>) -> Self {
        fn share<E: Scalar>(columns: &mut Columns3<E>) -> SharedColumns<'_, E, 3> {
            SharedColumns::new(columns.as_mut_slices())
        }
        let position = share(&mut particles.position);
        let inverse_mass = SharedColumns::new([particles.inverse_mass.as_mut_slice()]);
        Self {
            position,
            previous: share(&mut particles.previous),
            velocity: share(&mut particles.velocity),
            inverse_mass,
            sums: position,
            counts: inverse_mass,
            averaging: None,
        }
    }

    /// The same columns with others beside them: their positions are the corrections gathered, their inverse masses what
    /// those are averaged over.
    pub(crate) fn summing(self, sums: ParticleView<'a, E>) -> Self {
        assert_eq!(self.len(), sums.len(), "sums of other columns");
        Self {
            sums: sums.position,
            counts: sums.inverse_mass,
            ..self
        }
    }

    /// The same columns, rows of which start from the same positions.
    pub(crate) fn averaging(self, averaging: Averaging) -> Self {
        Self {
            averaging: Some(averaging),
            ..self
        }
    }

    /// Slots, a multiple of eight.
    pub(crate) fn len(&self) -> usize {
        self.position.len()
    }

    #[inline(always)]
    fn columns(&self, column: Column3) -> &SharedColumns<'a, E, 3> {
        match column {
            Column3::Position => &self.position,
            Column3::Previous => &self.previous,
            Column3::Velocity => &self.velocity,
            Column3::Sum => &self.sums,
        }
    }

    /// Consecutive entries from slot `i`.
    #[inline(always)]
    pub(crate) fn read<W: Width<Element = E>>(&self, column: Column3, i: usize) -> Vec3<W> {
        Vec3::from(W::read(self.columns(column), i))
    }

    /// Replaces consecutive entries from slot `i`.
    #[inline(always)]
    pub(crate) fn write<W: Width<Element = E>>(&self, column: Column3, i: usize, v: Vec3<W>) {
        W::write(self.columns(column), i, v.to_array());
    }

    /// Entries anywhere.
    #[inline(always)]
    pub(crate) fn gather<W: Width<Element = E>>(&self, column: Column3, at: W::Slots) -> Vec3<W> {
        Vec3::from(W::gather(self.columns(column), at))
    }

    /// Replaces entries anywhere, lane by lane.
    #[inline(always)]
    pub(crate) fn scatter<W: Width<Element = E>>(&self, column: Column3, at: W::Slots, v: Vec3<W>) {
        W::scatter(self.columns(column), at, v.to_array());
    }

    /// Inverse masses of consecutive slots.
    #[inline(always)]
    pub(crate) fn inverse_mass<W: Width<Element = E>>(&self, i: usize) -> W {
        let [w] = W::read(&self.inverse_mass, i);
        w
    }

    /// Inverse masses anywhere.
    #[inline(always)]
    pub(crate) fn inverse_masses<W: Width<Element = E>>(&self, at: W::Slots) -> W {
        let [w] = W::gather(&self.inverse_mass, at);
        w
    }

    /// What the corrections gathered at consecutive slots are averaged over.
    #[inline(always)]
    pub(crate) fn count<W: Width<Element = E>>(&self, i: usize) -> W {
        let [n] = W::read(&self.counts, i);
        n
    }

    /// Replaces what slot `to` was at the start of the substep by what `from` was.
    pub(crate) fn copy_previous(&self, from: u32, to: u32) {
        self.previous
            .set(to as usize, self.previous.get(from as usize));
    }

    /// Positions and inverse masses.
    #[inline(always)]
    pub(crate) fn load<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Particle<W>; N] {
        each_slot(
            nothing(),
            #[inline(always)]
            |slot| Particle {
                x: self.gather(Column3::Position, slots[slot]),
                w: self.inverse_masses(slots[slot]),
            },
        )
    }

    /// Replaces positions.
    #[inline(always)]
    pub(crate) fn store<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
        sites: [Particle<W>; N],
    ) {
        for slot in 0..N {
            self.scatter(Column3::Position, slots[slot], sites[slot].x);
        }
    }

    /// Velocities and inverse masses, as rows load positions.
    #[inline(always)]
    pub(crate) fn load_velocities<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Particle<W>; N] {
        each_slot(
            nothing(),
            #[inline(always)]
            |slot| Particle {
                x: self.gather(Column3::Velocity, slots[slot]),
                w: self.inverse_masses(slots[slot]),
            },
        )
    }

    /// Replaces velocities, as rows store positions.
    #[inline(always)]
    pub(crate) fn store_velocities<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
        sites: [Particle<W>; N],
    ) {
        for slot in 0..N {
            self.scatter(Column3::Velocity, slots[slot], sites[slot].x);
        }
    }

    /// Positions at the start of the substep.
    #[inline(always)]
    pub(crate) fn load_previous<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Vec3<W>; N] {
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| self.gather(Column3::Previous, slots[slot]),
        )
    }
}
