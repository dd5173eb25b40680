//! The bodies' columns as all workers see them, and their packed records while constraints are projected: a cache line a
//! body, as particles have them.

use super::lane_number::LaneNumber;
use super::moving_body::MASS;
use super::{Bodies, BodyState, MovingBody, Resistance};
use crate::math::{F32x8, Quat, Scalar, Vec3, WIDTH, each_lane, join, transpose};
use crate::threads::{Cells, SharedColumns};

/// The columns of all bodies, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct BodyView<'a, E: Scalar> {
    position: SharedColumns<'a, E, 3>,
    previous: SharedColumns<'a, E, 3>,
    orientation: SharedColumns<'a, E, 4>,
    previous_orientation: SharedColumns<'a, E, 4>,
    velocity: SharedColumns<'a, E, 3>,
    angular_velocity: SharedColumns<'a, E, 3>,
    inverse_mass: SharedColumns<'a, E, 1>,
    inertia: SharedColumns<'a, E, 3>,
    /// The bodies between prediction and velocity.
    pub(crate) records: &'a BodyRecords<E>,
}

impl<'a, E: Scalar + BodyWidth<Element = E, Slots = u32>> BodyView<'a, E> {
    pub(crate) fn new(bodies: &'a mut Bodies<E>, records: &'a BodyRecords<E>) -> Self {
        assert_eq!(records.moving.len(), bodies.places(), "records of others");
        Self {
            position: SharedColumns::new(bodies.position.as_mut_slices()),
            previous: SharedColumns::new(bodies.previous.as_mut_slices()),
            orientation: SharedColumns::new(bodies.orientation.as_mut_slices()),
            previous_orientation: SharedColumns::new(bodies.previous_orientation.as_mut_slices()),
            velocity: SharedColumns::new(bodies.velocity.as_mut_slices()),
            angular_velocity: SharedColumns::new(bodies.angular_velocity.as_mut_slices()),
            inverse_mass: SharedColumns::new([bodies.inverse_mass.as_mut_slice()]),
            inertia: SharedColumns::new(bodies.inertia.as_mut_slices()),
            records,
        }
    }

    /// Slots, a multiple of eight.
    pub(crate) fn len(&self) -> usize {
        self.position.len()
    }

    /// Bodies while constraints are projected.
    #[inline(always)]
    pub(crate) fn load<W: BodyWidth<Element = E>>(&self, slots: W::Slots) -> MovingBody<W> {
        W::load_bodies(self.records, slots)
    }

    /// Replaces what moves of bodies.
    #[inline(always)]
    pub(crate) fn store<W: BodyWidth<Element = E>>(&self, slots: W::Slots, bodies: MovingBody<W>) {
        W::store_bodies(self.records, slots, bodies);
    }

    /// Positions and orientations at the start of the substep.
    #[inline(always)]
    pub(crate) fn previous<W: BodyWidth<Element = E>>(
        &self,
        slots: W::Slots,
    ) -> (Vec3<W>, Quat<W>) {
        let x = W::gather(&self.previous, slots);
        let q = W::gather(&self.previous_orientation, slots);
        (Vec3::from(x), Quat::from(q))
    }

    /// Positions and orientations of consecutive bodies at the start of the substep.
    #[inline(always)]
    pub(crate) fn read_previous<W: BodyWidth<Element = E>>(&self, i: usize) -> (Vec3<W>, Quat<W>) {
        let q = W::read(&self.previous_orientation, i);
        (Vec3::from(W::read(&self.previous, i)), Quat::from(q))
    }

    /// Says where consecutive bodies are at the start of the substep.
    #[inline(always)]
    pub(crate) fn write_previous<W: BodyWidth<Element = E>>(
        &self,
        i: usize,
        x: Vec3<W>,
        q: Quat<W>,
    ) {
        W::write(&self.previous, i, x.to_array());
        W::write(&self.previous_orientation, i, q.to_array());
    }

    /// As [`Bodies::hold`].
    pub(crate) fn hold(&self, i: usize, resistance: Option<Resistance>) {
        let wide = |v| E::of(f64::from(v));
        if resistance.is_none() {
            self.velocity.set(i, [E::zero(); 3]);
            self.angular_velocity.set(i, [E::zero(); 3]);
        }
        let Resistance {
            inverse_mass,
            inertia,
        } = resistance.unwrap_or_default();
        self.inverse_mass.set(i, [wide(inverse_mass)]);
        self.inertia.set(i, inertia.map(wide));
    }

    /// Replaces the velocities of consecutive bodies.
    #[inline(always)]
    pub(crate) fn write_velocities<W: BodyWidth<Element = E>>(
        &self,
        i: usize,
        [v, omega]: [Vec3<W>; 2],
    ) {
        W::write(&self.velocity, i, v.to_array());
        W::write(&self.angular_velocity, i, omega.to_array());
    }

