//! Packed rows: the lanes' form, eight rows of a color side by side.
//!
//! A color's rows, sorted by where their first particle lies, fall into
//! - **run packets**: eight rows whose particles are eight consecutive places, slot by slot: plain vector loads, three
//!   times as fast as gathers (`MEASURED.md`, layout and numbering);
//! - **partial runs**: the end of such a run; the lanes beyond it lie on places no row of the color touches, with weight
//!   zero, and write back what they read;
//! - **gather packets**: any eight rows;
//! - the **tail**: fewer than eight rows, projected by the same kernel one lane wide.

use super::{Packet, Places, Store};
use crate::coloring::Coloring;
use crate::constraints::{Class, Constraint, Response};
use crate::lanes::{F32x8, Real, WIDTH, pack, unpack};
use crate::model::{RowSet, Settings};
use crate::parallel::{Cells, PartialRun, Run, Worker};
use crate::particles::Numbering;
use std::marker::PhantomData;
use std::ops::Range;

/// What a color is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColorStats {
    /// Rows.
    pub rows: usize,
    /// Packets of eight consecutive places.
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

/// All rows of a kind and class, colored and packed.
#[allow(private_interfaces)] // made and driven by the crate's own methods
pub trait Batch: Send + Sync {
    /// The kind.
    fn name(&self) -> &'static str;
    /// What each color is made of.
    fn colors(&self) -> &[ColorStats];
    /// Sets this worker's part of the multipliers to zero.
    fn reset(&self, worker: &Worker);
    /// Projects a part of a color's units, runs first, then partial runs, gathers and tail.
    #[doc(hidden)]
    fn project(&self, color: usize, part: Range<usize>, places: &Places);
    /// Every row's multipliers, in the rows' authored order.
    fn multipliers(&self) -> Vec<f32>;
    /// Does `act` with every place that a color's packets read or write, padding lanes included.
    fn places(&self, color: usize, act: &mut dyn FnMut(u32));
    /// Bytes an iteration reads: packets and multipliers.
    fn bytes(&self) -> usize;
}

/// Packets between the one being projected and the one being fetched.
const AHEAD: usize = 6;

/// Packets of one form, of all colors.
struct List<I, R, A, const N: usize, const P: usize, const K: usize> {
    packets: Vec<Packet<I, R, A, N, P>>,
    lambda: Cells<[R; K]>,
    /// The authored row of each lane; `u32::MAX` in padding lanes.
    rows: Vec<u32>,
    /// Where each color's packets begin, and the end.
    starts: Vec<usize>,
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize, const K: usize>
    List<I, R, A, N, P, K>
{
    fn empty() -> Self {
        Self {
            packets: Vec::new(),
            lambda: Cells::new(0, [R::zero(); K]),
            rows: Vec::new(),
            starts: vec![0],
        }
    }

    fn close_color(&mut self) {
        self.starts.push(self.packets.len());
    }

    fn finish(mut self) -> Self {
        self.packets.shrink_to_fit();
        self.rows.shrink_to_fit();
        self.lambda = Cells::new(self.packets.len(), [R::zero(); K]);
        self
    }

    fn count(&self, color: usize) -> usize {
        self.starts[color + 1] - self.starts[color]
    }

    fn of(&self, color: usize) -> &[Packet<I, R, A, N, P>] {
        &self.packets[self.starts[color]..self.starts[color + 1]]
    }

    fn reset(&self, worker: &Worker) {
        worker.share(self.lambda.len(), |part| {
            part.for_each(|i| self.lambda.set(i, [R::zero(); K]));
        });
    }

    /// Projects the packets of `color` that `part` (of the color's units, `before` of which lie in other lists) covers;
    /// returns how many units have been passed.
    #[inline(always)]
    fn project<C: Constraint<N, P, K>>(
        &self,
        color: usize,
        part: &Range<usize>,
        before: usize,
        store: &impl Store<I, R>,
    ) -> usize {
        let count = self.count(color);
        let first = self.starts[color];
        let at = |unit: usize| first + unit.saturating_sub(before).min(count);
        let end = at(part.end);
        for i in at(part.start)..end {
            if let Some(ahead) = self.packets[..end].get(i + AHEAD) {
                store.fetch(&ahead.slots);
            }
            let mut lambda = self.lambda.get(i);
            self.packets[i].project::<C, K>(store, &mut lambda);
            self.lambda.set(i, lambda);
        }
        before + count
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.packets) + self.lambda.len() * size_of::<[R; K]>()
    }
}

