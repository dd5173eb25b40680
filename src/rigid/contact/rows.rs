//! The manifolds of a class as rows, in the order of their colors: one at a time, or eight side by side.
//!
//! A packet's lanes beyond the last row of its color repeat that row: they load, compute and store the very same numbers.

#![allow(clippy::needless_range_loop)] // points, starts and multipliers run side by side

use super::colors::Class;
use super::find::Finder;
use super::manifold::Manifold;
use super::memory::{Recall, Still};
use super::touch::{Mover, Pace, Point, Row, Start, Touch, Two};
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, each_lane, pack, unpack};
use crate::threads::Cells;
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
    /// Every lane.
    fn lanes(self) -> [f32; WIDTH];
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
            fn lanes(self) -> [f32; WIDTH] {
                [self.to_f32(); WIDTH]
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
    fn lanes(self) -> [f32; WIDTH] {
        unpack(self)
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
            rows: Cells::new(0, Self::blank()),
            starts: Cells::new(0, [Start::none(); K]),
            held: Cells::new(0, [Touch::none(); K]),
            members: Vec::new(),
            colors: Vec::new(),
        }
    }

    /// A row of nothing, to be [filled](Self::fill).
    fn blank() -> Row<R::Slot, R, K> {
        let (zero, none) = (R::zero(), Vec3::zero());
        let point = Point {
            arms: [none; 2],
            offset: zero,
        };
        Row {
            slots: [R::slot(|_| 0); 2],
            normal: none,
            radii: [zero; 2],
            friction: zero,
            restitution: zero,
            points: [point; K],
        }
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
        self.rows.resize(first, Self::blank());
        self.starts.resize(first, [Start::none(); K]);
        self.held.resize(first, [Touch::none(); K]);
    }

    /// One row's manifolds, lane by lane.
    #[inline(always)]
    fn manifolds<'a>(&self, i: usize, finder: &'a Finder) -> [&'a Manifold; WIDTH] {
        let members = &self.members[i * R::LANES..(i + 1) * R::LANES];
        each_lane(|lane| {
            let member = members[lane.min(R::LANES - 1)];
            &finder.manifolds[member as usize]
        })
    }

    /// Takes one row's numbers from its manifolds.
    pub(super) fn fill(&self, i: usize, finder: &Finder) {
        let all = self.manifolds(i, finder);
        let normals = all.map(|m| finder.normal(m));
        let far = |m: &Manifold, k: usize| match k < m.count {
            true => -(m.radii[0] + m.radii[1]),
            false => NOWHERE,
        };
        let mut row = Row {
            slots: [0, 1].map(|end| R::slot(|l| all[l].pair[end])),
            normal: vector(|l| normals[l]),
            radii: [0, 1].map(|end| R::number(|l| all[l].radii[end])),
            friction: R::number(|l| all[l].friction),
            restitution: R::number(|l| all[l].restitution),
            ..Self::blank()
        };
        let mut held = [Touch::none(); K];
        for k in 0..K {
            row.points[k] = Point {
                arms: [0, 1].map(|end| vector(|l| all[l].spots[k].arms[end])),
                offset: R::number(|l| far(all[l], k)),
            };
            held[k] = Touch {
                lambda: R::number(|l| all[l].spots[k].lambda),
                rub: vector(|l| all[l].spots[k].rub),
            };
        }
        self.rows.set(i, row);
        self.held.set(i, held);
    }

    /// Turns one row's normals to where their owners are; all else of it is as it was.
    pub(super) fn aim(&self, i: usize, finder: &Finder) {
        let normals = self.manifolds(i, finder).map(|m| finder.normal(m));
        let mut row = self.rows.get(i);
        row.normal = vector(|l| normals[l]);
        self.rows.set(i, row);
    }

    /// Gives back to the manifolds what their points did.
    pub(super) fn harvest(&self, manifolds: &mut [Manifold]) {
        for (held, members) in self
            .held
            .as_slice()
            .iter()
            .zip(self.members.chunks(R::LANES))
        {
            for (k, Touch { lambda, rub }) in held.iter().enumerate() {
                let [lambda, x, y, z] = [*lambda, rub.x, rub.y, rub.z].map(R::lanes);
                for (lane, member) in members.iter().enumerate() {
                    let spot = &mut manifolds[*member as usize].spots[k];
                    spot.lambda = lambda[lane];
                    spot.rub = Vec3::new(x[lane], y[lane], z[lane]);
                }
            }
        }
    }

    /// A substep begins for some rows: where points are, and what they did before is done again.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn begin<M: Recall<R::Slot, R>>(&self, some: Range<usize>, scene: &Scene<M>, h: R) {
        for i in some {
            let row = &self.rows.as_slice()[i];
            self.starts.set(i, self.start(i, row, scene, h));
        }
    }

    #[inline(always)]
    fn start<M: Recall<R::Slot, R>>(
        &self,
        i: usize,
        row: &Row<R::Slot, R, K>,
        scene: &Scene<M>,
        h: R,
    ) -> [Start<R>; K] {
        let held = self.held.get(i);
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
        self.on_both(row, scene.memory, |two| row.warm(&mut starts, &held, two));
        starts
    }

    /// The cores and surface velocities of sides that stand still, each lane's own.
    fn still_ends<M>(&self, i: usize, scene: &Scene<M>, h: R) -> [[Vec3<R>; 2]; K] {
        let all = self.manifolds(i, scene.finder);
        std::array::from_fn(|k| {
            let points = all.map(|m| {
                let still = &scene.stills[m.pair[1] as usize];
                still.points(m.spots[k].arms[1], scene.finder.normal(m) * m.radii[1])
            });
            let [core, way] = [0, 1].map(|n| vector::<R>(|lane| points[lane][n]));
            [core, way * (R::of(1.0) / h)]
        })
    }

    #[inline(always)]
    fn both(row: &Row<R::Slot, R, K>, body: impl Fn(R::Slot) -> Mover<R>) -> Two<R, STILL> {
        let [a, b] = row.slots;
        let other = match STILL {
            true => Mover::still(),
            false => body(b),
        };
        Two([body(a), other])
    }

    #[inline(always)]
    fn on_both<M: Recall<R::Slot, R>>(
        &self,
        row: &Row<R::Slot, R, K>,
        memory: &M,
        act: impl FnOnce(&mut Two<R, STILL>),
    ) {
        let [a, b] = row.slots;
        let mut two = Self::both(row, |slot| memory.mover(slot));
        act(&mut two);
        memory.set_motion(a, &two.0[0]);
        if !STILL {
            memory.set_motion(b, &two.0[1]);
        }
    }

    /// One sweep over some rows.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn sweep<M: Recall<R::Slot, R>>(
        &self,
        some: Range<usize>,
        memory: &M,
        pace: &Pace<R>,
    ) {
        // Nobody writes these while rows are swept.
        let (rows, starts) = (self.rows.as_slice(), self.starts.as_slice());
        for k in some.clone() {
            let i = if pace.back {
                some.end - 1 + some.start - k
            } else {
                k
            };
            let (row, starts) = (&rows[i], &starts[i]);
            let mut held = self.held.get(i);
            let approach = pace.rebounds.then(|| {
                let two = Self::both(row, |slot| memory.predicted(slot));
                row.approach(starts, &two)
            });
            self.on_both(row, memory, |two| {
                row.sweep(starts, &mut held, two, pace, approach);
            });
            self.held.set(i, held);
        }
    }
}
