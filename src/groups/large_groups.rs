//! Large groups: sums over all members, then a correction to each of them.
//!
//! ```text
//! moments    of every member: centroid and A           (what has a pose)
//! gradients  g of every member, Σ w |g|², Σ g·(x - x_prev) and a sum that C is made of
//! correct    x <- x + w g s                               (what has a pose: less what Σ g and the torque are rounded off by)
//! ```
//!
//! Members go side by side, what is left of a group one by one. A level of many groups is shared out group by group; one of
//! few, chunk by chunk with a meeting between the passes.

use super::members::{
    Chunk, Group, GroupKind, Member, Pose, Rounded, correct, gradient, in_lanes, measure, moments,
    plastic_flow,
};
use super::runtime::{GroupState, Groups};
use super::sum::{CHUNK, Sums, plus};
use super::{residual, respond};
use crate::constraints::Row;
use crate::math::{Real, Scalar, Vec3};
use crate::state::{Consecutive, PositionView, Width};
use crate::subsystem::Note;
use crate::threads::{Cells, Phased, Worker};
use std::ops::Range;

/// All members of all groups.
pub(super) struct Members<W: Width, K: GroupKind> {
    pub(super) packets: Vec<K::Member<W>>,
    pub(super) singles: Vec<K::Member<W::Element>>,
}

/// A group, its first member's slot and its chunks.
pub(super) struct Placed<E> {
    pub(super) group: Group<E>,
    origin: u32,
    pub(super) chunks: Range<usize>,
}

/// Groups, level by level.
pub(super) struct LargeGroups<W: Width, K: GroupKind> {
    pub(super) groups: Vec<Placed<W::Element>>,
    levels: Vec<Range<usize>>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) members: Phased<Members<W, K>>,
    packet_gradients: Cells<Vec3<W>>,
    single_gradients: Cells<Vec3<W::Element>>,
    moments: Cells<[W::Element; 12]>,
    sums: Cells<[W::Element; 9]>,
    poses: Cells<Pose<W::Element>>,
    steps: Cells<(W::Element, Rounded<W::Element>)>,
    pub(super) lambda: Cells<W::Element>,
}

/// A level of at least this many groups is shared group by group.
const MANY_GROUPS: usize = 8;
/// A level of fewer chunks stays with one worker.
const FEW_CHUNKS: usize = 4;

/// What a pass over a level works on.
struct Pass<'a, W: Width, K: GroupKind> {
    all: &'a LargeGroups<W, K>,
    members: &'a Members<W, K>,
    positions: &'a PositionView<'a, W::Element>,
}

type Element<W> = <W as Consecutive>::Element;
/// The groups of each level, each with its members.
pub(super) type Levels<W, K> =
    Vec<Vec<(Group<Element<W>>, Vec<<K as GroupKind>::Member<Element<W>>>)>>;

impl<W: Width, K: GroupKind> LargeGroups<W, K> {
    pub(super) fn new(given: Levels<W, K>) -> Self {
        let (mut groups, mut levels, mut chunks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut packets, mut singles) = (Vec::new(), Vec::new());
        for level in given {
            let first = groups.len();
            for (group, mut members) in level {
                let count = members.len();
                let origin = members[0].slot();
                // One lane has no packets: sums then run over single members.
                let packed = match W::LANES {
                    1 => 0,
                    lanes => count / lanes * lanes,
                };
                let first_chunk = chunks.len();
                let (p, s) = (packets.len(), singles.len());
                for start in (0..count).step_by(CHUNK) {
                    let end = (start + CHUNK).min(count);
                    chunks.push(Chunk {
                        group: groups.len(),
                        packets: p + start.min(packed) / W::LANES..p + end.min(packed) / W::LANES,
                        singles: s + start.max(packed) - packed..s + end.max(packed) - packed,
                    });
                }
                let alone = members.split_off(packed);
                let side_by_side = members.chunks_exact(W::LANES).map(K::side_by_side::<W>);
                packets.extend(side_by_side);
                singles.extend(alone);
                groups.push(Placed { group, origin, chunks: first_chunk..chunks.len() });
            }
            levels.push(first..groups.len());
        }
        let zero = W::Element::zero();
        Self {
            packet_gradients: Cells::new(packets.len(), Vec3::zero()),
            single_gradients: Cells::new(singles.len(), Vec3::zero()),
            moments: Cells::new(chunks.len(), [zero; 12]),
            sums: Cells::new(chunks.len(), [zero; 9]),
            poses: Cells::new(groups.len(), Pose::of([zero; 12])),
            steps: Cells::new(groups.len(), (zero, Rounded::nothing())),
            lambda: Cells::new(groups.len(), zero),
            members: Phased::new(Members { packets, singles }),
            groups,
            levels,
            chunks,
        }
    }

