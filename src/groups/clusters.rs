//! Small clusters: N members each, a cluster a lane, loaded once, fitted in registers, stored once.

use super::rotation::{Matrix, nearest_rotation, nearest_rotation_apart, times};
use super::runtime::{GroupState, Groups};
use super::torque::spin;
use super::{residual, respond};
use crate::constraints::{GenericResponse, Row};
use crate::math::{Real, Vec3, each};
use crate::state::{PositionView, Width, largest_lane};
use crate::subsystem::Note;
use crate::threads::{Cells, Phased, Worker};
use std::ops::Range;

/// The most members of a small cluster.
pub(super) const MOST: usize = 8;

/// A cluster as the lists below take it: slots, rest positions (m) seen from the center, and weights, then what all share.
#[derive(Clone, Debug)]
pub(super) struct ClusterData {
    pub(super) authored: usize,
    pub(super) slots: Vec<u32>,
    /// Rest position and weight: x y z μ.
    pub(super) members: Vec<[f32; 4]>,
    /// Σ m (kg), so that μ of a free member times it is its mass.
    pub(super) mass: f64,
    pub(super) response_numbers: [f64; 3],
    /// Yield, and the share of the strain that a substep takes up.
    pub(super) plastic: Option<[f64; 2]>,
    /// Whether the [torque](super::torque) of rounding may turn it: what is held does not.
    pub(super) turns: bool,
}

/// A cluster of N members, or as many as there are lanes.
#[derive(Clone, Copy)]
pub(super) struct Cluster<W: Width, const N: usize> {
    pub(super) slots: [W::Slots; N],
    pub(super) rest: [Vec3<W>; N],
    pub(super) weight: [W; N],
    mass: W,
    response: GenericResponse<W>,
}

impl<W: Width, const N: usize> Cluster<W, N> {
    fn new(lanes: &[&ClusterData]) -> Self {
        let number =
            |of: &dyn Fn(&ClusterData) -> f64| W::collect(|lane| W::Element::of(of(lanes[lane])));
        let member = |i: usize, axis: usize| number(&|given| f64::from(given.members[i][axis]));
        let response = each([0, 1, 2], |part: usize| number(&|given| given.response_numbers[part]));
        let mut cluster = Self {
            slots: [W::slots(|_| 0); N],
            rest: [Vec3::zero(); N],
            weight: [W::zero(); N],
            mass: number(&|given| given.mass),
            response: GenericResponse::of(response),
        };
        for i in 0..N {
            cluster.slots[i] = W::slots(|lane| lanes[lane].slots[i]);
            cluster.rest[i] = Vec3::new(member(i, 0), member(i, 1), member(i, 2));
            cluster.weight[i] = member(i, 3);
        }
        cluster
    }

