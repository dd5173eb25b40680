//! Bodies while constraints are projected: packed records beside the columns, a cache line a body, as particles have them.

use super::Flight;
use crate::math::{
    F32x8, Quat, Real, Scalar, Vec3, WIDTH, each_lane, halves, join, pack, transpose, unpack,
};
use crate::settings::Settings;
use crate::state::Resistance;
use crate::state::{Bodies, BodyState};
use crate::threads::{Cells, SharedColumns, Worker};
use std::cell::Cell;

/// Numbers of a record that projections change.
pub(crate) const MOVING: usize = 16;
/// Numbers of a record that they do not.
pub(crate) const MASS: usize = 4;

/// A body, or as many side by side as `R` has lanes, while constraints are projected.
#[derive(Clone, Copy, Debug)]
pub struct Moving<R> {
    /// Center of mass (m).
    pub x: Vec3<R>,
    /// Principal axes; of length one up to rounding.
    pub q: Quat<R>,
    /// Σ Δx since the prediction (m).
    pub push: Vec3<R>,
    /// Σ Δθ since the prediction (rad).
    pub turn: Vec3<R>,
    /// Inverse mass (1/kg).
    pub w: R,
    /// Inverse principal moments (1/(kg m²)).
    pub inverse_inertia: Vec3<R>,
}

impl<R: Real> Moving<R> {
    /// A body that nothing moves, in the origin: the world.
    #[inline(always)]
    pub fn world() -> Self {
        let zero = Vec3::zero();
        Self {
            x: zero,
            q: Quat::identity(),
            push: zero,
            turn: zero,
            w: R::zero(),
            inverse_inertia: zero,
        }
    }

    /// A point mass: a body that nothing turns.
    #[inline(always)]
    pub fn particle(x: Vec3<R>, w: R) -> Self {
        Self {
            x,
            w,
            ..Self::world()
        }
    }

    /// The body of a record.
    #[inline(always)]
    pub(crate) fn from_record(m: [R; MOVING], [w, a, b, c]: [R; MASS]) -> Self {
        let three = |i: usize| Vec3::new(m[i], m[i + 1], m[i + 2]);
        Self {
            x: three(0),
            q: Quat::new(m[4], m[5], m[6], m[7]),
            push: three(8),
            turn: three(12),
            w,
            inverse_inertia: Vec3::new(a, b, c),
        }
    }

    /// Its record.
    #[inline(always)]
    pub(crate) fn to_record(self) -> [R; MOVING] {
        let (
            Self {
                x, q, push, turn, ..
            },
            zero,
        ) = (self, R::zero());
        [
            x.x, x.y, x.z, zero, q.x, q.y, q.z, q.w, push.x, push.y, push.z, zero, turn.x, turn.y,
            turn.z, zero,
        ]
    }

    /// Moves and turns the body by a correction.
    #[inline(always)]
    pub fn correct(&mut self, dx: Vec3<R>, dtheta: Vec3<R>) {
        self.x += dx;
        self.push += dx;
        self.turn += dtheta;
        self.q = Quat::exp(dtheta) * self.q;
    }
}

/// All bodies as records, for one thread.
#[derive(Clone, Copy)]
pub struct Records<'a, R> {
    moving: &'a [Cell<[R; MOVING]>],
    mass: &'a [[R; MASS]],
}

impl<R: Scalar> Records<'_, R> {
    /// No bodies.
    pub fn none() -> Self {
        Self {
            moving: &[],
            mass: &[],
        }
    }

    /// A body.
    #[inline(always)]
    pub fn load(&self, i: u32) -> Moving<R> {
        Moving::from_record(self.moving[i as usize].get(), self.mass[i as usize])
    }

    /// Replaces what moves of a body.
    #[inline(always)]
    pub fn store(&self, i: u32, body: Moving<R>) {
        self.moving[i as usize].set(body.to_record());
    }
}

/// The bodies of a scalar loop between prediction and velocity.
pub(crate) struct Flying<R> {
    flight: Flight<R>,
    moving: Vec<[R; MOVING]>,
    mass: Vec<[R; MASS]>,
}

impl<R: Scalar> Flying<R> {
    pub(crate) fn new(settings: &Settings, bodies: usize) -> Self {
        Self {
            flight: Flight::new(settings),
            moving: vec![[R::zero(); MOVING]; bodies],
            mass: vec![[R::zero(); MASS]; bodies],
        }
    }