struct Packed<C, A: Class, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    colors: Vec<ColorStats>,
    runs: List<Run, F32x8, A::At<F32x8>, N, P, K>,
    partial_runs: List<PartialRun, F32x8, A::At<F32x8>, N, P, K>,
    gathers: List<[u32; WIDTH], F32x8, A::At<F32x8>, N, P, K>,
    tail: List<u32, f32, A::At<f32>, N, P, K>,
}

/// Packs the rows of `set`. `structured`: the numbering was made so that rows form runs; without it all rows are gathered.
pub(crate) fn pack_rows<A, C, const N: usize, const P: usize, const K: usize>(
    set: &RowSet<C, N, P, K>,
    coloring: &Coloring,
    numbering: &Numbering,
    structured: bool,
    settings: &Settings,
) -> Box<dyn Batch>
where
    A: Class,
    C: Constraint<N, P, K>,
{
    let mut batch = Packed::<C, A, N, P, K> {
        kind: PhantomData,
        colors: Vec::new(),
        runs: List::empty(),
        partial_runs: List::empty(),
        gathers: List::empty(),
        tail: List::empty(),
    };
    let params = |row: u32| set.params(row);
    let numbers = |row: u32| set.numbers::<A>(row, settings).map(|v| v as f32);
    // Eight rows side by side; padding lanes repeat the last row's numbers.
    let wide = |rows: &[(u32, [u32; N])]| {
        let lane = |i: usize| rows[i.min(rows.len() - 1)].0;
        (
            std::array::from_fn(|p| pack(std::array::from_fn(|i| params(lane(i))[p]))),
            A::At::<F32x8>::new(std::array::from_fn(|n| {
                pack(std::array::from_fn(|i| numbers(lane(i))[n]))
            })),
        )
    };
    let mut touched = vec![u32::MAX; numbering.places()];
    for (color, members) in coloring.colors().iter().enumerate() {
        let color = color as u32;
        let mut rows: Vec<(u32, [u32; N])> = members
            .iter()
            .map(|&row| (row, set.particles(row).map(|i| numbering.storage(i))))
            .collect();
        rows.sort_unstable_by_key(|&(row, slots)| (slots[0], row));
        for &place in rows.iter().flat_map(|(_, slots)| slots) {
            touched[place as usize] = color;
        }
        let mut scattered = Vec::new();
        let mut rest = &rows[..];
        while !rest.is_empty() {
            if !structured {
                scattered.extend_from_slice(rest);
                break;
            }
            let (run, after) = rest.split_at(run_length(rest));
            rest = after;
            let firsts = run[0].1;
            if run.len() == WIDTH {
                let (params, response) = wide(run);
                let slots = firsts.map(|first| Run { first });
                batch.runs.packets.push(Packet {
                    slots,
                    params,
                    response,
                });
                batch.runs.rows.extend(run.iter().map(|r| r.0));
            } else if claim(&mut touched, color, firsts, run.len()) {
                let (params, response) = wide(run);
                let live = run.len() as u32;
                let slots = firsts.map(|first| PartialRun { first, live });
                batch.partial_runs.packets.push(Packet {
                    slots,
                    params,
                    response,
                });
                let lanes = (0..WIDTH).map(|i| run.get(i).map_or(u32::MAX, |r| r.0));
                batch.partial_runs.rows.extend(lanes);
            } else {
                scattered.extend_from_slice(run);
            }
        }
        let mut eights = scattered.chunks_exact(WIDTH);
        for eight in &mut eights {
            let (params, response) = wide(eight);
            let slots = std::array::from_fn(|slot| std::array::from_fn(|i| eight[i].1[slot]));
            batch.gathers.packets.push(Packet {
                slots,
                params,
                response,
            });
            batch.gathers.rows.extend(eight.iter().map(|r| r.0));
        }
        for &(row, slots) in eights.remainder() {
            batch.tail.packets.push(Packet {
                slots,
                params: params(row),
                response: A::At::<f32>::new(numbers(row)),
            });
            batch.tail.rows.push(row);
        }
        batch.runs.close_color();
        batch.partial_runs.close_color();
        batch.gathers.close_color();
        batch.tail.close_color();
        let color = color as usize;
        batch.colors.push(ColorStats {
            rows: members.len(),
            runs: batch.runs.count(color),
            partial_runs: batch.partial_runs.count(color),
            gathers: batch.gathers.count(color),
            tail: batch.tail.count(color),
        });
    }
    batch.runs = batch.runs.finish();
    batch.partial_runs = batch.partial_runs.finish();
    batch.gathers = batch.gathers.finish();
    batch.tail = batch.tail.finish();
    Box::new(batch)
}

