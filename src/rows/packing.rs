//! What rows are packed by, and by whom.

use crate::coloring::{Coloring, Permutation, RowList};
use crate::settings::Settings;
use crate::threads::Team;

/// What rows are packed by, and by whom.
#[derive(Clone, Copy)]
pub(crate) struct Packing<'a> {
    /// Which rows may move together.
    pub(crate) coloring: &'a Coloring,
    /// Where particles lie.
    pub(crate) permutation: &'a Permutation,
    /// The slots of each row, where particles have copies.
    pub(crate) copies: Option<RowList<'a>>,
    /// Whether the permutation was made for runs; without it all rows are gathered.
    pub(crate) structured: bool,
    /// What the numbers of a response come from.
    pub(crate) settings: &'a Settings,
    /// Who packs.
    pub(crate) team: &'a Team,
}

impl Packing<'_> {
    /// Where a row lies that names `particles`.
    #[inline]
    pub(super) fn slots<const N: usize>(&self, row: u32, particles: [u32; N]) -> [u32; N] {
        match self.copies {
            Some(slots) => slots.row(row).try_into().expect("a slot for each particle"),
            None => particles.map(|i| self.permutation.storage(i)),
        }
    }
}
