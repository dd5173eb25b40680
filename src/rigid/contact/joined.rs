//! What joints hold together: it does not touch, and bodies sleep together, until all joints between them have broken.

use crate::mesh::sorted;
use crate::state::Breaks;
use crate::subsystem::BuildContext;
use crate::threads::lock;
use std::sync::Arc;

/// The joints of a model.
pub(super) struct Joined {
    /// The bodies of each joint, the lower one first; and the particle and the body of each that holds one.
    bodies: Vec<[u32; 2]>,
    particles: Vec<[u32; 2]>,
    /// Bodies that other constraints hold together: those may touch.
    linked: Vec<[u32; 2]>,
    breaks: Vec<Arc<Breaks>>,
    /// How many have broken, as was last looked.
    parted: usize,
}

impl Joined {
    pub(super) fn new(context: &BuildContext) -> Self {
        let [bodies, particles] = context.joined.clone();
        Self {
            bodies: bodies.into_iter().map(sorted).collect(),
            particles,
            linked: context.linked.clone(),
            breaks: lock(&context.breaks).clone(),
            parted: 0,
        }
    }

    fn parted(&self, of_particles: bool) -> impl Iterator<Item = [u32; 2]> {
        self.breaks.iter().flat_map(move |breaks| breaks.parted(of_particles))
    }

    /// Whether others have broken than when last asked.
    pub(super) fn has_changed(&mut self) -> bool {
        let parted = self.parted(false).chain(self.parted(true)).count();
        std::mem::replace(&mut self.parted, parted) != parted
    }

    /// The bodies of joints that are whole, sorted.
    pub(super) fn bodies(&self) -> Vec<[u32; 2]> {
        without(&self.bodies, self.parted(false).map(sorted))
    }

    /// The particles and bodies of joints that are whole, sorted.
    pub(super) fn particles(&self) -> Vec<[u32; 2]> {
        without(&self.particles, self.parted(true))
    }

    /// The bodies that sleep together, pair by pair.
    pub(super) fn together(&self) -> Vec<[u32; 2]> {
        let mut pairs = self.bodies();
        pairs.extend(&self.linked);
        pairs
    }
}

/// Pairs without others, one for one, sorted.
fn without(pairs: &[[u32; 2]], others: impl Iterator<Item = [u32; 2]>) -> Vec<[u32; 2]> {
    let mut pairs = pairs.to_vec();
    for other in others {
        if let Some(at) = pairs.iter().position(|pair| *pair == other) {
            pairs.swap_remove(at);
        }
    }
    pairs.sort_unstable();
    pairs
}