/// How many rows from the first on, at most eight, name consecutive places in every slot.
fn run_length<const N: usize>(rows: &[(u32, [u32; N])]) -> usize {
    let firsts = rows[0].1;
    let follows = |&(i, (_, slots)): &(usize, &(u32, [u32; N]))| {
        slots
            .iter()
            .zip(firsts)
            .all(|(&slot, first)| slot == first + i as u32)
    };
    rows.iter()
        .take(WIDTH)
        .enumerate()
        .take_while(follows)
        .count()
}

/// Takes the places of a partial run's padding lanes, if all exist and no row of the color touches one.
fn claim<const N: usize>(touched: &mut [u32], color: u32, firsts: [u32; N], live: usize) -> bool {
    let padding = |first: u32| first as usize + live..first as usize + WIDTH;
    let free = |place: usize| touched.get(place).is_some_and(|&t| t != color);
    let slots_differ = firsts
        .iter()
        .enumerate()
        .all(|(i, a)| firsts[..i].iter().all(|b| a.abs_diff(*b) as usize >= WIDTH));
    if !slots_differ || !firsts.into_iter().flat_map(padding).all(free) {
        return false;
    }
    for place in firsts.into_iter().flat_map(padding) {
        touched[place] = color;
    }
    true
}

#[allow(private_interfaces)]
impl<C, A, const N: usize, const P: usize, const K: usize> Batch for Packed<C, A, N, P, K>
where
    C: Constraint<N, P, K>,
    A: Class,
{
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn colors(&self) -> &[ColorStats] {
        &self.colors
    }

    fn reset(&self, worker: &Worker) {
        self.runs.reset(worker);
        self.partial_runs.reset(worker);
        self.gathers.reset(worker);
        self.tail.reset(worker);
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&self, color: usize, part: Range<usize>, places: &Places) {
        match places {
            Places::Columns(columns) => {
                let passed = self.runs.project::<C>(color, &part, 0, columns);
                let passed = self
                    .partial_runs
                    .project::<C>(color, &part, passed, columns);
                let passed = self.gathers.project::<C>(color, &part, passed, columns);
                self.tail.project::<C>(color, &part, passed, columns);
            }
            Places::Records(records) => {
                let passed = self.gathers.project::<C>(color, &part, 0, records);
                self.tail.project::<C>(color, &part, passed, records);
            }
        }
    }

    fn multipliers(&self) -> Vec<f32> {
        let rows: usize = self.colors.iter().map(|color| color.rows).sum();
        let mut out = vec![0.0; rows * K];
        let mut put = |row: u32, k: usize, value: f32| {
            if row != u32::MAX {
                out[row as usize * K + k] = value;
            }
        };
        let mut wide = |rows: &[u32], lambda: &Cells<[F32x8; K]>| {
            for (i, rows) in rows.chunks_exact(WIDTH).enumerate() {
                for (k, lanes) in lambda.get(i).into_iter().enumerate() {
                    for (&row, value) in rows.iter().zip(unpack(lanes)) {
                        put(row, k, value);
                    }
                }
            }
        };
        wide(&self.runs.rows, &self.runs.lambda);
        wide(&self.partial_runs.rows, &self.partial_runs.lambda);
        wide(&self.gathers.rows, &self.gathers.lambda);
        for (i, &row) in self.tail.rows.iter().enumerate() {
            for (k, value) in self.tail.lambda.get(i).into_iter().enumerate() {
                put(row, k, value);
            }
        }
        out
    }

    fn places(&self, color: usize, act: &mut dyn FnMut(u32)) {
        let mut run = |first: u32| (first..first + WIDTH as u32).for_each(&mut *act);
        for packet in self.runs.of(color) {
            packet.slots.iter().for_each(|slot| run(slot.first));
        }
        for packet in self.partial_runs.of(color) {
            packet.slots.iter().for_each(|slot| run(slot.first));
        }
        for packet in self.gathers.of(color) {
            packet
                .slots
                .as_flattened()
                .iter()
                .copied()
                .for_each(&mut *act);
        }
        for packet in self.tail.of(color) {
            packet.slots.iter().copied().for_each(&mut *act);
        }
    }

    fn bytes(&self) -> usize {
        self.runs.bytes() + self.partial_runs.bytes() + self.gathers.bytes() + self.tail.bytes()
    }
}
