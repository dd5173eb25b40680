//! The state of all bodies: struct-of-arrays columns in authored order, padded to eight.

use super::columns::{Column, Columns, Columns3};
use crate::math::{Quat, Real, Scalar, UPRIGHT, Vec3, WIDTH};

/// The state of all bodies.
#[derive(Clone)]
pub struct Bodies<R: Scalar = f32> {
    /// Centers of mass (m).
    pub position: Columns3<R>,
    /// Centers of mass at the start of the substep (m).
    pub previous: Columns3<R>,
    /// Principal axes, x y z w.
    pub orientation: Columns<R, 4>,
    /// Principal axes at the start of the substep.
    pub previous_orientation: Columns<R, 4>,
    /// Velocities (m/s).
    pub velocity: Columns3<R>,
    /// Angular velocities in the world (rad/s).
    pub angular_velocity: Columns3<R>,
    /// What rounding dropped of positions (m), velocities (m/s) and angular velocities (rad/s), in this order.
    pub(super) remainders: [Columns3<R>; 3],
    /// Inverse masses (1/kg); zero in fixed bodies and padding.
    pub inverse_mass: Column<R>,
    /// Principal moments (kg m²); zero in fixed bodies and padding, which no torque turns.
    pub inertia: Columns3<R>,
    /// What forces and torques do in a substep; nothing where gravity acts alone.
    pub(crate) loads: Option<BodyLoads<R>>,
    /// The principal axes in each body's own frame, where they differ from it.
    axes: Vec<Option<Quat<R>>>,
}

/// What acts on bodies in a substep.
#[derive(Clone)]
pub(crate) struct BodyLoads<R: Scalar> {
    /// h a: what each velocity grows by (m/s).
    pub(super) velocity_steps: Columns3<R>,
    /// h τ: what each angular momentum grows by (N m s), in the world.
    pub(super) angular_impulses: Columns3<R>,
}

/// A body, or as many side by side as `R` has lanes.
#[derive(Clone, Copy, Debug)]
pub struct BodyState<R> {
    /// Center of mass (m).
    pub x: Vec3<R>,
    /// Principal axes.
    pub q: Quat<R>,
    /// Velocity (m/s).
    pub v: Vec3<R>,
    /// Angular velocity in the world (rad/s).
    pub omega: Vec3<R>,
    /// Inverse mass (1/kg).
    pub w: R,
    /// Principal moments (kg m²), zero for what no torque turns.
    pub inertia: Vec3<R>,
}

/// What rounding drops of a body's numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remainders<R> {
    /// m.
    pub(crate) x: Vec3<R>,
    /// m/s.
    pub(crate) v: Vec3<R>,
    /// rad/s, of bodies that turn freely.
    pub(crate) omega: Vec3<R>,
}

impl<R: Real> Remainders<R> {
    /// `rest`, of what is `now` as it was `before`.
    #[inline(always)]
    pub(crate) fn of_same(before: Vec3<R>, now: Vec3<R>, rest: Vec3<R>) -> Vec3<R> {
        let of =
            |before: R, now: R, rest| R::select(before.lt(now) | now.lt(before), R::zero(), rest);
        Vec3::new(
            of(before.x, now.x, rest.x),
            of(before.y, now.y, rest.y),
            of(before.z, now.z, rest.z),
        )
    }
}

/// Rounded to f32 in every number, so that all methods start alike; + 0 as no coordinate starts as -0.
fn rounded(v: f64) -> f32 {
    v as f32 + 0.0
}

/// How a body resists; nothing moves one of zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Resistance {
    /// 1/kg.
    pub(crate) inverse_mass: f32,
    /// Principal moments (kg m²).
    pub(crate) inertia: [f32; 3],
}

impl Resistance {
    /// Of a body of a mass (kg) and principal moments (kg m²).
    pub(crate) fn new(mass: f64, inertia: [f64; 3]) -> Self {
        Self { inverse_mass: rounded(1.0 / mass), inertia: inertia.map(rounded) }
    }

    /// Whether it resists turns alike in all directions.
    pub(crate) fn is_round(&self) -> bool {
        self.inertia == [self.inertia[0]; 3]
    }
}

