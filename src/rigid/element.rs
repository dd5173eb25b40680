//! Rows of joints made ready: of one sort and one signature each, flat for the scalar loops, in packets of eight for lanes.
//!
//! A packet's loads and stores depend on the signature only (body or particle or world, end by end), so packets never mix
//! them. Lanes beyond the last row repeat it: they load, compute and store the very same numbers.

use super::formula::{self, Formula, Link, Params, Pose, project_joint};
use super::joint::End;
use super::moving::Moving;
use crate::batch::{Points, Store};
use crate::coloring::Coloring;
use crate::constraints::Particle;
use crate::lanes::{F32x8, Quat, Real, Scalar, Vec3, WIDTH, each_lane, pack, unpack};
use crate::parallel::{Cells, Worker};
use crate::part::Stage;
use crate::particles::Particles;
use std::marker::PhantomData;
use std::ops::Range;

/// Fewer packets than this a thread are not worth a meeting of the workers (`MEASURED.md`, size and threads).
const WORTH_SHARING: usize = 8;

/// Joint rows, or a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Ball,
    Line,
    Plane,
    Rod,
    Hinge,
    Universal,
    Slider,
    Fixed,
    Angle,
    Way,
    Length,
    Swing,
}

/// Does `$do!(Formula, rows)` for the formula of a sort.
macro_rules! with_formula {
    ($sort:expr, $do:ident) => {
        match $sort {
            Sort::Ball => $do!(formula::Ball, 3),
            Sort::Line => $do!(formula::Line, 2),
            Sort::Plane => $do!(formula::Plane, 1),
            Sort::Rod => $do!(formula::Rod, 1),
            Sort::Hinge => $do!(formula::Hinge, 5),
            Sort::Universal => $do!(formula::Universal, 4),
            Sort::Slider => $do!(formula::Slider, 5),
            Sort::Fixed => $do!(formula::Fixed, 6),
            Sort::Angle => $do!(formula::Angle, 1),
            Sort::Way => $do!(formula::Way, 1),
            Sort::Length => $do!(formula::Length, 1),
            Sort::Swing => $do!(formula::Swing, 1),
        }
    };
}

impl Sort {
    /// How many rows it has.
    pub(super) fn rows(self) -> usize {
        macro_rules! rows {
            ($formula:ty, $rows:literal) => {
                $rows
            };
        }
        with_formula!(self, rows)
    }

    /// What its rows are at two poses (m, rad).
    pub(crate) fn evaluate<R: Real>(
        self,
        poses: [Pose<R>; 2],
        p: &Params<R>,
    ) -> Vec<formula::Row<R>> {
        let link = Link::new(poses, p);
        macro_rules! rows {
            ($formula:ty, $rows:literal) => {
                <$formula as Formula<$rows>>::rows(&link, p).to_vec()
            };
        }
        with_formula!(self, rows)
    }

    /// The coordinate that it holds.
    fn coordinate<R: Real>(self, poses: [Pose<R>; 2], p: &Params<R>) -> R {
        let link = Link::new(poses, p);
        match self {
            Self::Angle => formula::angle(&link, p).c,
            Self::Way => formula::way(&link, p).c,
            _ => link.distance(),
        }
    }
}

/// What an end is loaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    World,
    Body,
    Particle,
}

impl Place {
    pub(super) fn of(end: End) -> Self {
        match end {
            End::World => Self::World,
            End::Body(_) => Self::Body,
            End::Particle(_) => Self::Particle,
        }
    }
}

/// One joint's rows, or its motor's or limits' row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) sort: Sort,
    pub(super) ends: [End; 2],
    /// `alpha` is α.
    pub(super) params: Params<f64>,
    /// What a motor of velocity adds to the goal (1/s).
    pub(super) rate: Option<f64>,
}

/// The elements of one sort and signature, colored.
pub(super) struct Bunch {
    pub(super) sort: Sort,
    pub(super) signature: [Place; 2],
    /// Index among all elements and the storage slots of the ends.
    pub(super) rows: Vec<(u32, [u32; 2])>,
    /// `params` with α / h², and what a motor of velocity adds in a substep.
    pub(super) params: Vec<(Params<f64>, Option<f64>)>,
    pub(super) coloring: Coloring,
}

/// Where ends are loaded from and stored to, as many a slot as `R` has lanes.
trait Ends<I: Copy, R: Real> {
    fn load(&self, place: Place, slot: I) -> Moving<R>;
    fn store(&self, place: Place, slot: I, body: Moving<R>);
}

impl<R: Scalar> Ends<u32, R> for Points<'_, R> {
    #[inline(always)]
    fn load(&self, place: Place, slot: u32) -> Moving<R> {
        match place {
            Place::World => Moving::world(),
            Place::Body => self.bodies().load(slot),
            Place::Particle => {
                let [Particle { x, w }] = Store::load(self, [slot]);
                Moving::particle(x, w)
            }
        }
    }
    #[inline(always)]
    fn store(&self, place: Place, slot: u32, body: Moving<R>) {
        match place {
            Place::World => {}
            Place::Body => self.bodies().store(slot, body),
            Place::Particle => {
                let Moving { x, w, .. } = body;
                Store::store(self, [slot], [Particle { x, w }]);
            }
        }
    }
}

