//! What groups carry, to save and to take up again: multipliers, and the rest shapes of plastic groups, which change here.

use super::clusters::{Cluster, List, NEVER};
use super::flow::{flow, spread};
use super::large_groups::{LargeGroups, Placed};
use super::members::{GroupKind, Member};
use super::rotation::times;
use super::runtime::GroupState;
use super::sum::plus;
use crate::math::{Real, Scalar, Vec3, each};
use crate::state::{PositionView, Width};
use std::ops::Range;

impl<W: Width, const N: usize> Cluster<W, N> {
    /// Changes the rest shape of clusters beyond their yield, by the strain with which the substep began: predicted positions
    /// hold what loads add to it, h² f/m, before the cluster pulls back.
    pub(super) fn flow(&mut self, positions: &PositionView<W::Element>, plastic: [W; 2]) {
        let x = each(self.slots, |slot| positions.previous(slot));
        let (_, a) = self.moments(&each(x, |member| member - x[0]));
        let mut q = [W::zero(); 6];
        for (r, w) in self.rest.iter().zip(self.weight) {
            q = plus(q, spread(*r, w));
        }
        let by = flow(a, q, plastic);
        for r in &mut self.rest {
            *r = times(&by, *r);
        }
    }
}

impl<W: Width, const N: usize> GroupState for List<W, N> {
    fn each_multiplier(&self, act: &mut dyn FnMut(usize, f32)) {
        for (i, lanes) in self.authored.chunks_exact(W::LANES).enumerate() {
            let lambda = self.lambda.get(i);
            for (lane, &at) in lanes.iter().enumerate() {
                act(at, lambda.lane(lane).to_f32());
            }
        }
    }

    fn set_multipliers(&self, of: &dyn Fn(usize) -> f32) {
        for (i, lanes) in self.authored.chunks_exact(W::LANES).enumerate() {
            self.lambda.set(i, W::singles(|lane| of(lanes[lane])));
        }
    }

    fn each_rest(&self, act: &mut dyn FnMut(usize, Vec<f32>)) {
        let clusters = self.clusters.read();
        for (i, lane, authored) in self.plastic_lanes() {
            let rest = each(clusters[i].rest, |rest| W::vector_lane(rest, lane).to_array());
            act(authored, rest.as_flattened().iter().map(|v| v.to_f32()).collect());
        }
    }

    fn set_rest<'a>(&self, of: &dyn Fn(usize) -> &'a [f32]) -> bool {
        let mut clusters = self.clusters.write();
        self.plastic_lanes().all(|(i, changed, authored)| {
            let (rows, rest) = of(authored).as_chunks::<3>();
            let fits = rows.len() == N && rest.is_empty();
            for (rest, row) in clusters[i].rest.iter_mut().zip(rows) {
                let axis = |v: W, k: usize| {
                    v.with(|lane| lane == changed, W::Element::of(f64::from(row[k])))
                };
                *rest = Vec3::new(axis(rest.x, 0), axis(rest.y, 1), axis(rest.z, 2));
            }
            fits
        })
    }
}

impl<W: Width, const N: usize> List<W, N> {
    /// Plastic clusters: packet, lane and authored index of each.
    fn plastic_lanes(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let lanes = move |(i, [strain, _]): &(usize, [W; 2])| {
            let (i, strain) = (*i, *strain);
            let yields = move |lane: &usize| strain.lane(*lane).to_f64() < NEVER[0];
            let lanes = (0..W::LANES).filter(yields);
            lanes.map(move |lane| (i, lane, self.authored[i * W::LANES + lane]))
        };
        self.plastic.iter().flat_map(lanes)
    }
}

impl<W: Width, K: GroupKind> LargeGroups<W, K> {
    /// The packets and singles of a group, which lie together.
    pub(super) fn members_of(&self, group: &Placed<W::Element>) -> [Range<usize>; 2] {
        let chunks = &self.chunks[group.chunks.clone()];
        let (first, last) = (&chunks[0], &chunks[chunks.len() - 1]);
        [first.packets.start..last.packets.end, first.singles.start..last.singles.end]
    }
}

impl<W: Width, K: GroupKind> GroupState for LargeGroups<W, K> {
    fn set_multipliers(&self, of: &dyn Fn(usize) -> f32) {
        for (i, Placed { group, .. }) in self.groups.iter().enumerate() {
            self.lambda.set(i, W::Element::of(f64::from(of(group.authored))));
        }
    }

    fn each_multiplier(&self, act: &mut dyn FnMut(usize, f32)) {
        for (i, Placed { group, .. }) in self.groups.iter().enumerate() {
            act(group.authored, self.lambda.get(i).to_f32());
        }
    }

    fn each_rest(&self, act: &mut dyn FnMut(usize, Vec<f32>)) {
        let members = self.members.read();
        for placed in self.groups.iter().filter(|placed| placed.group.plastic.is_some()) {
            let [packets, singles] = self.members_of(placed);
            let mut out = Vec::new();
            for packet in &members.packets[packets] {
                let rest = packet.rest();
                for lane in 0..W::LANES {
                    let rest = W::vector_lane(rest, lane).to_array();
                    out.extend(rest.map(W::Element::to_f32));
                }
            }
            for single in &members.singles[singles] {
                out.extend(single.rest().to_array().map(W::Element::to_f32));
            }
            act(placed.group.authored, out);
        }
    }

    fn set_rest<'a>(&self, of: &dyn Fn(usize) -> &'a [f32]) -> bool {
        let mut members = self.members.write();
        let mut plastic = self.groups.iter().filter(|placed| placed.group.plastic.is_some());
        plastic.all(|placed| {
            let [packets, singles] = self.members_of(placed);
            let numbers = of(placed.group.authored);
            let packed = 3 * W::LANES * packets.len();
            if numbers.len() != packed + 3 * singles.len() {
                return false;
            }
            let (packed, alone) = numbers.split_at(packed);
            let lanes = packed.chunks_exact(3 * W::LANES);
            for (packet, numbers) in members.packets[packets].iter_mut().zip(lanes) {
                let axis = |k: usize| W::singles(|lane| numbers[3 * lane + k]);
                packet.set_rest(Vec3::new(axis(0), axis(1), axis(2)));
            }
            let rows = alone.as_chunks::<3>().0;
            for (single, row) in members.singles[singles].iter_mut().zip(rows) {
                let number = |k: usize| W::Element::of(f64::from(row[k]));
                single.set_rest(Vec3::new(number(0), number(1), number(2)));
            }
            true
        })
    }
}
