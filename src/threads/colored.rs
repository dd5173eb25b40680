//! Units of work by color: those of one color touch no slot in common, so workers may share them.

use super::{Team, Worker};
use crate::coloring::Stamps;
use std::ops::Range;

/// The units of each color. Holding one is the proof, made on the packed slots themselves, that a color can be shared.
pub(crate) struct Colored {
    units: Vec<usize>,
}

impl Colored {
    /// `units` of each color among `slot_count` slots; `touch` gives every slot that the units of a color read or write,
    /// padding lanes included. The workers of `team` check some colors each.
    ///
    /// # Panics
    /// If a color touches a slot twice, or one that does not exist.
    pub(crate) fn new(
        slot_count: usize,
        units: Vec<usize>,
        touch: impl Fn(usize, &mut dyn FnMut(u32)) + Sync,
        team: &Team,
    ) -> Self {
        let work = units.iter().sum();
        team.each(team.ranges(units.len(), work), |colors| {
            let mut stamps = Stamps::new(slot_count);
            for color in colors {
                stamps.next_color();
                touch(color, &mut |slot| {
                    let is_first = stamps.meet(slot) == Some(true);
                    assert!(is_first, "slot {slot} of {slot_count} is met twice in color {color}");
                });
            }
        });
        Self { units }
    }
}

impl Worker<'_> {
    /// A phase over the units of one color, a range of them a worker. Returns when all are done.
    pub(crate) fn parallel_color(
        &self,
        colored: &Colored,
        color: usize,
        work: impl Fn(Range<usize>),
    ) {
        self.parallel_for(colored.units[color], work);
    }
}
