//! Columns shared by threads, phases and barriers: the only `unsafe`, the only `rayon`.
//!
//! A step is one entry into the pool ([`Team::run`]): every worker runs the same code, takes its own part of each phase
//! ([`Worker::part`]) and meets the others at a spin barrier ([`Worker::wait`], 0.1 µs against 12-55 µs for a pool entry).
//!
//! **What the `unsafe` rests on.** Between two barriers no place of a column is touched by two workers if one of them
//! writes it. For contiguous phases the parts of [`Worker::part`] are disjoint ranges. For projections a phase is one
//! color: [`Coloring`](crate::coloring::Coloring) can only be obtained proved (rows of a color share no particle), and
//! `batch` puts each row into one packet, each padding lane on a place no row of its color touches. Indices are checked
//! against the columns' length here, on every access.
#![allow(unsafe_code)]

use crate::batch::Store;
use crate::constraints::Particle;
use crate::lanes::{F32x8, Real, Vec3, WIDTH, lanes_below, pack, unpack};
use crate::particles::{Columns3, Particles};
use std::cell::UnsafeCell;
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

/// A barrier that spins, and yields when a worker is missing.
pub(crate) struct Barrier {
    workers: usize,
    spins: u32,
    arrived: AtomicUsize,
    generation: AtomicUsize,
    broken: AtomicBool,
}

impl Barrier {
    pub(crate) fn new(workers: usize, spins: u32) -> Self {
        Self {
            workers,
            spins,
            arrived: AtomicUsize::new(0),
            generation: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    /// Returns when all workers have called it; what each wrote before is then seen by all.
    pub(crate) fn wait(&self) {
        let generation = self.generation.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.workers {
            self.arrived.store(0, Ordering::Relaxed);
            self.generation.store(generation + 1, Ordering::Release);
            return;
        }
        let mut turns = 0;
        while self.generation.load(Ordering::Acquire) == generation {
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

/// One of the threads that run a step together.
pub struct Worker<'a> {
    index: usize,
    count: usize,
    barrier: &'a Barrier,
}

impl Worker<'_> {
    /// Whether this is the worker that does what is too small to share.
    pub fn is_first(&self) -> bool {
        self.index == 0
    }

    /// This worker's part of `0..len`: contiguous, in order, disjoint from the others' and depending on nothing else.
    pub fn part(&self, len: usize) -> Range<usize> {
        let at = |worker: usize| len * worker / self.count;
        at(self.index)..at(self.index + 1)
    }

    /// Waits until every worker is here.
    pub fn wait(&self) {
        if self.count > 1 {
            self.barrier.wait();
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.barrier.broken.store(true, Ordering::Relaxed);
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
        let barrier = Barrier::new(self.threads, self.spins);
        let on = |index| {
            work(&Worker {
                index,
                count: self.threads,
                barrier: &barrier,
            });
        };
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

/// Values that workers replace in turn: each index belongs to one worker between two barriers.
pub(crate) struct Cells<T>(Box<[UnsafeCell<T>]>);

// SAFETY: see the module's comment; a batch indexes its cells by packet, and a packet belongs to one worker's part.
unsafe impl<T: Send> Sync for Cells<T> {}

impl<T: Copy> Cells<T> {
    pub(crate) fn new(len: usize, value: T) -> Self {
        Self((0..len).map(|_| UnsafeCell::new(value)).collect())
    }

    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> T {
        // SAFETY: no other worker writes index i before the next barrier.
        unsafe { *self.0[i].get() }
    }

    #[inline(always)]
    pub(crate) fn set(&self, i: usize, value: T) {
        // SAFETY: no other worker reads or writes index i before the next barrier.
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
        // SAFETY: in bounds; no other worker writes these places before the next barrier.
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
            // SAFETY: in bounds; no other worker touches these places before the next barrier.
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
        // SAFETY: in bounds; no other worker writes this place before the next barrier.
        let [x, y, z] = self.columns(state).map(|column| unsafe { *column.add(i) });
        Vec3::new(x, y, z)
    }

    #[inline(always)]
    fn gather(&self, state: State, at: [u32; WIDTH]) -> Vec3<F32x8> {
        let points = at.map(|i| self.get(state, i as usize));
        Vec3::new(
            pack(points.map(|p| p.x)),
            pack(points.map(|p| p.y)),
            pack(points.map(|p| p.z)),
        )
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
    fn load(&self, Run { first }: Run) -> Particle<F32x8> {
        Particle {
            x: self.get8(State::Position, first as usize),
            w: self.inverse_mass8(first as usize),
        }
    }
    #[inline(always)]
    fn previous(&self, Run { first }: Run) -> Vec3<F32x8> {
        self.get8(State::Previous, first as usize)
    }
    #[inline(always)]
    fn store(&self, Run { first }: Run, x: Vec3<F32x8>) {
        self.set8(State::Position, first as usize, x);
    }
}

impl Store<PartialRun, F32x8> for Shared<'_> {
    #[inline(always)]
    fn load(&self, PartialRun { first, live }: PartialRun) -> Particle<F32x8> {
        let Particle { x, w } = self.load(Run { first });
        // A lane of weight zero writes back the bits it read.
        let w = F32x8::select(lanes_below(live as usize), w, F32x8::zero());
        Particle { x, w }
    }
    #[inline(always)]
    fn previous(&self, PartialRun { first, .. }: PartialRun) -> Vec3<F32x8> {
        self.previous(Run { first })
    }
    #[inline(always)]
    fn store(&self, PartialRun { first, .. }: PartialRun, x: Vec3<F32x8>) {
        self.store(Run { first }, x);
    }
}

impl Store<[u32; WIDTH], F32x8> for Shared<'_> {
    #[inline(always)]
    fn load(&self, at: [u32; WIDTH]) -> Particle<F32x8> {
        let w = at.map(|i| {
            self.check(i as usize, 1);
            // SAFETY: in bounds; nobody writes inverse masses while the view lives.
            unsafe { *self.inverse_mass.add(i as usize) }
        });
        Particle {
            x: self.gather(State::Position, at),
            w: pack(w),
        }
    }
    #[inline(always)]
    fn previous(&self, at: [u32; WIDTH]) -> Vec3<F32x8> {
        self.gather(State::Previous, at)
    }
    #[inline(always)]
    fn store(&self, at: [u32; WIDTH], v: Vec3<F32x8>) {
        let lanes = [v.x, v.y, v.z].map(unpack);
        for (lane, i) in at.into_iter().enumerate() {
            let i = i as usize;
            self.check(i, 1);
            for (column, lanes) in self.position.into_iter().zip(&lanes) {
                // SAFETY: in bounds; no other worker touches this place before the next barrier.
                unsafe { *column.add(i) = lanes[lane] }
            }
        }
    }
}

impl Store<u32, f32> for Shared<'_> {
    #[inline(always)]
    fn load(&self, at: u32) -> Particle<f32> {
        let i = at as usize;
        Particle {
            x: self.get(State::Position, i),
            // SAFETY: `get` checked i; nobody writes inverse masses while the view lives.
            w: unsafe { *self.inverse_mass.add(i) },
        }
    }
    #[inline(always)]
    fn previous(&self, at: u32) -> Vec3<f32> {
        self.get(State::Previous, at as usize)
    }
    #[inline(always)]
    fn store(&self, at: u32, v: Vec3<f32>) {
        let i = at as usize;
        self.check(i, 1);
        for (column, v) in self.position.into_iter().zip([v.x, v.y, v.z]) {
            // SAFETY: in bounds; no other worker touches this place before the next barrier.
            unsafe { *column.add(i) = v }
        }
    }
}