    /// Centroid and A of members at `u`, as seen from the first of them.
    #[inline(always)]
    pub(super) fn moments(&self, u: &[Vec3<W>; N]) -> (Vec3<W>, Matrix<W>) {
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
    fn project(
        &self,
        [damped, turns]: [bool; 2],
        positions: &PositionView<W::Element>,
        lambda: W,
    ) -> W {
        let mut sites = positions.load(self.slots);
        let origin = sites[0].x;
        let mut u = [Vec3::zero(); N];
        for i in 0..N {
            u[i] = sites[i].x - origin;
        }
        let (center, a) = self.moments(&u);
        let turn = nearest_rotation(a);
        let (mut g, mut placed) = ([Vec3::zero(); N], [Vec3::zero(); N]);
        let mut all = Vec3::zero();
        for i in 0..N {
            placed[i] = times(&turn, self.rest[i]);
            g[i] = (u[i] - (placed[i] + center)) * self.weight[i];
            all += g[i];
        }
        // Σ g and Σ ρ × g are what rounding makes of nothing, the same in every substep of a cluster at rest, which they
        // would set in motion.
        let mut rounded = [all; N];
        if turns {
            let mut torque = Vec3::zero();
            for i in 0..N {
                torque += (u[i] - center).cross(g[i]);
            }
            let spin = spin(&a, &turn, torque);
            for i in 0..N {
                rounded[i] = all + spin.cross(placed[i]);
            }
        }
        let mut weight = W::zero();
        for i in 0..N {
            g[i] = (g[i] - rounded[i] * self.weight[i]) * self.mass;
            weight = weight + sites[i].w * g[i].dot(g[i]);
        }
        let mut moved = W::zero();
        if damped {
            let previous = each(
                self.slots,
                #[inline(always)]
                |slot| positions.previous(slot),
            );
            for i in 0..N {
                moved = moved + g[i].dot(sites[i].x - previous[i]);
            }
        }
        let c = weight.sqrt();
        let mut row = Row { c, g, n: c };
        let (s, lambda) = respond(self.response, &mut row, weight, moved, lambda);
        for i in 0..N {
            sites[i].correct(row.g[i] * (sites[i].w * s));
        }
        positions.store(self.slots, sites);
        lambda
    }

    fn residual(&self, positions: &PositionView<W::Element>, lambda: W) -> W {
        let sites = positions.load(self.slots);
        let u = each(sites, |site| site.x - sites[0].x);
        let (center, a) = self.moments(&u);
        let turn = nearest_rotation_apart(a);
        let (mut weight, mut square) = (W::zero(), W::zero());
        for i in 0..N {
            let goal = times(&turn, self.rest[i]) + center;
            let g = (u[i] - goal) * (self.weight[i] * self.mass);
            weight = weight + sites[i].w * g.dot(g);
            square = square + g.dot(g);
        }
        let c = weight.sqrt();
        residual(self.response, [c, c], square, lambda)
    }
}

/// Clusters side by side, or one by one, and their multipliers.
pub(super) struct List<W: Width, const N: usize> {
    pub(super) clusters: Phased<Vec<Cluster<W, N>>>,
    /// Which are plastic: yield, and the share of the strain that a substep takes up.
    pub(super) plastic: Vec<(usize, [W; 2])>,
    /// The authored index of each lane.
    pub(super) authored: Vec<usize>,
    pub(super) lambda: Cells<W>,
}

/// What never yields; the yield of the others stands in their lane.
pub(super) const NEVER: [f64; 2] = [f64::INFINITY, 0.0];

impl<W: Width, const N: usize> List<W, N> {
    fn new(lanes: &[&[&ClusterData]]) -> Self {
        let plastic = |(i, lanes): (usize, &&[&ClusterData])| {
            let number = |n: usize| {
                W::collect(|lane| W::Element::of(lanes[lane].plastic.unwrap_or(NEVER)[n]))
            };
            let any = lanes.iter().any(|given| given.plastic.is_some());
            any.then(|| (i, [number(0), number(1)]))
        };
        let clusters: Vec<_> = lanes.iter().map(|lanes| Cluster::new(lanes)).collect();
        Self {
            plastic: lanes.iter().enumerate().filter_map(plastic).collect(),
            authored: lanes.concat().iter().map(|given| given.authored).collect(),
            lambda: Cells::new(clusters.len(), W::zero()),
            clusters: Phased::new(clusters),
        }
    }

    fn begin(&self, positions: &PositionView<W::Element>) {
        (0..self.lambda.len()).for_each(|i| self.lambda.set(i, W::zero()));
        if !self.plastic.is_empty() {
            let mut clusters = self.clusters.write();
            for &(i, plastic) in &self.plastic {
                clusters[i].flow(positions, plastic);
            }
        }
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&self, which: Range<usize>, sorts: [bool; 2], positions: &PositionView<W::Element>) {
        let clusters = self.clusters.read();
        for i in which {
            if let Some(ahead) = clusters.get(i + 2) {
                positions.fetch::<W>(&ahead.slots);
            }
            let lambda = self.lambda.get(i);
            let lambda = clusters[i].project(sorts, positions, lambda);
            self.lambda.set(i, lambda);
        }
    }

