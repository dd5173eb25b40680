//! Pairs that a patch keeps, and how many of them become contacts.

use super::narrow_phase::MOST_NEAR;
use crate::math::WIDTH;

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
