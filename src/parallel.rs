//! Columns shared by threads, phases and barriers: the only `unsafe`, the only `rayon`.
//!
//! A step is one entry into the pool ([`Team::run`]): every worker runs the same phases, takes its part of each
//! ([`Worker::share`]) and goes on when all parts are done (0.1 µs, against 12-55 µs for a pool entry).
//!
//! **What the `unsafe` rests on.** Within a phase no place of a column is touched by two workers if one of them writes it,
//! and phases are ordered. For contiguous phases the parts of [`Worker::share`] are disjoint ranges. For projections a phase is one
//! color: [`Coloring`](crate::coloring::Coloring) can only be obtained proved (rows of a color share no particle), and
//! `batch` puts each row into one packet, each padding lane on a place no row of its color touches. Indices are checked
//! against the columns' length here, on every access.
#![allow(unsafe_code)]

use crate::batch::Store;
use crate::constraints::Particle;
use crate::lanes::{
    F32x8, Real, Vec3, WIDTH, each_lane, halves, join, lanes_below, pack, transpose, unpack,
};
use crate::particles::{Columns3, Particles};
use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::ops::Range;

#[cfg(loom)]
use loom::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread::yield_now,
};
#[cfg(not(loom))]
use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread::yield_now,
};

/// Hands the parts of phases to workers, and tells when a phase is done.
///
/// Phases are numbered from one. Each worker first claims its own part; one that is through takes the parts of workers that
/// are missing, so that a busy core or more threads than cores cost no time slice a phase (claims: 1.1x, a plain barrier:
/// 5x slower than one thread with a compiler running beside it). Who does a part changes nothing: parts are disjoint.
pub(crate) struct Relay {
    /// The last phase in which each part was claimed.
    claimed: Vec<AtomicUsize>,
    /// Parts done, of all phases.
    done: AtomicUsize,
    /// Groups of sweeps claimed, of all wavefronts.
    groups: AtomicUsize,
    /// How far each group is, as group x (bands + 1) + bands done: a slot for each group that can be under way, and one more.
    progress: Vec<AtomicUsize>,
    broken: AtomicBool,
    spins: u32,
}

impl Relay {
    pub(crate) fn new(workers: usize, spins: u32) -> Self {
        Self {
            claimed: (0..workers).map(|_| AtomicUsize::new(0)).collect(),
            done: AtomicUsize::new(0),
            groups: AtomicUsize::new(0),
            progress: (0..=workers).map(|_| AtomicUsize::new(0)).collect(),
            broken: AtomicBool::new(false),
            spins,
        }
    }

