//! The hand-over between workers, model-checked: every interleaving, and every value a load may see.
#![allow(unsafe_code)] // loom checks it; that is the test

use crate::threads::{Gate, PhaseScheduler, Shared, Tiling, Worker};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// Numbers that workers write in turn; loom fails where two touch one without an order between them.
struct Cells(Vec<UnsafeCell<usize>>);

// SAFETY: loom panics where two threads touch a cell without an order between them.
unsafe impl Sync for Cells {}
// SAFETY: as above.
unsafe impl Send for Cells {}

impl Cells {
    fn new(count: usize) -> Self {
        Self((0..count).map(|i| UnsafeCell::new(i + 1)).collect())
    }

    fn get(&self, i: usize) -> usize {
        // SAFETY: as above.
        self.0[i].with(|number| unsafe { *number })
    }

    fn set(&self, i: usize, value: usize) {
        // SAFETY: as above.
        self.0[i].with_mut(|number| unsafe { *number = value });
    }
}

/// Runs `work` on `workers` threads that share a scheduler and `cells` cells, in every interleaving with at most
/// `preemptions` stops of a thread in midst of its work (none: all of them).
fn check(
    workers: usize,
    cells: usize,
    preemptions: Option<usize>,
    work: fn(usize, &PhaseScheduler, &Cells),
) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = preemptions;
    model.check(move || {
        let shared = Arc::new((PhaseScheduler::new(workers, 0, None), Cells::new(cells)));
        let spawn = |index| {
            let shared = shared.clone();
            thread::spawn(move || work(index, &shared.0, &shared.1))
        };
        let threads: Vec<_> = (1..workers).map(spawn).collect();
        work(0, &shared.0, &shared.1);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// A phase of `parts` cells: each cell becomes the sum of the phase before, which lies in the other half of the cells.
fn part_of(cells: &Cells, parts: usize, phase: usize, part: usize) {
    let (from, to) = (phase % 2 * parts, (phase + 1) % 2 * parts);
    let sum = (0..parts).map(|i| cells.get(from + i)).sum::<usize>();
    cells.set(to + part, sum + part);
}

/// What the cells hold after `phases` phases, one thread alone.
fn expected(parts: usize, phases: usize) -> Vec<usize> {
    let mut cells: Vec<usize> = (1..=parts).collect();
    for _ in 0..phases {
        let sum: usize = cells.iter().sum();
        cells = (0..parts).map(|part| sum + part).collect();
    }
    cells
}

/// Two workers through shared phases and one that is done alone: each part is done once, by whoever comes, and sees what
/// was written before; nobody waits for ever.
#[test]
fn two_workers_share_phases() {
    check(2, 4, Some(2), |index, scheduler, cells| {
        let worker = Worker::new(index, 2, scheduler);
        for phase in 0..2 {
            worker.parallel_for(2, |parts| parts.for_each(|part| part_of(cells, 2, phase, part)));
        }
        worker.single(|| (0..2).for_each(|part| part_of(cells, 2, 2, part)));
        let [a, b] = [cells.get(2), cells.get(3)];
        assert_eq!([a, b], *expected(2, 3));
    });
}

/// What one worker writes in a phase, the other may read between phases until both have met.
#[test]
fn two_workers_meet() {
    check(2, 1, Some(2), |index, scheduler, cells| {
        let worker = Worker::new(index, 2, scheduler);
        for value in [7, 8] {
            worker.meet();
            worker.single(|| cells.set(0, value));
            assert_eq!(cells.get(0), value);
            worker.single(|| ());
        }
    });
}

/// Three workers and one phase: whoever sees it done has seen every part of it, whoever did which. (loom's scheduler lets
/// two that spin starve the third, so here a worker looks twice and then gives up: every run in which none does is among
/// those checked.)
#[test]
fn three_workers_share_a_phase() {
    check(3, 6, Some(2), |index, scheduler, cells| {
        for part in (0..3).map(|i| (index + i) % 3) {
            if scheduler.claim(1, part) {
                part_of(cells, 3, 0, part);
                scheduler.finish(1, part, 3);
            }
        }
        let done = || {
            thread::yield_now();
            (0..3).all(|part| scheduler.is_done(1, part, Some(3)))
        };
        if (0..2).any(|_| done()) {
            let cells: Vec<usize> = (3..6).map(|i| cells.get(i)).collect();
            assert_eq!(cells, expected(3, 1));
        }
    });
}

/// Sweeps over tiles of which neighbors share a cell: any number of workers leaves what one pass after another does.
fn wavefronts(
    index: usize,
    workers: usize,
    passes: usize,
    block: usize,
    scheduler: &PhaseScheduler,
    cells: &Cells,
) {
    const TILES: usize = 3;
    let worker = Worker::new(index, workers, scheduler);
    let tiling = Tiling::new(TILES + 1, 1, |touch| (0..TILES).for_each(|t| touch(t, t as u32 + 1)));
    for _ in 0..2 {
        worker.wavefront(&tiling, passes, block, |_, tile| {
            if tile == TILES {
                return; // the last cell, which the tile before it changes
            }
            let (a, b) = (cells.get(tile), cells.get(tile + 1));
            cells.set(tile, (3 * a + b) % 1009);
            cells.set(tile + 1, (a + 5 * b + tile) % 1009);
        });
    }
    let mut one: Vec<usize> = (1..=TILES + 1).collect();
    for tile in (0..2 * passes).flat_map(|_| 0..TILES) {
        let (a, b) = (one[tile], one[tile + 1]);
        (one[tile], one[tile + 1]) = ((3 * a + b) % 1009, (a + 5 * b + tile) % 1009);
    }
    assert_eq!((0..=TILES).map(|i| cells.get(i)).collect::<Vec<_>>(), one);
}

#[test]
fn two_workers_sweep_one_at_a_time() {
    check(2, 4, Some(2), |index, scheduler, cells| wavefronts(index, 2, 2, 1, scheduler, cells));
}

#[test]
fn two_workers_sweep_in_blocks() {
    check(2, 4, Some(1), |index, scheduler, cells| wavefronts(index, 2, 3, 2, scheduler, cells));
}

/// Two jobs and the end, handed to a worker that may sleep before each or come too late: it does those it comes in time for, the
/// caller sees what it wrote in them, and it comes out. `work` is done with the job's value.
fn two_jobs(patience: u32, work: fn(usize, &PhaseScheduler, &Cells, usize)) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let gate = Gate::new(1, [patience; 2], 0);
        let shared = Arc::new((Shared::new(gate, false), Cells::new(2)));
        let worker = shared.clone();
        let thread = thread::spawn(move || worker.0.work(1));
        for value in [7, 8] {
            let scheduler = PhaseScheduler::new(2, 0, Some(&shared.0.gate));
            shared.0.run(&|index| work(index, &scheduler, &shared.1, value));
        }
        shared.0.stop();
        thread.join().unwrap();
    });
}

#[test]
fn a_worker_takes_jobs_in_time() {
    two_jobs(0, |index, scheduler, cells, value| {
        let worker = Worker::new(index, 2, scheduler);
        worker.parallel_for(2, |parts| parts.for_each(|part| cells.set(part, value + part)));
        assert_eq!([0, 1].map(|part| cells.get(part)), [value, value + 1]);
    });
}

/// Nobody waits at a meeting for one that has not come in; one that has is waited for.
#[test]
fn a_worker_meets_in_time() {
    two_jobs(1, |index, scheduler, cells, value| {
        let worker = Worker::new(index, 2, scheduler);
        worker.meet();
        worker.single(|| cells.set(0, value));
        assert_eq!(cells.get(0), value);
        worker.meet();
        worker.single(|| cells.set(0, value + 1));
    });
}
