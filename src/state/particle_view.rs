//! The particles' columns as all workers see them: runs, partial runs, eight anywhere, one alone.

use super::columns::Columns3;
use super::particles::CarriedColumns;
use super::store::{each_slot, nothing};
use super::width::Consecutive;
use super::{Averaging, Particles, Width};
use crate::constraints::Particle;
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, each, pack};
use crate::threads::SharedColumns;

/// The columns of all particles, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct ParticleView<'a, E> {
    /// Positions, and fourth the inverse masses: what a row loads is checked against one length.
    pub(super) sites: SharedColumns<'a, E, 4>,
    previous: SharedColumns<'a, E, 3>,
    velocity: SharedColumns<'a, E, 3>,
    /// Predicted positions, where the sites are corrections from there; the previous ones where they are not.
    predicted: SharedColumns<'a, E, 3>,
    /// What positions and velocities are rounded off by, where that is carried.
    remainders: Option<SharedColumns<'a, E, 6>>,
    /// h a, where forces act.
    velocity_steps: Option<SharedColumns<'a, E, 3>>,
    /// Corrections gathered, and fourth what they are averaged over; the sites themselves where there are none.
    pub(super) sums: SharedColumns<'a, E, 4>,
    pub(super) averaging: Option<Averaging>,
}

/// One of the three-column states of a particle.
#[derive(Clone, Copy)]
pub(crate) enum Column3 {
    Position,
    Previous,
    Velocity,
    /// The position predicted, where corrections are kept.
    Predicted,
}

impl<'a, E: Scalar> ParticleView<'a, E> {
    pub(crate) fn new(particles: &'a mut Particles<E>) -> Self {
        let [x, y, z] = particles.position.as_mut_slices();
        let sites = SharedColumns::new([x, y, z, particles.inverse_mass.as_mut_slice()]);
        let previous = particles.previous.shared();
        let mut view = Self {
            sites,
            previous,
            velocity: particles.velocity.shared(),
            predicted: previous,
            remainders: None,
            velocity_steps: particles.velocity_steps.as_mut().map(Columns3::shared),
            sums: sites,
            averaging: None,
        };
        if let Some(CarriedColumns { predicted, remainders }) = &mut particles.carried {
            let [[x, y, z], [vx, vy, vz]] = remainders.each_mut().map(Columns3::as_mut_slices);
            view.predicted = predicted.shared();
            view.remainders = Some(SharedColumns::new([x, y, z, vx, vy, vz]));
        }
        view
    }

    /// The same columns with others beside them: their positions are the corrections gathered, their inverse masses what
    /// those are averaged over.
    pub(crate) fn summing(self, sums: ParticleView<'a, E>) -> Self {
        assert_eq!(self.len(), sums.len(), "sums of other columns");
        Self { sums: sums.sites, ..self }
    }

    /// The same columns, rows of which start from the same positions.
    pub(crate) fn with_averaging(self, averaging: Averaging) -> Self {
        Self { averaging: Some(averaging), ..self }
    }

    /// Slots, a multiple of eight.
    pub(crate) fn len(&self) -> usize {
        self.sites.len()
    }

