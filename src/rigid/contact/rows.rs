//! The manifolds of a class as rows, in the order of their colors: one at a time, or eight side by side.
//!
//! A packet's lanes beyond the last row of its color repeat that row: they load, compute and store the very same numbers.

use super::find::{Class, Finder};
use super::manifold::Manifold;
use super::memory::{Recall, Still};
use super::touch::{Mover, Pace, Point, Row, Start, Touch, Two};
use crate::lanes::{F32x8, Real, Scalar, Vec3, WIDTH, each_lane, pack, unpack};
use crate::parallel::Cells;
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
    starts: Cells<[Start<R>; K]>,
    held: Cells<[Touch<R>; K]>,
    /// The manifold of each lane of each row.
    members: Vec<u32>,
    /// The rows of each color, then each of the remainder by itself.
    pub(super) colors: Vec<Range<usize>>,
}

/// What rows are stepped with: the bodies, the contacts, and what stands still.
pub(super) struct Scene<'a, M> {
    pub(super) memory: &'a M,
    pub(super) finder: &'a Finder,
    pub(super) stills: &'a [Still],
}

impl<R: Side, const K: usize, const STILL: bool> Rows<R, K, STILL> {
    pub(super) fn new() -> Self {
        Self {
            rows: Cells::new(0, Self::row(|_| None)),
            starts: Cells::new(0, [Start::none(); K]),
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
            Point {
                arms: [arm(0), arm(1)],
                offset: number(&far),
            }
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
    pub(super) fn lay_out(&mut self, class: &Class) {
        self.colors.clear();
        self.members.clear();
        let mut first = 0;
        for color in &class.colors {
            for some in class.order[color.clone()].chunks(R::LANES) {
                let lanes = 0..R::LANES;
                let member = |l: usize| class.members[some[l.min(some.len() - 1)] as usize];
                self.members.extend(lanes.map(member));
            }
            let count = color.len().div_ceil(R::LANES);
            self.colors.push(first..first + count);
            first += count;
        }
        self.rows.resize(first, Self::row(|_| None));
        self.starts.resize(first, [Start::none(); K]);
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

    /// A substep begins for some rows: where points are, and what they did before is done again.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn begin<M: Recall<R::Slot, R>>(&self, some: Range<usize>, scene: &Scene<M>, h: R) {
        for i in some {
            self.begin_one(i, scene, h);
        }
    }

    #[inline(always)]
    fn begin_one<M: Recall<R::Slot, R>>(&self, i: usize, scene: &Scene<M>, h: R) {
        let (row, held) = (self.rows.get(i), self.held.get(i));
        let past = scene.memory.past(row.slots[0]);
        let mut starts = [Start::none(); K];
        if STILL {
            let ends = self.still_ends(i, scene, h);
            for k in 0..K {
                starts[k] = row.start(k, &past, ends[k]);
            }
        } else {
            let other = scene.memory.past(row.slots[1]);
            for k in 0..K {
                starts[k] = row.start(k, &past, row.end(k, &other));
            }
        }
        self.on_both(&row, scene.memory, |two| row.warm(&mut starts, &held, two));
        self.starts.set(i, starts);
    }

    /// The cores and surface velocities of sides that stand still, each lane's own.
    fn still_ends<M>(&self, i: usize, scene: &Scene<M>, h: R) -> [[Vec3<R>; 2]; K] {
        let members = &self.members[i * R::LANES..(i + 1) * R::LANES];
        std::array::from_fn(|k| {
            let points: [[Vec3<f32>; 2]; WIDTH] = each_lane(|lane| {
                let m = &scene.finder.manifolds[members[lane.min(R::LANES - 1)] as usize];
                let still = &scene.stills[m.pair[1] as usize];
                still.points(m.spots[k].arms[1], scene.finder.normal(m) * m.radii[1])
            });
            let [core, way] = [0, 1].map(|n| vector::<R>(|lane| points[lane][n]));
            [core, way * (R::of(1.0) / h)]
        })
    }

    #[inline(always)]
    fn on_both<M: Recall<R::Slot, R>>(
        &self,
        row: &Row<R::Slot, R, K>,
        memory: &M,
        act: impl FnOnce(&mut Two<R, STILL>),
    ) {
        let [a, b] = row.slots;
        let other = match STILL {
            true => Mover::still(),
            false => memory.mover(b),
        };
        let mut two = Two([memory.mover(a), other]);
        act(&mut two);
        memory.set_motion(a, &two.0[0]);
        if !STILL {
            memory.set_motion(b, &two.0[1]);
        }
    }

    /// One sweep over some rows, from the last to the first where it goes `back`; whether anything `rebounds` in it.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn sweep<M: Recall<R::Slot, R>>(
        &self,
        some: Range<usize>,
        memory: &M,
        pace: &Pace<R>,
        [back, rebounds]: [bool; 2],
    ) {
        for k in some.clone() {
            let i = if back {
                some.end - 1 + some.start - k
            } else {
                k
            };
            let (row, starts) = (self.rows.get(i), self.starts.get(i));
            let mut held = self.held.get(i);
            let approach = rebounds.then(|| {
                let two = Two::<R, STILL>(row.slots.map(|slot| memory.predicted(slot)));
                row.approach(&starts, &two)
            });
            self.on_both(&row, memory, |two| {
                row.sweep(&starts, &mut held, two, pace, approach);
            });
            self.held.set(i, held);
        }
    }
}
