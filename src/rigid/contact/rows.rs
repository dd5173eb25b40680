//! The manifolds of a class as rows, in the order of their colors: one at a time, or eight side by side.
//!
//! A packet's lanes beyond the last row of its color repeat that row: they load, compute and store the very same numbers.

use super::find::{Class, Finder};
use super::manifold::Manifold;
use super::memory::{Recall, Still};
use super::touch::{Foot, Pace, Past, Point, Rebound, Row, Touch};
use crate::coloring::DynamicColoring;
use crate::lanes::{F32x8, Real, Scalar, Vec3, WIDTH, each_lane, lane_bits, pack, unpack};
use crate::parallel::Cells;
use crate::rigid::Moving;
use crate::rigid::element::{Ends, Place};
use std::ops::Range;

/// A point that is none: so far off that it never touches (m).
const NOWHERE: f32 = 1e9;

/// Numbers taken from as many manifolds as there are lanes.
pub(super) trait Side: Real {
    /// Where bodies are found.
    type Slot: Copy + std::fmt::Debug + Send;
    /// Numbers side by side.
    const LANES: usize;
    fn slot(of: impl Fn(usize) -> u32) -> Self::Slot;
    fn number(of: impl Fn(usize) -> f32) -> Self;
    /// One lane.
    fn lane(self, lane: usize) -> f32;
    /// Whether any lane holds.
    fn any(mask: Self::Mask) -> bool;
}

macro_rules! one_lane {
    ($number:ty) => {
        impl Side for $number {
            type Slot = u32;
            const LANES: usize = 1;
            #[inline(always)]
            fn slot(of: impl Fn(usize) -> u32) -> u32 {
                of(0)
            }
            #[inline(always)]
            fn number(of: impl Fn(usize) -> f32) -> Self {
                of(0).into()
            }
            #[inline(always)]
            fn lane(self, _: usize) -> f32 {
                self.to_f32()
            }
            #[inline(always)]
            fn any(mask: bool) -> bool {
                mask
            }
        }
    };
}
one_lane!(f32);
one_lane!(f64);

impl Side for F32x8 {
    type Slot = [u32; WIDTH];
    const LANES: usize = WIDTH;
    #[inline(always)]
    fn slot(of: impl Fn(usize) -> u32) -> [u32; WIDTH] {
        each_lane(of)
    }
    #[inline(always)]
    fn number(of: impl Fn(usize) -> f32) -> Self {
        pack(each_lane(of))
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f32 {
        unpack(self)[lane]
    }
    #[inline(always)]
    fn any(mask: F32x8) -> bool {
        lane_bits(mask) != 0
    }
}

#[inline(always)]
fn vector<R: Side>(of: impl Fn(usize) -> Vec3<f32>) -> Vec3<R> {
    Vec3::new(
        R::number(|lane| of(lane).x),
        R::number(|lane| of(lane).y),
        R::number(|lane| of(lane).z),
    )
}

/// The rows of a class; `STILL`: b is moved by no contact.
pub(super) struct Rows<R: Side, const K: usize, const STILL: bool> {
    rows: Cells<Row<R::Slot, R, K>>,
    held: Cells<[Touch<R>; K]>,
    /// The manifold of each lane of each row.
    members: Vec<u32>,
    /// The rows of each color, then each of the remainder by itself.
    pub(super) colors: Vec<Range<usize>>,
}

impl<R: Side, const K: usize, const STILL: bool> Rows<R, K, STILL> {
    pub(super) fn new() -> Self {
        Self {
            rows: Cells::new(0, Self::row(|_| None)),
            held: Cells::new(0, Self::touches(|_| None)),
            members: Vec::new(),
            colors: Vec::new(),
        }
    }

