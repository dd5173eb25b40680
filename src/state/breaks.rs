//! Which of what joins bodies has broken, as all workers see it.

use std::sync::atomic::{AtomicBool, Ordering};

/// Joints that may break, and which have. One worker changes it, between phases.
pub(crate) struct Breaks {
    /// The bodies of each joint, where it joins two; or the particle and the body.
    pairs: Vec<[Option<[u32; 2]>; 2]>,
    may_break: Vec<bool>,
    broken: Vec<AtomicBool>,
}

impl Breaks {
    /// Whole joints: the bodies of each where it joins two, or the particle and the body, and whether it may break.
    pub(crate) fn new(joints: impl Iterator<Item = ([Option<[u32; 2]>; 2], bool)>) -> Self {
        let (pairs, may_break): (Vec<_>, Vec<_>) = joints.unzip();
        let broken = pairs.iter().map(|_| AtomicBool::new(false)).collect();
        Self { pairs, may_break, broken }
    }

    /// Whether a joint may break.
    pub(crate) fn may_break(&self, joint: usize) -> bool {
        self.may_break[joint]
    }

    /// How many joints there are, whole or broken.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether a joint has broken.
    pub(crate) fn is_broken(&self, joint: usize) -> bool {
        self.broken[joint].load(Ordering::Relaxed)
    }

    /// Breaks a joint, or makes it whole.
    pub(crate) fn set(&self, joint: usize, broken: bool) {
        self.broken[joint].store(broken, Ordering::Relaxed);
    }

    /// The bodies of each joint that has broken, or the particles and the bodies.
    pub(crate) fn parted(&self, of_particles: bool) -> impl Iterator<Item = [u32; 2]> {
        let pairs = self.pairs.iter().enumerate().filter(|(i, _)| self.is_broken(*i));
        pairs.filter_map(move |(_, pair)| pair[usize::from(of_particles)])
    }
}