    /// Whether the caller is the one to do `part` of `phase`.
    pub(crate) fn claim(&self, phase: usize, part: usize) -> bool {
        let claimed = &self.claimed[part];
        let last = claimed.load(Ordering::Relaxed);
        last < phase
            && claimed
                .compare_exchange(last, phase, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Says that a claimed part is done: what was written in it is seen by whoever [`wait`](Self::wait)s for it.
    pub(crate) fn finish(&self) {
        self.done.fetch_add(1, Ordering::Release);
    }

    /// The next group of sweeps below `end`, if there is one left.
    fn claim_group(&self, end: usize) -> Option<usize> {
        let next = |g: usize| (g < end).then_some(g + 1);
        let claimed = self
            .groups
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        claimed.ok()
    }

    fn group_slot(&self, group: usize) -> &AtomicUsize {
        &self.progress[group % self.progress.len()]
    }

    fn advance_group(&self, group: usize, bands: usize, done: usize) {
        let progress = group * (bands + 1) + done;
        self.group_slot(group).store(progress, Ordering::Release);
    }

    /// Returns when `group` has done `done` of its `bands`.
    fn wait_group(&self, group: usize, bands: usize, done: usize) {
        let goal = group * (bands + 1) + done;
        self.spin(|| self.group_slot(group).load(Ordering::Acquire) >= goal);
    }

    /// Returns when `parts` parts are done, of all phases.
    pub(crate) fn wait(&self, parts: usize) {
        self.spin(|| self.done.load(Ordering::Acquire) >= parts);
    }

    fn spin(&self, ready: impl Fn() -> bool) {
        let mut turns = 0;
        while !ready() {
            assert!(
                !self.broken.load(Ordering::Relaxed),
                "another worker panicked"
            );
            if turns < self.spins {
                turns += 1;
                std::hint::spin_loop();
            } else {
                yield_now();
            }
        }
    }
}

/// One of the threads that run a step together. All workers call the same phases in the same order.
pub struct Worker<'a> {
    index: usize,
    count: usize,
    relay: &'a Relay,
    phase: Cell<usize>,
    parts: Cell<usize>,
    groups: Cell<usize>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(index: usize, count: usize, relay: &'a Relay) -> Self {
        Self {
            index,
            count,
            relay,
            phase: Cell::new(0),
            parts: Cell::new(0),
            groups: Cell::new(0),
        }
    }

    /// Whether this is the worker that keeps the time.
    pub fn is_first(&self) -> bool {
        self.index == 0
    }

    /// A phase over `0..len`, one contiguous part a worker: disjoint, and depending on nothing but `len` and the number of
    /// workers. Returns when all parts are done.
    pub fn share(&self, len: usize, work: impl Fn(Range<usize>)) {
        let at = |part: usize| len * part / self.count;
        self.run(self.count, |part| work(at(part)..at(part + 1)));
    }

    /// A phase too small to share. Returns when it is done.
    pub fn alone(&self, work: impl Fn()) {
        self.run(1, |_| work());
    }

    /// Sweeps over bands, `sweeps` times, as a wavefront: sweep k + 1 follows `lag` bands behind sweep k, so that what a sweep
    /// fetched serves the ones behind it. Bands `lag` or more apart must have no place in common; then the result is that of
    /// one sweep after another. A worker takes `group` sweeps at a time and waits for the group before it only.
    pub fn wavefront(
        &self,
        sweeps: usize,
        bands: usize,
        lag: usize,
        group: usize,
        act: impl Fn(usize),
    ) {
        let groups = sweeps.div_ceil(group);
        let first = self.groups.get();
        self.groups.set(first + groups);
        self.parts.set(self.parts.get() + groups);
        while let Some(g) = self.relay.claim_group(first + groups) {
            let size = group.min(sweeps - (g - first) * group);
            for front in 0..bands + (size - 1) * lag {
                if g > first && front < bands {
                    self.relay
                        .wait_group(g - 1, bands, (front + lag).min(bands));
                }
                for behind in 0..size {
                    // The sweep `behind` others of its group is that many lags behind the front.
                    if let Some(band) = front.checked_sub(behind * lag).filter(|b| *b < bands) {
                        act(band);
                        if behind + 1 == size {
                            self.relay.advance_group(g, bands, band + 1);
                        }
                    }
                }
            }
            self.relay.finish();
        }
        self.relay.wait(self.parts.get());
    }

    fn run(&self, parts: usize, work: impl Fn(usize)) {
        if self.count == 1 {
            return work(0);
        }
        self.phase.set(self.phase.get() + 1);
        self.parts.set(self.parts.get() + parts);
        for i in 0..parts {
            let part = (self.index + i) % parts;
            if self.relay.claim(self.phase.get(), part) {
                work(part);
                self.relay.finish();
            }
        }
        self.relay.wait(self.parts.get());
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.relay.broken.store(true, Ordering::Relaxed);
        }
    }
}

/// The threads of a run.
pub struct Team {
    pool: Option<rayon::ThreadPool>,
    threads: usize,
    spins: u32,
}

impl Team {
    /// `threads` workers; one runs on the calling thread.
    ///
    /// # Panics
    /// If the system refuses the threads.
    pub fn new(threads: usize) -> Self {
        let threads = threads.max(1);
        let pool = (threads > 1).then(|| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("the system refused the worker threads")
        });
        // More workers than cores: the one waited for may need this very core, so do not hold it.
        let spins = if threads > cores() { 0 } else { 4096 };
        Self {
            pool,
            threads,
            spins,
        }
    }

    /// The number of workers.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` on every worker at once; one entry into the pool.
    pub fn run(&self, work: impl Fn(&Worker) + Sync) {
        let relay = Relay::new(self.threads, self.spins);
        let on = |index| work(&Worker::new(index, self.threads, &relay));
        match &self.pool {
            None => on(0),
            Some(pool) => drop(pool.broadcast(|context| on(context.index()))),
        }
    }
}