    fn residual(&self, worker: &Worker, positions: &PositionView<W::Element>, note: Note) {
        let clusters = self.clusters.read();
        worker.parallel_for(clusters.len(), |range| {
            let mut largest = W::zero();
            for i in range {
                largest = largest.max(clusters[i].residual(positions, self.lambda.get(i)));
            }
            note(largest_lane(largest));
        });
    }
}

/// Small clusters of N members: side by side, and the rest.
struct Sized<W: Width, const N: usize> {
    packets: List<W, N>,
    tail: List<W::Element, N>,
    /// Packets and tail of each level.
    levels: Vec<[Range<usize>; 2]>,
    /// Whether any is damped, and any turns.
    sorts: [bool; 2],
}

/// Fewer packets than this, or single clusters, stay with one worker.
const WORTH_SHARING: usize = 8;

impl<W: Width, const N: usize> Sized<W, N> {
    fn new(levels: &[Vec<&ClusterData>]) -> Self {
        let (mut packets, mut tail, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
        for level in levels {
            let firsts = [packets.len(), tail.len()];
            let eights = level.chunks_exact(W::LANES);
            tail.extend(eights.remainder().chunks(1));
            packets.extend(eights);
            ranges.push([firsts[0]..packets.len(), firsts[1]..tail.len()]);
        }
        let any = |is: fn(&ClusterData) -> bool| levels.iter().flatten().any(|given| is(given));
        Self {
            packets: List::new(&packets),
            tail: List::new(&tail),
            levels: ranges,
            sorts: [any(|given| given.response_numbers[1] > 0.0), any(|given| given.turns)],
        }
    }

    /// Projects a part of a level's packets and tail, which are counted through.
    fn part(&self, level: usize, part: Range<usize>, positions: &PositionView<W::Element>) {
        let [packets, tail] = &self.levels[level];
        let count = packets.len();
        let at = |unit: usize| packets.start + unit.min(count);
        let which = at(part.start)..at(part.end);
        self.packets.project(which, self.sorts, positions);
        let at = |unit: usize| tail.start + unit.saturating_sub(count);
        let which = at(part.start)..at(part.end);
        self.tail.project(which, self.sorts, positions);
    }
}

impl<W: Width, const N: usize> Groups<W> for Sized<W, N> {
    fn begin(&self, positions: &PositionView<W::Element>) {
        self.packets.begin(positions);
        self.tail.begin(positions);
    }

    fn project(&self, level: usize, worker: &Worker, positions: &PositionView<W::Element>) {
        let units: usize = self.levels[level].iter().map(Range::len).sum();
        let part = |part| self.part(level, part, positions);
        match units {
            0 => {}
            units if units < WORTH_SHARING => worker.single(|| part(0..units)),
            units => worker.parallel_for(units, part),
        }
    }

    fn residual(&self, worker: &Worker, positions: &PositionView<W::Element>, note: Note) {
        self.packets.residual(worker, positions, note);
        self.tail.residual(worker, positions, note);
    }

    fn states(&self) -> Vec<&dyn GroupState> {
        vec![&self.packets, &self.tail]
    }
}

/// Clusters of `size` members, level by level.
pub(super) fn clusters<W: Width>(size: usize, levels: &[Vec<&ClusterData>]) -> Box<dyn Groups<W>> {
    match size {
        1 => Box::new(Sized::<W, 1>::new(levels)),
        2 => Box::new(Sized::<W, 2>::new(levels)),
        3 => Box::new(Sized::<W, 3>::new(levels)),
        4 => Box::new(Sized::<W, 4>::new(levels)),
        5 => Box::new(Sized::<W, 5>::new(levels)),
        6 => Box::new(Sized::<W, 6>::new(levels)),
        7 => Box::new(Sized::<W, 7>::new(levels)),
        8 => Box::new(Sized::<W, 8>::new(levels)),
        size => unreachable!("a small cluster of {size} members"),
    }
}
