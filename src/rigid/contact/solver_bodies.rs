//! Solver bodies: where bodies were when the substep began, and the velocities that contacts work on, beside the bodies' own
//! records.

use super::body_pair::SolverBody;
use super::constraint::StartPose;
use super::instance::InstanceState;
use crate::math::{Quat, Real, Vec3};
use crate::rigid::frame::{Frame, Spread};
use crate::state::{BodyState, BodyView, Lanes, MovingBody, OneLane, Width};
use crate::threads::{Cells, Worker};
use std::sync::atomic::{AtomicBool, Ordering};

/// Records of eight numbers a body.
pub(super) struct SolverBodies<E> {
    /// When the substep began.
    poses: Cells<[E; 8]>,
    /// As predicted.
    predicted: Cells<[E; 8]>,
    /// As contacts have left them.
    pub(super) velocities: Cells<[E; 8]>,
    /// Where anything may rebound: as impacts have left them, the fourth number one where the body was struck; and how far contacts
    /// have corrected them (m, rad).
    pub(super) struck: Cells<[E; 8]>,
    pub(super) moved: Cells<[E; 8]>,
    /// Inverse mass and inverse inertia in the world.
    masses: Cells<[E; 8]>,
    /// One where the warm start has thrown a body.
    thrown: Cells<E>,
}

pub(super) fn vector<R: Real>(r: [R; 8], first: usize) -> Vec3<R> {
    Vec3::new(r[first], r[first + 1], r[first + 2])
}

fn pose_of<R: Real>(r: [R; 8]) -> StartPose<R> {
    StartPose { x: vector(r, 0), q: Quat::new(r[4], r[5], r[6], r[7]) }
}

pub(super) fn velocities_of<R: Real>(r: [R; 8]) -> [Vec3<R>; 2] {
    [vector(r, 0), vector(r, 4)]
}

pub(super) fn velocity_record<R: Real>([v, o]: [Vec3<R>; 2]) -> [R; 8] {
    [v.x, v.y, v.z, R::zero(), o.x, o.y, o.z, R::zero()]
}

/// The velocities that a body's corrections amount to.
#[inline(always)]
fn corrected<R: Real>(predicted: [R; 8], body: &MovingBody<R>, h: R) -> [Vec3<R>; 2] {
    let ([v, omega], rate) = (velocities_of(predicted), R::of(1.0) / h);
    [v + body.push * rate, omega + body.turn * rate]
}

impl<E: OneLane> SolverBodies<E> {
    pub(super) fn new(slots: usize, rebounds: bool) -> Self {
        let room = |slots| Cells::new(slots, [E::zero(); 8]);
        let cells = || room(slots);
        let (poses, predicted, velocities, masses) = (cells(), cells(), cells(), cells());
        let impacts = || room(if rebounds { slots } else { 0 });
        let thrown = Cells::new(slots, E::zero());
        Self { poses, predicted, velocities, struck: impacts(), moved: impacts(), masses, thrown }
    }

