//! Rows between bodies, particles and the world, ready for a method: joints and attachments.

use super::end::{End, EndKind};
use super::packets::{Packets, each_color};
use crate::coloring::{RowList, first_fit};
use crate::error::CheckpointError;
use crate::math::each_index;
use crate::rows::Multipliers;
use crate::state::{MULTIPLIERS, MovingBody, Saved, Width, largest_lane};
use crate::subsystem::{BuildContext, Note, Runtime, StepContext, StepPhase, SubsystemStatistics};
use crate::threads::{Phased, Worker};
use std::ops::Range;

/// Fewer packets than this a worker are not shared.
const WORTH_SHARING: usize = 8;

/// Rows of one kind whose ends are of the same kinds.
pub(super) struct EndGroup<T, const N: usize> {
    pub(super) kind: T,
    ends: [EndKind; N],
    /// Numbers of the rows, and the storage slots of their ends.
    rows: Vec<(u32, [u32; N])>,
    /// What the ends are numbered as for the coloring.
    names: Vec<u32>,
}

/// Rows, each with its number, by kind and by kinds of ends, in the order in which they first appear.
pub(super) fn groups<T: PartialEq, const N: usize>(
    rows: &mut dyn Iterator<Item = (u32, T, [End; N])>,
    context: &BuildContext,
) -> Vec<EndGroup<T, N>> {
    let bodies = context.bodies.len() as u32;
    let slot_count = context.permutation.slot_count() as u32;
    let mut groups: Vec<EndGroup<T, N>> = Vec::new();
    for (row, kind, at) in rows {
        let (ends, slots) = (at.map(End::kind), at.map(|end| end.slot(context.permutation)));
        let which = groups.iter().position(|group| group.kind == kind && group.ends == ends);
        let which = which.unwrap_or_else(|| {
            groups.push(EndGroup { kind, ends, rows: Vec::new(), names: Vec::new() });
            groups.len() - 1
        });
        let group = &mut groups[which];
        group.rows.push((row, slots));
        // Each end in the world has its own name, as nothing is written there.
        group.names.extend((0..N).map(|end| match ends[end] {
            EndKind::Body => slots[end],
            EndKind::Particle => bodies + slots[end],
            EndKind::World => bodies + slot_count + row,
        }));
    }
    groups
}

/// What the rows of a batch do: N ends, K equations.
pub(super) trait RowKernel<W: Width, const N: usize, const K: usize>:
    Send + Sync + 'static
{
    /// The numbers of as many rows as there are lanes.
    type Numbers: Copy + Send + Sync;
    /// Whether numbers follow from where a substep begins.
    fn is_renewed(&self) -> bool;
    /// A substep begins for a packet of these rows.
    fn begin(
        &self,
        rows: &[u32],
        packet: &mut Packet<W, Self::Numbers, N>,
        step: &StepContext<W::Element>,
    );
    /// One iteration.
    fn project(numbers: &Self::Numbers, bodies: &mut [MovingBody<W>; N], lambda: &mut [W; K]);
    /// The largest |C + α/h² λ| / |∇C| of each lane's row.
    fn residual(numbers: &Self::Numbers, bodies: &[MovingBody<W>; N], lambda: &[W; K]) -> W;
}

/// As many rows as there are lanes.
#[derive(Clone, Copy)]
pub(super) struct Packet<W: Width, T, const N: usize> {
    pub(super) ends: [EndKind; N],
    pub(super) slots: [W::Slots; N],
    pub(super) numbers: T,
}

/// A batch of any kind of rows.
pub(super) trait RowBatch<W: Width>: Send + Sync {
    /// Multipliers to zero; what depends on where bodies are at the start of the substep. Called by one worker.
    fn begin(&self, step: &StepContext<W::Element>);
    /// Once, all workers together.
    fn project(&self, worker: &Worker, step: &StepContext<W::Element>);
    /// Tells `note` the largest residual, all workers together.
    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note);
    /// Gives the multipliers: row, number of the equation, value.
    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32));
    /// Takes them back: row, number of the equation.
    fn set_multipliers(&self, of: &dyn Fn(u32, usize) -> f32);
    /// How many of its rows are solved at once, joint with joint.
    fn solved_at_once(&self) -> usize {
        0
    }
}