/// A body as it starts.
pub(crate) struct InitialBody {
    /// Center of mass (m).
    pub(crate) position: [f64; 3],
    /// Principal axes in the world.
    pub(crate) principal: Quat<f64>,
    /// The principal axes as a turn x y z w of the body's own.
    pub(crate) axes: [f64; 4],
    /// m/s.
    pub(crate) velocity: [f64; 3],
    /// rad/s, in the world.
    pub(crate) angular_velocity: [f64; 3],
    /// Zeros where it is fixed.
    pub(crate) resistance: Resistance,
}

impl<R: Scalar> Bodies<R> {
    /// Bodies as they start.
    pub(crate) fn new(bodies: impl ExactSizeIterator<Item = InitialBody>) -> Self {
        let slot_count = Self::slots(bodies.len());
        let mut all = Self {
            position: Columns::zeros(slot_count),
            previous: Columns::zeros(slot_count),
            orientation: Columns::zeros(slot_count),
            previous_orientation: Columns::zeros(slot_count),
            velocity: Columns::zeros(slot_count),
            angular_velocity: Columns::zeros(slot_count),
            remainders: [(); 3].map(|()| Columns::zeros(slot_count)),
            inverse_mass: Column::zeros(slot_count),
            inertia: Columns::zeros(slot_count),
            loads: None,
            axes: Vec::new(),
        };
        for i in 0..slot_count {
            all.orientation.write(i, Quat::identity().to_array());
        }
        let round = |v| R::of(f64::from(rounded(v)));
        for (i, body) in bodies.enumerate() {
            let turned = body.axes != UPRIGHT;
            let axes = turned.then(|| Quat::of(body.axes.map(|v| f64::from(v as f32))));
            all.axes.push(axes);
            all.position.write(i, body.position.map(round));
            let q = body.principal.to_array();
            all.orientation.write(i, q.map(round));
            all.velocity.write(i, body.velocity.map(round));
            let spin = body.angular_velocity.map(round);
            all.angular_velocity.write(i, spin);
            all.set_resistance(i, body.resistance);
        }
        all.previous = all.position.clone();
        all.previous_orientation = all.orientation.clone();
        all
    }

    /// Slots of so many bodies: a multiple of eight.
    pub(crate) fn slots(bodies: usize) -> usize {
        bodies.next_multiple_of(WIDTH)
    }

    /// No body.
    pub(crate) fn none() -> Self {
        Self::new(std::iter::empty())
    }

