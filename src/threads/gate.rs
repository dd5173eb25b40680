//! The gate to a job. Workers that come before it closes take part; nobody waits for those that come later, as one whose core is
//! busy would cost a time slice. They find the gate closed and wait for the next job.

use super::waiting::pause;

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The state counts jobs begun, workers inside, and whether the gate is closed.
const CLOSED: u64 = 1;
const ONE: u64 = 2;
const JOB: u64 = 1 << 32;

/// The gate of a pool.
pub(crate) struct Gate {
    state: AtomicU64,
    workers: usize,
    /// Turns that it is held open for workers that are awake, and for those that were just woken.
    patience: [u32; 2],
    woken: AtomicBool,
    /// Turns that one who holds it spins before it offers its core to others.
    spins: u32,
}

impl Gate {
    pub(crate) fn new(workers: usize, patience: [u32; 2], spins: u32) -> Self {
        Self {
            state: AtomicU64::new(CLOSED),
            workers,
            patience,
            woken: AtomicBool::new(false),
            spins,
        }
    }

    /// The number of the last job begun.
    pub(super) fn job(&self) -> u64 {
        self.state.load(Ordering::Acquire) / JOB
    }

    /// Begins another job, which nobody takes part in unless the gate is `open`: the caller, when all have come out of the last
    /// one. `woken`: some worker slept until now.
    pub(super) fn begin(&self, open: bool, woken: bool) {
        self.woken.store(woken, Ordering::Relaxed);
        let closed = if open { 0 } else { CLOSED };
        self.state.store((self.job() + 1) * JOB + closed, Ordering::Release);
    }

    /// Lets a worker in, if it comes in time; and the job's number. What the caller wrote before it is then seen.
    pub(super) fn enter(&self) -> (bool, u64) {
        let one_more = |state| (state & CLOSED == 0).then_some(state + ONE);
        let entered = self.state.fetch_update(Ordering::Acquire, Ordering::Acquire, one_more);
        (entered.is_ok(), entered.unwrap_or_else(|state| state) / JOB)
    }

    /// Closes the gate; returns the number of workers inside, which is final.
    pub(super) fn close(&self) -> usize {
        inside(self.state.fetch_or(CLOSED, Ordering::Relaxed))
    }

    /// Closes the gate when all workers are inside, or have been given time enough.
    pub(super) fn close_in_time(&self) -> usize {
        let patience = self.patience[usize::from(self.woken.load(Ordering::Relaxed))];
        for turn in 0..patience {
            let state = self.state.load(Ordering::Relaxed);
            if state & CLOSED != 0 {
                return inside(state);
            }
            if inside(state) == self.workers {
                break;
            }
            pause(turn, self.spins);
        }
        self.close()
    }
}

fn inside(state: u64) -> usize {
    (state % JOB / ONE) as usize
}
