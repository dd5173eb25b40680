//! Poses and velocities beside the bodies' own records: where bodies were when the substep began, and the velocities that
//! contacts work on; and where what no contact moves stands.

use super::touch::{Mover, Past};
use crate::collision::Pose;
use crate::math::{F32x8, Quat, Real, Scalar, Vec3, WIDTH, each_lane, pack, transpose, unpack};
use crate::rigid::frame::{Frame, Spread};
use crate::rows::Points;
use crate::state::BodyState;
use crate::state::Particles;
use crate::state::{BodyView, MovingBody};
use crate::threads::{Cells, Worker};

/// Poses and velocities by slot.
pub(super) trait Recall<I, R> {
    /// Where a body was when the substep began.
    fn past(&self, slot: I) -> Past<R>;
    /// It as contacts have left it.
    fn mover(&self, slot: I) -> Mover<R>;
    /// It as predicted.
    fn predicted(&self, slot: I) -> Mover<R>;
    /// Replaces what contacts change of it.
    fn set_motion(&self, slot: I, mover: &Mover<R>);
}

/// Records of where bodies were when the substep began, and of their velocities while contacts change them.
pub(super) struct Memory<R> {
    poses: Cells<[R; 8]>,
    /// As predicted.
    starts: Cells<[R; 8]>,
    motions: Cells<[R; 8]>,
    /// Inverse mass and inverse inertia in the world.
    masses: Cells<[R; 8]>,
}

fn three<R: Real>(r: [R; 8], first: usize) -> Vec3<R> {
    Vec3::new(r[first], r[first + 1], r[first + 2])
}

fn past_of<R: Real>(r: [R; 8]) -> Past<R> {
    Past {
        x: three(r, 0),
        q: Quat::new(r[4], r[5], r[6], r[7]),
    }
}

fn motion_of<R: Real>(r: [R; 8]) -> [Vec3<R>; 2] {
    [three(r, 0), three(r, 4)]
}

fn mover_of<R: Real>(motion: [R; 8], [w, a, b, c, d, e, f, _]: [R; 8]) -> Mover<R> {
    let [v, omega] = motion_of(motion);
    let spread = Spread::from_numbers([a, b, c, d, e, f]);
    Mover {
        v,
        omega,
        w,
        spread,
    }
}

fn motion_record<R: Real>([v, o]: [Vec3<R>; 2]) -> [R; 8] {
    [v.x, v.y, v.z, R::zero(), o.x, o.y, o.z, R::zero()]
}

/// Pose, velocities and mass of a body that was at `x` and `q`.
#[inline(always)]
fn records<R: Real>(x: Vec3<R>, q: Quat<R>, state: &BodyState<R>) -> [[R; 8]; 3] {
    let zero = R::zero();
    let spread = Spread::of_moments(&Frame::new(q), state.inverse_inertia());
    let [a, b, c, d, e, f] = spread.numbers();
    [
        [x.x, x.y, x.z, zero, q.x, q.y, q.z, q.w],
        motion_record([state.v, state.omega]),
        [state.w, a, b, c, d, e, f, zero],
    ]
}

/// The velocities that a body's corrections amount to.
#[inline(always)]
fn corrected<R: Real>(start: [R; 8], body: &MovingBody<R>, h: R) -> [Vec3<R>; 2] {
    let ([v, omega], rate) = (motion_of(start), R::of(1.0) / h);
    [v + body.push * rate, omega + body.turn * rate]
}

impl<R: Real> Memory<R> {
    pub(super) fn new(places: usize) -> Self {
        let cells = || Cells::new(places, [R::zero(); 8]);
        Self {
            poses: cells(),
            starts: cells(),
            motions: cells(),
            masses: cells(),
        }
    }
}

impl<R: Scalar> Memory<R> {
    /// A substep begins: takes where `particles`' bodies come from and their predicted velocities.
    pub(super) fn take(&self, particles: &Particles<R>) {
        let bodies = &particles.bodies;
        for i in 0..bodies.len() {
            let x = Vec3::from(bodies.previous.read(i));
            let q = Quat::from(bodies.previous_orientation.read(i));
            let [pose, motion, mass] = records(x, q, &bodies.state(i));
            self.poses.set(i, pose);
            self.starts.set(i, motion);
            self.masses.set(i, mass);
        }
    }