struct Batch<L: RowKernel<W, N, K>, W: Width, const N: usize, const K: usize> {
    kernel: L,
    ends: [EndKind; N],
    colors: Vec<Range<usize>>,
    packets: Phased<Vec<Packet<W, L::Numbers, N>>>,
    /// A lane that repeats another gives the same ones.
    multipliers: Multipliers<W, K>,
}

/// A group ready for a method; `numbers` gives those of rows side by side. `first`: how many rows other sets have before.
pub(super) fn batch<L: RowKernel<W, N, K>, W: Width, T, const N: usize, const K: usize>(
    kernel: L,
    group: &EndGroup<T, N>,
    first: u32,
    numbers: impl Fn(&[u32]) -> L::Numbers,
) -> Box<dyn RowBatch<W>> {
    let ends = group.ends;
    let (slots, Packets { mut rows, colors }) = packed::<W, N>(&group.rows, &group.names);
    let packets = slots.into_iter().zip(rows.chunks_exact(W::LANES));
    let packets = packets.map(|(slots, rows)| Packet { ends, slots, numbers: numbers(rows) });
    let packets: Vec<_> = packets.collect();
    rows.iter_mut().for_each(|row| *row += first);
    let multipliers = Multipliers::new(packets.len(), rows);
    Box::new(Batch::<L, W, N, K> {
        kernel,
        ends,
        colors,
        packets: Phased::new(packets),
        multipliers,
    })
}

/// Rows, each its number and the slots of its ends, in packets by color: the slots of each packet, and the numbers.
fn packed<W: Width, const N: usize>(
    rows: &[(u32, [u32; N])],
    names: &[u32],
) -> (Vec<[W::Slots; N]>, Packets) {
    let list = RowList { particles: names, arity: N };
    let most = names.iter().max().map_or(0, |name| *name as usize + 1);
    let mut order = Packets::default();
    for color in first_fit(list, most, 0..list.len() as u32).colors() {
        order.push(color, W::LANES);
    }
    let of_packet = |members: &[u32]| {
        let slot = |end: usize, lane: usize| rows[members[lane] as usize].1[end];
        each_index(|end| W::slots(|lane| slot(end, lane)))
    };
    let slots = order.rows.chunks_exact(W::LANES).map(of_packet).collect();
    order.rows.iter_mut().for_each(|i| *i = rows[*i as usize].0);
    (slots, order)
}

#[inline(always)]
fn load<W: Width, const N: usize>(
    ends: &[EndKind; N],
    slots: &[W::Slots; N],
    step: &StepContext<W::Element>,
) -> [MovingBody<W>; N] {
    let mut bodies = [MovingBody::world(); N];
    for (end, body) in bodies.iter_mut().enumerate() {
        *body = ends[end].load(step, slots[end]);
    }
    bodies
}

/// The same, compiled once for all kinds of as many ends, for what is not hot.
#[inline(never)]
fn load_apart<W: Width, const N: usize>(
    ends: &[EndKind; N],
    slots: &[W::Slots; N],
    step: &StepContext<W::Element>,
) -> [MovingBody<W>; N] {
    load(ends, slots, step)
}

