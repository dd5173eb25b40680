//! Columns shared by threads, phases and barriers: the only `unsafe`, the only `rayon`.
//!
//! A step is one entry into the pool ([`Team::run`]): every worker runs the same phases, takes its chunk of each
//! ([`Worker::parallel_for`]) and goes on when all chunks are done (0.1 to 0.2 µs). Between steps workers stay awake for a while
//! (`pool`); one that comes too late for a step has no part in it (`gate`).
//!
//! **What the `unsafe` rests on.** Within a phase no slot of a column is touched by two workers if one of them writes it,
//! and phases are ordered. What makes it so is checked in every build, where it is made:
//! - the chunks of [`Worker::parallel_for`] are disjoint, as all workers cut them from one length: no worker leaves a phase before it has
//!   seen that all chunks were ([`PhaseScheduler::is_done`]);
//! - units of a color share no slot, padding lanes included ([`Colored`] holds the packed slots themselves against it;
//!   [`DynamicColoring`](crate::coloring::DynamicColoring) its rows, each time they are made);
//! - tiles further apart than a wavefront's halo share no slot ([`Tiling`] reads the halo off the packed slots);
//! - indices lie within the columns (on every access; of packets of a [`SlotList`], its last slot on every packet).
//!
//! That the work of a phase keeps to its own range or units is its author's promise: builds of tests check each access
//! (`races`), release builds do not.
#![allow(unsafe_code)]

mod cells;
mod colored;
mod columns;
mod gate;
mod packet_slots;
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
pub(crate) use columns::{RecordsAt, SharedColumns, SharedSlice};
pub(crate) use gate::Gate;
pub(crate) use packet_slots::{PacketSlots, SlotList, Slots};
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

/// Fewer blocks of lanes than this a worker are not shared, but in builds of tests, which look for races among few.
const FEW: usize = if cfg!(test) { 1 } else { 4 };

/// Turns that a worker waits before it takes the chunk of another, which mostly is at it: looking whether it is costs both. None after a
/// phase in which one was missing.
const PATIENCE: u32 = 32;

/// What one worker writes and others wait for, alone on its cache line and the one that is fetched beside it.
#[repr(align(128))]
struct Line<T>(T);

/// A chunk of each phase that has as many.
struct Chunk {
    /// The last phase in which it was claimed. Who waits for it does not read this: each write of a line that another core has
    /// read costs a way there and back.
    claimed: Line<AtomicUsize>,
    /// The last phase in which it was done, and the length that it was cut from ([`stamp`]).
    done: Line<AtomicU64>,
}

/// A phase or a block of passes, and a number of its own: what comes later counts more.
fn stamp(phase: usize, number: u32) -> u64 {
    (phase as u64) << 32 | u64::from(number)
}

/// Hands the chunks of phases to workers, and tells when a phase is done.
///
/// Phases are numbered from one. Each worker first claims its own chunk; one that is through takes the chunks of workers that
/// are missing, so that a busy core or more threads than cores cost no time slice a phase (claims: 1.1x, a plain barrier:
/// 5x slower than one thread with a compiler running beside it). Who does a chunk changes nothing: chunks are disjoint.
pub(crate) struct PhaseScheduler<'a> {
    /// Where workers come in; none where all are there from the start.
    gate: Option<&'a Gate>,
    chunks: Vec<Chunk>,
    /// Blocks of passes claimed, of all wavefronts.
    blocks: Line<AtomicUsize>,
    /// How far each block is ([`stamp`] of the tiles done): a slot for each block that can be under way, and one more.
    progress: Vec<Line<AtomicU64>>,
    /// How many meetings each worker came to.
    arrived: Vec<Line<AtomicUsize>>,
    broken: AtomicBool,
    /// Turns that one waits before it takes a chunk that another may be at, and before it offers its core.
    patience: u32,
    spins: u32,
    #[cfg(test)]
    run: u64,
}

impl<'a> PhaseScheduler<'a> {
    pub(crate) fn new(workers: usize, spins: u32, gate: Option<&'a Gate>) -> Self {
        let (count, mark) = (|| Line(AtomicUsize::new(0)), || Line(AtomicU64::new(0)));
        // One alone waits for nobody.
        let [chunks, slots, arrivals] = match workers {
            1 => [0; 3],
            _ => [workers * UNEVEN, workers + 1, workers],
        };
        Self {
            gate,
            chunks: (0..chunks).map(|_| Chunk { claimed: count(), done: mark() }).collect(),
            blocks: count(),
            progress: (0..slots).map(|_| mark()).collect(),
            arrived: (0..arrivals).map(|_| count()).collect(),
            broken: AtomicBool::new(false),
            patience: PATIENCE.min(spins),
            spins,
            #[cfg(test)]
            run: races::new_run(),
        }
    }

