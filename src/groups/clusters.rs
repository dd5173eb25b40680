//! Small clusters: N members each, a cluster a lane, loaded once, fitted in registers, stored once.

#![allow(clippy::needless_range_loop)] // members, weights and gradients run side by side

use super::Hold;
use super::flow::{flow, spread};
use super::rotation::{Matrix, nearest_rotation, times};
use super::sum::plus;
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, pack, unpack};
use crate::rows::{Places, Points, Store};
use crate::threads::{Cells, Worker};
use std::ops::Range;

/// The most members of a small cluster.
pub(super) const MOST: usize = 8;

/// A cluster as the lists below take it: places, rest positions (m) seen from the center, and weights, then what all share.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) authored: usize,
    pub(super) slots: Vec<u32>,
    /// Rest position and weight: x y z μ.
    pub(super) members: Vec<[f32; 4]>,
    /// Σ m (kg), so that μ of a free member times it is its mass.
    pub(super) mass: f64,
    pub(super) hold: [f64; 3],
    /// Yield, and the share of the strain that a substep takes up.
    pub(super) plastic: Option<[f64; 2]>,
}

/// A cluster of N members, or eight.
#[derive(Clone, Copy)]
struct Cluster<I, R, const N: usize> {
    slots: [I; N],
    rest: [Vec3<R>; N],
    weight: [R; N],
    mass: R,
    hold: Hold<R>,
}

impl<R: Scalar, const N: usize> Cluster<u32, R, N> {
    fn new(given: &Given) -> Self {
        let member = |i: usize| given.members[i].map(f64::from);
        Self {
            slots: std::array::from_fn(|i| given.slots[i]),
            rest: std::array::from_fn(|i| {
                let [x, y, z, _] = member(i);
                Vec3::of([x, y, z])
            }),
            weight: std::array::from_fn(|i| R::of(member(i)[3])),
            mass: R::of(given.mass),
            hold: Hold::new(given.hold),
        }
    }
}

impl<const N: usize> Cluster<[u32; WIDTH], F32x8, N> {
    fn new(eight: &[Given]) -> Self {
        let one: Vec<Cluster<u32, f32, N>> =
            eight.iter().map(Cluster::<u32, f32, N>::new).collect();
        let wide = |of: &dyn Fn(&Cluster<u32, f32, N>) -> f32| {
            pack(std::array::from_fn(|lane| of(&one[lane])))
        };
        Self {
            slots: std::array::from_fn(|i| std::array::from_fn(|lane| one[lane].slots[i])),
            rest: std::array::from_fn(|i| {
                Vec3::new(
                    wide(&|c| c.rest[i].x),
                    wide(&|c| c.rest[i].y),
                    wide(&|c| c.rest[i].z),
                )
            }),
            weight: std::array::from_fn(|i| wide(&|c| c.weight[i])),
            mass: wide(&|c| c.mass),
            hold: Hold {
                alpha: wide(&|c| c.hold.alpha),
                gamma: wide(&|c| c.hold.gamma),
                k: wide(&|c| c.hold.k),
            },
        }
    }
}

impl<I: Copy, R: Real, const N: usize> Cluster<I, R, N> {
    /// Centroid and A of members at `u`, as seen from the first of them.
    #[inline(always)]
    fn moments(&self, u: &[Vec3<R>; N]) -> (Vec3<R>, Matrix<R>) {
        let mut center = Vec3::zero();
        let mut a = [Vec3::zero(); 3];
        for i in 0..N {
            let (v, r) = (u[i] * self.weight[i], self.rest[i]);
            center += v;
            a[0] += v * r.x;
            a[1] += v * r.y;
            a[2] += v * r.z;
        }
        (center, a)
    }

    #[inline(always)]
    fn project<const DAMPED: bool>(&self, store: &impl Store<I, R>, lambda: R) -> R {
        let mut sites = store.load(self.slots);
        let origin = sites[0].x;
        let mut u = [Vec3::zero(); N];
        for i in 0..N {
            u[i] = sites[i].x - origin;
        }
        let (center, a) = self.moments(&u);
        let turn = nearest_rotation(a);
        let mut g = [Vec3::zero(); N];
        let mut weight = R::zero();
        for i in 0..N {
            let goal = times(&turn, self.rest[i]) + center;
            g[i] = (u[i] - goal) * (self.weight[i] * self.mass);
            weight = weight + sites[i].w * g[i].dot(g[i]);
        }
        let mut moved = R::zero();
        if DAMPED {
            let previous = store.previous(self.slots);
            for i in 0..N {
                moved = moved + g[i].dot(sites[i].x - previous[i]);
            }
        }
        let c = weight.sqrt();
        let (s, lambda) = self.hold.step(c, c, weight, moved, lambda);
        for i in 0..N {
            sites[i].x += g[i] * (sites[i].w * s);
        }
        store.store(self.slots, sites);
        lambda
    }

