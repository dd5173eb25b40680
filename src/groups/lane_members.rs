//! Large groups in lanes: members eight side by side, what is left of a group one by one.
//!
//! A level of many groups is shared out group by group; one of few, chunk by chunk with a meeting between the passes.

use super::flow::flow;
use super::members::{Group, Member, Pose, add_moments, chunks, correct, gradient, split, step};
use super::rotation::nearest_rotation;
use super::sum::{Sums, plus};
use crate::math::{F32x8, Real, Vec3, WIDTH, pack, unpack};
use crate::rows::{Places, Store};
use crate::threads::{Cells, Worker};
use std::ops::Range;

/// A part of a group that one worker does: packets of eight members, and what is left.
struct Chunk {
    group: usize,
    packets: Range<usize>,
    singles: Range<usize>,
}

/// A group, its members eight by eight, and the rest.
pub(super) type Split<P, M> = (Group<f32>, Vec<P>, Vec<M>);

/// Groups in lanes, level by level.
pub(super) struct LaneGroups<P, M> {
    /// Each with its origin and its chunks.
    groups: Vec<(Group<f32>, u32, Range<usize>)>,
    levels: Vec<Range<usize>>,
    chunks: Vec<Chunk>,
    packets: Vec<P>,
    singles: Vec<M>,
    packet_gradients: Cells<Vec3<F32x8>>,
    single_gradients: Cells<Vec3<f32>>,
    moments: Cells<[f32; 12]>,
    sums: Cells<[f32; 3]>,
    poses: Cells<Pose<f32>>,
    steps: Cells<f32>,
    lambda: Cells<f32>,
}

/// A level of at least this many groups is shared group by group.
const MANY_GROUPS: usize = 8;
/// A level of fewer chunks stays with one worker.
const FEW_CHUNKS: usize = 4;

impl<P: Member<[u32; WIDTH], F32x8>, M: Member<u32, f32>> LaneGroups<P, M> {
    /// The groups of each level: what each is, its members eight by eight, and the rest.
    pub(super) fn new(levels: Vec<Vec<Split<P, M>>>) -> Self {
        let mut all = Self {
            groups: Vec::new(),
            levels: Vec::new(),
            chunks: Vec::new(),
            packets: Vec::new(),
            singles: Vec::new(),
            packet_gradients: Cells::new(0, Vec3::zero()),
            single_gradients: Cells::new(0, Vec3::zero()),
            moments: Cells::new(0, [0.0; 12]),
            sums: Cells::new(0, [0.0; 3]),
            poses: Cells::new(0, Pose::of([0.0; 12])),
            steps: Cells::new(0, 0.0),
            lambda: Cells::new(0, 0.0),
        };
        for level in levels {
            let first = all.groups.len();
            for (group, packets, singles) in level {
                let count = packets.len() * WIDTH + singles.len();
                let first_chunk = all.chunks.len();
                let (p, s) = (all.packets.len(), all.singles.len());
                for chunk in chunks(count) {
                    let eights = chunk.start / WIDTH..chunk.end / WIDTH;
                    let last = chunk.end == count;
                    all.chunks.push(Chunk {
                        group: all.groups.len(),
                        packets: p + eights.start..p + eights.end,
                        singles: s..s + if last { singles.len() } else { 0 },
                    });
                }
                let lane = |p: &P| p.slot()[0];
                let origin = packets.first().map(lane);
                let origin = origin.unwrap_or_else(|| singles[0].slot());
                all.packets.extend(packets);
                all.singles.extend(singles);
                let chunks = first_chunk..all.chunks.len();
                all.groups.push((group, origin, chunks));
            }
            all.levels.push(first..all.groups.len());
        }
        all.packet_gradients = Cells::new(all.packets.len(), Vec3::zero());
        all.single_gradients = Cells::new(all.singles.len(), Vec3::zero());
        all.moments = Cells::new(all.chunks.len(), [0.0; 12]);
        all.sums = Cells::new(all.chunks.len(), [0.0; 3]);
        all.poses = Cells::new(all.groups.len(), Pose::of([0.0; 12]));
        all.steps = Cells::new(all.groups.len(), 0.0);
        all.lambda = Cells::new(all.groups.len(), 0.0);
        all
    }

    fn origin(&self, group: usize, store: &Places) -> Vec3<f32> {
        Store::<u32, f32>::load(store, [self.groups[group].1])[0].x
    }

    fn take_moments(&self, at: usize, store: &Places) {
        let Chunk {
            group,
            packets,
            singles,
        } = &self.chunks[at];
        let origin = self.origin(*group, store);
        let wide = widen(origin);
        let mut sums = [F32x8::zero(); 12];
        for packet in &self.packets[packets.clone()] {
            let [site] = store.load([packet.slot()]);
            sums = plus(sums, packet.moments(site.x - wide));
        }
        let mut sums = Sums::of_lanes(sums);
        add_moments(&mut sums, &self.singles[singles.clone()], origin, store);
        self.moments.set(at, sums.total());
    }

    fn all_moments(&self, group: usize) -> [f32; 12] {
        let chunks = self.groups[group].2.clone();
        chunks.fold([0.0; 12], |all, at| plus(all, self.moments.get(at)))
    }

