//! Rows of joints made ready: of one sort and one signature each, flat for the scalar loops, in packets of eight for lanes.
//!
//! A packet's loads and stores depend on the signature only (body or particle or world, end by end), so packets never mix
//! them. Lanes beyond the last row repeat it: they load, compute and store the very same numbers.

use super::formula::{self, Formula, Link, Params, Pose};
use super::joint::End;
use super::moving::Moving;
use crate::coloring::Coloring;
use crate::constraints::Particle;
use crate::math::{F32x8, Quat, Real, Scalar, Vec3, WIDTH};
use crate::rows::{Points, Store};
use crate::state::Particles;
use crate::subsystem::Stage;
use std::marker::PhantomData;

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
pub(super) use with_formula;

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
    pub(super) fn coordinate<R: Real>(self, poses: [Pose<R>; 2], p: &Params<R>) -> R {
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
pub(super) trait Ends<I: Copy, R: Real> {
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
pub(super) fn project<F, I, R, const K: usize>(
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
    F::project(&mut bodies, params, lambda);
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