    fn all_moments(&self, group: usize) -> [W::Element; 12] {
        let chunks = self.groups[group].chunks.clone();
        chunks.fold([W::Element::zero(); 12], |all, at| plus(all, self.moments.get(at)))
    }
}

impl<W: Width, K: GroupKind> Groups<W> for LargeGroups<W, K> {
    #[inline(never)] // a frame of its own in profiles
    fn project(&self, level: usize, worker: &Worker, positions: &PositionView<W::Element>) {
        let groups = self.levels[level].clone();
        if groups.is_empty() {
            return;
        }
        let pass = &Pass { all: self, members: &self.members.read(), positions };
        let chunks = self.groups[groups.start].chunks.start..self.groups[groups.end - 1].chunks.end;
        if groups.len() >= MANY_GROUPS {
            worker.parallel_for(groups.len(), |part| {
                part.for_each(|i| pass.whole(groups.start + i));
            });
            return;
        }
        if chunks.len() < FEW_CHUNKS {
            return worker.single(|| groups.clone().for_each(|group| pass.whole(group)));
        }
        let share = |act: &dyn Fn(usize)| {
            worker.parallel_for(chunks.len(), |part| {
                part.for_each(|i| act(chunks.start + i));
            });
        };
        if K::POSED {
            share(&|at| pass.take_moments::<false>(at));
            worker.single(|| groups.clone().for_each(|group| pass.take_pose(group)));
        }
        share(&|at| pass.take_gradients(at));
        worker.single(|| groups.clone().for_each(|group| pass.take_step(group)));
        share(&|at| pass.correct(at));
    }

    fn begin(&self, positions: &PositionView<W::Element>) {
        for (i, Placed { group, chunks, .. }) in self.groups.iter().enumerate() {
            self.lambda.set(i, W::Element::zero());
            if let Some(plastic) = group.plastic {
                let (moments, spreads) = {
                    let pass = Pass { all: self, members: &self.members.read(), positions };
                    // The strain with which the substep began, as that of small clusters (`rest_shapes.rs`).
                    chunks.clone().for_each(|at| pass.take_moments::<true>(at));
                    (self.all_moments(i), pass.spreads(i))
                };
                let by = plastic_flow(moments, spreads, plastic);
                let wide = by.map(in_lanes);
                let mut members = self.members.write();
                for Chunk { packets, singles, .. } in &self.chunks[chunks.clone()] {
                    let packets = &mut members.packets[packets.clone()];
                    packets.iter_mut().for_each(|packet| packet.flow(&wide));
                    let singles = &mut members.singles[singles.clone()];
                    singles.iter_mut().for_each(|single| single.flow(&by));
                }
            }
        }
    }

    fn residual(&self, worker: &Worker, positions: &PositionView<W::Element>, note: Note) {
        let pass = &Pass { all: self, members: &self.members.read(), positions };
        worker.parallel_for(self.groups.len(), |range| {
            range.for_each(|group| note(pass.residual(group).to_f32()));
        });
    }

    fn states(&self) -> Vec<&dyn GroupState> {
        vec![self]
    }
}