/// The machine's cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Values that workers replace in turn: each index belongs to one worker within a phase.
pub(crate) struct Cells<T>(Box<[UnsafeCell<T>]>);

// SAFETY: see the module's comment; a batch indexes its cells by packet, and a packet belongs to one worker's part.
unsafe impl<T: Send> Sync for Cells<T> {}

impl<T: Copy> Cells<T> {
    pub(crate) fn new(len: usize, value: T) -> Self {
        Self((0..len).map(|_| UnsafeCell::new(value)).collect())
    }

    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> T {
        // SAFETY: no other worker writes index i within the phase.
        unsafe { *self.0[i].get() }
    }

    #[inline(always)]
    pub(crate) fn set(&self, i: usize, value: T) {
        // SAFETY: no other worker reads or writes index i within the phase.
        unsafe { *self.0[i].get() = value }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The columns of all particles, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    position: [*mut f32; 3],
    previous: [*mut f32; 3],
    velocity: [*mut f32; 3],
    inverse_mass: *const f32,
    len: usize,
    borrow: PhantomData<&'a mut Particles>,
}

// SAFETY: see the module's comment; all pointers lead into columns borrowed exclusively for 'a.
unsafe impl Sync for Shared<'_> {}
// SAFETY: as above.
unsafe impl Send for Shared<'_> {}

/// One of the three-column states of a particle.
#[derive(Clone, Copy)]
pub(crate) enum State {
    Position,
    Previous,
    Velocity,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(particles: &'a mut Particles) -> Self {
        let len = particles.places();
        let pointers = |columns: &mut Columns3<f32>| {
            columns.as_mut_slices().map(|column| {
                assert_eq!(column.len(), len, "a column of another length");
                column.as_mut_ptr()
            })
        };
        assert_eq!(particles.inverse_mass.as_slice().len(), len);
        Self {
            position: pointers(&mut particles.position),
            previous: pointers(&mut particles.previous),
            velocity: pointers(&mut particles.velocity),
            inverse_mass: particles.inverse_mass.as_slice().as_ptr(),
            len,
            borrow: PhantomData,
        }
    }

    /// Places, a multiple of eight.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn columns(&self, state: State) -> [*mut f32; 3] {
        match state {
            State::Position => self.position,
            State::Previous => self.previous,
            State::Velocity => self.velocity,
        }
    }

    #[inline(always)]
    fn check(&self, first: usize, count: usize) {
        assert!(
            first < self.len && count <= self.len - first,
            "a place beyond the columns"
        );
    }

    /// Eight entries from place `i`.
    #[inline(always)]
    pub(crate) fn get8(&self, state: State, i: usize) -> Vec3<F32x8> {
        self.check(i, WIDTH);
        // SAFETY: in bounds; no other worker writes these places within the phase.
        let [x, y, z] = self
            .columns(state)
            .map(|column| pack(unsafe { column.add(i).cast::<[f32; WIDTH]>().read() }));
        Vec3::new(x, y, z)
    }

    /// Replaces eight entries from place `i`.
    #[inline(always)]
    pub(crate) fn set8(&self, state: State, i: usize, v: Vec3<F32x8>) {
        self.check(i, WIDTH);
        for (column, v) in self.columns(state).into_iter().zip([v.x, v.y, v.z]) {
            // SAFETY: in bounds; no other worker touches these places within the phase.
            unsafe { column.add(i).cast::<[f32; WIDTH]>().write(unpack(v)) }
        }
    }

    /// Eight inverse masses from place `i`.
    #[inline(always)]
    pub(crate) fn inverse_mass8(&self, i: usize) -> F32x8 {
        self.check(i, WIDTH);
        // SAFETY: in bounds; nobody writes inverse masses while the view lives.
        pack(unsafe { self.inverse_mass.add(i).cast::<[f32; WIDTH]>().read() })
    }

    #[inline(always)]
    fn get(&self, state: State, i: usize) -> Vec3<f32> {
        self.check(i, 1);
        // SAFETY: in bounds; no other worker writes this place within the phase.
        let [x, y, z] = self.columns(state).map(|column| unsafe { *column.add(i) });
        Vec3::new(x, y, z)
    }