    fn take_gradients(&self, at: usize, store: &Places) {
        let chunk = &self.chunks[at];
        let damped = self.groups[chunk.group].0.damped;
        let origin = self.origin(chunk.group, store);
        let pose = self.poses.get(chunk.group);
        let (wide_origin, wide_pose) = (widen(origin), pose.wide());
        let mut sums = [F32x8::zero(); 3];
        for i in chunk.packets.clone() {
            let (g, terms) = gradient(&self.packets[i], damped, wide_origin, &wide_pose, store);
            self.packet_gradients.set(i, g);
            sums = plus(sums, terms);
        }
        let mut sums = Sums::of_lanes(sums);
        for (place, i) in chunk.singles.clone().enumerate() {
            let (g, terms) = gradient(&self.singles[i], damped, origin, &pose, store);
            self.single_gradients.set(i, g);
            sums.add(place, terms);
        }
        self.sums.set(at, sums.total());
    }

    fn correct(&self, at: usize, store: &Places) {
        let chunk = &self.chunks[at];
        let s = self.steps.get(chunk.group);
        let wide = F32x8::of(f64::from(s));
        for i in chunk.packets.clone() {
            let slot = self.packets[i].slot();
            correct(slot, self.packet_gradients.get(i), wide, store);
        }
        for i in chunk.singles.clone() {
            let slot = self.singles[i].slot();
            correct(slot, self.single_gradients.get(i), s, store);
        }
    }

    fn take_pose(&self, group: usize) {
        self.poses.set(group, Pose::of(self.all_moments(group)));
    }

    fn take_step(&self, group: usize) {
        let chunks = self.groups[group].2.clone();
        let sums = chunks.fold([0.0; 3], |all, at| plus(all, self.sums.get(at)));
        let mut lambda = self.lambda.get(group);
        let s = step::<f32, M>(&self.groups[group].0, sums, &mut lambda);
        self.steps.set(group, s);
        self.lambda.set(group, lambda);
    }

    /// All passes over one group.
    fn whole(&self, group: usize, store: &Places) {
        let chunks = self.groups[group].2.clone();
        if M::POSED {
            chunks.clone().for_each(|at| self.take_moments(at, store));
            self.take_pose(group);
        }
        chunks.clone().for_each(|at| self.take_gradients(at, store));
        self.take_step(group);
        chunks.for_each(|at| self.correct(at, store));
    }

    /// Projects a level's groups, all workers together.
    #[inline(never)] // a frame of its own in profiles
    pub(super) fn project(&self, level: usize, worker: &Worker, store: &Places) {
        let groups = self.levels[level].clone();
        let (Some(first), Some(last)) = (self.groups.get(groups.start), groups.clone().last())
        else {
            return;
        };
        let chunks = first.2.start..self.groups[last].2.end;
        if groups.is_empty() {
            return;
        }
        if groups.len() >= MANY_GROUPS {
            worker.share(groups.len(), |part| {
                part.for_each(|i| self.whole(groups.start + i, store));
            });
            return;
        }
        if chunks.len() < FEW_CHUNKS {
            return worker.alone(|| groups.clone().for_each(|group| self.whole(group, store)));
        }
        let share = |act: &dyn Fn(usize)| {
            worker.share(chunks.len(), |part| {
                part.for_each(|i| act(chunks.start + i));
            });
        };
        if M::POSED {
            share(&|at| self.take_moments(at, store));
            worker.alone(|| groups.clone().for_each(|group| self.take_pose(group)));
        }
        share(&|at| self.take_gradients(at, store));
        worker.alone(|| groups.clone().for_each(|group| self.take_step(group)));
        share(&|at| self.correct(at, store));
    }

    /// As of the flat groups.
    pub(super) fn begin(&mut self, store: &Places) {
        for group in 0..self.groups.len() {
            self.lambda.set(group, 0.0);
            let Some(plastic) = self.groups[group].0.plastic else {
                continue;
            };
            let chunks = self.groups[group].2.clone();
            chunks.clone().for_each(|at| self.take_moments(at, store));
            let mut sums = [[0.0; WIDTH]; 6];
            for chunk in &self.chunks[chunks.clone()] {
                for packet in &self.packets[chunk.packets.clone()] {
                    for (sum, lanes) in sums.iter_mut().zip(packet.spread()) {
                        let lanes = unpack(lanes);
                        sum.iter_mut().zip(lanes).for_each(|(s, v)| *s += v);
                    }
                }
            }
            let mut spreads = Sums::of_lanes(sums.map(pack));
            for chunk in &self.chunks[chunks.clone()] {
                for (i, single) in self.singles[chunk.singles.clone()].iter().enumerate() {
                    spreads.add(i, single.spread());
                }
            }
            let (_, a) = split(self.all_moments(group));
            let by = flow(a, nearest_rotation(a), spreads.total(), plastic);
            let wide = by.map(widen);
            for at in chunks {
                let chunk = &self.chunks[at];
                let packets = &mut self.packets[chunk.packets.clone()];
                packets.iter_mut().for_each(|packet| packet.flow(&wide));
                let singles = &mut self.singles[chunk.singles.clone()];
                singles.iter_mut().for_each(|single| single.flow(&by));
            }
        }
    }

    /// As of the flat groups.
    pub(super) fn each_multiplier(&self, mut act: impl FnMut(usize, f32)) {
        for (i, (group, ..)) in self.groups.iter().enumerate() {
            act(group.authored, self.lambda.get(i));
        }
    }
}

fn widen(v: Vec3<f32>) -> Vec3<F32x8> {
    Vec3::of([v.x, v.y, v.z].map(f64::from))
}
