//! The bodies' columns as all workers see them, and their packed records while constraints are projected: a cache line a
//! body, as particles have them.

use super::columns::Columns3;
use super::moving_body::MASS;
use super::width::BodyCells;
use super::{Bodies, BodyState, MovingBody, OneLane, Remainders, Resistance, Width};
use crate::math::{Quat, Scalar, Vec3};
use crate::threads::{Cells, SharedColumns};
use bytemuck::Zeroable;

/// The columns of all bodies, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct BodyView<'a, E: Scalar> {
    position: SharedColumns<'a, E, 3>,
    previous: SharedColumns<'a, E, 3>,
    orientation: SharedColumns<'a, E, 4>,
    previous_orientation: SharedColumns<'a, E, 4>,
    velocity: SharedColumns<'a, E, 3>,
    angular_velocity: SharedColumns<'a, E, 3>,
    remainders: [SharedColumns<'a, E, 3>; 3],
    inverse_mass: SharedColumns<'a, E, 1>,
    inertia: SharedColumns<'a, E, 3>,
    /// h a and h τ, where forces act.
    loads: Option<[SharedColumns<'a, E, 3>; 2]>,
    /// The bodies between prediction and velocity.
    pub(crate) records: &'a BodyRecords<E>,
}

impl<'a, E: OneLane> BodyView<'a, E> {
    pub(crate) fn new(bodies: &'a mut Bodies<E>, records: &'a BodyRecords<E>) -> Self {
        assert_eq!(records.moving.len(), bodies.slot_count(), "records of others");
        Self {
            position: bodies.position.shared(),
            previous: bodies.previous.shared(),
            orientation: bodies.orientation.shared(),
            previous_orientation: bodies.previous_orientation.shared(),
            velocity: bodies.velocity.shared(),
            angular_velocity: bodies.angular_velocity.shared(),
            remainders: bodies.remainders.each_mut().map(Columns3::shared),
            inverse_mass: SharedColumns::new([bodies.inverse_mass.as_mut_slice()]),
            inertia: bodies.inertia.shared(),
            loads: bodies.loads.as_mut().map(|loads| {
                let all = [&mut loads.velocity_steps, &mut loads.angular_impulses];
                all.map(Columns3::shared)
            }),
            records,
        }
    }

    /// Slots, a multiple of eight.
    pub(crate) fn len(&self) -> usize {
        self.position.len()
    }

    /// Bodies while constraints are projected.
    #[inline(always)]
    pub(crate) fn load<W: Width<Element = E>>(&self, slots: W::Slots) -> MovingBody<W> {
        W::load_bodies(self.records.cells(), slots)
    }

    /// Where a body lies while constraints are projected, in f64; of none, the world.
    pub(crate) fn direct_pose(&self, body: Option<u32>) -> (Vec3<f64>, Quat<f64>)
    where
        E: OneLane,
    {
        let body = body.map(|i| self.load::<E>(i).to_f64());
        body.map_or((Vec3::zero(), Quat::identity()), |body| (body.x, body.q))
    }

    /// Replaces what moves of bodies.
    #[inline(always)]
    pub(crate) fn store<W: Width<Element = E>>(&self, slots: W::Slots, bodies: MovingBody<W>) {
        W::store_bodies(self.records.cells(), slots, bodies);
    }

    /// Positions and orientations at the start of the substep.
    #[inline(always)]
    pub(crate) fn previous<W: Width<Element = E>>(&self, slots: W::Slots) -> (Vec3<W>, Quat<W>) {
        let x = W::gather(&self.previous, slots);
        let q = W::gather(&self.previous_orientation, slots);
        (Vec3::from(x), Quat::from(q))
    }

    /// Positions and orientations of consecutive bodies at the start of the substep.
    #[inline(always)]
    pub(crate) fn read_previous<W: Width<Element = E>>(&self, i: usize) -> (Vec3<W>, Quat<W>) {
        let q = W::read(&self.previous_orientation, i);
        (Vec3::from(W::read(&self.previous, i)), Quat::from(q))
    }

    /// Says where consecutive bodies are at the start of the substep.
    #[inline(always)]
    pub(crate) fn write_previous<W: Width<Element = E>>(&self, i: usize, x: Vec3<W>, q: Quat<W>) {
        W::write(&self.previous, i, x.to_array());
        W::write(&self.previous_orientation, i, q.to_array());
    }

    /// What the velocities (m/s) and angular momenta (N m s) of consecutive bodies grow by in a substep; nothing where
    /// gravity acts alone.
    #[inline(always)]
    pub(crate) fn loads<W: Width<Element = E>>(&self, i: usize) -> Option<[Vec3<W>; 2]> {
        self.loads.as_ref().map(|loads| loads.each_ref().map(|c| Vec3::from(W::read(c, i))))
    }

    /// Gives a body its resistance back, or takes it and its velocities: then nothing moves it.
    pub(crate) fn hold(&self, i: usize, resistance: Option<Resistance>) {
        let wide = |v| E::of(f64::from(v));
        if resistance.is_none() {
            self.velocity.set(i, [E::zero(); 3]);
            self.angular_velocity.set(i, [E::zero(); 3]);
            self.remainders[1..].iter().for_each(|rests| rests.set(i, [E::zero(); 3]));
        }
        let Resistance { inverse_mass, inertia } = resistance.unwrap_or_default();
        self.inverse_mass.set(i, [wide(inverse_mass)]);
        self.inertia.set(i, inertia.map(wide));
    }

    /// Replaces the velocities of consecutive bodies. Where one changes, what rounding dropped of it goes.
    #[inline(always)]
    pub(crate) fn write_velocities<W: Width<Element = E>>(
        &self,
        i: usize,
        velocities: [Vec3<W>; 2],
    ) {
        let columns = [&self.velocity, &self.angular_velocity].into_iter();
        for ((column, rests), new) in columns.zip(&self.remainders[1..]).zip(velocities) {
            let [before, rest] = [column, rests].map(|column| Vec3::from(W::read(column, i)));
            W::write(rests, i, Remainders::of_same(before, new, rest).to_array());
            W::write(column, i, new.to_array());
        }
    }

    /// What rounding dropped of consecutive bodies.
    #[inline(always)]
    pub(crate) fn remainders<W: Width<Element = E>>(&self, i: usize) -> Remainders<W> {
        let [x, v, omega] = &self.remainders;
        let of = |column| Vec3::from(W::read(column, i));
        Remainders { x: of(x), v: of(v), omega: of(omega) }
    }

    /// Replaces the velocities of consecutive bodies, and what rounding dropped of them.
    #[inline(always)]
    pub(crate) fn write_carried_velocities<W: Width<Element = E>>(
        &self,
        i: usize,
        [v, omega]: [Vec3<W>; 2],
        rests: [Vec3<W>; 2],
    ) {
        W::write(&self.velocity, i, v.to_array());
        W::write(&self.angular_velocity, i, omega.to_array());
        for (column, rest) in self.remainders[1..].iter().zip(rests) {
            W::write(column, i, rest.to_array());
        }
    }

    /// Consecutive bodies.
    #[inline(always)]
    pub(crate) fn read<W: Width<Element = E>>(&self, i: usize) -> BodyState<W> {
        let [w] = W::read(&self.inverse_mass, i);
        BodyState {
            x: Vec3::from(W::read(&self.position, i)),
            q: Quat::from(W::read(&self.orientation, i)),
            v: Vec3::from(W::read(&self.velocity, i)),
            omega: Vec3::from(W::read(&self.angular_velocity, i)),
            w,
            inertia: Vec3::from(W::read(&self.inertia, i)),
        }
    }

    /// Replaces the positions of consecutive bodies, and what rounding dropped of them.
    #[inline(always)]
    pub(crate) fn write_positions<W: Width<Element = E>>(&self, i: usize, [x, rest]: [Vec3<W>; 2]) {
        W::write(&self.position, i, x.to_array());
        W::write(&self.remainders[0], i, rest.to_array());
    }

    /// Replaces orientations and velocities of consecutive bodies, and what rounding dropped of these.
    #[inline(always)]
    pub(crate) fn write_motion<W: Width<Element = E>>(
        &self,
        i: usize,
        state: &BodyState<W>,
        rests: Remainders<W>,
    ) {
        W::write(&self.orientation, i, state.q.to_array());
        self.write_carried_velocities(i, [state.v, state.omega], [rests.v, rests.omega]);
    }
}

/// All bodies while constraints are projected. A record is two blocks of eight numbers: as an array of numbers it went over
/// the stack, which took 4 times as long.
pub(crate) struct BodyRecords<E: Scalar> {
    moving: Cells<[E::Block; 2]>,
    mass: Cells<[E; MASS]>,
}

impl<E: Scalar> BodyRecords<E> {
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            moving: Cells::new(slots, [E::Block::zeroed(); 2]),
            mass: Cells::new(slots, [E::zero(); MASS]),
        }
    }

    #[inline(always)]
    pub(super) fn cells(&self) -> BodyCells<'_, E> {
        (&self.moving, &self.mass)
    }

    /// Begins a substep: a body that nothing has corrected yet.
    #[inline(always)]
    pub(crate) fn begin<W: Width<Element = E>>(&self, i: usize, body: MovingBody<W>) {
        W::store_bodies(self.cells(), W::consecutive(i), body);
        let (inverse, q) = (body.inverse_inertia, body.previous);
        let mass = [body.w, inverse.x, inverse.y, inverse.z, q.x, q.y, q.z, q.w];
        for lane in 0..W::LANES {
            self.mass.set(i + lane, mass.map(|v| v.lane(lane)));
        }
    }
}