    /// Takes the velocities that bodies have with the corrections so far.
    pub(super) fn gather(&self, points: &Points<R>, h: R) {
        for i in 0..self.motions.len() {
            let body = points.bodies().load(i as u32);
            let now = corrected(self.starts.get(i), &body, h);
            self.motions.set(i, motion_record(now));
        }
    }

    /// Corrects bodies by what contacts have changed since [`gather`](Self::gather).
    pub(super) fn correct(&self, points: &Points<R>, h: R) {
        for i in 0..self.motions.len() {
            let mut body = points.bodies().load(i as u32);
            let before = corrected(self.starts.get(i), &body, h);
            let [v, omega] = motion_of(self.motions.get(i));
            body.correct((v - before[0]) * h, (omega - before[1]) * h);
            points.bodies().store(i as u32, body);
        }
    }

    /// Takes the velocities with which bodies landed.
    pub(super) fn land(&self, particles: &Particles<R>) {
        for i in 0..self.motions.len() {
            let BodyState { v, omega, .. } = particles.bodies.state(i);
            self.motions.set(i, motion_record([v, omega]));
        }
    }

    /// The velocities of a body in f32.
    pub(super) fn motion(&self, i: usize) -> [Vec3<f32>; 2] {
        motion_of(self.motions.get(i).map(R::to_f32))
    }

    /// Gives the velocities back.
    pub(super) fn give(&self, particles: &mut Particles<R>) {
        let bodies = &mut particles.bodies;
        for i in 0..bodies.len() {
            let [v, omega] = motion_of(self.motions.get(i));
            let state = BodyState {
                v,
                omega,
                ..bodies.state(i)
            };
            bodies.set_state(i, &state);
        }
    }

    /// Pose, predicted velocity and |ω| of a body in f32.
    pub(super) fn standing(&self, i: usize) -> super::thing::Standing {
        let single = |v: Vec3<R>| Vec3::new(v.x.to_f32(), v.y.to_f32(), v.z.to_f32());
        let Past { x, q } = past_of(self.poses.get(i));
        let [v, omega] = motion_of(self.starts.get(i));
        let omega: Vec3<f32> = single(omega);
        super::thing::Standing {
            x: single(x),
            q: Quat::from(q.to_array().map(R::to_f32)),
            v: single(v),
            spin: omega.length(),
        }
    }
}

/// Eight records of bodies that follow each other.
#[inline(always)]
fn set8(cells: &Cells<[f32; 8]>, i: usize, record: [F32x8; 8]) {
    for (lane, row) in transpose(record).into_iter().enumerate() {
        cells.set(i + lane, unpack(row));
    }
}

#[inline(always)]
fn eight(cells: &Cells<[f32; 8]>, slots: [u32; WIDTH]) -> [F32x8; 8] {
    let records = cells.gather(slots);
    transpose(each_lane(
        #[inline(always)]
        |lane| pack(records[lane]),
    ))
}

/// As the functions of the same names above, this worker's share.
impl Memory<f32> {
    fn blocks(worker: &Worker, bodies: &SharedBodies, act: impl Fn(usize, [u32; WIDTH])) {
        worker.share(bodies.places() / WIDTH, |part| {
            for i in part.map(|block| block * WIDTH) {
                act(i, each_lane(|lane| (i + lane) as u32));
            }
        });
    }

    pub(super) fn take8(&self, worker: &Worker, bodies: &SharedBodies) {
        Self::blocks(worker, bodies, |i, _| {
            let (x, q) = bodies.previous8(i);
            let [pose, motion, mass] = records(x, q, &bodies.state8(i));
            set8(&self.poses, i, pose);
            set8(&self.starts, i, motion);
            set8(&self.masses, i, mass);
        });
    }

    pub(super) fn gather8(&self, worker: &Worker, bodies: &SharedBodies, h: F32x8) {
        Self::blocks(worker, bodies, |i, slots| {
            let body = bodies.flying.load(slots);
            let now = corrected(eight(&self.starts, slots), &body, h);
            set8(&self.motions, i, motion_record(now));
        });
    }

    pub(super) fn correct8(&self, worker: &Worker, bodies: &SharedBodies, h: F32x8) {
        Self::blocks(worker, bodies, |_, slots| {
            let mut body = bodies.flying.load(slots);
            let before = corrected(eight(&self.starts, slots), &body, h);
            let [v, omega] = motion_of(eight(&self.motions, slots));
            body.correct((v - before[0]) * h, (omega - before[1]) * h);
            bodies.flying.store(slots, body.to_record());
        });
    }

