//! Shape matching as a part: small clusters a lane each, large ones member by member.

use super::clusters::{FlatClusters, Given, LaneClusters, MOST, flat_clusters, lane_clusters};
use super::flow::spread;
use super::lane_members::LaneGroups;
use super::levels::levels_of;
use super::members::{FlatGroups, Group, Member, Pose};
use super::rings::Slots;
use super::rotation::{Matrix, times};
use super::shape::{KIND, Shapes};
use super::{Hold, hold};
use crate::coloring::Numbering;
use crate::math::{F32x8, Real, Scalar, Vec3, WIDTH, pack};
use crate::model::Model;
use crate::rows::Residual;
use crate::rows::{Points, Store};
use crate::settings::Settings;
use crate::state::Particles;
use crate::state::Snapshot;
use crate::subsystem::{FlatPart, LanePart, Moment, Part, PartSource, Stage};
use crate::threads::{Team, Worker};
use std::ops::Range;

/// A member of a large cluster, or eight.
struct Offset<I, R> {
    slot: I,
    rest: Vec3<R>,
    weight: R,
    mass: R,
}

impl<I: Slots, R: Real> Member<I, R> for Offset<I, R> {
    const POSED: bool = true;

    fn slot(&self) -> I {
        self.slot
    }

    #[inline(always)]
    fn moments(&self, u: Vec3<R>) -> [R; 12] {
        let (v, r) = (u * self.weight, self.rest);
        let (a, b, c) = (v * r.x, v * r.y, v * r.z);
        [v.x, v.y, v.z, a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
    }

    #[inline(always)]
    fn gradient(
        &self,
        u: Vec3<R>,
        _: Vec3<R>,
        pose: &Pose<R>,
        _: &impl Store<I, R>,
    ) -> (Vec3<R>, R) {
        let goal = times(&pose.turn, self.rest) + pose.center;
        ((u - goal) * self.mass, R::zero())
    }

    /// C = sqrt(Σ m |x - goal|²) = Σ w |g|² / C.
    fn constraint(weight: R, _: R, _: R) -> (R, R) {
        let c = weight.sqrt();
        (c, c)
    }

    fn spread(&self) -> [R; 6] {
        spread(self.rest, self.weight)
    }

    fn flow(&mut self, by: &Matrix<R>) {
        self.rest = times(by, self.rest);
    }
}

impl Shapes {
    /// A cluster as the lists of small clusters take it.
    fn given(&self, which: u32, numbering: &Numbering, settings: &Settings) -> Given {
        let cluster = &self.clusters[which as usize];
        let range = cluster.first..cluster.first + cluster.count;
        let place = |&i: &u32| numbering.storage(i);
        Given {
            authored: which as usize,
            slots: self.particles[range.clone()].iter().map(place).collect(),
            members: self.members[range].to_vec(),
            mass: cluster.mass,
            hold: hold(cluster.strength, settings),
            plastic: cluster
                .plastic
                .map(|p| [p.strain, (p.creep * settings.h()).min(1.0)]),
        }
    }

    fn is_small(&self, which: u32) -> bool {
        self.clusters[which as usize].count <= MOST
    }
}

fn group<R: Scalar>(given: &Given) -> Group<R> {
    Group {
        hold: Hold::new(given.hold),
        damped: given.hold[1] > 0.0,
        target: R::zero(),
        plastic: given.plastic.map(|p| p.map(R::of)),
        authored: given.authored,
    }
}

fn offsets<R: Scalar>(given: &Given) -> Vec<Offset<u32, R>> {
    let members = given.slots.iter().zip(&given.members);
    let offset = |(&slot, m): (&u32, &[f32; 4])| {
        let [x, y, z, weight] = m.map(f64::from);
        Offset {
            slot,
            rest: Vec3::of([x, y, z]),
            weight: R::of(weight),
            mass: R::of(weight * given.mass),
        }
    };
    members.map(offset).collect()
}

fn eight(offsets: &[Offset<u32, f32>]) -> Offset<[u32; WIDTH], F32x8> {
    let wide =
        |of: fn(&Offset<u32, f32>) -> f32| pack(std::array::from_fn(|lane| of(&offsets[lane])));
    Offset {
        slot: std::array::from_fn(|lane| offsets[lane].slot),
        rest: Vec3::new(wide(|o| o.rest.x), wide(|o| o.rest.y), wide(|o| o.rest.z)),
        weight: wide(|o| o.weight),
        mass: wide(|o| o.mass),
    }
}

impl<R: Scalar> PartSource<R> for Shapes {
    fn flat(&self, model: &Model, numbering: &Numbering) -> Box<dyn FlatPart<R>> {
        let mut small: [Vec<Given>; MOST] = Default::default();
        let mut large = FlatGroups::new();
        let mut order: Vec<Run> = Vec::new();
        for which in 0..self.clusters.len() as u32 {
            let given = self.given(which, numbering, &model.settings);
            let (size, at) = match self.is_small(which) {
                true => (given.slots.len(), small[given.slots.len() - 1].len()),
                false => (0, large.len()),
            };
            match order.last_mut() {
                Some(run) if run.size == size => run.which.end = at + 1,
                _ => order.push(Run {
                    size,
                    which: at..at + 1,
                }),
            }
            match size {
                0 => large.push(group(&given), offsets(&given)),
                size => small[size - 1].push(given),
            }
        }
        let small = small.iter().enumerate();
        Box::new(Flat {
            small: small
                .map(|(i, given)| flat_clusters(i + 1, given))
                .collect(),
            large,
            order,
            count: self.clusters.len(),
        })
    }
}

/// Clusters of one size that follow each other in the authored order; size zero stands for all large ones.
struct Run {
    size: usize,
    which: Range<usize>,
}

struct Flat<R: Scalar> {
    small: Vec<Box<dyn FlatClusters<R>>>,
    large: FlatGroups<R, Offset<u32, R>>,
    order: Vec<Run>,
    count: usize,
}

impl<R: Scalar> FlatPart<R> for Flat<R> {
    fn begin(&mut self, moment: Moment, _: &Particles<R>, points: &Points<R>) {
        if moment != Moment::Iteration {
            self.small.iter_mut().for_each(|list| list.begin(points));
            self.large.begin(points);
        }
    }

