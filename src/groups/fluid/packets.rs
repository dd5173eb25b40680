//! Neighbors of eight particles at a time: the first of each, the second of each, and so on.
//!
//! Blocks are of particles that lie together along the grid and have about as many neighbors, so that few lanes are idle; each
//! lane sums its own particle's neighbors in their order, so no sum runs across lanes and who shares a block changes no bit.

use super::neighbor_search::Search;
use crate::collision::candidates::Candidates;
use crate::collision::grid::Grid;
use crate::state::Width;
use crate::threads::{Cells, Worker, lock};
use std::ops::Range;
use std::sync::Mutex;

/// Blocks of eight particles whose lists lie together, and are made and walked by one thread at a time.
const CHUNK: usize = 32;

struct Chunk<W: Width> {
    packets: Vec<W::Slots>,
    /// Where the packets of each block end.
    ends: Vec<usize>,
    /// Neighbors of all its particles, one list after another; how many each has, with its slot and where its list begins.
    lists: Vec<u32>,
    spans: Vec<[u32; 3]>,
    found: Candidates,
}

impl<W: Width> Default for Chunk<W> {
    fn default() -> Self {
        Self {
            packets: Vec::new(),
            ends: Vec::new(),
            lists: Vec::new(),
            spans: Vec::new(),
            found: Candidates::default(),
        }
    }
}

impl<W: Width> Chunk<W> {
    /// Finds the neighbors of some slots and puts those that have as many side by side.
    fn search(&mut self, search: &mut Search, slots: Range<usize>) {
        self.lists.clear();
        self.spans.clear();
        for slot in slots {
            search.find(slot, &mut self.found);
            let list = self.found.list();
            let [count, start] = [list.len(), self.lists.len()].map(|n| n as u32);
            self.spans.push([count, slot as u32, start]);
            self.lists.extend_from_slice(list);
        }
        self.spans.sort_unstable();
    }

    /// Packets of up to as many lists as there are lanes, an even number of them.
    fn pack(&mut self, spans: Range<usize>, nobody: u32) {
        let spans = &self.spans[spans];
        let start = self.packets.len();
        let most = spans.iter().map(|[count, ..]| *count as usize).max();
        let count = most.unwrap_or(0).next_multiple_of(2);
        self.packets.resize(start + count, W::slots(|_| nobody));
        for (lane, &[count, _, first]) in spans.iter().enumerate() {
            let list = &self.lists[first as usize..][..count as usize];
            for (packet, &slot) in self.packets[start..].iter_mut().zip(list) {
                W::set_slot(packet, lane, slot);
            }
        }
        self.ends.push(self.packets.len());
    }
}

/// Packets of neighbors of all blocks, an even number a block.
pub(super) struct Packets<W: Width> {
    blocks: usize,
    chunks: Vec<Mutex<Chunk<W>>>,
    /// The slots of each block; those of nobody come last, after all others.
    slots: Cells<W::Slots>,
}

impl<W: Width> Packets<W> {
    pub(super) fn new(blocks: usize) -> Self {
        let chunks = (0..blocks.div_ceil(CHUNK)).map(|_| Mutex::default());
        Self { blocks, chunks: chunks.collect(), slots: Cells::new(blocks, W::slots(|_| 0)) }
    }

    /// Finds the neighbors of every slot of `grid`; lanes without a neighbor name the slot `nobody`.
    pub(super) fn find(&self, worker: &Worker, grid: &Grid, support: f64, nobody: u32) {
        worker.parallel_for(self.chunks.len(), |part| {
            let mut search = Search::new(grid, support);
            for c in part {
                let chunk = &mut *lock(&self.chunks[c]);
                let first = c * CHUNK * W::LANES;
                let end = (first + CHUNK * W::LANES).min(grid.len());
                chunk.search(&mut search, first..end);
                chunk.packets.clear();
                chunk.ends.clear();
                for block in c * CHUNK..(c * CHUNK + CHUNK).min(self.blocks) {
                    let start = block * W::LANES - first;
                    let of_span = |at: usize| match chunk.spans.get(at) {
                        Some(&[_, slot, _]) => slot,
                        None => (first + at) as u32,
                    };
                    self.slots.set(block, W::slots(|lane| of_span(start + lane)));
                    chunk.pack(start..(start + W::LANES).min(end - first), nobody);
                }
            }
        });
    }

    /// The grid's slots of a block.
    #[inline(always)]
    pub(super) fn slots(&self, block: usize) -> W::Slots {
        self.slots.get(block)
    }

    /// A phase over all blocks: each with its packets, two side by side.
    #[inline(always)]
    pub(super) fn parallel_for(&self, worker: &Worker, act: impl Fn(usize, &[[W::Slots; 2]])) {
        worker.parallel_for(self.chunks.len(), |part| {
            for c in part {
                let chunk = lock(&self.chunks[c]);
                let mut start = 0;
                for (k, &end) in chunk.ends.iter().enumerate() {
                    act(c * CHUNK + k, chunk.packets[start..end].as_chunks().0);
                    start = end;
                }
            }
        });
    }
}