    /// The number of bodies, padding left out.
    pub fn len(&self) -> usize {
        self.axes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// Slots, padding included: a multiple of eight.
    pub fn slot_count(&self) -> usize {
        self.inverse_mass.as_slice().len()
    }

    /// Says what the velocity (m/s) and the angular momentum (N m s) of body `i` grow by in a substep; the velocities of the
    /// others `usual`, where nothing was said of them.
    pub(crate) fn set_load(&mut self, i: usize, [step, angular]: [[R; 3]; 2], usual: [R; 3]) {
        let slots = self.slot_count();
        let loads = self.loads.get_or_insert_with(|| BodyLoads {
            velocity_steps: Columns3::filled(slots, usual),
            angular_impulses: Columns3::zeros(slots),
        });
        loads.velocity_steps.write(i, step);
        loads.angular_impulses.write(i, angular);
    }

    /// All of a body.
    pub fn state(&self, i: usize) -> BodyState<R> {
        BodyState {
            x: Vec3::from(self.position.read(i)),
            q: Quat::from(self.orientation.read(i)),
            v: Vec3::from(self.velocity.read(i)),
            omega: Vec3::from(self.angular_velocity.read(i)),
            w: self.inverse_mass.as_slice()[i],
            inertia: Vec3::from(self.inertia.read(i)),
        }
    }

    /// Replaces what moves of a body.
    pub fn set_state(&mut self, i: usize, state: &BodyState<R>) {
        self.position.write(i, state.x.to_array());
        self.orientation.write(i, state.q.to_array());
        self.velocity.write(i, state.v.to_array());
        self.angular_velocity.write(i, state.omega.to_array());
        self.clear_remainders(i);
    }

    /// Position (m) and orientation x y z w of every body, of its own axes.
    pub fn poses(&self) -> Vec<[R; 7]> {
        let pose = |i: usize| {
            let BodyState { x, q, .. } = self.state(i);
            let q = self.axes[i].map_or(q, |axes| q * axes.conjugate());
            [x.x, x.y, x.z, q.x, q.y, q.z, q.w]
        };
        (0..self.len()).map(pose).collect()
    }

    /// Velocity (m/s) and angular velocity (rad/s) of every body.
    pub fn motions(&self) -> Vec<[R; 6]> {
        let motion = |i: usize| {
            let BodyState { v, omega, .. } = self.state(i);
            [v.x, v.y, v.z, omega.x, omega.y, omega.z]
        };
        (0..self.len()).map(motion).collect()
    }

    /// Principal axes of a body, of one where they are not its own: its pose does not tell them to the last bit.
    pub(crate) fn principal(&self, i: usize) -> Option<[R; 4]> {
        self.axes[i].map(|_| self.orientation.read(i))
    }

    /// Gives a body the principal axes that [`principal`](Self::principal) gave, if they are those of its pose `q`.
    pub(crate) fn set_principal(&mut self, i: usize, principal: [R; 4], q: [R; 4]) {
        let own = self.axes[i].map(|axes| (Quat::from(principal) * axes.conjugate()).to_array());
        if own == Some(q) {
            self.orientation.write(i, principal);
        }
    }

    /// How a body resists now: not at all, while it is held or sleeps.
    pub(crate) fn resistance(&self, i: usize) -> Resistance {
        Resistance {
            inverse_mass: self.inverse_mass.as_slice()[i].to_f32(),
            inertia: self.inertia.read(i).map(R::to_f32),
        }
    }

    /// Changes how a body resists.
    pub(crate) fn set_resistance(&mut self, i: usize, resistance: Resistance) {
        let Resistance { inverse_mass, inertia } = resistance;
        self.inverse_mass.as_mut_slice()[i] = R::of(f64::from(inverse_mass));
        self.inertia.write(i, inertia.map(|v| R::of(f64::from(v))));
    }

    /// Puts body `i` to a pose and a motion, as [`poses`](Self::poses) and [`motions`](Self::motions) give them.
    pub fn set(&mut self, i: usize, pose: [R; 7], motion: [R; 6]) {
        let [x, y, z, qx, qy, qz, qw] = pose;
        let q = Quat::new(qx, qy, qz, qw);
        let q = self.axes[i].map_or(q, |axes| q * axes);
        self.position.write(i, [x, y, z]);
        self.orientation.write(i, q.to_array());
        let [vx, vy, vz, wx, wy, wz] = motion;
        self.velocity.write(i, [vx, vy, vz]);
        self.angular_velocity.write(i, [wx, wy, wz]);
        self.clear_remainders(i);
    }

    fn clear_remainders(&mut self, i: usize) {
        self.remainders.iter_mut().for_each(|rests| rests.write(i, [R::zero(); 3]));
    }

    /// Position (m), velocity (m/s) and angular velocity (rad/s) of a body.
    fn carried(&self, i: usize) -> [[R; 3]; 3] {
        [&self.position, &self.velocity, &self.angular_velocity].map(|column| column.read(i))
    }

    /// Position, velocity and angular velocity of a body, and what rounding dropped of each, where it dropped something.
    pub(crate) fn rounded_off(&self, i: usize) -> Option<[[[R; 3]; 3]; 2]> {
        let rests = self.remainders.each_ref().map(|column| column.read(i));
        (rests != [[R::zero(); 3]; 3]).then(|| [self.carried(i), rests])
    }

    /// Gives a body the remainders that [`rounded_off`](Self::rounded_off) gave, of what is still as it was then.
    pub(crate) fn set_rounded_off(&mut self, i: usize, [before, rests]: [[[R; 3]; 3]; 2]) {
        let now = self.carried(i);
        for (k, column) in self.remainders.iter_mut().enumerate() {
            if now[k] == before[k] {
                column.write(i, rests[k]);
            }
        }
    }
}
