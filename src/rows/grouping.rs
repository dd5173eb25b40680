//! Which rows go into one packet: forms of packets, the same for every kind of that many slots.
//!
//! A color's rows, sorted by where their first particle lies, fall into
//! - **run packets**: eight rows whose particles are eight consecutive slots, slot by slot: plain vector loads, three
//!   times as fast as gathers (`docs/notes/measured.md`, layout and numbering);
//! - **partial runs**: the end of such a run; the lanes beyond it lie on slots no row of the color touches, with weight
//!   zero, and write back what they read;
//! - **gather packets**: any eight rows;
//! - the **tail**: fewer than eight rows, projected by the same kernel one lane wide.

use crate::coloring::Coloring;
use crate::math::{WIDTH, each_lane};
use crate::state::{PartialRun, Run};
use crate::threads::Team;
use std::ops::Range;

/// What a color is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColorStats {
    /// Rows.
    pub rows: usize,
    /// Packets of eight consecutive slots.
    pub runs: usize,
    /// Run packets with padding lanes.
    pub partial_runs: usize,
    /// Packets gathered lane by lane.
    pub gathers: usize,
    /// Rows projected alone.
    pub tail: usize,
}

impl ColorStats {
    /// Units of work: packets and single rows.
    pub fn units(&self) -> usize {
        self.runs + self.partial_runs + self.gathers + self.tail
    }
}

/// In slot of a row's index: a lane that moves nothing.
pub(super) const PADDING: u32 = u32::MAX;

/// The packets of one form, of all colors.
pub(super) struct Form<I, const N: usize> {
    /// Where each packet's particles lie.
    pub(super) slots: Vec<[I; N]>,
    /// The rows of all packets, lane by lane.
    pub(super) rows: Vec<u32>,
    /// Where each color's packets begin, and the end.
    pub(super) starts: Vec<usize>,
}

impl<I, const N: usize> Form<I, N> {
    fn new() -> Self {
        Self { slots: Vec::new(), rows: Vec::new(), starts: vec![0] }
    }

    fn push(&mut self, slots: [I; N], rows: impl IntoIterator<Item = u32>) {
        self.slots.push(slots);
        self.rows.extend(rows);
    }

    /// Ends a color; returns how many packets it has.
    fn close_color(&mut self) -> usize {
        let begin = self.starts[self.starts.len() - 1];
        self.starts.push(self.slots.len());
        self.slots.len() - begin
    }

    /// Takes the colors of another behind its own.
    fn append(&mut self, mut other: Self) {
        let before = self.slots.len();
        self.slots.append(&mut other.slots);
        self.rows.append(&mut other.rows);
        self.starts.extend(other.starts[1..].iter().map(|start| before + start));
    }
}

/// All rows of a set, by form.
pub(super) struct Grouping<const N: usize> {
    pub(super) colors: Vec<ColorStats>,
    pub(super) runs: Form<Run, N>,
    pub(super) partial_runs: Form<PartialRun, N>,
    pub(super) gathers: Form<[u32; WIDTH], N>,
    pub(super) tail: Form<u32, N>,
}

impl<const N: usize> Grouping<N> {
    /// Groups rows, each where `slots` says among `slot_count` slots; each worker of `team` some of the colors. `structured`:
    /// particles were numbered so that rows form runs; without it all rows are gathered.
    pub(super) fn new(
        slots: &(dyn Fn(u32) -> [u32; N] + Sync),
        slot_count: usize,
        coloring: &Coloring,
        structured: bool,
        team: &Team,
    ) -> Self {
        let colors = coloring.colors();
        let ranges: Vec<Range<usize>> =
            team.ranges(colors.len(), colors.iter().map(Vec::len).sum()).collect();
        let mut all: Vec<Self> = ranges.iter().map(|_| Self::empty()).collect();
        team.each(all.iter_mut().zip(ranges), |(grouping, range)| {
            let mut touched = vec![u32::MAX; slot_count];
            for (color, members) in (0..).zip(&colors[range]) {
                grouping.add(members, slots, structured, &mut touched, color);
            }
        });
        let mut all = all.into_iter();
        let first = all.next().expect("a worker");
        all.fold(first, Self::followed_by)
    }

    fn empty() -> Self {
        Self {
            colors: Vec::new(),
            runs: Form::new(),
            partial_runs: Form::new(),
            gathers: Form::new(),
            tail: Form::new(),
        }
    }

    fn followed_by(mut self, other: Self) -> Self {
        self.colors.extend(other.colors);
        self.runs.append(other.runs);
        self.partial_runs.append(other.partial_runs);
        self.gathers.append(other.gathers);
        self.tail.append(other.tail);
        self
    }

