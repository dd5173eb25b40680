//! Neighbors of eight particles at a time: the first of each, the second of each, and so on.
//!
//! Eight particles that follow each other along the grid have about as many neighbors, so few lanes are idle (15 % in a
//! fluid at rest); each lane sums its own particle's neighbors in their order, so no sum runs across lanes.

use super::near::Search;
use crate::collision::grid::Grid;
use crate::lanes::{WIDTH, each_lane};
use crate::parallel::Worker;
use std::sync::Mutex;

/// Blocks of eight particles whose lists lie together, and are made and walked by one thread at a time.
const CHUNK: usize = 32;

#[derive(Default)]
struct Chunk {
    packets: Vec<[u32; WIDTH]>,
    /// Where the packets of each block end.
    ends: Vec<usize>,
    found: [Vec<u32>; WIDTH],
}

/// Packets of neighbors of all blocks, an even number a block.
pub(super) struct Packets {
    blocks: usize,
    chunks: Vec<Mutex<Chunk>>,
}

impl Packets {
    pub(super) fn new(blocks: usize) -> Self {
        let chunks = (0..blocks.div_ceil(CHUNK)).map(|_| Mutex::default());
        Self {
            blocks,
            chunks: chunks.collect(),
        }
    }

    /// Finds the neighbors of every place of `grid`; lanes without a neighbor name the place `nobody`.
    pub(super) fn find(&self, worker: &Worker, grid: &Grid, reach: f64, nobody: u32) {
        worker.share(self.chunks.len(), |part| {
            let mut search = Search::new(grid, reach);
            for c in part {
                let chunk = &mut *self.chunks[c].lock().expect("no worker panicked");
                chunk.packets.clear();
                chunk.ends.clear();
                for block in c * CHUNK..(c * CHUNK + CHUNK).min(self.blocks) {
                    for (lane, found) in chunk.found.iter_mut().enumerate() {
                        match block * WIDTH + lane {
                            place if place < grid.len() => search.find(place, found),
                            _ => found.clear(),
                        }
                    }
                    let found = &chunk.found;
                    let most = found.iter().map(Vec::len).max().unwrap_or(0);
                    let packet =
                        |k: usize| each_lane(|lane| *found[lane].get(k).unwrap_or(&nobody));
                    chunk
                        .packets
                        .extend((0..most.next_multiple_of(2)).map(packet));
                    chunk.ends.push(chunk.packets.len());
                }
            }
        });
    }

    /// A phase over all blocks: each with its packets, two side by side.
    #[inline(always)]
    pub(super) fn share(&self, worker: &Worker, act: impl Fn(usize, &[[[u32; WIDTH]; 2]])) {
        worker.share(self.chunks.len(), |part| {
            for c in part {
                let chunk = self.chunks[c].lock().expect("no worker panicked");
                let mut start = 0;
                for (k, &end) in chunk.ends.iter().enumerate() {
                    act(c * CHUNK + k, chunk.packets[start..end].as_chunks().0);
                    start = end;
                }
            }
        });
    }
}
