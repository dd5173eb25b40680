//! Which pairs of bodies joints hold together: they do not touch, and sleep together, until all joints between them have broken.

use super::runtime::State;
use crate::state::{Breaks, Width};
use crate::subsystem::BuildContext;
use std::sync::Arc;

/// The joints of a model.
pub(super) struct Joined {
    /// The pair of each joint, the lower body first.
    pairs: Vec<[u32; 2]>,
    breaks: Vec<Arc<Breaks>>,
    /// How many have broken, as was last looked.
    parted: usize,
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

impl Joined {
    pub(super) fn new(context: &BuildContext) -> Self {
        let pairs = context.joined.iter().copied().map(sorted).collect();
        let breaks = context.breaks.lock().expect("nobody panicked").clone();
        Self { pairs, breaks, parted: 0 }
    }

    fn parted(&self) -> impl Iterator<Item = [u32; 2]> {
        self.breaks.iter().flat_map(|breaks| breaks.parted()).map(sorted)
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

impl<W: Width> State<W> {
    /// Lets bodies touch whose joints have broken.
    pub(super) fn part(&mut self) {
        let Self { joined, contacts, sleep, .. } = self;
        let parted = joined.parted().count();
        if parted == joined.parted {
            return;
        }
        joined.parted = parted;
        contacts.cache.joined = joined.now();
        // Boxes and pairs are searched anew.
        contacts.cache.searched = false;
        contacts.changed = true;
        sleep.iter_mut().for_each(|sleep| sleep.joined = joined.now());
    }
}