    /// What velocities grow by in a substep (m/s); nothing where gravity acts alone.
    pub(crate) fn velocity_steps(&self) -> Option<&SharedColumns<'a, E, 3>> {
        self.velocity_steps.as_ref()
    }

    /// Whether what positions and velocities are rounded off by is carried.
    pub(crate) fn is_carried(&self) -> bool {
        self.remainders.is_some()
    }

    /// What positions and velocities of consecutive slots are rounded off by; zero, where it is not carried.
    #[inline(always)]
    pub(crate) fn read_remainders<W: Width<Element = E>>(&self, i: usize) -> [Vec3<W>; 2] {
        match &self.remainders {
            None => [Vec3::zero(); 2],
            Some(columns) => {
                let [x, y, z, vx, vy, vz] = W::read(columns, i);
                [Vec3::new(x, y, z), Vec3::new(vx, vy, vz)]
            }
        }
    }

    /// Replaces them, where they are carried.
    #[inline(always)]
    pub(crate) fn write_remainders<W: Width<Element = E>>(&self, i: usize, [x, v]: [Vec3<W>; 2]) {
        if let Some(columns) = &self.remainders {
            W::write(columns, i, [x.x, x.y, x.z, v.x, v.y, v.z]);
        }
    }

    /// Consecutive entries from slot `i`.
    #[inline(always)]
    pub(crate) fn read<W: Consecutive<Element = E>>(&self, column: Column3, i: usize) -> Vec3<W> {
        match column {
            Column3::Position => particle(W::read(&self.sites, i)).x,
            Column3::Previous => Vec3::from(W::read(&self.previous, i)),
            Column3::Velocity => Vec3::from(W::read(&self.velocity, i)),
            Column3::Predicted => Vec3::from(W::read(&self.predicted, i)),
        }
    }

    /// Eight consecutive positions at the start of the substep, and velocities, rounded to f32.
    #[inline(always)]
    pub(crate) fn read_motion(&self, i: usize) -> [Vec3<F32x8>; 2] {
        let eight = |lanes: [E; WIDTH]| pack(each(lanes, E::to_f32));
        let [x, v] = [&self.previous, &self.velocity].map(|columns| columns.read(i));
        [Vec3::from(each(x, eight)), Vec3::from(each(v, eight))]
    }

    /// Replaces consecutive entries from slot `i`.
    #[inline(always)]
    pub(crate) fn write<W: Consecutive<Element = E>>(&self, column: Column3, i: usize, v: Vec3<W>) {
        let v = v.to_array();
        match column {
            Column3::Position => W::write(&self.sites, i, v),
            Column3::Previous => W::write(&self.previous, i, v),
            Column3::Velocity => W::write(&self.velocity, i, v),
            Column3::Predicted => W::write(&self.predicted, i, v),
        }
    }

    /// Entries anywhere.
    #[inline(always)]
    pub(crate) fn gather<W: Width<Element = E>>(&self, column: Column3, at: W::Slots) -> Vec3<W> {
        match column {
            Column3::Position => particle(W::gather(&self.sites, at)).x,
            Column3::Previous => Vec3::from(W::gather(&self.previous, at)),
            Column3::Velocity => Vec3::from(W::gather(&self.velocity, at)),
            Column3::Predicted => Vec3::from(W::gather(&self.predicted, at)),
        }
    }

    /// Corrections gathered at consecutive slots, and what they are averaged over in place of the inverse mass.
    #[inline(always)]
    pub(crate) fn read_sums<W: Consecutive<Element = E>>(&self, i: usize) -> Particle<W> {
        particle(W::read(&self.sums, i))
    }

    /// Replaces them.
    #[inline(always)]
    pub(crate) fn write_sums<W: Consecutive<Element = E>>(&self, i: usize, sums: Particle<W>) {
        let Particle { x, w, .. } = sums;
        W::write(&self.sums, i, [x.x, x.y, x.z, w]);
    }

    /// Replaces entries anywhere, lane by lane.
    #[inline(always)]
    pub(crate) fn scatter<W: Width<Element = E>>(&self, column: Column3, at: W::Slots, v: Vec3<W>) {
        let v = v.to_array();
        match column {
            Column3::Position => W::scatter(&self.sites, at, v),
            Column3::Previous => W::scatter(&self.previous, at, v),
            Column3::Velocity => W::scatter(&self.velocity, at, v),
            Column3::Predicted => W::scatter(&self.predicted, at, v),
        }
    }

    /// Inverse masses of consecutive slots.
    #[inline(always)]
    pub(crate) fn inverse_mass<W: Width<Element = E>>(&self, i: usize) -> W {
        particle(W::read(&self.sites, i)).w
    }

    /// Inverse masses anywhere.
    #[inline(always)]
    pub(crate) fn inverse_masses<W: Width<Element = E>>(&self, at: W::Slots) -> W {
        particle(W::gather(&self.sites, at)).w
    }

    /// Replaces what slot `to` was at the start of the substep by what `from` was.
    pub(crate) fn copy_previous(&self, from: u32, to: u32) {
        self.previous.set(to as usize, self.previous.get(from as usize));
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
            |slot| particle(W::gather(&self.sites, slots[slot])),
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
            |slot| {
                let v = self.gather(Column3::Velocity, slots[slot]);
                Particle::new(v, self.inverse_masses(slots[slot]))
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

    /// Entries of each slot.
    #[inline(always)]
    fn gather_each<W: Width<Element = E>, const N: usize>(
        &self,
        column: Column3,
        slots: [W::Slots; N],
    ) -> [Vec3<W>; N] {
        each_slot(
            Vec3::zero(),
            #[inline(always)]
            |slot| self.gather(column, slots[slot]),
        )
    }

    /// Positions predicted.
    #[inline(always)]
    pub(super) fn load_predicted<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Vec3<W>; N] {
        self.gather_each(Column3::Predicted, slots)
    }

    /// Positions at the start of the substep.
    #[inline(always)]
    pub(crate) fn load_previous<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Vec3<W>; N] {
        self.gather_each(Column3::Previous, slots)
    }
}

/// A particle, or a sum and what it is averaged over, from four columns.
#[inline(always)]
pub(super) fn particle<R: Real>([x, y, z, w]: [R; 4]) -> Particle<R> {
    Particle::new(Vec3::new(x, y, z), w)
}
