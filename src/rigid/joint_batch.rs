//! Joint blocks of one kind, as many side by side as there are lanes.

use super::batch::{Packets, RowBatch};
use super::block::{JointBlock, with_formula};
use super::end::EndKind;
use super::formula::{self, Formula};
use super::link::Params;
use crate::math::{Quat, Real, Scalar, Vec3};
use crate::state::Width;
use crate::subsystem::StepContext;
use crate::threads::{Cells, Phased, Worker};
use std::marker::PhantomData;
use std::ops::Range;

/// The blocks of one kind and one pair of kinds of ends.
pub(super) struct JointRows {
    pub(super) block: JointBlock,
    pub(super) ends: [EndKind; 2],
    /// Index among all elements, and the storage slots of the ends.
    pub(super) rows: Vec<(u32, [u32; 2])>,
    /// `params` with α / h², and what a motor of velocity adds in a substep.
    pub(super) params: Vec<(Params<f64>, Option<f64>)>,
    /// What the ends are numbered as for the coloring.
    pub(super) names: Vec<u32>,
}

/// A packet's slots and numbers.
type JointPacket<W> = ([<W as Width>::Slots; 2], Params<W>);

struct JointBatch<F, W: Width, const K: usize> {
    formula: PhantomData<F>,
    block: JointBlock,
    ends: [EndKind; 2],
    order: Packets,
    packets: Phased<Vec<JointPacket<W>>>,
    lambda: Cells<[W; K]>,
    /// The element of each lane; a lane that repeats another gives the same multipliers.
    elements: Vec<u32>,
    /// Motors of velocity: packet, lane, and what they add in a substep.
    rates: Vec<(usize, usize, W::Element)>,
}

/// The rows ready for a method; `most` is above what their ends are numbered as.
pub(super) fn joint_batch<W: Width>(rows: &JointRows, most: usize) -> Box<dyn RowBatch<W>> {
    macro_rules! make {
        ($formula:ty, $rows:literal) => {
            make_batch::<$formula, W, $rows>(rows, most)
        };
    }
    with_formula!(rows.block, make)
}

fn make_batch<F: Formula<K>, W: Width, const K: usize>(
    of: &JointRows,
    most: usize,
) -> Box<dyn RowBatch<W>> {
    let order = Packets::new(&of.names, 2, most, W::LANES);
    let mut rates = Vec::new();
    let packet = |(i, rows): (usize, &[u32])| {
        let row = |lane: usize| rows[lane] as usize;
        for lane in 0..W::LANES {
            if let (Some(rate), false) =
                (of.params[row(lane)].1, rows[..lane].contains(&rows[lane]))
            {
                rates.push((i, lane, W::Element::of(rate)));
            }
        }
        let slots = [0, 1].map(|end| W::slots(|lane| of.rows[row(lane)].1[end]));
        let number = |n: usize| {
            W::collect(|lane| {
                let v = of.params[row(lane)].0.to_array()[n];
                W::Element::of(f64::from(v as f32))
            })
        };
        (slots, Params::from_array(std::array::from_fn(number)))
    };
    let packets: Vec<_> = order
        .rows
        .chunks_exact(W::LANES)
        .enumerate()
        .map(packet)
        .collect();
    Box::new(JointBatch::<F, W, K> {
        formula: PhantomData,
        block: of.block,
        ends: of.ends,
        lambda: Cells::new(packets.len(), [W::zero(); K]),
        packets: Phased::new(packets),
        elements: order
            .rows
            .iter()
            .map(|&row| of.rows[row as usize].0)
            .collect(),
        order,
        rates,
    })
}

impl<F: Formula<K>, W: Width, const K: usize> JointBatch<F, W, K> {
    #[inline(never)] // a frame of its own in profiles
    fn project_packets(&self, range: Range<usize>, step: &StepContext<W::Element>) {
        let packets = self.packets.read();
        let [a, b] = self.ends;
        for i in range {
            let (slots, params) = &packets[i];
            let mut lambda = self.lambda.get(i);
            let mut bodies = [a.load(step, slots[0]), b.load(step, slots[1])];
            F::project(&mut bodies, params, &mut lambda);
            a.store(step, slots[0], bodies[0]);
            b.store(step, slots[1], bodies[1]);
            self.lambda.set(i, lambda);
        }
    }

    /// Gives a motor of velocity the goal of this substep.
    fn aim(
        &self,
        packet: &mut JointPacket<W>,
        elements: &[u32],
        (lane, rate): (usize, W::Element),
        step: &StepContext<W::Element>,
    ) {
        let (slots, params) = packet;
        let pose = |end: usize| match self.ends[end] {
            EndKind::Body => step
                .bodies
                .previous::<W::Element>(W::slot(slots[end], lane)),
            _ => (Vec3::zero(), Quat::identity()),
        };
        let own = Params::from_array(params.to_array().map(|v| v.lane(lane)));
        let goal = self.block.coordinate([pose(0), pose(1)], &own) + rate;
        // The lanes that repeat this row store last: they must aim where it does.
        let middle = params.middle;
        params.middle = W::collect(|other| match elements[other] == elements[lane] {
            true => goal,
            false => middle.lane(other),
        });
    }
}

impl<F: Formula<K>, W: Width, const K: usize> RowBatch<W> for JointBatch<F, W, K> {
    fn begin(&self, step: &StepContext<W::Element>) {
        for i in 0..self.lambda.len() {
            self.lambda.set(i, [W::zero(); K]);
        }
        if self.rates.is_empty() {
            return;
        }
        let mut packets = self.packets.write();
        for &(i, lane, rate) in &self.rates {
            let elements = &self.elements[i * W::LANES..][..W::LANES];
            self.aim(&mut packets[i], elements, (lane, rate), step);
        }
    }

    fn project(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.order
            .project(worker, |packets| self.project_packets(packets, step));
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for (i, elements) in self.elements.chunks_exact(W::LANES).enumerate() {
            for (k, lanes) in self.lambda.get(i).into_iter().enumerate() {
                for (lane, &element) in elements.iter().enumerate() {
                    give(element, k, lanes.lane(lane).to_f32());
                }
            }
        }
    }
}