    #[inline(always)]
    fn set(&self, i: usize, position: [f32; 3]) {
        self.check(i, 1);
        for (column, v) in self.position.into_iter().zip(position) {
            // SAFETY: in bounds; no other worker touches this place within the phase.
            unsafe { *column.add(i) = v }
        }
    }

    #[inline(always)]
    fn inverse_mass(&self, i: usize) -> f32 {
        self.check(i, 1);
        // SAFETY: in bounds; nobody writes inverse masses while the view lives.
        unsafe { *self.inverse_mass.add(i) }
    }

    #[inline(always)]
    fn gather(&self, state: State, at: [u32; WIDTH]) -> Vec3<F32x8> {
        let p = each_lane(|lane| self.get(state, at[lane] as usize));
        Vec3::new(
            pack(each_lane(|lane| p[lane].x)),
            pack(each_lane(|lane| p[lane].y)),
            pack(each_lane(|lane| p[lane].z)),
        )
    }
}

/// One value for each slot: `load` at slot i; written as a loop so that it is inlined.
#[inline(always)]
fn each_slot<T: Copy, const N: usize>(empty: T, load: impl Fn(usize) -> T) -> [T; N] {
    let mut out = [empty; N];
    for (i, out) in out.iter_mut().enumerate() {
        *out = load(i);
    }
    out
}

/// A particle yet to be loaded.
#[inline(always)]
fn nothing<R: Real>() -> Particle<R> {
    Particle {
        x: Vec3::zero(),
        w: R::zero(),
    }
}

/// Eight consecutive places, of which the first `live` take part: the others keep their state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
}

/// A [`Run`] whose lanes from `live` on are padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartialRun {
    pub(crate) first: u32,
    pub(crate) live: u32,
}

impl Store<Run, F32x8> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [Run; N]) -> [Particle<F32x8>; N] {
        slots.map(|Run { first }| Particle {
            x: self.get8(State::Position, first as usize),
            w: self.inverse_mass8(first as usize),
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [Run; N]) -> [Vec3<F32x8>; N] {
        slots.map(|Run { first }| self.get8(State::Previous, first as usize))
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [Run; N], sites: [Particle<F32x8>; N]) {
        for (Run { first }, site) in slots.into_iter().zip(sites) {
            self.set8(State::Position, first as usize, site.x);
        }
    }
}

impl PartialRun {
    #[inline(always)]
    fn whole(self) -> Run {
        Run { first: self.first }
    }
}

impl Store<PartialRun, F32x8> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [PartialRun; N]) -> [Particle<F32x8>; N] {
        let live = lanes_below(slots[0].live as usize);
        // A lane of weight zero writes back the bits it read.
        self.load(slots.map(PartialRun::whole))
            .map(|site| Particle {
                w: F32x8::select(live, site.w, F32x8::zero()),
                ..site
            })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [PartialRun; N]) -> [Vec3<F32x8>; N] {
        self.previous(slots.map(PartialRun::whole))
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [PartialRun; N], sites: [Particle<F32x8>; N]) {
        self.store(slots.map(PartialRun::whole), sites);
    }
}

impl Store<[u32; WIDTH], F32x8> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        each_slot(nothing(), |slot| {
            let at = slots[slot];
            Particle {
                x: self.gather(State::Position, at),
                w: pack(each_lane(|lane| self.inverse_mass(at[lane] as usize))),
            }
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Vec3<F32x8>; N] {
        each_slot(Vec3::zero(), |slot| {
            self.gather(State::Previous, slots[slot])
        })
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [[u32; WIDTH]; N], sites: [Particle<F32x8>; N]) {
        for (at, Particle { x, .. }) in slots.into_iter().zip(sites) {
            let (x, y, z) = (unpack(x.x), unpack(x.y), unpack(x.z));
            for lane in 0..WIDTH {
                self.set(at[lane] as usize, [x[lane], y[lane], z[lane]]);
            }
        }
    }
}

