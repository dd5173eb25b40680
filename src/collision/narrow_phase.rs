//! Narrow phase of contacts between particles: what a kind of contact says of itself, and the rows that workers find, put
//! together in the order of the queries: the same for any number of threads.

use super::Contacts;
use super::cloth::Cloth;
use crate::constraints::Contact;
use crate::subsystem::BuildContext;
use crate::threads::{Worker, lock};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// The most rows that one query finds: where thousands lie in one place, memory stays bounded and the rest is left for later
/// steps. Balls of one size touch twelve others at most.
pub(crate) const MOST_NEAR: usize = 64;

/// A contact found: slots of its particles, and parameters.
pub(crate) type FoundRow<const N: usize, const P: usize> = ([u32; N], [f32; P]);

/// How particles move in a substep, by slot, where balls or cloths ask for it; the fourth number is none.
#[derive(Clone, Copy, Default)]
pub(crate) struct SubstepMotion<'a> {
    /// Where they were when it began (m).
    pub(crate) previous: &'a [[f32; 4]],
    /// How far they have come since (m).
    pub(crate) moved: &'a [[f32; 4]],
    /// The longest of these ways (m).
    pub(crate) most: f32,
}

/// How contacts of a kind are found among particles. **Adding a kind** is a file with one of these and a line in
/// [`subsystem`](super::subsystem).
pub(crate) trait Detector<const N: usize, const P: usize>:
    Sized + Send + Sync + 'static
{
    /// What a contact found does.
    type Kind: Contact<N, P>;
    /// What its contacts are called in statistics.
    const NAME: &'static str;
    /// Queries made at a time by one worker.
    const CHUNK: usize = 256;

    /// All that `contacts` ask for; `cloths` are those that touch themselves.
    fn all(contacts: &Contacts, cloths: &[Cloth], context: &BuildContext) -> Vec<Self>;
    /// How many queries there are.
    fn queries(&self) -> usize;
    /// Sorts what may touch, all workers together; particles are `now` there.
    fn sort(&self, worker: &Worker, now: impl Fn(u32) -> [f32; 3], motion: SubstepMotion);
    /// Adds what some queries find, in their order.
    fn find(&self, queries: Range<usize>, motion: SubstepMotion, found: &mut Vec<FoundRow<N, P>>);
}

/// The rows that a detector finds, chunk by chunk.
pub(crate) struct Search<D, const N: usize, const P: usize> {
    pub(crate) detector: D,
    chunks: Vec<Mutex<Vec<FoundRow<N, P>>>>,
}

impl<D: Detector<N, P>, const N: usize, const P: usize> Search<D, N, P> {
    pub(crate) fn new(detector: D) -> Self {
        let chunks = detector.queries().div_ceil(D::CHUNK);
        Self { chunks: std::iter::repeat_with(Mutex::default).take(chunks).collect(), detector }
    }

    /// Makes all queries anew, all workers together.
    pub(crate) fn find(&self, worker: &Worker, motion: SubstepMotion) {
        let chunks = || self.chunks.len();
        worker.parallel_uneven(chunks, |range| {
            for chunk in range {
                let first = chunk * D::CHUNK;
                let queries = first..(first + D::CHUNK).min(self.detector.queries());
                let mut found = self.rows(chunk);
                found.clear();
                self.detector.find(queries, motion, &mut found);
            }
        });
    }

    /// Adds what was found to `rows` and their `params`.
    pub(crate) fn collect(&self, rows: &mut Vec<[u32; N]>, params: &mut Vec<[f32; P]>) {
        for chunk in 0..self.chunks.len() {
            let found = self.rows(chunk);
            rows.extend(found.iter().map(|(row, _)| row));
            params.extend(found.iter().map(|(_, params)| params));
        }
    }

    fn rows(&self, chunk: usize) -> MutexGuard<'_, Vec<FoundRow<N, P>>> {
        lock(&self.chunks[chunk])
    }
}
