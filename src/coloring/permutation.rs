//! Storage order against authored order.

use crate::math::WIDTH;
use std::sync::Arc;

/// Where each authored particle is stored; storage indices not in it are padding (w = 0, in no row). Model, plan and particles
/// share one.
#[derive(Clone, Debug, PartialEq)]
pub struct Permutation {
    storage: Arc<Vec<u32>>,
    len: usize,
}

impl Permutation {
    /// Storage order = authored order.
    pub fn identity(count: usize) -> Self {
        let storage = Arc::new((0..count as u32).collect());
        Self { storage, len: count.next_multiple_of(WIDTH) }
    }

    /// `storage[i]` is where authored particle i lies, among `len` slots. `None` where two share a slot or one lies
    /// outside.
    pub fn new(storage: Vec<u32>, len: usize) -> Option<Self> {
        let len = len.next_multiple_of(WIDTH);
        let mut taken = vec![false; len];
        for &s in &storage {
            if std::mem::replace(taken.get_mut(s as usize)?, true) {
                return None;
            }
        }
        Some(Self { storage: Arc::new(storage), len })
    }

    /// Storage index of authored particle `i`.
    #[inline]
    pub fn storage(&self, i: u32) -> u32 {
        self.storage[i as usize]
    }

    /// Storage indices in authored order.
    pub fn as_slice(&self) -> &[u32] {
        &self.storage
    }

    /// The same with `count` more particles behind all slots.
    pub(crate) fn extended(&self, count: usize) -> Self {
        let more = self.len as u32..(self.len + count) as u32;
        let storage = self.storage.iter().copied().chain(more).collect();
        Self { storage: Arc::new(storage), len: (self.len + count).next_multiple_of(WIDTH) }
    }

    /// Slots, padding included: a multiple of eight.
    pub fn slot_count(&self) -> usize {
        self.len
    }
}

/// What a generator knows of its model's structure: an order of storage and a color of each row, in which eight rows of a
/// color name eight consecutive slots, slot by slot. Taken only if it proves to be a coloring.
#[derive(Clone, Debug)]
pub struct GridLayout {
    /// Where the particles lie.
    pub permutation: Permutation,
    /// Slots of a layer (a grid row, a slice of a block): tiles are made of whole layers.
    pub layer: usize,
    /// A color for each row of each row set, in the model's order of sets.
    pub colors: Vec<Vec<u16>>,
}