impl Store<u32, f32> for Shared<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [u32; N]) -> [Particle<f32>; N] {
        slots.map(|i| Particle {
            x: self.get(State::Position, i as usize),
            w: self.inverse_mass(i as usize),
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [u32; N]) -> [Vec3<f32>; N] {
        slots.map(|i| self.get(State::Previous, i as usize))
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [u32; N], sites: [Particle<f32>; N]) {
        for (i, Particle { x, .. }) in slots.into_iter().zip(sites) {
            self.set(i as usize, [x.x, x.y, x.z]);
        }
    }
}

/// Positions and inverse masses as packed records beside the columns, for packets that gather: one cache line a particle,
/// eight records and two slots to one register transpose.
#[derive(Clone, Copy)]
pub(crate) struct SharedRecords<'a> {
    records: *mut [f32; 4],
    columns: Shared<'a>,
}

// SAFETY: see the module's comment; the records are borrowed exclusively for 'a.
unsafe impl Sync for SharedRecords<'_> {}
// SAFETY: as above.
unsafe impl Send for SharedRecords<'_> {}

impl<'a> SharedRecords<'a> {
    pub(crate) fn new(records: &'a mut [[f32; 4]], columns: Shared<'a>) -> Self {
        assert_eq!(records.len(), columns.len, "records of other columns");
        let records = records.as_mut_ptr();
        Self { records, columns }
    }

    #[inline(always)]
    fn get(&self, i: u32) -> [f32; 4] {
        self.columns.check(i as usize, 1);
        // SAFETY: in bounds; no other worker writes this record within the phase.
        unsafe { *self.records.add(i as usize) }
    }

    #[inline(always)]
    fn set(&self, i: u32, record: [f32; 4]) {
        self.columns.check(i as usize, 1);
        // SAFETY: in bounds; no other worker touches this record within the phase.
        unsafe { *self.records.add(i as usize) = record }
    }

    /// Fills the records of eight places from the columns.
    #[inline(always)]
    pub(crate) fn fill8(&self, i: usize, x: Vec3<F32x8>, w: F32x8) {
        let zero = F32x8::zero();
        let rows = transpose([x.x, x.y, x.z, w, zero, zero, zero, zero]);
        for (lane, row) in rows.into_iter().enumerate() {
            let [record, _] = halves(row);
            self.set((i + lane) as u32, record);
        }
    }

    /// The positions of eight places, from the records.
    #[inline(always)]
    pub(crate) fn read8(&self, i: usize) -> Vec3<F32x8> {
        let record = |lane: usize| join(self.get((i + lane) as u32), [0.0; 4]);
        let [x, y, z, ..] = transpose(each_lane(record));
        Vec3::new(x, y, z)
    }
}

impl Store<[u32; WIDTH], F32x8> for SharedRecords<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        let mut sites = [nothing(); N];
        for a in (0..N).step_by(2) {
            let b = (a + 1).min(N - 1);
            let row = |lane: usize| join(self.get(slots[a][lane]), self.get(slots[b][lane]));
            let [ax, ay, az, aw, bx, by, bz, bw] = transpose(each_lane(row));
            sites[b] = Particle {
                x: Vec3::new(bx, by, bz),
                w: bw,
            };
            sites[a] = Particle {
                x: Vec3::new(ax, ay, az),
                w: aw,
            };
        }
        sites
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Vec3<F32x8>; N] {
        self.columns.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [[u32; WIDTH]; N], sites: [Particle<F32x8>; N]) {
        for a in (0..N).step_by(2) {
            let b = (a + 1).min(N - 1);
            let (p, q) = (sites[a], sites[b]);
            let rows = transpose([p.x.x, p.x.y, p.x.z, p.w, q.x.x, q.x.y, q.x.z, q.w]);
            for lane in 0..WIDTH {
                let [first, second] = halves(rows[lane]);
                self.set(slots[a][lane], first);
                if b != a {
                    self.set(slots[b][lane], second);
                }
            }
        }
    }
}

impl Store<u32, f32> for SharedRecords<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [u32; N]) -> [Particle<f32>; N] {
        slots.map(|i| {
            let [x, y, z, w] = self.get(i);
            Particle {
                x: Vec3::new(x, y, z),
                w,
            }
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [u32; N]) -> [Vec3<f32>; N] {
        self.columns.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [u32; N], sites: [Particle<f32>; N]) {
        for (i, Particle { x, w }) in slots.into_iter().zip(sites) {
            self.set(i, [x.x, x.y, x.z, w]);
        }
    }
}
