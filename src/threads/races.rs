//! The promise of those who author a phase, checked in test builds: its chunks touch no value in common if one writes it.
//!
//! Every access to a shared column notes its phase and chunk. Chunks count, not workers: a broken promise is found by any
//! timing, even where one worker does all chunks. Passes of a wavefront are not looked at: their tiles touch values in common,
//! one after another ([`Tiling`](super::Tiling) proves it).

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const INDEX_BITS: u32 = 22;
const PHASE_BITS: u32 = 35;
const CHUNK_BITS: u32 = 4;
/// Stands for several chunks of one phase.
const MANY: u64 = (1 << CHUNK_BITS) - 1;
/// Phases of a run that are told apart from those of the next.
const PHASES: u64 = 1 << 20;

/// Who touched each address last, by a hash of it. Entries push each other out: a race can be missed, none is imagined.
type Table = [AtomicU64; 1 << INDEX_BITS];
static READS: Table = [const { AtomicU64::new(0) }; 1 << INDEX_BITS];
static WRITES: Table = [const { AtomicU64::new(0) }; 1 << INDEX_BITS];
/// The same of columns as a whole, by their first address.
static SLICES: Table = [const { AtomicU64::new(0) }; 1 << INDEX_BITS];
static CHANGES: Table = [const { AtomicU64::new(0) }; 1 << INDEX_BITS];
/// The first number is not one at which tables are emptied: they are empty, and Miri would be minutes about it.
static RUNS: AtomicU64 = AtomicU64::new(PHASES);

thread_local! {
    /// Phase and chunk under way on this thread, packed; zero where there is none.
    static NOW: Cell<u64> = const { Cell::new(0) };
}

/// A number for the phases of a run, unlike those of others that are remembered.
pub(super) fn new_run() -> u64 {
    let run = RUNS.fetch_add(PHASES, Relaxed);
    // Numbers come again: half a round later what had them is forgotten.
    if run % (1 << (PHASE_BITS - 1)) < PHASES {
        let tables = [&READS, &WRITES, &SLICES, &CHANGES];
        tables.into_iter().flatten().for_each(|entry| entry.store(0, Relaxed));
    }
    run
}

/// Does one chunk of a phase, its accesses noted.
pub(super) fn noted<T>(run: u64, phase: usize, chunk: usize, work: impl FnOnce() -> T) -> T {
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            NOW.set(0);
        }
    }
    // Both look for races by themselves, and loom runs all workers on one thread.
    if cfg!(any(loom, miri)) {
        return work();
    }
    let _end = End; // after a panic too
    let phase = (run + phase as u64) & ((1 << PHASE_BITS) - 1);
    NOW.set(phase << CHUNK_BITS | (chunk as u64).min(MANY - 1));
    work()
}

/// A value is read.
///
/// # Panics
/// If another chunk of the phase has written it.
#[inline(always)]
pub(super) fn read(address: usize) {
    read_run(address, 0, 1);
}

/// As many values of `size` bytes as `count` says are read, side by side.
///
/// # Panics
/// As [`read`].
#[inline(always)]
pub(super) fn read_run(first: usize, size: usize, count: usize) {
    if is_noted() {
        note_reads(first, size, count);
    }
}

/// Values of `size` bytes are read where `at` says, of a column that begins at `first`.
///
/// # Panics
/// As [`read`].
#[inline(always)]
pub(super) fn read_at(first: usize, size: usize, at: &[u32]) {
    if is_noted() {
        note_reads_at(first, size, at);
    }
}

/// A column that begins at `first` is read as a slice.
///
/// # Panics
/// If another chunk of the phase has written any value of it.
#[inline(always)]
pub(super) fn read_all(first: usize) {
    if is_noted() {
        note_slice(first);
    }
}

/// A value of a column that may be read as a slice, and begins at `first`, is replaced.
///
/// # Panics
/// If another chunk of the phase has used it.
#[inline(always)]
pub(super) fn write_in(first: usize, address: usize) {
    if is_noted() {
        note_change(first);
        note_writes(address, 0, 1);
    }
}

