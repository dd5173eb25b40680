//! What makes a pair, the pairs that a patch keeps, and how many of them become contacts.

use super::narrow_phase::MOST_NEAR;
use crate::math::{F32x8, Vec3, WIDTH};

/// How two elements make a pair.
pub(super) trait Pairing<const N: usize> {
    /// Slots of the first element; the others are of the second.
    const FIRST: usize;
    /// The slots of a pair.
    fn pair(first: [u32; 3], second: [u32; 3]) -> [u32; N];
    /// How far the elements of eight pairs are apart (m).
    fn apart(points: [Vec3<F32x8>; N]) -> F32x8;
}

/// The pairs that a patch keeps.
pub(super) struct List<const N: usize> {
    /// Slots, one element of the patch after another.
    pub(super) pairs: Vec<[u32; N]>,
    /// How far each is to stay apart: the thickness, or what it has at rest (m).
    pub(super) thickness: Vec<f32>,
    /// Contacts were nearer than this when the substep began (m).
    pub(super) near: f32,
    /// Whether they must be found anew in each step.
    pub(super) busy: bool,
}

impl<const N: usize> List<N> {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self { pairs: Vec::new(), thickness: Vec::new(), near: 0.0, busy: true }
    }

    /// Up to eight pairs after another, and how far each is to stay apart.
    pub(super) fn eights(&self) -> impl Iterator<Item = (&[[u32; N]], &[f32])> {
        self.pairs.chunks(WIDTH).zip(self.thickness.chunks(WIDTH))
    }
}

/// Counts the contacts of one element after another.
pub(super) struct AtMost {
    element: [u32; 2],
    count: usize,
}

impl AtMost {
    pub(super) fn new() -> Self {
        Self { element: [u32::MAX; 2], count: 0 }
    }

    /// Whether `element` may have one contact more.
    pub(super) fn takes(&mut self, element: [u32; 2]) -> bool {
        self.count = if self.element == element { self.count + 1 } else { 1 };
        self.element = element;
        self.count <= MOST_NEAR
    }
}

/// Patches whose contacts are found at a time by one worker.
pub(super) const PATCHES: usize = 16;

/// What finding pairs asks of both sorts of them, but for `find`.
macro_rules! near_pairs {
    () => {
        const CHUNK: usize = $crate::collision::pair_list::PATCHES;

        fn all(
            _: &$crate::collision::Contacts,
            cloths: &[Cloth],
            context: &$crate::subsystem::BuildContext,
        ) -> Vec<Self> {
            cloths.iter().map(|cloth| Self::new(cloth, context.threads)).collect()
        }

        fn queries(&self) -> usize {
            self.pairs.len()
        }

        fn sort(
            &self,
            worker: &$crate::threads::Worker,
            _: impl Fn(u32) -> [f32; 3],
            motion: SubstepMotion,
        ) {
            self.pairs.update::<Self>(worker, motion);
        }
    };
}
pub(super) use near_pairs;
