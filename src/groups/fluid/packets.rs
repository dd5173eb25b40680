//! Neighbors of eight particles at a time: the first of each, the second of each, and so on.
//!
//! Blocks are of particles that lie together along the grid, beside the same walls, and with about as many neighbors, so that few lanes
//! are idle; each lane sums its own particle's neighbors in their order, so no sum runs across lanes and who shares a block changes no bit.

use super::neighbor_search::Search;
use super::walls::Wall;
use crate::collision::candidates::Candidates;
use crate::collision::grid::Grid;
use crate::math::Vec3;
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
}

impl<W: Width> Default for Chunk<W> {
    fn default() -> Self {
        Self { packets: Vec::new(), ends: Vec::new() }
    }
}

impl<W: Width> Chunk<W> {
    /// Packets of up to as many lists as there are lanes.
    fn pack(&mut self, searched: &Searched, places: Range<usize>, nobody: u32) {
        let lists = searched.places[places].iter().map(|&place| searched.found(place).list());
        let count = lists.clone().map(<[u32]>::len).max().unwrap_or(0);
        let start = self.packets.len();
        self.packets.resize(start + count, W::slots(|_| nobody));
        for (lane, list) in lists.enumerate() {
            for (packet, &slot) in self.packets[start..].iter_mut().zip(list) {
                W::set_slot(packet, lane, slot);
            }
        }
        self.ends.push(self.packets.len());
    }
}

/// What one thread finds for a chunk.
#[derive(Default)]
struct Searched {
    found: Vec<Candidates>,
    /// The chunk's particles in the order in which blocks take them: beside which walls each is, how many neighbors it has, and which it
    /// is, in one number.
    places: Vec<u64>,
}

impl Searched {
    const BITS: u32 = 16;
    /// Bits for walls; where there are more, they share them.
    const WALLS: usize = 32;

    /// Finds the neighbors of some slots and puts those that are alike side by side.
    fn search(&mut self, search: &mut Search, slots: Range<usize>, beside: impl Fn(usize) -> u64) {
        self.places.clear();
        if self.found.len() < slots.len() {
            self.found.resize_with(slots.len(), Candidates::default);
        }
        for (at, slot) in slots.enumerate() {
            search.find(slot, &mut self.found[at]);
            let count = self.found[at].list().len() as u64;
            let place = (beside(slot) << (2 * Self::BITS)) + (count << Self::BITS) + at as u64;
            self.places.push(place);
        }
        self.places.sort_unstable();
    }

    /// Which of the chunk's particles a place is of.
    fn at(place: u64) -> usize {
        place as usize % (1 << Self::BITS)
    }

    fn found(&self, place: u64) -> &Candidates {
        &self.found[Self::at(place)]
    }
}

/// Packets of neighbors of all blocks.
pub(super) struct Packets<W: Width> {
    blocks: usize,
    chunks: Vec<Mutex<Chunk<W>>>,
    /// Room for searches that no thread has at present.
    idle: Mutex<Vec<Searched>>,
    /// The slots of each block; those of nobody come last, after all others.
    slots: Cells<W::Slots>,
    /// Walls, and up to how far off a particle is beside them (m).
    walls: Vec<Wall<f32>>,
    beside: f32,
}

impl<W: Width> Packets<W> {
    pub(super) fn new(blocks: usize, walls: Vec<Wall<f32>>, beside: f32) -> Self {
        let chunks = (0..blocks.div_ceil(CHUNK)).map(|_| Mutex::default()).collect();
        let slots = Cells::new(blocks, W::slots(|_| 0));
        Self { blocks, chunks, idle: Mutex::default(), slots, walls, beside }
    }

    /// Finds the neighbors of every slot of `grid` within `reach` (m); lanes without a neighbor name the slot `nobody`.
    pub(super) fn find(&self, worker: &Worker, grid: &Grid, reach: f64, nobody: u32) {
        worker.parallel_for(self.chunks.len(), |part| {
            let mut search = Search::new(grid, reach);
            let beside = |slot| {
                let x = Vec3::from(grid.point_at(slot));
                let is_beside = |wall: &Wall<f32>| u64::from(wall.depth(x) <= self.beside);
                let bit = |(k, wall)| is_beside(wall) << (k % Searched::WALLS);
                self.walls.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
            };
            let mut searched = lock(&self.idle).pop().unwrap_or_default();
            for c in part {
                let chunk = &mut *lock(&self.chunks[c]);
                let first = c * CHUNK * W::LANES;
                let end = (first + CHUNK * W::LANES).min(grid.len());
                searched.search(&mut search, first..end, beside);
                chunk.packets.clear();
                chunk.ends.clear();
                for block in c * CHUNK..(c * CHUNK + CHUNK).min(self.blocks) {
                    let start = block * W::LANES - first;
                    let slot = |at: usize| {
                        let place = searched.places.get(at);
                        (first + place.map_or(at, |&place| Searched::at(place))) as u32
                    };
                    self.slots.set(block, W::slots(|lane| slot(start + lane)));
                    chunk.pack(&searched, start..(start + W::LANES).min(end - first), nobody);
                }
            }
            lock(&self.idle).push(searched);
        });
    }

    /// The grid's slots of a block.
    #[inline(always)]
    pub(super) fn slots(&self, block: usize) -> W::Slots {
        self.slots.get(block)
    }

    /// A phase over all blocks: each with its packets.
    #[inline(always)]
    pub(super) fn parallel_for(&self, worker: &Worker, act: impl Fn(usize, &[W::Slots])) {
        worker.parallel_for(self.chunks.len(), |part| {
            for c in part {
                let chunk = lock(&self.chunks[c]);
                let mut start = 0;
                for (k, &end) in chunk.ends.iter().enumerate() {
                    act(c * CHUNK + k, &chunk.packets[start..end]);
                    start = end;
                }
            }
        });
    }
}