    fn row<'a>(of: impl Fn(usize) -> Option<(&'a Manifold, Vec3<f32>)>) -> Row<R::Slot, R, K> {
        let number = |f: &dyn Fn(&Manifold) -> f32| R::number(|l| of(l).map_or(0.0, |m| f(m.0)));
        let point = |k: usize| {
            let arm =
                |end: usize| vector(|l| of(l).map_or(Vec3::zero(), |(m, _)| m.spots[k].arms[end]));
            let far = |m: &Manifold| match k < m.count {
                true => -(m.radii[0] + m.radii[1]),
                false => NOWHERE,
            };
            Point::new([arm(0), arm(1)], number(&far))
        };
        Row {
            slots: [0, 1].map(|end| R::slot(|l| of(l).map_or(0, |(m, _)| m.pair[end]))),
            normal: vector(|l| of(l).map_or(Vec3::zero(), |m| m.1)),
            radii: [number(&|m| m.radii[0]), number(&|m| m.radii[1])],
            friction: number(&|m| m.friction),
            restitution: number(&|m| m.restitution),
            points: std::array::from_fn(point),
        }
    }

    fn touches<'a>(of: impl Fn(usize) -> Option<&'a Manifold>) -> [Touch<R>; K] {
        std::array::from_fn(|k| Touch {
            lambda: R::number(|l| of(l).map_or(0.0, |m| m.spots[k].lambda)),
            rub: vector(|l| of(l).map_or(Vec3::zero(), |m| m.spots[k].rub)),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Lays out the rows of a class; they are [filled](Self::fill) one by one.
    pub(super) fn lay_out(
        &mut self,
        Class {
            members, coloring, ..
        }: &Class,
    ) {
        self.colors.clear();
        self.members.clear();
        let mut first = 0;
        let mut add = |rows: &[u32], colors: &mut Vec<Range<usize>>, all: &mut Vec<u32>| {
            for some in rows.chunks(R::LANES) {
                let lanes = 0..R::LANES;
                all.extend(lanes.map(|l| members[some[l.min(some.len() - 1)] as usize]));
            }
            let count = rows.len().div_ceil(R::LANES);
            colors.push(first..first + count);
            first += count;
        };
        let coloring: &DynamicColoring = coloring;
        for color in coloring.colors() {
            add(color, &mut self.colors, &mut self.members);
        }
        for row in coloring.remainder().chunks(1) {
            add(row, &mut self.colors, &mut self.members);
        }
        self.rows.resize(first, Self::row(|_| None));
        self.held.resize(first, Self::touches(|_| None));
    }

    /// Takes one row's numbers from its manifolds.
    pub(super) fn fill(&self, i: usize, finder: &Finder) {
        let members = &self.members[i * R::LANES..(i + 1) * R::LANES];
        let of = |lane: usize| &finder.manifolds[members[lane] as usize];
        let normals: [Vec3<f32>; WIDTH] =
            each_lane(|lane| finder.normal(of(lane.min(R::LANES - 1))));
        self.rows.set(i, Self::row(|l| Some((of(l), normals[l]))));
        self.held.set(i, Self::touches(|l| Some(of(l))));
    }

    /// Gives back to the manifolds what their points did.
    pub(super) fn harvest(&self, manifolds: &mut [Manifold]) {
        for (i, held) in (0..self.len()).map(|i| (i, self.held.get(i))) {
            for lane in 0..R::LANES {
                let to = &mut manifolds[self.members[i * R::LANES + lane] as usize];
                for (spot, touch) in to.spots.iter_mut().zip(held) {
                    let Vec3 { x, y, z } = touch.rub;
                    spot.lambda = touch.lambda.lane(lane);
                    spot.rub = Vec3::new(x.lane(lane), y.lane(lane), z.lane(lane));
                }
            }
        }
    }

    /// A substep begins: bodies are predicted, and what the row did before is done again.
    #[inline(always)]
    pub(super) fn begin(
        &self,
        i: usize,
        ends: &impl Ends<R::Slot, R>,
        memory: &impl Recall<R::Slot, R>,
        (finder, stills): (&Finder, &[Still]),
        pace: &Pace<R>,
    ) {
        let mut row = self.rows.get(i);
        let past = |slot: R::Slot| {
            let ((x, q), [v, omega]) = (memory.pose(slot), memory.motion(slot));
            Past { x, q, v, omega }
        };
        let a = row.feet(0, &past(row.slots[0]), pace.h);
        let b = match STILL {
            false => row.feet(1, &past(row.slots[1]), pace.h),
            true => self.still_feet(i, &mut row, finder, stills, pace.h),
        };
        row.begin(&a, &b, pace);
        self.rows.set(i, row);
        match R::any(R::zero().lt(pace.kept)) {
            true => self.on_both(i, ends, |row, held, [a, b]| row.warm(held, pace.kept, a, b)),
            false => self.held.set(i, Self::touches(|_| None)),
        }
    }

    /// The feet of sides that stand still, each lane's own; their arms become where they are at the end of the substep.
    fn still_feet(
        &self,
        i: usize,
        row: &mut Row<R::Slot, R, K>,
        finder: &Finder,
        stills: &[Still],
        h: R,
    ) -> [Foot<R>; K] {
        let members = &self.members[i * R::LANES..(i + 1) * R::LANES];
        std::array::from_fn(|k| {
            let points: [[Vec3<f32>; 3]; WIDTH] = each_lane(|lane| {
                let m = &finder.manifolds[members[lane.min(R::LANES - 1)] as usize];
                let still = &stills[m.pair[1] as usize];
                still.points(m.spots[k].arms[1], finder.normal(m) * m.radii[1])
            });
            let [core, end, surface] = [0, 1, 2].map(|n| vector::<R>(|lane| points[lane][n]));
            row.points[k].arms[1] = end;
            Foot {
                core,
                slip: end - surface,
                velocity: surface * (R::of(1.0) / h),
            }
        })
    }

    #[inline(always)]
    fn on_both(
        &self,
        i: usize,
        ends: &impl Ends<R::Slot, R>,
        act: impl FnOnce(&Row<R::Slot, R, K>, &mut [Touch<R>; K], [&mut Moving<R>; 2]),
    ) {
        let row = self.rows.get(i);
        let mut held = self.held.get(i);
        let place = if STILL { Place::World } else { Place::Body };
        let [slot_a, slot_b] = row.slots;
        let mut a = ends.load(Place::Body, slot_a);
        let mut b = ends.load(place, slot_b);
        act(&row, &mut held, [&mut a, &mut b]);
        ends.store(Place::Body, slot_a, a);
        ends.store(place, slot_b, b);
        self.held.set(i, held);
    }

    /// One iteration of one row.
    #[inline(always)]
    pub(super) fn project(&self, i: usize, ends: &impl Ends<R::Slot, R>) {
        self.on_both(i, ends, |row, held, [a, b]| row.project(held, a, b));
    }

    /// The velocity pass of one row; `memory` holds where bodies landed.
    #[inline(always)]
    pub(super) fn respond(
        &self,
        i: usize,
        memory: &impl Recall<R::Slot, R>,
        (finder, stills): (&Finder, &[Still]),
        rebound: &Rebound<R>,
    ) {
        let (mut row, mut held) = (self.rows.get(i), self.held.get(i));
        let states = row.states(&held, rebound);
        if !states.iter().any(|state| R::any(state.active)) {
            return;
        }
        let at = |slot| {
            let ((x, q), (w, inverse_inertia)) = (memory.pose(slot), memory.mass(slot));
            let body = Moving::particle(x, w);
            Moving {
                q,
                inverse_inertia,
                ..body
            }
        };
        let [a, b] = row.slots;
        let none = [Vec3::zero(); 2];
        let (bodies, mut motions) = match STILL {
            false => ([at(a), at(b)], [memory.motion(a), memory.motion(b)]),
            true => ([at(a), Moving::world()], [memory.motion(a), none]),
        };
        let still = match STILL {
            false => [Vec3::zero(); K],
            true => {
                let feet = self.still_feet(i, &mut row, finder, stills, rebound.h);
                feet.map(|foot| foot.velocity)
            }
        };
        let [first, second] = &bodies;
        row.respond(&mut held, [first, second], &mut motions, &still, rebound);
        self.held.set(i, held);
        memory.set_motion(a, motions[0]);
        if !STILL {
            memory.set_motion(b, motions[1]);
        }
    }

    /// Whether any rebounds.
    pub(super) fn rebounds(&self, finder: &Finder) -> bool {
        let restitution = |i: &u32| finder.manifolds[*i as usize].restitution;
        self.members.iter().any(|i| restitution(i) > 0.0)
    }
}
