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

mod cells;
mod columns;
mod phased;

pub(crate) use cells::Cells;
pub(crate) use columns::{SharedColumns, SharedSlice};
pub(crate) use phased::Phased;

use std::cell::Cell;
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
    /// Workers that came to a meeting, of all meetings.
    arrived: AtomicUsize,
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
            arrived: AtomicUsize::new(0),
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
    #[inline(never)] // a frame of its own in profiles
    fn wait_group(&self, group: usize, bands: usize, done: usize) {
        let goal = group * (bands + 1) + done;
        self.spin(|| self.group_slot(group).load(Ordering::Acquire) >= goal);
    }

    /// Returns when `parts` parts are done, of all phases.
    #[inline(never)] // a frame of its own in profiles
    fn wait(&self, parts: usize) {
        self.spin(|| self.is_done(parts));
    }

    /// Whether `parts` parts are done, of all phases; if so, what was written in them is seen.
    pub(crate) fn is_done(&self, parts: usize) -> bool {
        self.done.load(Ordering::Acquire) >= parts
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
    meetings: Cell<usize>,
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
            meetings: Cell::new(0),
        }
    }

    /// Whether this is the worker that keeps the time.
    pub fn is_first(&self) -> bool {
        self.index == 0
    }

    /// How many workers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A phase over `0..len`, one contiguous part a worker: disjoint, and depending on nothing but `len` and the number of
    /// workers. Returns when all parts are done.
    pub fn share(&self, len: usize, work: impl Fn(Range<usize>)) {
        self.share_of(|| len, work);
    }

    /// [`share`](Self::share) of a length that is asked for within the phase.
    pub(crate) fn share_of(&self, len: impl Fn() -> usize, work: impl Fn(Range<usize>)) {
        self.run(self.count, |part| {
            let len = len();
            work(len * part / self.count..len * (part + 1) / self.count);
        });
    }

    /// A phase too small to share. Returns when it is done.
    pub fn alone(&self, work: impl Fn()) {
        self.run(1, |_| work());
    }

    /// Returns when all workers are here. Phases alone do not say that: a worker that comes late finds its parts done by
    /// others, who are ahead by then; what tells it which phases there are must not change before all have met.
    pub fn meet(&self) {
        if self.count > 1 {
            self.meetings.set(self.meetings.get() + 1);
            self.relay.arrived.fetch_add(1, Ordering::AcqRel);
            let all = self.meetings.get() * self.count;
            self.relay
                .spin(|| self.relay.arrived.load(Ordering::Acquire) >= all);
        }
    }

    /// Sweeps over bands, `sweeps` times, as a wavefront: a sweep follows `reach` bands behind the one before, so that what
    /// that one fetched serves it. `act` is given the sweep and the band. Bands more than `reach` apart must have no place in
    /// common; then the result is that of one sweep after another. A worker takes `group` sweeps at a time and waits for the
    /// group before it only.
    pub fn wavefront(
        &self,
        sweeps: usize,
        bands: usize,
        reach: usize,
        group: usize,
        act: impl Fn(usize, usize),
    ) {
        let groups = sweeps.div_ceil(group);
        let first = self.groups.get();
        self.groups.set(first + groups);
        self.parts.set(self.parts.get() + groups);
        while let Some(g) = self.relay.claim_group(first + groups) {
            let sweep = (g - first) * group;
            let size = group.min(sweeps - sweep);
            for front in 0..bands + (size - 1) * reach {
                if g > first && front < bands {
                    // What the group before may still touch lies beyond the reach of this band.
                    self.relay
                        .wait_group(g - 1, bands, (front + reach + 1).min(bands));
                }
                for behind in 0..size {
                    let band = front.checked_sub(behind * reach).filter(|b| *b < bands);
                    if let Some(band) = band {
                        act(sweep + behind, band);
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
