//! Passes over tiles of storage as a wavefront: a pass follows the one before as close as their slots allow.

use super::{AtomicU64, Ordering, PhaseScheduler, Worker, stamp};
use std::ops::Range;

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
        let claimed = self.blocks.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        claimed.ok()
    }

    /// How far a block is; one worker alone keeps no record.
    fn progress(&self, block: usize) -> Option<&AtomicU64> {
        let slot = block.checked_rem(self.progress.len())?;
        Some(&self.progress[slot].0)
    }

    /// Says that `tiles` tiles of a block are done.
    fn advance_block(&self, block: usize, tiles: usize) {
        if let Some(progress) = self.progress(block) {
            progress.store(stamp(block, tiles as u32), Ordering::Release);
        }
    }

    /// Returns when `tiles` tiles of a block are done.
    #[inline(never)] // a frame of its own in profiles
    fn wait_block(&self, block: usize, tiles: usize) {
        if let Some(progress) = self.progress(block) {
            self.spin(|| progress.load(Ordering::Acquire) >= stamp(block, tiles as u32));
        }
    }
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
        let end = first + blocks;
        self.blocks.set(end);
        while let Some(b) = self.scheduler.claim_block(end) {
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
        }
        if blocks > 0 {
            // Each block waited for the one before it.
            self.scheduler.wait_block(end - 1, tiles);
        }
    }
}
