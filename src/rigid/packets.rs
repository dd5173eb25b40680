//! Colored rows in packets, as many side by side as there are lanes. Lanes beyond the last row of a color repeat it: they load,
//! compute and store the very same numbers.

use crate::threads::Worker;
use std::ops::Range;

/// Which rows are side by side.
#[derive(Default)]
pub(crate) struct Packets {
    /// The rows of each packet, lane by lane.
    pub(crate) rows: Vec<u32>,
    /// The packets of each color.
    pub(crate) colors: Vec<Range<usize>>,
}

impl Packets {
    /// Becomes what `other` is, in the room that it has.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.colors.clone_from(&other.colors);
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.colors.clear();
    }

    /// Adds the rows of a color.
    pub(crate) fn push(&mut self, color: &[u32], lanes: usize) {
        let first = self.rows.len() / lanes;
        for members in color.chunks(lanes) {
            let row = |lane: usize| members[lane.min(members.len() - 1)];
            self.rows.extend((0..lanes).map(row));
        }
        self.colors.push(first..self.rows.len() / lanes);
    }

    /// How many packets there are.
    pub(crate) fn len(&self) -> usize {
        self.colors.last().map_or(0, |last| last.end)
    }
}

/// All packets, those of a color shared among the workers; colors from the last to the first where `reversed`. Fewer packets
/// than `worth` a worker are not worth a meeting of the workers (`docs/notes/measured.md`, size and threads): one does such colors,
/// all that follow each other at once.
pub(crate) fn each_color(
    worker: &Worker,
    colors: &[Range<usize>],
    reversed: bool,
    worth: usize,
    act: &dyn Fn(Range<usize>),
) {
    let is_shared = |k: usize| worker.count() > 1 && colors[k].len() >= worth * worker.count();
    let place = |k: usize| if reversed { colors.len() - 1 - k } else { k };
    let mut k = 0;
    while k < colors.len() {
        let color = &colors[place(k)];
        k += 1;
        if is_shared(place(k - 1)) {
            worker.parallel_for(color.len(), |range| {
                act(color.start + range.start..color.start + range.end);
            });
            continue;
        }
        let mut all = color.clone();
        while k < colors.len() && !is_shared(place(k)) {
            let next = &colors[place(k)];
            all = all.start.min(next.start)..all.end.max(next.end);
            k += 1;
        }
        if !all.is_empty() {
            worker.single(|| act(all.clone()));
        }
    }
}