    /// Changes the rest shape of clusters beyond their yield.
    fn flow(&mut self, store: &impl Store<I, R>, plastic: [R; 2]) {
        let sites = store.load(self.slots);
        let (_, a) = self.moments(&sites.map(|site| site.x - sites[0].x));
        let mut q = [R::zero(); 6];
        for (r, w) in self.rest.iter().zip(self.weight) {
            q = plus(q, spread(*r, w));
        }
        let by = flow(a, nearest_rotation(a), q, plastic);
        for r in &mut self.rest {
            *r = times(&by, *r);
        }
    }
}

/// Small clusters of one size in a scalar loop.
pub(super) trait FlatClusters<R: Scalar>: Send {
    /// Multipliers to zero; plastic clusters flow.
    fn begin(&mut self, points: &Points<R>);
    fn project(&mut self, which: Range<usize>, points: &Points<R>);
    fn each_multiplier(&self, act: &mut dyn FnMut(usize, f32));
}

struct Flat<R, const N: usize> {
    clusters: Vec<Cluster<u32, R, N>>,
    plastic: Vec<(usize, [R; 2])>,
    authored: Vec<usize>,
    lambda: Vec<R>,
    damped: bool,
}

impl<R: Scalar, const N: usize> FlatClusters<R> for Flat<R, N> {
    fn begin(&mut self, points: &Points<R>) {
        self.lambda.fill(R::zero());
        for &(i, plastic) in &self.plastic {
            self.clusters[i].flow(points, plastic);
        }
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&mut self, which: Range<usize>, points: &Points<R>) {
        let lambda = &mut self.lambda[which.clone()];
        for (cluster, lambda) in self.clusters[which].iter().zip(lambda) {
            *lambda = match self.damped {
                true => cluster.project::<true>(points, *lambda),
                false => cluster.project::<false>(points, *lambda),
            };
        }
    }

    fn each_multiplier(&self, act: &mut dyn FnMut(usize, f32)) {
        for (&i, lambda) in self.authored.iter().zip(&self.lambda) {
            act(i, lambda.to_f32());
        }
    }
}

/// Small clusters of one size in lanes.
pub(super) trait LaneClusters: Send + Sync {
    /// As of the flat ones.
    fn begin(&mut self, store: &Places);
    /// Projects a level's clusters, all workers together.
    fn project(&self, level: usize, worker: &Worker, store: &Places);
    fn each_multiplier(&self, act: &mut dyn FnMut(usize, f32));
}

struct Lanes<const N: usize> {
    packets: Vec<Cluster<[u32; WIDTH], F32x8, N>>,
    tail: Vec<Cluster<u32, f32, N>>,
    packet_plastic: Vec<(usize, [F32x8; 2])>,
    tail_plastic: Vec<(usize, [f32; 2])>,
    /// The authored place of each lane, then of each of the tail.
    authored: [Vec<usize>; 2],
    packet_lambda: Cells<F32x8>,
    tail_lambda: Cells<f32>,
    /// Packets and tail of each level.
    levels: Vec<[Range<usize>; 2]>,
    damped: bool,
}

/// Fewer packets than this, or single clusters, stay with one worker.
const WORTH_SHARING: usize = 8;

impl<const N: usize> Lanes<N> {
    /// Projects a part of a level's packets and tail, which are counted through.
    #[inline(never)] // a frame of its own in profiles
    fn part<const DAMPED: bool>(&self, level: usize, part: Range<usize>, store: &Places) {
        let [packets, tail] = &self.levels[level];
        let count = packets.len();
        let at = |unit: usize| packets.start + unit.min(count);
        let packets = at(part.start)..at(part.end);
        match store {
            Places::Columns(columns) => self.packets::<DAMPED>(packets, columns),
            Places::Records(records) => self.packets::<DAMPED>(packets, records),
        }
        let at = |unit: usize| tail.start + unit.saturating_sub(count);
        for i in at(part.start)..at(part.end) {
            let lambda = self.tail_lambda.get(i);
            let lambda = self.tail[i].project::<DAMPED>(store, lambda);
            self.tail_lambda.set(i, lambda);
        }
    }

    #[inline(always)]
    fn packets<const DAMPED: bool>(
        &self,
        which: Range<usize>,
        store: &impl Store<[u32; WIDTH], F32x8>,
    ) {
        for i in which {
            if let Some(ahead) = self.packets.get(i + 2) {
                store.fetch(&ahead.slots);
            }
            let lambda = self.packet_lambda.get(i);
            let lambda = self.packets[i].project::<DAMPED>(store, lambda);
            self.packet_lambda.set(i, lambda);
        }
    }
}

impl<const N: usize> LaneClusters for Lanes<N> {
    fn begin(&mut self, store: &Places) {
        (0..self.packets.len()).for_each(|i| self.packet_lambda.set(i, F32x8::zero()));
        (0..self.tail.len()).for_each(|i| self.tail_lambda.set(i, 0.0));
        for &(i, plastic) in &self.packet_plastic {
            self.packets[i].flow(store, plastic);
        }
        for &(i, plastic) in &self.tail_plastic {
            self.tail[i].flow(store, plastic);
        }
    }