    /// A phase over all bodies, as many at a time as `W` has lanes.
    pub(super) fn each<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        act: impl Fn(usize, W::Slots),
    ) {
        worker.each_block(self.poses.len(), W::LANES, |i| {
            act(i, W::consecutive(i));
        });
    }

    /// A substep begins: takes where bodies come from and their predicted velocities.
    pub(super) fn begin<W: Width<Element = E>>(&self, worker: &Worker, bodies: &BodyView<E>) {
        self.each::<W>(worker, |i, slots| {
            let ((x, q), state): ((_, Quat<W>), BodyState<W>) =
                (bodies.read_previous(i), bodies.read(i));
            let spread = Spread::new(&Frame::new(q), state.inverse_inertia());
            let ([a, b, c, d, e, f], zero) = (spread.numbers(), W::zero());
            let pose = [x.x, x.y, x.z, zero, q.x, q.y, q.z, q.w];
            W::store_records(&self.poses, slots, pose);
            let velocities = velocity_record([state.v, state.omega]);
            W::store_records(&self.predicted, slots, velocities);
            let mass = [state.w, a, b, c, d, e, f, zero];
            W::store_records(&self.masses, slots, mass);
            if self.struck.len() > 0 {
                self.begin_struck(slots, [state.v, state.omega], [state.q, q], state.inertia);
            }
        });
    }

    /// Takes the velocities that bodies have with the corrections so far.
    pub(super) fn gather<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        bodies: &BodyView<E>,
        h: W,
    ) {
        self.each::<W>(worker, |_, slots| {
            let body = bodies.load(slots);
            let now = corrected(W::load_records(&self.predicted, slots), &body, h);
            W::store_records(&self.velocities, slots, velocity_record(now));
        });
    }

    /// Corrects bodies by what contacts have changed since [`gather`](Self::gather).
    pub(super) fn correct<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        bodies: &BodyView<E>,
        h: W,
    ) {
        self.each::<W>(worker, |_, slots| _ = self.correct_some(slots, bodies, h));
    }

    /// Corrects some bodies; how their velocities have changed.
    #[inline(always)]
    fn correct_some<W: Width<Element = E>>(
        &self,
        slots: W::Slots,
        bodies: &BodyView<E>,
        h: W,
    ) -> [Vec3<W>; 2] {
        let mut body = bodies.load(slots);
        let before = corrected(W::load_records(&self.predicted, slots), &body, h);
        let [v, omega] = velocities_of(W::load_records(&self.velocities, slots));
        let change = [v - before[0], omega - before[1]];
        let way = [change[0] * h, change[1] * h];
        body.correct(way[0], way[1]);
        bodies.store(slots, body);
        if self.moved.len() > 0 {
            self.count_moved(slots, way);
        }
        change
    }

    /// [Corrects](Self::correct) bodies by a warm start, marks those that it has given more speed than `most` (m/s) as thrown, and
    /// tells `any` if there are some.
    pub(super) fn correct_warm_start<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        bodies: &BodyView<E>,
        h: W,
        most: f64,
        any: &AtomicBool,
    ) {
        let most = W::of(most * most);
        self.each::<W>(worker, |i, slots| {
            let [dv, domega] = self.correct_some(slots, bodies, h);
            let body = self.body::<W>(&self.predicted, slots);
            let turns = domega.dot(domega);
            let spin = (body.w * turns * turns).over_positive(domega.dot(body.spread.of(domega)));
            let thrown = most.lt(dv.dot(dv) + spin);
            let flags = W::select(thrown, W::of(1.0), W::zero());
            (0..W::LANES).for_each(|lane| self.thrown.set(i + lane, flags.lane(lane)));
            if W::any(thrown) {
                any.store(true, Ordering::Relaxed);
            }
        });
    }

    /// One where the warm start has thrown a body.
    #[inline(always)]
    pub(super) fn thrown<W: Lanes<Element = E>>(&self, slots: W::Slots) -> W {
        W::collect(|lane| self.thrown.get(W::slot(slots, lane) as usize))
    }

    /// Takes the velocities at the end of the substep.
    pub(super) fn gather_final<W: Width<Element = E>>(
        &self,
        worker: &Worker,
        bodies: &BodyView<E>,
    ) {
        self.each::<W>(worker, |i, slots| {
            let BodyState { v, omega, .. } = bodies.read::<W>(i);
            W::store_records(&self.velocities, slots, velocity_record([v, omega]));
        });
    }

    /// Gives the velocities back.
    pub(super) fn write_back<W: Width<Element = E>>(&self, worker: &Worker, bodies: &BodyView<E>) {
        self.each::<W>(worker, |i, slots| {
            let velocities = velocities_of(W::load_records(&self.velocities, slots));
            bodies.write_velocities(i, velocities);
        });
    }

    /// Where a body was when the substep began.
    #[inline(always)]
    pub(super) fn start_pose<W: Lanes<Element = E>>(&self, slots: W::Slots) -> StartPose<W> {
        pose_of(W::load_records(&self.poses, slots))
    }

    #[inline(always)]
    fn body<W: Lanes<Element = E>>(&self, from: &Cells<[E; 8]>, slots: W::Slots) -> SolverBody<W> {
        let [v, omega] = velocities_of(W::load_records(from, slots));
        let [w, a, b, c, d, e, f, _] = W::load_records(&self.masses, slots);
        let spread = Spread::from_numbers([a, b, c, d, e, f]);
        SolverBody { v, omega, w, spread }
    }

    /// A body as contacts have left it.
    #[inline(always)]
    pub(super) fn load<W: Lanes<Element = E>>(&self, slots: W::Slots) -> SolverBody<W> {
        self.body(&self.velocities, slots)
    }

    /// A body as predicted.
    #[inline(always)]
    pub(super) fn load_predicted<W: Lanes<Element = E>>(&self, slots: W::Slots) -> SolverBody<W> {
        self.body(&self.predicted, slots)
    }

    /// Replaces what contacts change of a body.
    #[inline(always)]
    pub(super) fn store<W: Lanes<Element = E>>(&self, slots: W::Slots, body: &SolverBody<W>) {
        let record = velocity_record([body.v, body.omega]);
        W::store_records(&self.velocities, slots, record);
    }

    /// How fast a body was predicted to be (m/s).
    pub(super) fn predicted_speed(&self, i: usize) -> f64 {
        velocities_of(self.predicted.get(i).map(E::to_f64))[0].length()
    }

    /// A body as contacts have left it, in f64.
    pub(super) fn direct(&self, i: usize) -> SolverBody<f64> {
        let SolverBody { v, omega, w, spread } = self.load::<E>(i as u32);
        let spread = Spread::from_numbers(spread.numbers().map(E::to_f64));
        SolverBody { v: v.to_f64(), omega: omega.to_f64(), w: w.to_f64(), spread }
    }

    /// Replaces what contacts change of it.
    pub(super) fn set_direct(&self, i: usize, body: &SolverBody<f64>) {
        let velocities = [body.v, body.omega].map(Vec3::rounded);
        self.velocities.set(i, velocity_record(velocities));
    }

    /// The velocities with which a body came to this pass, in f64: as its corrections so far have it in a substep of `h`, or without
    /// one those at the substep's end.
    pub(super) fn direct_before(
        &self,
        i: usize,
        bodies: &BodyView<E>,
        h: Option<f64>,
    ) -> [Vec3<f64>; 2] {
        let before = match h {
            Some(h) => corrected(self.predicted.get(i), &bodies.load::<E>(i as u32), E::of(h)),
            None => {
                let BodyState { v, omega, .. } = bodies.read::<E>(i);
                [v, omega]
            }
        };
        before.map(Vec3::to_f64)
    }

    /// A body as impacts have left it, in f64.
    pub(super) fn direct_struck(&self, i: usize) -> SolverBody<f64> {
        let [v, omega] = velocities_of(self.struck.get(i).map(E::to_f64));
        SolverBody { v, omega, ..self.direct(i) }
    }

    /// Replaces what impacts change of it: it is struck.
    pub(super) fn set_direct_struck(&self, i: usize, body: &SolverBody<f64>) {
        let mut record = velocity_record([body.v, body.omega].map(Vec3::rounded));
        record[3] = E::of(1.0);
        self.struck.set(i, record);
    }

    /// Whether it was struck.
    pub(super) fn is_struck(&self, i: usize) -> bool {
        self.struck.get(i)[3].to_f64() > 0.0
    }

    /// Where a body was when the substep began, in f64; of none, the world.
    pub(super) fn direct_pose(&self, body: Option<u32>) -> (Vec3<f64>, Quat<f64>) {
        let of = |i: u32| pose_of(self.poses.get(i as usize).map(E::to_f64));
        let pose = body.map(of);
        pose.map_or((Vec3::zero(), Quat::identity()), |StartPose { x, q }| (x, q))
    }

    /// A body as impacts have left it, and one where it was struck.
    #[inline(always)]
    pub(super) fn load_struck<W: Lanes<Element = E>>(&self, slots: W::Slots) -> (SolverBody<W>, W) {
        let [.., struck, _, _, _, _] = W::load_records(&self.struck, slots);
        (self.body(&self.struck, slots), struck)
    }

    /// Replaces what impacts change of a body; from now on it is struck where `struck` is one.
    #[inline(always)]
    pub(super) fn store_struck<W: Lanes<Element = E>>(
        &self,
        slots: W::Slots,
        body: &SolverBody<W>,
        struck: W,
    ) {
        let (_, before) = self.load_struck::<W>(slots);
        let mut record = velocity_record([body.v, body.omega]);
        record[3] = struck.max(before);
        W::store_records(&self.struck, slots, record);
    }

    /// The velocities of a body in f32.
    pub(super) fn velocities(&self, i: usize) -> [Vec3<f32>; 2] {
        velocities_of(self.velocities.get(i).map(E::to_f32))
    }

    /// Pose, predicted velocity and |ω| of a body in f32.
    pub(super) fn state(&self, i: usize) -> InstanceState {
        let StartPose { x, q } = pose_of(self.poses.get(i).map(E::to_f32));
        let [v, omega] = velocities_of(self.predicted.get(i).map(E::to_f32));
        InstanceState { x, q, v, spin: omega.length() }
    }
}
