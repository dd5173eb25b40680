//! Columns shared by threads, phases and barriers: the only `unsafe`, the only `rayon`.
//!
//! A step is one entry into the pool ([`Team::run`]): every worker runs the same phases, takes its chunk of each
//! ([`Worker::parallel_for`]) and goes on when all chunks are done (0.1 µs). Between steps workers stay awake for a while
//! (`pool`); one that comes too late for a step has no part in it (`gate`).
//!
//! **What the `unsafe` rests on.** Within a phase no slot of a column is touched by two workers if one of them writes it,
//! and phases are ordered. What makes it so is checked in every build, where it is made:
//! - the chunks of [`Worker::parallel_for`] are disjoint, as all workers cut them from one length ([`PhaseScheduler::agree`]);
//! - units of a color share no slot, padding lanes included ([`Colored`] holds the packed slots themselves against it;
//!   [`DynamicColoring`](crate::coloring::DynamicColoring) its rows, each time they are made);
//! - tiles further apart than a wavefront's halo share no slot ([`Tiling`] reads the halo off the packed slots);
//! - indices lie within the columns (on every access).
//!
//! That the work of a phase keeps to its own range or units is its author's promise: builds of tests check each access
//! (`races`), release builds do not.
#![allow(unsafe_code)]

mod cells;
mod colored;
mod columns;
mod gate;
mod phased;
mod pool;
#[cfg(test)]
mod races;
mod team;
#[cfg(test)]
mod tests;
mod waiting;
mod wavefront;

pub(crate) use cells::Cells;
pub(crate) use colored::Colored;
pub(crate) use columns::{SharedColumns, SharedSlice};
pub(crate) use gate::Gate;
pub(crate) use phased::Phased;
#[cfg(loom)]
pub(crate) use pool::Shared;
pub use team::Team;
pub use waiting::cores;
pub(crate) use wavefront::Tiling;

use std::cell::Cell;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};
use waiting::pause;

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// What workers take turns with.
pub(crate) fn lock<T>(turns: &Mutex<T>) -> MutexGuard<'_, T> {
    turns.lock().expect("no worker panicked")
}

/// Chunks a worker of a phase whose work is uneven: who is through with its own takes those of others.
const UNEVEN: usize = 4;

/// Hands the chunks of phases to workers, and tells when a phase is done.
///
/// Phases are numbered from one. Each worker first claims its own chunk; one that is through takes the chunks of workers that
/// are missing, so that a busy core or more threads than cores cost no time slice a phase (claims: 1.1x, a plain barrier:
/// 5x slower than one thread with a compiler running beside it). Who does a chunk changes nothing: chunks are disjoint.
pub(crate) struct PhaseScheduler<'a> {
    /// Where workers come in; none where all are there from the start.
    gate: Option<&'a Gate>,
    /// The last phase in which each chunk was claimed.
    claimed: Vec<AtomicUsize>,
    /// The last phase, and the length that its chunks are cut from.
    agreed: AtomicU64,
    /// Chunks done, of all phases.
    done: AtomicUsize,
    /// Blocks of passes claimed, of all wavefronts.
    blocks: AtomicUsize,
    /// How far each block is, block and tiles done: a slot for each block that can be under way, and one more.
    progress: Vec<AtomicU64>,
    /// Workers that came to a meeting, of all meetings.
    arrived: AtomicUsize,
    broken: AtomicBool,
    spins: u32,
    #[cfg(test)]
    run: u64,
}

impl<'a> PhaseScheduler<'a> {
    pub(crate) fn new(workers: usize, spins: u32, gate: Option<&'a Gate>) -> Self {
        Self {
            gate,
            claimed: (0..workers * UNEVEN).map(|_| AtomicUsize::new(0)).collect(),
            agreed: AtomicU64::new(0),
            done: AtomicUsize::new(0),
            blocks: AtomicUsize::new(0),
            progress: (0..=workers).map(|_| AtomicU64::new(0)).collect(),
            arrived: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            spins,
            #[cfg(test)]
            run: races::new_run(),
        }
    }