    fn project(&self, level: usize, worker: &Worker, store: &Places) {
        let units: usize = self.levels[level].iter().map(Range::len).sum();
        let part = |part| match self.damped {
            true => self.part::<true>(level, part, store),
            false => self.part::<false>(level, part, store),
        };
        match units {
            0 => {}
            units if units < WORTH_SHARING => worker.alone(|| part(0..units)),
            units => worker.share(units, part),
        }
    }

    fn each_multiplier(&self, act: &mut dyn FnMut(usize, f32)) {
        let [packets, tail] = &self.authored;
        for (i, eight) in packets.chunks_exact(WIDTH).enumerate() {
            let lanes = unpack(self.packet_lambda.get(i));
            eight.iter().zip(lanes).for_each(|(&at, l)| act(at, l));
        }
        for (i, &at) in tail.iter().enumerate() {
            act(at, self.tail_lambda.get(i));
        }
    }
}

fn flat<R: Scalar, const N: usize>(given: &[Given]) -> Box<dyn FlatClusters<R>> {
    let plastic = |(i, given): (usize, &Given)| Some((i, given.plastic?.map(R::of)));
    Box::new(Flat::<R, N> {
        clusters: given.iter().map(Cluster::<u32, R, N>::new).collect(),
        plastic: given.iter().enumerate().filter_map(plastic).collect(),
        authored: given.iter().map(|given| given.authored).collect(),
        lambda: vec![R::zero(); given.len()],
        damped: given.iter().any(|given| given.hold[1] > 0.0),
    })
}

fn lanes<const N: usize>(levels: &[Vec<Given>]) -> Box<dyn LaneClusters> {
    let mut all = Lanes::<N> {
        packets: Vec::new(),
        tail: Vec::new(),
        packet_plastic: Vec::new(),
        tail_plastic: Vec::new(),
        authored: [Vec::new(), Vec::new()],
        packet_lambda: Cells::new(0, F32x8::zero()),
        tail_lambda: Cells::new(0, 0.0),
        levels: Vec::new(),
        damped: levels.iter().flatten().any(|given| given.hold[1] > 0.0),
    };
    // What never yields; the yield of the others stands in their lane.
    const NEVER: [f64; 2] = [f64::INFINITY, 0.0];
    for level in levels {
        let firsts = [all.packets.len(), all.tail.len()];
        let mut eights = level.chunks_exact(WIDTH);
        for eight in &mut eights {
            if eight.iter().any(|given| given.plastic.is_some()) {
                let lane = |lane: usize| eight[lane].plastic.unwrap_or(NEVER);
                let number = |n: usize| pack(std::array::from_fn(|i| lane(i)[n] as f32));
                let at = all.packets.len();
                all.packet_plastic.push((at, [number(0), number(1)]));
            }
            all.packets
                .push(Cluster::<[u32; WIDTH], F32x8, N>::new(eight));
            all.authored[0].extend(eight.iter().map(|given| given.authored));
        }
        for given in eights.remainder() {
            if let Some(plastic) = given.plastic {
                let at = all.tail.len();
                all.tail_plastic.push((at, plastic.map(|v| v as f32)));
            }
            all.tail.push(Cluster::<u32, f32, N>::new(given));
            all.authored[1].push(given.authored);
        }
        all.levels
            .push([firsts[0]..all.packets.len(), firsts[1]..all.tail.len()]);
    }
    all.packet_lambda = Cells::new(all.packets.len(), F32x8::zero());
    all.tail_lambda = Cells::new(all.tail.len(), 0.0);
    Box::new(all)
}

/// Calls a function generic over the number of members.
macro_rules! by_size {
    ($size:expr, $make:ident($given:expr)) => {
        match $size {
            1 => $make::<1>($given),
            2 => $make::<2>($given),
            3 => $make::<3>($given),
            4 => $make::<4>($given),
            5 => $make::<5>($given),
            6 => $make::<6>($given),
            7 => $make::<7>($given),
            8 => $make::<8>($given),
            size => unreachable!("a small cluster of {size} members"),
        }
    };
    ($size:expr, $make:ident::<$number:ty>($given:expr)) => {
        match $size {
            1 => $make::<$number, 1>($given),
            2 => $make::<$number, 2>($given),
            3 => $make::<$number, 3>($given),
            4 => $make::<$number, 4>($given),
            5 => $make::<$number, 5>($given),
            6 => $make::<$number, 6>($given),
            7 => $make::<$number, 7>($given),
            8 => $make::<$number, 8>($given),
            size => unreachable!("a small cluster of {size} members"),
        }
    };
}

/// Clusters of `size` members for a scalar loop.
pub(super) fn flat_clusters<R: Scalar>(size: usize, given: &[Given]) -> Box<dyn FlatClusters<R>> {
    by_size!(size, flat::<R>(given))
}

/// Clusters of `size` members for the lanes, level by level.
pub(super) fn lane_clusters(size: usize, levels: &[Vec<Given>]) -> Box<dyn LaneClusters> {
    by_size!(size, lanes(levels))
}