    /// Groups the rows of the next color.
    fn add(
        &mut self,
        members: &[u32],
        slots: &dyn Fn(u32) -> [u32; N],
        structured: bool,
        touched: &mut [u32],
        color: u32,
    ) {
        let mut rows: Vec<_> = members.iter().map(|&row| (row, slots(row))).collect();
        let key = |&(row, slots): &(u32, [u32; N])| (slots[0], row);
        // Rows of a tile stand in the order of their first slots, which often is this one.
        if !rows.is_sorted_by_key(key) {
            rows.sort_unstable_by_key(key);
        }
        let scattered = match structured {
            true => {
                for &slot in rows.iter().flat_map(|(_, slots)| slots) {
                    touched[slot as usize] = color;
                }
                self.take_runs(&rows, touched, color)
            }
            false => rows,
        };
        let mut eights = scattered.chunks_exact(WIDTH);
        for eight in &mut eights {
            let slots = std::array::from_fn(|slot| each_lane(|i| eight[i].1[slot]));
            self.gathers.push(slots, eight.iter().map(|r| r.0));
        }
        for &(row, slots) in eights.remainder() {
            self.tail.push(slots, [row]);
        }
        self.colors.push(ColorStats {
            rows: members.len(),
            runs: self.runs.close_color(),
            partial_runs: self.partial_runs.close_color(),
            gathers: self.gathers.close_color(),
            tail: self.tail.close_color(),
        });
    }

    /// Takes the runs out of a color's rows; returns the others.
    fn take_runs(
        &mut self,
        mut rest: &[(u32, [u32; N])],
        touched: &[u32],
        color: u32,
    ) -> Vec<(u32, [u32; N])> {
        let mut scattered = Vec::new();
        let mut runs = Vec::new();
        while !rest.is_empty() {
            let (run, after) = rest.split_at(run_length(rest));
            rest = after;
            let firsts = run[0].1;
            let rows = run.iter().map(|r| r.0);
            if run.len() == WIDTH {
                runs.push((firsts.map(|first| Run { first }), each_lane(|i| run[i].0)));
            } else if is_free(touched, color, firsts, run.len()) {
                let live = run.len() as u32;
                let padded = rows.chain(std::iter::repeat(PADDING)).take(WIDTH);
                let slots = firsts.map(|first| PartialRun { first, live });
                self.partial_runs.push(slots, padded);
            } else {
                scattered.extend_from_slice(run);
            }
        }
        let runs = pairs_first(&runs).into_iter();
        runs.for_each(|(slots, rows)| self.runs.push(slots, rows));
        scattered
    }
}

/// How many rows from the first on, at most eight, name consecutive slots in every slot.
fn run_length<const N: usize>(rows: &[(u32, [u32; N])]) -> usize {
    let firsts = rows[0].1;
    let follows = |&(i, (_, slots)): &(usize, &(u32, [u32; N]))| {
        slots.iter().zip(firsts).all(|(&slot, first)| slot == first + i as u32)
    };
    rows.iter().take(WIDTH).enumerate().take_while(follows).count()
}

/// Whether all slots of a partial run's padding lanes exist and no row of the color touches one. Then no other partial run
/// has one of them either: one of the two would begin in the other's.
fn is_free<const N: usize>(touched: &[u32], color: u32, firsts: [u32; N], live: usize) -> bool {
    let padding = |first: u32| first as usize + live..first as usize + WIDTH;
    let free = |slot: usize| touched.get(slot).is_some_and(|&t| t != color);
    let slots_differ = firsts
        .iter()
        .enumerate()
        .all(|(i, a)| firsts[..i].iter().all(|b| a.abs_diff(*b) as usize >= WIDTH));
    slots_differ && firsts.into_iter().flat_map(padding).all(free)
}

/// Where the pairs of runs end that each color begins with: the second of a pair continues the first.
pub(super) fn pairs<const N: usize>(runs: &Form<Run, N>) -> Vec<usize> {
    let colors = runs.starts.iter().zip(&runs.starts[1..]);
    let end = |(&begin, &end): (&usize, &usize)| {
        let (pairs, _) = runs.slots[begin..end].as_chunks();
        begin + 2 * pairs.iter().take_while(|[first, second]| continues(first, second)).count()
    };
    colors.map(end).collect()
}

/// A run and its rows.
type RunRows<const N: usize> = ([Run; N], [u32; WIDTH]);

/// The runs of a color in an order in which pairs of them that continue each other come first.
pub(super) fn pairs_first<const N: usize>(runs: &[RunRows<N>]) -> Vec<RunRows<N>> {
    let (mut paired, mut alone) = (Vec::with_capacity(runs.len()), Vec::new());
    let mut rest = runs;
    while let [first, after @ ..] = rest {
        rest = match after {
            [second, after @ ..] if continues(&first.0, &second.0) => {
                paired.extend([*first, *second]);
                after
            }
            _ => {
                alone.push(*first);
                after
            }
        };
    }
    paired.append(&mut alone);
    paired
}

/// Whether the slots of `second` continue those of `first`.
fn continues<const N: usize>(first: &[Run; N], second: &[Run; N]) -> bool {
    first.iter().zip(second).all(|(a, b)| b.first == a.first + WIDTH as u32)
}