impl<W: Width, K: GroupKind> Pass<'_, W, K> {
    fn origin(&self, group: usize) -> Vec3<W::Element> {
        let [site] = self.positions.load([self.all.groups[group].origin]);
        site.x
    }

    /// Sums over the members of a chunk.
    #[inline(always)]
    fn sum<const S: usize>(
        &self,
        chunk: &Chunk,
        of_packet: impl Fn(usize) -> [W; S],
        of_single: impl Fn(usize) -> [W::Element; S],
    ) -> [W::Element; S] {
        let mut sums = [W::zero(); S];
        for i in chunk.packets.clone() {
            sums = plus(sums, of_packet(i));
        }
        let mut sums = Sums::of_lanes(sums);
        for (slot, i) in chunk.singles.clone().enumerate() {
            sums.add(slot, of_single(i));
        }
        sums.total()
    }

    fn take_moments<const BEFORE: bool>(&self, at: usize) {
        let Members { packets, singles } = self.members;
        let chunk = &self.all.chunks[at];
        let origin = self.origin(chunk.group);
        let wide = in_lanes(origin);
        let packet = |i: usize| moments::<BEFORE, W, _>(&packets[i], wide, self.positions);
        let single =
            |i: usize| moments::<BEFORE, W::Element, _>(&singles[i], origin, self.positions);
        self.all.moments.set(at, self.sum(chunk, packet, single));
    }

    /// The sum of the spreads of all members of a group.
    fn spreads(&self, group: usize) -> [W::Element; 6] {
        let Members { packets, singles } = self.members;
        let [of_packets, of_singles] = self.all.members_of(&self.all.groups[group]);
        let whole = Chunk { group, packets: of_packets, singles: of_singles };
        self.sum(&whole, |i| packets[i].spread(), |i| singles[i].spread())
    }

    fn take_gradients(&self, at: usize) {
        let Members { packets, singles } = self.members;
        let chunk = &self.all.chunks[at];
        let Group { damped, turns, .. } = self.all.groups[chunk.group].group;
        let sorts = [damped, turns];
        let origin = self.origin(chunk.group);
        let pose = self.all.poses.get(chunk.group);
        let (wide_origin, wide_pose) = (in_lanes(origin), pose.in_lanes());
        let packet = |i: usize| {
            let (g, terms) = gradient(&packets[i], sorts, wide_origin, &wide_pose, self.positions);
            self.all.packet_gradients.set(i, g);
            terms
        };
        let single = |i: usize| {
            let (g, terms) = gradient(&singles[i], sorts, origin, &pose, self.positions);
            self.all.single_gradients.set(i, g);
            terms
        };
        self.all.sums.set(at, self.sum(chunk, packet, single));
    }

    fn correct(&self, at: usize) {
        let chunk = &self.all.chunks[at];
        let Members { packets, singles } = self.members;
        let (s, rounded) = self.all.steps.get(chunk.group);
        if s == W::Element::zero() {
            return; // they may have overflowed
        }
        let pose = self.all.poses.get(chunk.group);
        let wide = (W::of(s.to_f64()), &pose.in_lanes(), &rounded.in_lanes());
        for i in chunk.packets.clone() {
            correct(&packets[i], self.all.packet_gradients.get(i), wide, self.positions);
        }
        for i in chunk.singles.clone() {
            correct(
                &singles[i],
                self.all.single_gradients.get(i),
                (s, &pose, &rounded),
                self.positions,
            );
        }
    }

    fn take_pose(&self, group: usize) {
        let pose = Pose::of(self.all.all_moments(group));
        self.all.poses.set(group, pose);
    }

    fn take_step(&self, group: usize) {
        let Placed { group: of, chunks, .. } = &self.all.groups[group];
        let zero = [W::Element::zero(); 9];
        let all = chunks.clone().fold(zero, |all, at| plus(all, self.all.sums.get(at)));
        let [weight, moved, sum, x, y, z, torque @ ..] = all;
        let (c, n) = K::constraint(weight, sum, of.target);
        let lambda = self.all.lambda.get(group);
        let row = &mut Row { c, g: [], n };
        let (s, lambda) = respond(of.response, row, weight, moved, lambda);
        let pose = self.all.poses.get(group);
        let spin = of.turns.then(|| pose.spin(Vec3::from(torque), of.mass));
        self.all.steps.set(group, (s, Rounded { sum: Vec3::new(x, y, z), spin }));
        self.all.lambda.set(group, lambda);
    }

    /// |C + α̃ λ| / |∇C| of a group.
    fn residual(&self, group: usize) -> W::Element {
        self.place(group);
        let Placed { group: of, chunks, .. } = &self.all.groups[group];
        let Members { packets, singles } = self.members;
        let (origin, pose) = (self.origin(group), self.all.poses.get(group));
        let (wide_origin, wide_pose) = (in_lanes(origin), pose.in_lanes());
        let packet = |i: usize| measure(&packets[i], wide_origin, &wide_pose, self.positions);
        let single = |i: usize| measure(&singles[i], origin, &pose, self.positions);
        let sums = chunks.clone().map(|at| self.sum(&self.all.chunks[at], packet, single));
        let [weight, square, sum] = sums.fold([W::Element::zero(); 3], plus);
        let cn = K::constraint(weight, sum, of.target);
        residual(of.response, cn.into(), square, self.all.lambda.get(group))
    }

    /// Finds the pose of a group, where it has one.
    fn place(&self, group: usize) {
        if K::POSED {
            let chunks = self.all.groups[group].chunks.clone();
            chunks.for_each(|at| self.take_moments::<false>(at));
            self.take_pose(group);
        }
    }

    /// All passes over one group.
    fn whole(&self, group: usize) {
        let chunks = self.all.groups[group].chunks.clone();
        self.place(group);
        chunks.clone().for_each(|at| self.take_gradients(at));
        self.take_step(group);
        chunks.for_each(|at| self.correct(at));
    }
}
