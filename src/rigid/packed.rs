//! Rows of joints in packets of eight, for the lanes.

use super::element::{Bunch, Place, Sort, project, with_formula};
use super::formula::{self, Formula, Params};
use crate::math::{F32x8, Quat, Real, Vec3, WIDTH, each_lane, pack, unpack};
use crate::subsystem::Stage;
use crate::threads::{Cells, Worker};
use std::marker::PhantomData;
use std::ops::Range;

/// Fewer packets than this a thread are not worth a meeting of the workers (`MEASURED.md`, size and threads).
const WORTH_SHARING: usize = 8;

/// A bunch in lanes.
pub(super) trait LaneBunch: Send + Sync {
    /// As [`FlatBunch::begin`].
    fn begin(&mut self, stage: &Stage);
    fn project(&self, worker: &Worker, stage: &Stage);
    /// As [`FlatBunch::multipliers`].
    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32));
}

/// Projects the packets of one color after another, shared where they are worth it.
pub(super) fn project_colors(
    worker: &Worker,
    colors: &[Range<usize>],
    project: impl Fn(Range<usize>),
) {
    let largest = colors.iter().map(|c| c.len()).max().unwrap_or(0);
    if worker.count() == 1 || largest < WORTH_SHARING * worker.count() {
        worker.alone(|| project(0..colors.last().map_or(0, |last| last.end)));
        return;
    }
    for color in colors {
        worker.share(color.len(), |part| {
            project(color.start + part.start..color.start + part.end);
        });
    }
}

struct Packed<F, const K: usize> {
    formula: PhantomData<F>,
    signature: [Place; 2],
    sort: Sort,
    packets: Vec<([[u32; WIDTH]; 2], Params<F32x8>)>,
    lambda: Cells<[F32x8; K]>,
    /// The element of each lane; a lane that repeats another gives the same multipliers.
    elements: Vec<[u32; WIDTH]>,
    colors: Vec<Range<usize>>,
    /// Motors of velocity: packet, lane, and what they add in a substep.
    rates: Vec<(usize, usize, f32)>,
}

/// A bunch for lanes.
pub(super) fn packed(bunch: &Bunch) -> Box<dyn LaneBunch> {
    macro_rules! make {
        ($formula:ty, $rows:literal) => {
            make_packed::<$formula, $rows>(bunch)
        };
    }
    with_formula!(bunch.sort, make)
}

fn make_packed<F: Formula<K>, const K: usize>(bunch: &Bunch) -> Box<dyn LaneBunch> {
    let mut all = Packed::<F, K> {
        formula: PhantomData,
        signature: bunch.signature,
        sort: bunch.sort,
        packets: Vec::new(),
        lambda: Cells::new(0, [F32x8::zero(); K]),
        elements: Vec::new(),
        colors: Vec::new(),
        rates: Vec::new(),
    };
    for color in bunch.coloring.colors() {
        let first = all.packets.len();
        for eight in color.chunks(WIDTH) {
            let row = each_lane(|lane| eight[lane.min(eight.len() - 1)] as usize);
            for (lane, &row) in eight.iter().enumerate() {
                let rate = bunch.params[row as usize].1;
                let packet = all.packets.len();
                all.rates
                    .extend(rate.map(|rate| (packet, lane, rate as f32)));
            }
            let slots = [0, 1].map(|end| row.map(|row| bunch.rows[row].1[end]));
            let numbers = row.map(|row| bunch.params[row].0.to_array());
            let lanes = std::array::from_fn(|n| pack(numbers.map(|v| v[n] as f32)));
            all.packets.push((slots, Params::from_array(lanes)));
            all.elements.push(row.map(|row| bunch.rows[row].0));
        }
        all.colors.push(first..all.packets.len());
    }
    all.lambda = Cells::new(all.packets.len(), [F32x8::zero(); K]);
    Box::new(all)
}

impl<F: Formula<K>, const K: usize> Packed<F, K> {
    #[inline(never)] // a frame of its own in profiles
    fn project_packets(&self, packets: Range<usize>, stage: &Stage) {
        for i in packets {
            let (slots, params) = &self.packets[i];
            let mut lambda = self.lambda.get(i);
            project::<F, _, F32x8, K>(stage, self.signature, *slots, params, &mut lambda);
            self.lambda.set(i, lambda);
        }
    }
}

impl<F: Formula<K>, const K: usize> LaneBunch for Packed<F, K> {
    fn begin(&mut self, stage: &Stage) {
        for i in 0..self.lambda.len() {
            self.lambda.set(i, [F32x8::zero(); K]);
        }
        for &(packet, lane, step) in &self.rates {
            let (slots, params) = &mut self.packets[packet];
            let pose = |end: usize| match self.signature[end] {
                Place::Body => stage.bodies.previous(slots[end][lane]),
                _ => (Vec3::zero(), Quat::identity()),
            };
            let one = Params::from_array(params.to_array().map(|v| unpack(v)[lane]));
            let mut middle = unpack(params.middle);
            let goal = self.sort.coordinate([pose(0), pose(1)], &one) + step;
            // The lanes that repeat this row store last: they must aim where it does.
            let elements = &self.elements[packet];
            for (middle, element) in middle.iter_mut().zip(elements) {
                if *element == elements[lane] {
                    *middle = goal;
                }
            }
            params.middle = pack(middle);
        }
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        project_colors(worker, &self.colors, |packets| {
            self.project_packets(packets, stage);
        });
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for (i, elements) in self.elements.iter().enumerate() {
            for (k, lanes) in self.lambda.get(i).into_iter().enumerate() {
                for (&element, l) in elements.iter().zip(unpack(lanes)) {
                    give(element, k, l);
                }
            }
        }
    }
}