impl<L: RowKernel<W, N, K>, W: Width, const N: usize, const K: usize> Batch<L, W, N, K> {
    #[inline(never)] // a frame of its own in profiles
    fn project_packets(&self, range: Range<usize>, step: &StepContext<W::Element>) {
        let packets = self.packets.read();
        for i in range {
            let Packet { slots, numbers, .. } = &packets[i];
            let mut lambda = self.multipliers.lambda.get(i);
            let mut bodies = load(&self.ends, slots, step);
            L::project(numbers, &mut bodies, &mut lambda);
            for (end, body) in bodies.into_iter().enumerate() {
                self.ends[end].store(step, slots[end], body);
            }
            self.multipliers.lambda.set(i, lambda);
        }
    }
}

impl<L: RowKernel<W, N, K>, W: Width, const N: usize, const K: usize> RowBatch<W>
    for Batch<L, W, N, K>
{
    fn begin(&self, step: &StepContext<W::Element>) {
        let Multipliers { lambda, rows, .. } = &self.multipliers;
        (0..lambda.len()).for_each(|i| lambda.set(i, [W::zero(); K]));
        if self.kernel.is_renewed() {
            let rows = rows.chunks_exact(W::LANES);
            for (packet, rows) in self.packets.write().iter_mut().zip(rows) {
                self.kernel.begin(rows, packet, step);
            }
        }
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let act = |packets| self.project_packets(packets, step);
        each_color(worker, &self.colors, false, WORTH_SHARING, &act);
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        let packets = self.packets.read();
        worker.parallel_for(packets.len(), |range| {
            let mut largest = W::zero();
            for i in range {
                let Packet { slots, numbers, .. } = &packets[i];
                let bodies = load_apart(&self.ends, slots, step);
                let lambda = self.multipliers.lambda.get(i);
                largest = largest.max(L::residual(numbers, &bodies, &lambda));
            }
            note(largest_lane(largest));
        });
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        self.multipliers.each(give);
    }

    fn set_multipliers(&self, of: &dyn Fn(u32, usize) -> f32) {
        self.multipliers.set(of);
    }
}

/// All batches of a subsystem.
pub(super) struct BatchRuntime<W> {
    pub(super) batches: Vec<Box<dyn RowBatch<W>>>,
    /// How many equations each row is.
    pub(super) equations: Vec<usize>,
}

/// Where the multipliers of each row begin, and how many there are.
pub(super) fn offsets(equations: impl IntoIterator<Item = usize>) -> (Vec<usize>, usize) {
    let mut end = 0;
    let starts = equations.into_iter().map(|count| {
        end += count;
        end - count
    });
    (starts.collect(), end)
}

impl<W: Width> Runtime<W> for BatchRuntime<W> {
    fn begin(&self, _: StepPhase, worker: &Worker, step: &StepContext<W::Element>) {
        worker.single(|| self.batches.iter().for_each(|batch| batch.begin(step)));
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.batches.iter().for_each(|batch| batch.project(worker, step));
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.batches.iter().for_each(|batch| batch.residual(worker, step, note));
    }

    fn multipliers(&self) -> Vec<f32> {
        let (starts, len) = offsets(self.equations.iter().copied());
        let mut out = vec![0.0; len];
        for batch in &self.batches {
            batch.multipliers(&mut |row, k, l| out[starts[row as usize] + k] = l);
        }
        out
    }

    fn statistics(&self) -> SubsystemStatistics {
        let solved: usize = self.batches.iter().map(|batch| batch.solved_at_once()).sum();
        let counts = if solved > 0 { vec![("joints solved at once", solved)] } else { Vec::new() };
        SubsystemStatistics { counts, ..SubsystemStatistics::default() }
    }

    fn save(&self) -> Saved {
        let mut saved = Saved::default();
        saved.put_numbers(MULTIPLIERS, &self.multipliers());
        saved
    }

    fn load(&self, from: &Saved) -> Result<(), CheckpointError> {
        let (starts, len) = offsets(self.equations.iter().copied());
        let multipliers = from.numbers(MULTIPLIERS, len)?;
        for batch in &self.batches {
            batch.set_multipliers(&|row, k| multipliers[starts[row as usize] + k]);
        }
        Ok(())
    }
}