    /// Whether the caller is the one to do `chunk` of `phase`.
    pub(crate) fn claim(&self, phase: usize, chunk: usize) -> bool {
        let Line(claimed) = &self.chunks[chunk].claimed;
        let last = claimed.load(Ordering::Relaxed);
        last < phase
            && claimed.compare_exchange(last, phase, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Says that a claimed chunk, cut from `len`, is done: what was written in it is seen by whoever finds it
    /// [done](Self::is_done).
    pub(crate) fn finish(&self, phase: usize, chunk: usize, len: u32) {
        self.chunks[chunk].done.0.store(stamp(phase, len), Ordering::Release);
    }

    /// Whether `chunk` of `phase` is done; if so, what was written in it is seen.
    ///
    /// # Panics
    /// If it was cut from another length than `len`, that of a chunk of the caller's: they overlap, as workers walk different
    /// phases.
    pub(crate) fn is_done(&self, phase: usize, chunk: usize, len: Option<u32>) -> bool {
        let done = self.chunks[chunk].done.0.load(Ordering::Acquire);
        if let (Some(len), true) = (len, done >> 32 == phase as u64) {
            assert!(done == stamp(phase, len), "workers walk different phases");
        }
        done >= stamp(phase, 0)
    }

    /// Returns when all chunks of a phase are done.
    #[inline(never)] // a frame of its own in profiles
    fn wait(&self, phase: usize, chunks: usize, len: Option<u32>) {
        (0..chunks).for_each(|chunk| self.spin(|| self.is_done(phase, chunk, len)));
    }

    fn spin(&self, ready: impl Fn() -> bool) {
        let mut turns = 0;
        while !ready() {
            self.pause(turns);
            turns = turns.saturating_add(1);
        }
    }

    /// Whether it is `ready` within so many turns.
    fn is_ready_in(&self, turns: u32, ready: impl Fn() -> bool) -> bool {
        (0..turns).any(|turn| {
            ready() || {
                self.pause(turn);
                false
            }
        }) || ready()
    }

    fn pause(&self, turn: u32) {
        assert!(!self.broken.load(Ordering::Relaxed), "another worker panicked");
        pause(turn, self.spins);
    }
}

/// One of the threads that run a step together. All workers call the same phases in the same order.
pub struct Worker<'a> {
    index: usize,
    count: usize,
    scheduler: &'a PhaseScheduler<'a>,
    phase: Cell<usize>,
    blocks: Cell<usize>,
    /// Whether it did a chunk of another's in the last phase.
    misses: Cell<bool>,
    meetings: Cell<usize>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(index: usize, count: usize, scheduler: &'a PhaseScheduler<'a>) -> Self {
        Self {
            index,
            count,
            scheduler,
            phase: Cell::new(0),
            blocks: Cell::new(0),
            misses: Cell::new(false),
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

    /// [`parallel_for`](Self::parallel_for) by blocks of so many `lanes`, by the first worker if they are few: `work` takes where each
    /// begins.
    #[inline(always)]
    pub(crate) fn each_block(&self, len: usize, lanes: usize, work: impl Fn(usize)) {
        let blocks = len / lanes;
        let chunks = if blocks < FEW * self.count { 1 } else { self.count };
        if blocks > 0 {
            let work = |range: Range<usize>| range.for_each(|block| work(block * lanes));
            self.parallel_chunks(chunks, &|| blocks, &work);
        }
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
            work(len * chunk / chunks..len * (chunk + 1) / chunks);
            u32::try_from(len).expect("indices of 32 bits")
        });
    }

    /// A phase too small to share, done by the first worker if it is there. Returns when it is done.
    pub fn single(&self, work: impl Fn()) {
        self.run(1, &|_| {
            work();
            u32::MAX
        });
    }

    /// Returns when all workers are here; who has not come in by the first meeting of a step has no part in it. Phases alone do not
    /// say that: a worker that comes late finds its chunks done by others, who are ahead by then; what tells it which phases there
    /// are must not change before all have met.
    pub fn meet(&self) {
        if self.count > 1 {
            let PhaseScheduler { gate, arrived, .. } = self.scheduler;
            let meeting = self.meetings.get() + 1;
            self.meetings.set(meeting);
            arrived[self.index].0.store(meeting, Ordering::Release);
            let present = gate.map_or(self.count, |gate| 1 + gate.close_in_time());
            let is_here = |worker: &&Line<AtomicUsize>| worker.0.load(Ordering::Acquire) >= meeting;
            self.scheduler.spin(|| arrived.iter().filter(is_here).count() >= present);
        }
    }

    /// Does the chunks of a phase, each of which returns the length that it was cut from. By reference: one copy of this for all
    /// that is ever done in a phase.
    fn run(&self, chunks: usize, work: &dyn Fn(usize) -> u32) {
        if self.count == 1 {
            work(0);
            return;
        }
        let phase = self.phase.get() + 1;
        self.phase.set(phase);
        let len = Cell::new(None);
        let claim = |chunk| {
            let is_mine = self.scheduler.claim(phase, chunk);
            if is_mine {
                let cut_from = match chunks {
                    #[cfg(test)] // one alone meets no other
                    2.. => races::noted(self.scheduler.run, phase, chunk, || work(chunk)),
                    _ => work(chunk),
                };
                len.set(Some(cut_from));
                self.scheduler.finish(phase, chunk, cut_from);
            }
            is_mine
        };
        let [first, end] = [0, 1].map(|i| ((self.index + i) * chunks).div_ceil(self.count));
        for chunk in first..end {
            claim(chunk);
        }
        let is_even = chunks <= self.count;
        let patience = if is_even && !self.misses.get() { self.scheduler.patience } else { 0 };
        let mut misses = false;
        for chunk in (end..chunks).chain(0..first) {
            let is_done = || self.scheduler.is_done(phase, chunk, None);
            misses |= !self.scheduler.is_ready_in(patience, is_done) && claim(chunk);
        }
        self.misses.set(is_even && misses);
        self.scheduler.wait(phase, chunks, len.get());
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.scheduler.broken.store(true, Ordering::Relaxed);
        }
    }
}