    /// Whether the caller is the one to do `chunk` of `phase`.
    pub(crate) fn claim(&self, phase: usize, chunk: usize) -> bool {
        let claimed = &self.claimed[chunk];
        let last = claimed.load(Ordering::Relaxed);
        last < phase
            && claimed.compare_exchange(last, phase, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Holds a claimed chunk against the others of its phase: cut from another length, it would overlap them. All chunks of
    /// earlier phases are done by now, and none of later ones has begun.
    ///
    /// # Panics
    /// If workers walk different phases.
    pub(crate) fn agree(&self, phase: usize, len: u32) {
        let own = (phase as u64) << 32 | u64::from(len);
        let other = self.agreed.swap(own, Ordering::Relaxed);
        assert!(other >> 32 != own >> 32 || other == own, "workers walk different phases");
    }

    /// Says that a claimed chunk is done: what was written in it is seen by whoever [`wait`](Self::wait)s for it.
    pub(crate) fn finish(&self) {
        self.done.fetch_add(1, Ordering::Release);
    }

    /// Returns when `chunks` chunks are done, of all phases.
    #[inline(never)] // a frame of its own in profiles
    fn wait(&self, chunks: usize) {
        self.spin(|| self.is_done(chunks));
    }

    /// Whether `chunks` chunks are done, of all phases; if so, what was written in them is seen.
    pub(crate) fn is_done(&self, chunks: usize) -> bool {
        self.done.load(Ordering::Acquire) >= chunks
    }

    fn spin(&self, ready: impl Fn() -> bool) {
        let mut turns = 0;
        while !ready() {
            assert!(!self.broken.load(Ordering::Relaxed), "another worker panicked");
            pause(turns, self.spins);
            turns = turns.saturating_add(1);
        }
    }
}

/// One of the threads that run a step together. All workers call the same phases in the same order.
pub struct Worker<'a> {
    index: usize,
    count: usize,
    scheduler: &'a PhaseScheduler<'a>,
    phase: Cell<usize>,
    chunks: Cell<usize>,
    blocks: Cell<usize>,
    meetings: Cell<usize>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(index: usize, count: usize, scheduler: &'a PhaseScheduler<'a>) -> Self {
        Self {
            index,
            count,
            scheduler,
            phase: Cell::new(0),
            chunks: Cell::new(0),
            blocks: Cell::new(0),
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

    /// A phase over `0..len`, one contiguous chunk a worker: disjoint, and depending on nothing but `len` and the number of
    /// workers. Returns when all chunks are done.
    pub fn parallel_for(&self, len: usize, work: impl Fn(Range<usize>)) {
        // Of nothing there is nothing to wait for.
        if len > 0 {
            self.parallel_for_len(|| len, work);
        }
    }

    /// [`parallel_for`](Self::parallel_for) by blocks of so many `lanes`: `work` takes where each begins.
    #[inline(always)]
    pub(crate) fn each_block(&self, len: usize, lanes: usize, work: impl Fn(usize)) {
        self.parallel_for(len / lanes, |blocks| blocks.for_each(|block| work(block * lanes)));
    }

    /// [`parallel_for`](Self::parallel_for) of a length that is asked for within the phase.
    pub(crate) fn parallel_for_len(&self, len: impl Fn() -> usize, work: impl Fn(Range<usize>)) {
        self.parallel_chunks(self.count, &len, &work);
    }

    /// The same of work that some indices have more of than others: in several chunks a worker.
    pub(crate) fn parallel_uneven(&self, len: impl Fn() -> usize, work: impl Fn(Range<usize>)) {
        let chunks = if self.count > 1 { UNEVEN * self.count } else { 1 };
        self.parallel_chunks(chunks, &len, &work);
    }

    fn parallel_chunks(&self, chunks: usize, len: &dyn Fn() -> usize, work: &dyn Fn(Range<usize>)) {
        self.run(chunks, &|chunk| {
            let len = len();
            self.agree(u32::try_from(len).expect("indices of 32 bits"));
            work(len * chunk / chunks..len * (chunk + 1) / chunks);
        });
    }

    /// A phase too small to share. Returns when it is done.
    pub fn single(&self, work: impl Fn()) {
        self.run(1, &|_| {
            self.agree(u32::MAX);
            work();
        });
    }

    fn agree(&self, len: u32) {
        if self.count > 1 {
            self.scheduler.agree(self.phase.get(), len);
        }
    }

    /// Returns when all workers are here; who has not come in by the first meeting of a step has no part in it. Phases alone do not
    /// say that: a worker that comes late finds its chunks done by others, who are ahead by then; what tells it which phases there
    /// are must not change before all have met.
    pub fn meet(&self) {
        if self.count > 1 {
            self.meetings.set(self.meetings.get() + 1);
            self.scheduler.arrived.fetch_add(1, Ordering::AcqRel);
            let present = self.scheduler.gate.map_or(self.count, |gate| 1 + gate.close_in_time());
            let all = self.meetings.get() * present;
            self.scheduler.spin(|| self.scheduler.arrived.load(Ordering::Acquire) >= all);
        }
    }

    /// By reference: one copy of this for all that is ever done in a phase.
    fn run(&self, chunks: usize, work: &dyn Fn(usize)) {
        if self.count == 1 {
            return work(0);
        }
        self.phase.set(self.phase.get() + 1);
        self.chunks.set(self.chunks.get() + chunks);
        let first = self.index * chunks / self.count;
        for i in 0..chunks {
            let chunk = (first + i) % chunks;
            if self.scheduler.claim(self.phase.get(), chunk) {
                match chunks {
                    #[cfg(test)] // one alone meets no other
                    2.. => {
                        races::noted(self.scheduler.run, self.phase.get(), chunk, || work(chunk));
                    }
                    _ => work(chunk),
                }
                self.scheduler.finish();
            }
        }
        self.scheduler.wait(self.chunks.get());
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.scheduler.broken.store(true, Ordering::Relaxed);
        }
    }
}