    fn project(&mut self, points: &Points<R>) {
        for Run { size, which } in &self.order {
            match size {
                0 => which.clone().for_each(|i| self.large.project(i, points)),
                size => self.small[size - 1].project(which.clone(), points),
            }
        }
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.count];
        let mut put = |i: usize, lambda: f32| out[i] = lambda;
        self.small
            .iter()
            .for_each(|list| list.each_multiplier(&mut put));
        self.large.each_multiplier(put);
        out
    }
}

struct Lanes {
    small: Vec<Box<dyn LaneClusters>>,
    large: LaneGroups<Offset<[u32; WIDTH], F32x8>, Offset<u32, f32>>,
    levels: usize,
    count: usize,
}

#[allow(private_interfaces)]
impl LanePart for Lanes {
    fn begin(&mut self, moment: Moment, _: &Team, stage: &Stage) {
        if moment != Moment::Iteration {
            let small = self.small.iter_mut();
            small.for_each(|list| list.begin(&stage.places));
            self.large.begin(&stage.places);
        }
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        for level in 0..self.levels {
            let small = self.small.iter();
            small.for_each(|list| list.project(level, worker, &stage.places));
            self.large.project(level, worker, &stage.places);
        }
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.count];
        let mut put = |i: usize, lambda: f32| out[i] = lambda;
        self.small
            .iter()
            .for_each(|list| list.each_multiplier(&mut put));
        self.large.each_multiplier(put);
        out
    }
}

#[allow(private_interfaces)]
impl Part for Shapes {
    fn name(&self) -> &'static str {
        KIND
    }

    fn len(&self) -> usize {
        self.clusters.len()
    }

    fn lanes(&self, model: &Model, numbering: &Numbering) -> Box<dyn LanePart> {
        let levels = levels_of(self.len(), |i| self.particles_of(i));
        let levels = levels.colors();
        let given = |i: u32| self.given(i, numbering, &model.settings);
        let mut small = Vec::new();
        for size in 1..=MOST {
            let of_size = |&&i: &&u32| self.clusters[i as usize].count == size;
            let of_level = |level: &Vec<u32>| -> Vec<Given> {
                let mut all: Vec<Given> = level.iter().filter(of_size).map(|&i| given(i)).collect();
                all.sort_by_key(|given| given.slots[0]); // along the storage
                all
            };
            let all: Vec<Vec<Given>> = levels.iter().map(of_level).collect();
            if all.iter().any(|level| !level.is_empty()) {
                small.push(lane_clusters(size, &all));
            }
        }
        let large = |&i: &u32| {
            let given = given(i);
            let mut singles = offsets(&given);
            let rest = singles.split_off(singles.len() / WIDTH * WIDTH);
            let packets = singles.chunks_exact(WIDTH).map(eight).collect();
            (group(&given), packets, rest)
        };
        let of_level = |level: &Vec<u32>| {
            let large_ones = level.iter().filter(|&&i| !self.is_small(i));
            large_ones.map(large).collect()
        };
        Box::new(Lanes {
            small,
            large: LaneGroups::new(levels.iter().map(of_level).collect()),
            levels: levels.len(),
            count: self.len(),
        })
    }

    fn add_residual(
        &self,
        state: &Snapshot,
        lambda: &[f32],
        settings: &Settings,
        sum: &mut Residual,
    ) {
        self.residual(state, lambda, settings, sum);
    }

    fn elastic_energy(&self, state: &Snapshot, settings: &Settings) -> f64 {
        self.energy(state, settings)
    }
}