    pub(super) fn land8(&self, worker: &Worker, bodies: &SharedBodies) {
        Self::blocks(worker, bodies, |i, _| {
            let BodyState { v, omega, .. } = bodies.state8(i);
            set8(&self.motions, i, motion_record([v, omega]));
        });
    }

    pub(super) fn give8(&self, worker: &Worker, bodies: &SharedBodies) {
        Self::blocks(worker, bodies, |i, slots| {
            bodies.set_motion8(i, motion_of(eight(&self.motions, slots)));
        });
    }
}

impl<R: Scalar> Recall<u32, R> for Memory<R> {
    #[inline(always)]
    fn past(&self, slot: u32) -> Past<R> {
        past_of(self.poses.get(slot as usize))
    }
    #[inline(always)]
    fn mover(&self, slot: u32) -> Mover<R> {
        let i = slot as usize;
        mover_of(self.motions.get(i), self.masses.get(i))
    }
    #[inline(always)]
    fn predicted(&self, slot: u32) -> Mover<R> {
        let i = slot as usize;
        mover_of(self.starts.get(i), self.masses.get(i))
    }
    #[inline(always)]
    fn set_motion(&self, slot: u32, mover: &Mover<R>) {
        let record = motion_record([mover.v, mover.omega]);
        self.motions.set(slot as usize, record);
    }
}

impl Recall<[u32; WIDTH], F32x8> for Memory<f32> {
    #[inline(always)]
    fn past(&self, slots: [u32; WIDTH]) -> Past<F32x8> {
        past_of(eight(&self.poses, slots))
    }
    #[inline(always)]
    fn mover(&self, slots: [u32; WIDTH]) -> Mover<F32x8> {
        mover_of(eight(&self.motions, slots), eight(&self.masses, slots))
    }
    #[inline(always)]
    fn predicted(&self, slots: [u32; WIDTH]) -> Mover<F32x8> {
        mover_of(eight(&self.starts, slots), eight(&self.masses, slots))
    }
    #[inline(always)]
    fn set_motion(&self, slots: [u32; WIDTH], mover: &Mover<F32x8>) {
        let rows = transpose(motion_record([mover.v, mover.omega]));
        for lane in 0..WIDTH {
            self.motions.set(slots[lane] as usize, unpack(rows[lane]));
        }
    }
}

/// What no contact moves, in one substep: where it begins and where it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Still {
    pub(super) from: (Vec3<f32>, Quat<f32>),
    pub(super) to: (Vec3<f32>, Quat<f32>),
}

impl Still {
    pub(super) fn nowhere() -> Self {
        let pose = (Vec3::zero(), Quat::identity());
        Self {
            from: pose,
            to: pose,
        }
    }

    /// Of a point of its core, with `round` from there to the surface: where it begins, and how far the surface comes there.
    pub(super) fn points(&self, arm: Vec3<f32>, round: Vec3<f32>) -> [Vec3<f32>; 2] {
        let at = |(x, q): (Vec3<f32>, Quat<f32>), arm: Vec3<f32>| x + q.rotate(arm);
        let out = arm + self.from.1.unrotate(round);
        [at(self.from, arm), at(self.to, out) - at(self.from, out)]
    }
}

/// A collider's pose with its turn as a quaternion (Shepperd 1978).
pub(super) fn standing_pose(pose: &Pose<f64>) -> (Vec3<f32>, Quat<f32>) {
    let [a, b, c] = pose.columns;
    let trace = a.x + b.y + c.z;
    let parts = match (trace, a.x, b.y, c.z) {
        (t, x, y, z) if t >= x && t >= y && t >= z => [b.z - c.y, c.x - a.z, a.y - b.x, 1.0 + t],
        (_, x, y, z) if x >= y && x >= z => [1.0 + x - y - z, a.y + b.x, c.x + a.z, b.z - c.y],
        (_, x, y, z) if y >= z => [a.y + b.x, 1.0 + y - z - x, b.z + c.y, c.x - a.z],
        (_, x, y, z) => [c.x + a.z, b.z + c.y, 1.0 + z - x - y, a.y - b.x],
    };
    let q = Quat::of(parts).normalized();
    let x: Vec3<f64> = pose.center;
    (Vec3::of(x.to_array()), Quat::of(q.to_array()))
}
