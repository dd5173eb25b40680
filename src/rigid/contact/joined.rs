//! Which pairs of bodies joints hold together: they do not touch, and sleep together, until all joints between them have broken.

use crate::mesh::sorted;
use crate::state::Breaks;
use crate::subsystem::BuildContext;
use crate::threads::lock;
use std::sync::Arc;

/// The joints of a model.
pub(super) struct Joined {
    /// The pair of each joint, the lower body first.
    pairs: Vec<[u32; 2]>,
    breaks: Vec<Arc<Breaks>>,
    /// How many have broken, as was last looked.
    parted: usize,
}

impl Joined {
    pub(super) fn new(context: &BuildContext) -> Self {
        let pairs = context.joined.iter().copied().map(sorted).collect();
        let breaks = lock(&context.breaks).clone();
        Self { pairs, breaks, parted: 0 }
    }

    fn parted(&self) -> impl Iterator<Item = [u32; 2]> {
        self.breaks.iter().flat_map(|breaks| breaks.parted()).map(sorted)
    }

    /// Whether others have broken than when last asked.
    pub(super) fn has_changed(&mut self) -> bool {
        let parted = self.parted().count();
        std::mem::replace(&mut self.parted, parted) != parted
    }

    /// The pairs of joints that are whole, sorted.
    pub(super) fn now(&self) -> Vec<[u32; 2]> {
        let mut pairs = self.pairs.clone();
        for parted in self.parted() {
            if let Some(at) = pairs.iter().position(|pair| *pair == parted) {
                pairs.swap_remove(at);
            }
        }
        pairs.sort_unstable();
        pairs
    }
}