    /// Consecutive bodies.
    #[inline(always)]
    pub(crate) fn read<W: BodyWidth<Element = E>>(&self, i: usize) -> BodyState<W> {
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

    /// Replaces what moves of consecutive bodies.
    #[inline(always)]
    pub(crate) fn write<W: BodyWidth<Element = E>>(&self, i: usize, state: &BodyState<W>) {
        W::write(&self.position, i, state.x.to_array());
        W::write(&self.orientation, i, state.q.to_array());
        self.write_velocities(i, [state.v, state.omega]);
    }
}

/// All bodies while constraints are projected. A record is two blocks of eight numbers: as an array of numbers it went over
/// the stack, which took 4 times as long.
pub(crate) struct BodyRecords<E: Scalar> {
    pub(super) moving: Cells<[E::Block; 2]>,
    pub(super) mass: Cells<[E; MASS]>,
}

impl<E: Scalar> BodyRecords<E> {
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            moving: Cells::new(slots, [E::ZERO_BLOCK; 2]),
            mass: Cells::new(slots, [E::zero(); MASS]),
        }
    }

    /// One body.
    #[inline(always)]
    pub(crate) fn one(&self, i: usize) -> MovingBody<E> {
        let blocks = self.moving.get(i);
        let record = E::flat(&blocks);
        MovingBody::from_record(std::array::from_fn(|k| record[k]), self.mass.get(i))
    }

    /// Replaces what moves of one body.
    #[inline(always)]
    pub(crate) fn set_one(&self, i: usize, body: MovingBody<E>) {
        let mut blocks = [E::ZERO_BLOCK; 2];
        E::flat_mut(&mut blocks).copy_from_slice(&body.to_record());
        self.moving.set(i, blocks);
    }

    /// Begins a substep: a body that nothing has corrected yet.
    #[inline(always)]
    pub(crate) fn begin<W: BodyWidth<Element = E>>(&self, i: usize, body: MovingBody<W>) {
        W::store_bodies(self, W::slots(|lane| (i + lane) as u32), body);
        let mass = [
            body.w,
            body.inverse_inertia.x,
            body.inverse_inertia.y,
            body.inverse_inertia.z,
        ];
        for lane in 0..W::LANES {
            self.mass.set(i + lane, mass.map(|v| v.lane(lane)));
        }
    }
}

/// A number of lanes, and how bodies are loaded into it and stored from it while constraints are projected.
pub(crate) trait BodyWidth: LaneNumber {
    /// Bodies while constraints are projected.
    fn load_bodies(records: &BodyRecords<Self::Element>, slots: Self::Slots) -> MovingBody<Self>;
    /// Replaces what moves of bodies.
    fn store_bodies(
        records: &BodyRecords<Self::Element>,
        slots: Self::Slots,
        bodies: MovingBody<Self>,
    );
}

macro_rules! one_lane {
    ($number:ty) => {
        impl BodyWidth for $number {
            #[inline(always)]
            fn load_bodies(records: &BodyRecords<$number>, slot: u32) -> MovingBody<Self> {
                records.one(slot as usize)
            }
            #[inline(always)]
            fn store_bodies(records: &BodyRecords<$number>, slot: u32, body: MovingBody<Self>) {
                records.set_one(slot as usize, body);
            }
        }
    };
}
one_lane!(f32);
one_lane!(f64);

impl BodyWidth for F32x8 {
    #[inline(always)]
    fn load_bodies(records: &BodyRecords<f32>, slots: Self::Slots) -> MovingBody<Self> {
        // Closures within closures are not always inlined; these must be.
        let rows = each_lane(
            #[inline(always)]
            |lane| records.moving.get(slots[lane] as usize),
        );
        let [x, y, z, _, qx, qy, qz, qw] = transpose(each_lane(
            #[inline(always)]
            |lane| rows[lane][0],
        ));
        let [px, py, pz, _, tx, ty, tz, _] = transpose(each_lane(
            #[inline(always)]
            |lane| rows[lane][1],
        ));
        let [w, a, b, c, ..] = transpose(each_lane(
            #[inline(always)]
            |lane| join(records.mass.get(slots[lane] as usize), [0.0; 4]),
        ));
        MovingBody {
            x: Vec3::new(x, y, z),
            q: Quat::new(qx, qy, qz, qw),
            push: Vec3::new(px, py, pz),
            turn: Vec3::new(tx, ty, tz),
            w,
            inverse_inertia: Vec3::new(a, b, c),
        }
    }
    #[inline(always)]
    fn store_bodies(records: &BodyRecords<f32>, slots: Self::Slots, bodies: MovingBody<Self>) {
        let [a, b, c, d, e, f, g, h, rest @ ..] = bodies.to_record();
        let low = transpose([a, b, c, d, e, f, g, h]);
        let high = transpose(rest);
        for lane in 0..WIDTH {
            let slot = slots[lane] as usize;
            records.moving.set(slot, [low[lane], high[lane]]);
        }
    }
}
