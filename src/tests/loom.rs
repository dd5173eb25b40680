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

/// `workers` threads go through `phases`; in each, everyone adds what all wrote in the phase before. loom fails where a
/// read is not ordered after the write it needs, and where a thread waits for ever.
fn meet(workers: usize, phases: usize) {
    loom::model(move || {
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
                shared.barrier.wait();
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

#[test]
fn two_workers_see_each_other() {
    meet(2, 3);
}

#[test]
fn three_workers_see_each_other() {
    meet(3, 2);
}