/// A value is replaced.
///
/// # Panics
/// If another chunk of the phase has used it.
#[inline(always)]
pub(super) fn write(address: usize) {
    write_run(address, 0, 1);
}

/// As many values of `size` bytes as `count` says are replaced, side by side.
///
/// # Panics
/// As [`write`].
#[inline(always)]
pub(super) fn write_run(first: usize, size: usize, count: usize) {
    if is_noted() {
        note_writes(first, size, count);
    }
}

// Whether to note is asked where the access is, as most tests run on one thread and note nothing; the notes themselves are called, and
// cold: they would be most of every kernel that the tests compile.

#[cold]
#[inline(never)]
fn note_reads(first: usize, size: usize, count: usize) {
    for address in (0..count).map(|i| first + i * size) {
        touch(&READS, address);
        refuse(other(&WRITES, address));
    }
}

#[cold]
#[inline(never)]
fn note_reads_at(first: usize, size: usize, at: &[u32]) {
    at.iter().for_each(|&i| note_reads(first + i as usize * size, size, 1));
}

#[cold]
#[inline(never)]
fn note_writes(first: usize, size: usize, count: usize) {
    for address in (0..count).map(|i| first + i * size) {
        touch(&WRITES, address);
        refuse(other(&WRITES, address));
        refuse(other(&READS, address));
    }
}

#[cold]
#[inline(never)]
fn note_slice(first: usize) {
    touch(&SLICES, first);
    refuse(other(&CHANGES, first));
}

#[cold]
#[inline(never)]
fn note_change(first: usize) {
    touch(&CHANGES, first);
    refuse(other(&SLICES, first));
}

#[inline(always)]
fn is_noted() -> bool {
    NOW.get() != 0
}

fn refuse(other: Option<u64>) {
    if let Some(other) = other {
        let own = NOW.get() & MANY;
        panic!("chunks {own} and {other} of one phase touch the same value");
    }
}

/// Notes that the chunk under way touches an address. Not at once, which takes ten times as long: of two chunks that do this in the
/// same nanoseconds one may be missed.
fn touch(table: &Table, address: usize) {
    let (entry, own) = entry(table, address);
    let last = entry.load(Relaxed);
    if last != own {
        let is_shared = last >> CHUNK_BITS == own >> CHUNK_BITS;
        entry.store(if is_shared { own | MANY } else { own }, Relaxed);
    }
}

/// Another chunk of the phase under way that touched an address.
fn other(table: &Table, address: usize) -> Option<u64> {
    let (entry, own) = entry(table, address);
    let last = entry.load(Relaxed);
    (last != own && last >> CHUNK_BITS == own >> CHUNK_BITS).then_some(last & MANY)
}

/// The entry of an address, and what the chunk under way writes into it. Numbers of four bytes side by side have entries side by
/// side; what lies within four bytes is told apart by the tag.
fn entry(table: &Table, address: usize) -> (&AtomicU64, u64) {
    let (word, byte) = (address as u64 >> 2, address as u64 & 3);
    let tag = word >> INDEX_BITS << 2 | byte; // 25 bits: addresses have 47
    let spread = tag.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - INDEX_BITS);
    let index = (word ^ spread) & ((1 << INDEX_BITS) - 1);
    (&table[index as usize], tag << (PHASE_BITS + CHUNK_BITS) | NOW.get())
}

/// What an earlier run did to an address says nothing of a later one whose phases have the same numbers.
#[test]
#[cfg(not(any(loom, miri)))]
fn earlier_runs_are_forgotten() {
    let value = 0_u8;
    let address = &raw const value as usize;
    let first = new_run();
    noted(first, 3, 0, || write(address));
    let again = |run: &u64| (run - first).is_multiple_of(1 << PHASE_BITS);
    let run = std::iter::repeat_with(new_run).find(again).expect("endless");
    noted(run, 3, 1, || write(address));
}
