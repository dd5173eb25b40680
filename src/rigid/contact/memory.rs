//! Poses and velocities beside the bodies' own records: where bodies were when the substep began, or where they landed; and
//! where what no contact moves stands.

use crate::collision::Pose;
use crate::lanes::{F32x8, Quat, Real, Scalar, Vec3, WIDTH, each_lane, pack, transpose, unpack};
use crate::parallel::{Cells, Worker};
use crate::particles::Particles;
use crate::rigid::{SharedBodies, State};

/// Poses, velocities and masses by slot.
pub(super) trait Recall<I, R> {
    fn pose(&self, slot: I) -> (Vec3<R>, Quat<R>);
    /// Velocity (m/s) and angular velocity (rad/s).
    fn motion(&self, slot: I) -> [Vec3<R>; 2];
    fn set_motion(&self, slot: I, motion: [Vec3<R>; 2]);
    /// Inverse mass and inverse principal moments.
    fn mass(&self, slot: I) -> (R, Vec3<R>);
}

/// Records of poses, velocities and masses.
pub(super) struct Memory<R> {
    poses: Cells<[R; 8]>,
    motions: Cells<[R; 8]>,
    masses: Cells<[R; 8]>,
}

fn three<R: Real>(r: [R; 8], first: usize) -> Vec3<R> {
    Vec3::new(r[first], r[first + 1], r[first + 2])
}

fn pose_record<R: Real>(x: Vec3<R>, q: Quat<R>) -> [R; 8] {
    [x.x, x.y, x.z, R::zero(), q.x, q.y, q.z, q.w]
}

fn motion_record<R: Real>([v, o]: [Vec3<R>; 2]) -> [R; 8] {
    [v.x, v.y, v.z, R::zero(), o.x, o.y, o.z, R::zero()]
}

fn mass_record<R: Real>(state: &State<R>) -> [R; 8] {
    let (i, zero) = (state.inverse_inertia(), R::zero());
    [state.w, i.x, i.y, i.z, zero, zero, zero, zero]
}

impl<R: Real> Memory<R> {
    pub(super) fn new(places: usize) -> Self {
        let cells = || Cells::new(places, [R::zero(); 8]);
        Self {
            poses: cells(),
            motions: cells(),
            masses: cells(),
        }
    }
}

impl<R: Scalar> Memory<R> {
    /// Takes the poses of `particles`' bodies, as they were when the substep began or as they are, and their velocities.
    pub(super) fn take(&self, particles: &Particles<R>, previous: bool) {
        let bodies = &particles.bodies;
        for i in 0..bodies.len() {
            let state = bodies.state(i);
            let (x, q) = match previous {
                false => (state.x, state.q),
                true => {
                    let q = bodies.previous_orientation.read(i);
                    (Vec3::from(bodies.previous.read(i)), Quat::from(q))
                }
            };
            self.poses.set(i, pose_record(x, q));
            self.motions.set(i, motion_record([state.v, state.omega]));
            self.masses.set(i, mass_record(&state));
        }
    }

    /// Gives the velocities back.
    pub(super) fn give(&self, particles: &mut Particles<R>) {
        let bodies = &mut particles.bodies;
        for i in 0..bodies.len() {
            let [v, omega] = self.motion(i as u32);
            let state = State {
                v,
                omega,
                ..bodies.state(i)
            };
            bodies.set_state(i, &state);
        }
    }

    /// Pose, velocity and |ω| of a body in f32.
    pub(super) fn standing(&self, i: usize) -> super::find::Standing {
        let single = |v: Vec3<R>| Vec3::new(v.x.to_f32(), v.y.to_f32(), v.z.to_f32());
        let (x, q) = self.pose(i as u32);
        let [v, omega] = self.motion(i as u32);
        let omega: Vec3<f32> = single(omega);
        super::find::Standing {
            x: single(x),
            q: Quat::from(q.to_array().map(R::to_f32)),
            v: single(v),
            spin: omega.length(),
        }
    }
}