impl Ends<[u32; WIDTH], F32x8> for Stage<'_> {
    #[inline(always)]
    fn load(&self, place: Place, slots: [u32; WIDTH]) -> Moving<F32x8> {
        match place {
            Place::World => Moving::world(),
            Place::Body => self.bodies.flying.load(slots),
            Place::Particle => {
                let [Particle { x, w }] = self.places.load([slots]);
                Moving::particle(x, w)
            }
        }
    }
    #[inline(always)]
    fn store(&self, place: Place, slots: [u32; WIDTH], body: Moving<F32x8>) {
        match place {
            Place::World => {}
            Place::Body => self.bodies.flying.store(slots, body.to_record()),
            Place::Particle => {
                let Moving { x, w, .. } = body;
                self.places.store([slots], [Particle { x, w }]);
            }
        }
    }
}

#[inline(always)]
fn project<F, I, R, const K: usize>(
    ends: &impl Ends<I, R>,
    [pa, pb]: [Place; 2],
    [a, b]: [I; 2],
    params: &Params<R>,
    lambda: &mut [R; K],
) where
    F: Formula<K>,
    I: Copy,
    R: Real,
{
    let mut bodies = [ends.load(pa, a), ends.load(pb, b)];
    project_joint::<F, R, K>(&mut bodies, params, lambda);
    ends.store(pa, a, bodies[0]);
    ends.store(pb, b, bodies[1]);
}

/// A bunch in a scalar loop.
pub(super) trait FlatBunch<R: Scalar>: Send {
    /// Multipliers to zero; motors of velocity take the goal of this substep.
    fn begin(&mut self, particles: &Particles<R>);
    fn project(&mut self, points: &Points<R>);
    /// Gives the multipliers of every element.
    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32));
}

struct Flat<F, R, const K: usize> {
    formula: PhantomData<F>,
    signature: [Place; 2],
    sort: Sort,
    rows: Vec<([u32; 2], Params<R>)>,
    lambda: Vec<[R; K]>,
    elements: Vec<u32>,
    /// Motors of velocity: which row, and what they add in a substep.
    rates: Vec<(usize, R)>,
}

/// A bunch for a scalar loop, in the colored order.
pub(super) fn flat<R: Scalar>(bunch: &Bunch) -> Box<dyn FlatBunch<R>> {
    macro_rules! make {
        ($formula:ty, $rows:literal) => {
            make_flat::<$formula, R, $rows>(bunch)
        };
    }
    with_formula!(bunch.sort, make)
}

fn make_flat<F: Formula<K>, R: Scalar, const K: usize>(bunch: &Bunch) -> Box<dyn FlatBunch<R>> {
    let mut flat = Flat::<F, R, K> {
        formula: PhantomData,
        signature: bunch.signature,
        sort: bunch.sort,
        rows: Vec::new(),
        lambda: vec![[R::zero(); K]; bunch.rows.len()],
        elements: Vec::new(),
        rates: Vec::new(),
    };
    for &row in bunch.coloring.colors().iter().flatten() {
        let (element, slots) = bunch.rows[row as usize];
        let (params, rate) = &bunch.params[row as usize];
        flat.rates
            .extend(rate.map(|rate| (flat.rows.len(), R::of(rate))));
        let numbers = params.to_array().map(|v| R::of(f64::from(v as f32)));
        flat.rows.push((slots, Params::from_array(numbers)));
        flat.elements.push(element);
    }
    Box::new(flat)
}

impl<F: Formula<K>, R: Scalar, const K: usize> FlatBunch<R> for Flat<F, R, K> {
    fn begin(&mut self, particles: &Particles<R>) {
        self.lambda.fill([R::zero(); K]);
        let bodies = &particles.bodies;
        for &(row, step) in &self.rates {
            let (slots, params) = &mut self.rows[row];
            let pose = |end: usize| match self.signature[end] {
                Place::Body => {
                    let i = slots[end] as usize;
                    let q = bodies.previous_orientation.read(i);
                    (Vec3::from(bodies.previous.read(i)), Quat::from(q))
                }
                _ => (Vec3::zero(), Quat::identity()),
            };
            params.middle = self.sort.coordinate([pose(0), pose(1)], params) + step;
        }
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&mut self, points: &Points<R>) {
        for ((slots, params), lambda) in self.rows.iter().zip(&mut self.lambda) {
            project::<F, _, R, K>(points, self.signature, *slots, params, lambda);
        }
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for (lambda, &element) in self.lambda.iter().zip(&self.elements) {
            for (k, l) in lambda.iter().enumerate() {
                give(element, k, l.to_f32());
            }
        }
    }
}

/// A bunch in lanes.
pub(super) trait LaneBunch: Send + Sync {
    /// As [`FlatBunch::begin`].
    fn begin(&mut self, stage: &Stage);
    fn project(&self, worker: &Worker, stage: &Stage);
    /// As [`FlatBunch::multipliers`].
    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32));
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
        let largest = self.colors.iter().map(|c| c.len()).max().unwrap_or(0);
        if worker.count() == 1 || largest < WORTH_SHARING * worker.count() {
            worker.alone(|| self.project_packets(0..self.packets.len(), stage));
            return;
        }
        for color in &self.colors {
            worker.share(color.len(), |part| {
                self.project_packets(color.start + part.start..color.start + part.end, stage);
            });
        }
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
