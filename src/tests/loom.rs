//! The hand-over of phases and the wavefront, model-checked: every interleaving, and every value a load may see.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release --lib loom --target-dir target/loom
//! ```
#![allow(unsafe_code)] // loom checks it; that is the test

use crate::parallel::{Relay, Worker};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// What the workers share: the relay, and numbers written in turn.
struct Shared {
    relay: Relay,
    numbers: Vec<UnsafeCell<usize>>,
}

// SAFETY: loom panics where two threads touch a number without an order between them.
unsafe impl Sync for Shared {}

impl Shared {
    fn get(&self, i: usize) -> usize {
        // SAFETY: as above.
        self.numbers[i].with(|number| unsafe { *number })
    }

    fn set(&self, i: usize, value: usize) {
        // SAFETY: as above.
        self.numbers[i].with_mut(|number| unsafe { *number = value });
    }
}

/// `workers` threads do `work` together; `preemptions` bounds how often one is stopped in the midst of it, where all
/// interleavings would be too many.
fn check(workers: usize, numbers: usize, preemptions: Option<usize>, work: fn(&Worker, &Shared)) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = preemptions;
    model.check(move || {
        let shared = Arc::new(Shared {
            relay: Relay::new(workers, 0),
            numbers: (0..numbers).map(|_| UnsafeCell::new(0)).collect(),
        });
        let run = move |shared: &Shared, index: usize| {
            work(&Worker::new(index, workers, &shared.relay), shared);
        };
        let others = (1..workers).map(|index| {
            let shared = shared.clone();
            thread::spawn(move || run(&shared, index))
        });
        let others: Vec<_> = others.collect();
        run(&shared, 0);
        others.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// Every part of a phase is done once, whoever does it, and the next phase sees all of the one before.
#[test]
fn phases_follow_each_other() {
    check(2, 2, Some(4), |worker, shared| {
        worker.share(2, |part| {
            part.for_each(|i| shared.set(i, shared.get(i) + 1))
        });
        worker.alone(|| shared.set(0, shared.get(0) + shared.get(1)));
        worker.share(2, |part| {
            part.for_each(|i| shared.set(i, shared.get(i) * 3))
        });
        assert_eq!([shared.get(0), shared.get(1)], [6, 3]);
    });
}

/// Sweeps of a wavefront touch a band and its neighbor in the order of one sweep after another.
#[test]
fn sweeps_keep_their_distance() {
    check(2, 4, Some(3), |worker, shared| {
        // Band b reads number b + 1 and writes number b: neighbors depend on each other, bands two apart do not.
        worker.wavefront(2, 3, 2, 1, |band| {
            shared.set(band, shared.get(band) * 2 + shared.get(band + 1) + 1);
        });
        let numbers: Vec<usize> = (0..4).map(|i| shared.get(i)).collect();
        assert_eq!(numbers, [4, 4, 3, 0]);
    });
}