    pub(crate) fn records(&mut self) -> Records<'_, R> {
        Records {
            moving: Cell::from_mut(&mut self.moving[..]).as_slice_of_cells(),
            mass: &self.mass,
        }
    }

    /// x_prev <- x, q_prev <- q, velocities as predicted; predicted poses go to the records.
    pub(crate) fn predict(&mut self, bodies: &mut Bodies<R>) {
        for i in 0..self.moving.len() {
            let state = bodies.state(i);
            let inverse = state.inverse_inertia();
            let next = self.flight.predict(state, inverse);
            (self.moving[i], self.mass[i]) = records_of(&next, inverse);
            bodies.previous.write(i, bodies.position.read(i));
            let q = state.q.to_array();
            bodies.previous_orientation.write(i, q);
            bodies.set_state(
                i,
                &BodyState {
                    x: state.x,
                    q: state.q,
                    ..next
                },
            );
        }
    }

    /// The records come back as poses, velocities follow.
    pub(crate) fn land(&mut self, bodies: &mut Bodies<R>) {
        for i in 0..self.moving.len() {
            let moved = Moving::from_record(self.moving[i], self.mass[i]);
            let previous = Quat::from(bodies.previous_orientation.read(i));
            let landed = self.flight.land(bodies.state(i), previous, moved);
            bodies.set_state(i, &landed);
        }
    }
}

#[inline(always)]
fn records_of<R: Real>(body: &BodyState<R>, inverse: Vec3<R>) -> ([R; MOVING], [R; MASS]) {
    let zero = Vec3::zero();
    let moving = Moving {
        x: body.x,
        q: body.q,
        push: zero,
        turn: zero,
        w: body.w,
        inverse_inertia: inverse,
    };
    let mass = [body.w, inverse.x, inverse.y, inverse.z];
    (moving.to_record(), mass)
}

/// The columns of all bodies, as all workers see them.
#[derive(Clone, Copy)]
pub(crate) struct SharedBodies<'a> {
    position: SharedColumns<'a, 3>,
    previous: SharedColumns<'a, 3>,
    orientation: SharedColumns<'a, 4>,
    previous_orientation: SharedColumns<'a, 4>,
    velocity: SharedColumns<'a, 3>,
    angular_velocity: SharedColumns<'a, 3>,
    inverse_mass: SharedColumns<'a, 1>,
    inertia: SharedColumns<'a, 3>,
    places: usize,
    /// The bodies between prediction and velocity.
    pub(crate) flying: &'a LaneFlying,
}

impl<'a> SharedBodies<'a> {
    pub(crate) fn new(bodies: &'a mut Bodies, flying: &'a LaneFlying) -> Self {
        Self {
            places: bodies.places(),
            position: SharedColumns::new(bodies.position.as_mut_slices()),
            previous: SharedColumns::new(bodies.previous.as_mut_slices()),
            orientation: SharedColumns::new(bodies.orientation.as_mut_slices()),
            previous_orientation: SharedColumns::new(bodies.previous_orientation.as_mut_slices()),
            velocity: SharedColumns::new(bodies.velocity.as_mut_slices()),
            angular_velocity: SharedColumns::new(bodies.angular_velocity.as_mut_slices()),
            inverse_mass: SharedColumns::new([bodies.inverse_mass.as_mut_slice()]),
            inertia: SharedColumns::new(bodies.inertia.as_mut_slices()),
            flying,
        }
    }

    /// Position and orientation of one body at the start of the substep.
    pub(crate) fn previous(&self, i: u32) -> (Vec3<f32>, Quat<f32>) {
        let (block, lane) = (i as usize / WIDTH * WIDTH, i as usize % WIDTH);
        let x = self.previous.get8(block).map(|v| unpack(v)[lane]);
        let q = self.previous_orientation.get8(block);
        (Vec3::from(x), Quat::from(q.map(|v| unpack(v)[lane])))
    }

    /// The same of eight bodies anywhere.
    pub(crate) fn previous_of(&self, slots: [u32; WIDTH]) -> (Vec3<F32x8>, Quat<F32x8>) {
        let all = slots.map(|i| {
            let (x, q) = self.previous(i);
            [x.x, x.y, x.z, q.x, q.y, q.z, q.w]
        });
        let eight = |k: usize| pack(each_lane(|lane| all[lane][k]));
        let x = Vec3::new(eight(0), eight(1), eight(2));
        let q = Quat::new(eight(3), eight(4), eight(5), eight(6));
        (x, q)
    }

    /// Places, a multiple of eight.
    pub(crate) fn places(&self) -> usize {
        self.places
    }

    /// Positions and orientations of eight bodies at the start of the substep.
    pub(crate) fn previous8(&self, i: usize) -> (Vec3<F32x8>, Quat<F32x8>) {
        let q = self.previous_orientation.get8(i);
        (Vec3::from(self.previous.get8(i)), Quat::from(q))
    }

    /// As [`Bodies::hold`].
    pub(crate) fn hold(&self, i: usize, resistance: Option<Resistance>) {
        if resistance.is_none() {
            self.velocity.set(i, [0.0; 3]);
            self.angular_velocity.set(i, [0.0; 3]);
        }
        let Resistance {
            inverse_mass,
            inertia,
        } = resistance.unwrap_or_default();
        self.inverse_mass.set(i, [inverse_mass]);
        self.inertia.set(i, inertia);
    }

    /// Replaces the velocities of eight bodies.
    pub(crate) fn set_motion8(&self, i: usize, [v, omega]: [Vec3<F32x8>; 2]) {
        self.velocity.set8(i, v.to_array());
        self.angular_velocity.set8(i, omega.to_array());
    }

