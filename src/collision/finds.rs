//! What workers find, chunk by chunk, put together in the order of the chunks: the same for any number of threads.

use crate::threads::Team;
use std::ops::Range;
use std::sync::Mutex;

/// Queries made at a time by one thread.
const CHUNK: usize = 256;

/// A list made anew each step.
pub(super) struct Finds<T> {
    chunks: Vec<Mutex<Vec<T>>>,
    all: Vec<T>,
}

impl<T> Default for Finds<T> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            all: Vec::new(),
        }
    }
}

impl<T: Copy + Send> Finds<T> {
    /// What was last found.
    pub(super) fn all(&self) -> &[T] {
        &self.all
    }

    /// Makes `count` queries, in order; `find` adds what some of them find.
    pub(super) fn find(
        &mut self,
        team: &Team,
        count: usize,
        find: impl Fn(Range<usize>, &mut Vec<T>) + Sync,
    ) {
        let chunks = count.div_ceil(CHUNK);
        self.chunks.resize_with(chunks, Mutex::default);
        let of_chunks = &self.chunks;
        team.run(|worker| {
            worker.share(chunks, |part| {
                for chunk in part {
                    let mut found = of_chunks[chunk].lock().expect("no worker panicked");
                    found.clear();
                    find(
                        chunk * CHUNK..(chunk * CHUNK + CHUNK).min(count),
                        &mut found,
                    );
                }
            });
        });
        self.all.clear();
        for chunk in &mut self.chunks {
            let found = chunk.get_mut().expect("no worker panicked");
            self.all.extend_from_slice(found);
        }
    }
}
