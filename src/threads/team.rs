//! The threads of a run.

use super::pool::Pool;
use super::waiting::cores;
use super::{PhaseScheduler, Worker};
use crate::error::ModelError;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Values that a worker makes at a time.
const CHUNK: usize = 4096;
/// Turns that a worker waits within a step before it offers its core to others.
const SPINS: u32 = 4096;

/// Rows that are not worth a second worker's stamps on all slots.
const LITTLE: usize = 1 << 16;

/// The threads of a run.
pub struct Team {
    /// All workers but the caller.
    pool: Option<Pool>,
    threads: usize,
    spins: u32,
}

impl Team {
    /// `threads` workers, the calling thread among them.
    ///
    /// # Errors
    /// Threads that the system refuses.
    pub fn new(threads: usize) -> Result<Self, ModelError> {
        let threads = threads.max(1);
        // More workers than cores, as where tests run side by side: the one waited for may need this very core, so do not hold it.
        let spins = if threads > cores() || cfg!(test) { 0 } else { SPINS };
        let pool = (threads > 1).then(|| {
            let built = Pool::new(threads - 1, spins);
            built.map_err(|what| ModelError::Threads { threads, what })
        });
        Ok(Self { pool: pool.transpose()?, threads, spins })
    }

    /// The calling thread alone.
    pub fn alone() -> Self {
        Self { pool: None, threads: 1, spins: 0 }
    }

    /// The number of workers.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` on every worker that comes in time; one entry into the pool.
    pub fn run(&self, work: impl Fn(&Worker) + Sync) {
        let gate = self.pool.as_ref().map(Pool::gate);
        let scheduler = PhaseScheduler::new(self.threads, self.spins, gate);
        let on = |index| work(&Worker::new(index, self.threads, &scheduler));
        match &self.pool {
            None => on(0),
            Some(pool) => pool.run(&on),
        }
    }

    /// Does `work` with each of `items`, by all workers; which worker has which depends on their speed.
    pub fn each<T: Send>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: Send>,
        work: impl Fn(T) + Sync,
    ) {
        let items = Mutex::new(items.into_iter());
        let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.run(|_| {
            while let Some(item) = next() {
                work(item);
            }
        });
    }

    /// `len` values, made by all workers where they will lie, so that none is moved and none is there twice.
    pub(crate) fn collect<T: Send>(&self, len: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let mut values = Vec::with_capacity(len);
        let chunks = values.spare_capacity_mut()[..len].chunks_mut(CHUNK).enumerate();
        self.each(chunks, |(chunk, values)| {
            for (i, value) in values.iter_mut().enumerate() {
                value.write(make(chunk * CHUNK + i));
            }
        });
        // SAFETY: each of the `len` values has been written; where `make` panics, so does `each`.
        unsafe { values.set_len(len) };
        values
    }

    /// `0..len` in as many ranges as there are workers, one after another; in one, where `work` on all of it is little.
    pub(crate) fn ranges(&self, len: usize, work: usize) -> impl Iterator<Item = Range<usize>> {
        let count = if work < LITTLE { 1 } else { self.threads };
        (0..count).map(move |i| len * i / count..len * (i + 1) / count)
    }
}