    /// Eight bodies.
    #[inline(always)]
    pub(crate) fn state8(&self, i: usize) -> BodyState<F32x8> {
        BodyState {
            x: Vec3::from(self.position.get8(i)),
            q: Quat::from(self.orientation.get8(i)),
            v: Vec3::from(self.velocity.get8(i)),
            omega: Vec3::from(self.angular_velocity.get8(i)),
            w: self.inverse_mass.get8(i)[0],
            inertia: Vec3::from(self.inertia.get8(i)),
        }
    }

    #[inline(always)]
    fn set_state8(&self, i: usize, state: &BodyState<F32x8>) {
        self.position.set8(i, state.x.to_array());
        self.orientation.set8(i, state.q.to_array());
        self.velocity.set8(i, state.v.to_array());
        self.angular_velocity.set8(i, state.omega.to_array());
    }
}

/// As [`Flying`], eight bodies at a time, for all workers.
pub(crate) struct LaneFlying {
    flight: Flight<F32x8>,
    /// Records as two vectors each: as arrays of numbers they went over the stack, which took 4 times as long.
    moving: Cells<[F32x8; 2]>,
    mass: Cells<[f32; MASS]>,
}

impl LaneFlying {
    pub(crate) fn new(settings: &Settings, places: usize) -> Self {
        Self {
            flight: Flight::new(settings),
            moving: Cells::new(places, [F32x8::ZERO; 2]),
            mass: Cells::new(places, [0.0; MASS]),
        }
    }

    /// As [`Flying::predict`]: this worker's share.
    pub(crate) fn predict(&self, worker: &Worker, bodies: &SharedBodies) {
        self.blocks(worker, bodies, |i| {
            let state = bodies.state8(i);
            let inverse = state.inverse_inertia();
            let next = self.flight.predict(state, inverse);
            let (moving, mass) = records_of(&next, inverse);
            self.store(eight_from(i), moving);
            let ([w, a, b, c], zero) = (mass, F32x8::ZERO);
            let rows = transpose([w, a, b, c, zero, zero, zero, zero]);
            for (lane, row) in rows.into_iter().enumerate() {
                self.mass.set(i + lane, halves(row)[0]);
            }
            bodies.previous.set8(i, state.x.to_array());
            bodies.previous_orientation.set8(i, state.q.to_array());
            bodies.set_state8(
                i,
                &BodyState {
                    x: state.x,
                    q: state.q,
                    ..next
                },
            );
        });
    }

    /// As [`Flying::land`]: this worker's share.
    pub(crate) fn land(&self, worker: &Worker, bodies: &SharedBodies) {
        self.blocks(worker, bodies, |i| {
            let previous = Quat::from(bodies.previous_orientation.get8(i));
            let moved = self.load(eight_from(i));
            let landed = self.flight.land(bodies.state8(i), previous, moved);
            bodies.set_state8(i, &landed);
        });
    }

    fn blocks(&self, worker: &Worker, bodies: &SharedBodies, act: impl Fn(usize)) {
        if bodies.places > 0 {
            worker.share(bodies.places / WIDTH, |part| {
                part.for_each(|block| act(block * WIDTH));
            });
        }
    }

    /// One body.
    pub(crate) fn one(&self, i: usize) -> Moving<f32> {
        let [low, high] = self.moving.get(i).map(unpack);
        let record = std::array::from_fn(|k| if k < WIDTH { low[k] } else { high[k - WIDTH] });
        Moving::from_record(record, self.mass.get(i))
    }

    /// Replaces what moves of one body.
    pub(crate) fn set_one(&self, i: usize, body: Moving<f32>) {
        let record = body.to_record();
        let half = |first: usize| pack(each_lane(|k| record[first + k]));
        self.moving.set(i, [half(0), half(WIDTH)]);
    }

    /// Eight bodies.
    #[inline(always)]
    pub(crate) fn load(&self, slots: [u32; WIDTH]) -> Moving<F32x8> {
        // Closures within closures are not always inlined; these must be.
        let rows = each_lane(
            #[inline(always)]
            |lane| self.moving.get(slots[lane] as usize),
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
            |lane| join(self.mass.get(slots[lane] as usize), [0.0; 4]),
        ));
        Moving {
            x: Vec3::new(x, y, z),
            q: Quat::new(qx, qy, qz, qw),
            push: Vec3::new(px, py, pz),
            turn: Vec3::new(tx, ty, tz),
            w,
            inverse_inertia: Vec3::new(a, b, c),
        }
    }

    /// Replaces what moves of eight bodies.
    #[inline(always)]
    pub(crate) fn store(&self, slots: [u32; WIDTH], record: [F32x8; MOVING]) {
        let [a, b, c, d, e, f, g, h, rest @ ..] = record;
        let low = transpose([a, b, c, d, e, f, g, h]);
        let high = transpose(rest);
        for lane in 0..WIDTH {
            let slot = slots[lane] as usize;
            self.moving.set(slot, [low[lane], high[lane]]);
        }
    }
}

#[inline(always)]
fn eight_from(i: usize) -> [u32; WIDTH] {
    each_lane(|lane| (i + lane) as u32)
}
