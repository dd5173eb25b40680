//! The barrier, model-checked over every interleaving and every value a load may see.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release --lib loom --target-dir target/loom
//! ```
#![allow(unsafe_code)] // loom checks it; that is the test

use crate::parallel::Barrier;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// What the workers share: the barrier, and two numbers each, written in turn.
struct Shared {
    barrier: Barrier,
    numbers: Vec<UnsafeCell<usize>>,
}

// SAFETY: loom panics where two threads touch a number without an order between them.
unsafe impl Sync for Shared {}

/// `workers` threads go through `phases`, meeting by `meet` (false: it gave up). In each phase everyone writes a number
/// and, past the barrier, adds what all wrote. loom fails where an access is not ordered after the one it needs.
/// `preemptions` bounds how often a thread is stopped in midst of its work, where all would be too many.
fn check(workers: usize, phases: usize, preemptions: Option<usize>, meet: fn(&Barrier) -> bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = preemptions;
    model.check(move || {
        let shared = Arc::new(Shared {
            barrier: Barrier::new(workers, 0),
            numbers: (0..2 * workers).map(|_| UnsafeCell::new(0)).collect(),
        });
        let work = move |shared: &Shared, worker: usize| {
            let mut sum = 1;
            for phase in 0..phases {
                let numbers = &shared.numbers[phase % 2 * workers..][..workers];
                // SAFETY: as above, here and below.
                numbers[worker].with_mut(|number| unsafe { *number = sum });
                if !meet(&shared.barrier) {
                    return;
                }
                let read = |other: usize| numbers[other].with(|number| unsafe { *number });
                sum = (0..workers).map(read).sum();
            }
            assert_eq!(sum, workers.pow(phases as u32));
        };
        let threads: Vec<_> = (1..workers)
            .map(|worker| {
                let shared = shared.clone();
                thread::spawn(move || work(&shared, worker))
            })
            .collect();
        work(&shared, 0);
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
    });
}

/// Two workers, and the loop that waits as it is: nobody waits for ever.
#[test]
fn two_workers_see_each_other() {
    check(2, 4, None, |barrier| {
        barrier.wait();
        true
    });
}

/// Three workers. loom's scheduler lets two that spin starve the third, so here a worker looks a few times and then gives
/// up: every run in which none does is among those checked.
#[test]
fn three_workers_see_each_other() {
    check(3, 2, Some(3), |barrier| {
        let Some(generation) = barrier.arrive() else {
            return true;
        };
        (0..2).any(|_| {
            thread::yield_now();
            barrier.is_over(generation)
        })
    });
}