impl Memory<f32> {
    /// As [`take`](Self::take): this worker's share.
    pub(super) fn take8(&self, worker: &Worker, bodies: &SharedBodies, previous: bool) {
        worker.share(bodies.places() / WIDTH, |part| {
            for i in part.map(|block| block * WIDTH) {
                let state = bodies.state8(i);
                let (x, q) = match previous {
                    false => (state.x, state.q),
                    true => bodies.previous8(i),
                };
                let records = [
                    (&self.poses, pose_record(x, q)),
                    (&self.motions, motion_record([state.v, state.omega])),
                    (&self.masses, mass_record(&state)),
                ];
                for (cells, record) in records {
                    for (lane, row) in transpose(record).into_iter().enumerate() {
                        cells.set(i + lane, unpack(row));
                    }
                }
            }
        });
    }

    /// As [`give`](Self::give): this worker's share.
    pub(super) fn give8(&self, worker: &Worker, bodies: &SharedBodies) {
        worker.share(bodies.places() / WIDTH, |part| {
            for i in part.map(|block| block * WIDTH) {
                let slots = each_lane(|lane| (i + lane) as u32);
                bodies.set_motion8(i, self.motion(slots));
            }
        });
    }
}

impl<R: Scalar> Recall<u32, R> for Memory<R> {
    #[inline(always)]
    fn pose(&self, slot: u32) -> (Vec3<R>, Quat<R>) {
        let r = self.poses.get(slot as usize);
        (three(r, 0), Quat::new(r[4], r[5], r[6], r[7]))
    }
    #[inline(always)]
    fn motion(&self, slot: u32) -> [Vec3<R>; 2] {
        let r = self.motions.get(slot as usize);
        [three(r, 0), three(r, 4)]
    }
    #[inline(always)]
    fn set_motion(&self, slot: u32, motion: [Vec3<R>; 2]) {
        self.motions.set(slot as usize, motion_record(motion));
    }
    #[inline(always)]
    fn mass(&self, slot: u32) -> (R, Vec3<R>) {
        let r = self.masses.get(slot as usize);
        (r[0], three(r, 1))
    }
}

#[inline(always)]
fn eight(cells: &Cells<[f32; 8]>, slots: [u32; WIDTH]) -> [F32x8; 8] {
    transpose(each_lane(|lane| pack(cells.get(slots[lane] as usize))))
}

impl Recall<[u32; WIDTH], F32x8> for Memory<f32> {
    #[inline(always)]
    fn pose(&self, slots: [u32; WIDTH]) -> (Vec3<F32x8>, Quat<F32x8>) {
        let r = eight(&self.poses, slots);
        (three(r, 0), Quat::new(r[4], r[5], r[6], r[7]))
    }
    #[inline(always)]
    fn motion(&self, slots: [u32; WIDTH]) -> [Vec3<F32x8>; 2] {
        let r = eight(&self.motions, slots);
        [three(r, 0), three(r, 4)]
    }
    #[inline(always)]
    fn set_motion(&self, slots: [u32; WIDTH], motion: [Vec3<F32x8>; 2]) {
        let rows = transpose(motion_record(motion));
        for lane in 0..WIDTH {
            self.motions.set(slots[lane] as usize, unpack(rows[lane]));
        }
    }
    #[inline(always)]
    fn mass(&self, slots: [u32; WIDTH]) -> (F32x8, Vec3<F32x8>) {
        let r = eight(&self.masses, slots);
        (r[0], three(r, 1))
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

    /// Of a point of its core, with `round` from there to the surface: where it begins and ends, and how far the surface
    /// has come there.
    pub(super) fn points(&self, arm: Vec3<f32>, round: Vec3<f32>) -> [Vec3<f32>; 3] {
        let at = |(x, q): (Vec3<f32>, Quat<f32>), arm: Vec3<f32>| x + q.rotate(arm);
        let out = arm + self.from.1.unrotate(round);
        [
            at(self.from, arm),
            at(self.to, arm),
            at(self.to, out) - at(self.from, out),
        ]
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
