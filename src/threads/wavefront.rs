//! Passes over tiles of storage as a wavefront: a pass follows the one before as close as their slots allow.

use super::{PhaseScheduler, Worker};
use std::ops::Range;
use std::sync::atomic::Ordering;

/// Stretches of storage, and how far what is done to one reaches beyond it.
#[derive(Debug)]
pub(crate) struct Tiling {
    slot_count: usize,
    tile_slots: usize,
    halo: usize,
}

impl Tiling {
    /// Tiles of `tile_slots` out of `slot_count` slots; `touch` gives every slot that the work on each tile reads or writes
    /// beside the tile's own. The halo is read off these slots: tiles further apart have none in common.
    ///
    /// # Panics
    /// If a slot lies before its tile or beyond all.
    pub(crate) fn new(
        slot_count: usize,
        tile_slots: usize,
        touch: impl FnOnce(&mut dyn FnMut(usize, u32)),
    ) -> Self {
        let mut halo = 0;
        touch(&mut |tile, slot| {
            let slot = slot as usize;
            assert!(slot < slot_count, "slot {slot} of {slot_count}");
            let beyond = (slot / tile_slots).checked_sub(tile);
            halo = halo.max(beyond.expect("a slot before its tile"));
        });
        Self { slot_count, tile_slots, halo }
    }

    /// The number of tiles.
    pub(crate) fn len(&self) -> usize {
        self.slot_count.div_ceil(self.tile_slots)
    }

    /// The slots of a tile.
    pub(crate) fn slots(&self, tile: usize) -> Range<usize> {
        let first = tile * self.tile_slots;
        first..(first + self.tile_slots).min(self.slot_count)
    }

    /// The most tiles that a tile's work reaches beyond it.
    pub(crate) fn halo(&self) -> usize {
        self.halo
    }
}

impl PhaseScheduler<'_> {
    /// The next block of passes below `end`, if there is one left.
    fn claim_block(&self, end: usize) -> Option<usize> {
        let next = |g: usize| (g < end).then_some(g + 1);
        let claimed = self.blocks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        claimed.ok()
    }

    fn advance_block(&self, block: usize, done: usize) {
        self.progress[block % self.progress.len()].store(progress(block, done), Ordering::Release);
    }

    /// Returns when `done` tiles of `block` are done.
    #[inline(never)] // a frame of its own in profiles
    fn wait_block(&self, block: usize, done: usize) {
        let slot = &self.progress[block % self.progress.len()];
        self.spin(|| slot.load(Ordering::Acquire) >= progress(block, done));
    }
}

/// Blocks in their order, then tiles: whatever the number of tiles, a block that comes later counts more.
fn progress(block: usize, done: usize) -> u64 {
    (block as u64) << 32 | done as u64
}

impl Worker<'_> {
    /// Passes over all tiles, as a wavefront: a pass follows `halo` tiles behind the one before, so that what that one
    /// fetched serves it, and the result is that of one pass after another. `act` is given the pass and the tile. A worker
    /// takes `block` passes at a time and waits for the block before it only.
    pub(crate) fn wavefront(
        &self,
        tiling: &Tiling,
        passes: usize,
        block: usize,
        act: impl Fn(usize, usize),
    ) {
        let (tiles, halo) = (tiling.len(), tiling.halo);
        let blocks = passes.div_ceil(block);
        let first = self.blocks.get();
        self.blocks.set(first + blocks);
        self.chunks.set(self.chunks.get() + blocks);
        while let Some(b) = self.scheduler.claim_block(first + blocks) {
            let pass = (b - first) * block;
            let size = block.min(passes - pass);
            for front in 0..tiles + (size - 1) * halo {
                if b > first && front < tiles {
                    // What the block before may still touch lies beyond the halo of this tile.
                    self.scheduler.wait_block(b - 1, (front + halo + 1).min(tiles));
                }
                for behind in 0..size {
                    let tile = front.checked_sub(behind * halo).filter(|tile| *tile < tiles);
                    if let Some(tile) = tile {
                        act(pass + behind, tile);
                        if behind + 1 == size {
                            self.scheduler.advance_block(b, tile + 1);
                        }
                    }
                }
            }
            self.scheduler.finish();
        }
        self.scheduler.wait(self.chunks.get());
    }
}
