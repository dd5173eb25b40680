//! Shape matching as a subsystem: small clusters a lane each, large ones member by member.

use super::clusters::{ClusterData, MOST, clusters};
use super::flow::spread;
use super::large_groups::LargeGroups;
use super::levels::levels_of;
use super::members::{Group, GroupKind, Member, Pose, Rounded};
use super::rotation::{Matrix, times};
use super::runtime::{GroupRuntime, Groups};
use super::shape::{KIND, Shapes};
use super::{add_residual, elastic_energy, response_numbers};
use crate::coloring::UnionFind;
use crate::math::{Real, Vec3};
use crate::rows::Residual;
use crate::state::{PositionView, Width};
use crate::subsystem::{BuildContext, Measurement, Runtime, Subsystem, needed, runtimes};

/// A member of a large cluster, or as many as there are lanes.
struct Offset<W: Width> {
    slot: W::Slots,
    rest: Vec3<W>,
    weight: W,
    mass: W,
}

/// Clusters as groups.
struct LargeClusters;

impl GroupKind for LargeClusters {
    type Member<W: Width> = Offset<W>;
    const POSED: bool = true;

    fn side_by_side<W: Width>(offsets: &[Offset<W::Element>]) -> Offset<W> {
        let axis =
            |of: fn(&Vec3<W::Element>) -> W::Element| W::collect(|lane| of(&offsets[lane].rest));
        Offset {
            slot: W::slots(|lane| offsets[lane].slot),
            rest: Vec3::new(axis(|r| r.x), axis(|r| r.y), axis(|r| r.z)),
            weight: W::collect(|lane| offsets[lane].weight),
            mass: W::collect(|lane| offsets[lane].mass),
        }
    }

    /// C = sqrt(Σ m |x - goal|²) = Σ w |g|² / C.
    fn constraint<R: Real>(weight: R, _: R, _: R) -> (R, R) {
        let c = weight.sqrt();
        (c, c)
    }
}

impl<W: Width> Member<W> for Offset<W> {
    fn slot(&self) -> W::Slots {
        self.slot
    }

    #[inline(always)]
    fn moments(&self, u: Vec3<W>) -> [W; 12] {
        let (v, r) = (u * self.weight, self.rest);
        let (a, b, c) = (v * r.x, v * r.y, v * r.z);
        [v.x, v.y, v.z, a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
    }

    #[inline(always)]
    fn gradient(
        &self,
        u: Vec3<W>,
        _: Vec3<W>,
        pose: &Pose<W>,
        _: &PositionView<W::Element>,
    ) -> (Vec3<W>, W) {
        let goal = times(&pose.turn, self.rest) + pose.center;
        ((u - goal) * self.mass, W::zero())
    }

    #[inline(always)]
    fn torque(&self, u: Vec3<W>, g: Vec3<W>, pose: &Pose<W>) -> Vec3<W> {
        (u - pose.center).cross(g)
    }

    #[inline(always)]
    fn without(&self, g: Vec3<W>, pose: &Pose<W>, rounded: &Rounded<W>) -> Vec3<W> {
        let g = g - rounded.sum * self.weight;
        match rounded.spin {
            Some(spin) => g - spin.cross(times(&pose.turn, self.rest)) * self.mass,
            None => g,
        }
    }

    fn spread(&self) -> [W; 6] {
        spread(self.rest, self.weight)
    }

    fn flow(&mut self, by: &Matrix<W>) {
        self.rest = times(by, self.rest);
    }

    fn rest(&self) -> Vec3<W> {
        self.rest
    }

    fn set_rest(&mut self, rest: Vec3<W>) {
        self.rest = rest;
    }
}

impl Shapes {
    /// A cluster as the lists of small clusters take it.
    fn given(&self, which: u32, turns: bool, context: &BuildContext) -> ClusterData {
        let cluster = &self.clusters[which as usize];
        let range = cluster.first..cluster.first + cluster.count;
        let slot = |&i: &u32| context.permutation.storage(i);
        ClusterData {
            authored: which as usize,
            slots: self.particles[range.clone()].iter().map(slot).collect(),
            members: self.members[range].to_vec(),
            mass: cluster.mass,
            response_numbers: response_numbers(cluster.stiffness, context.settings),
            plastic: cluster.plastic.map(|p| [p.strain, (p.creep * context.settings.h()).min(1.0)]),
            turns,
        }
    }

    /// Whether each cluster may turn: what shares particles with it has fewer than three that do not move.
    fn turns(&self, context: &BuildContext) -> Vec<bool> {
        let mut sets = UnionFind::new(context.inverse_masses.len());
        let all = || (0..self.clusters.len() as u32).map(|i| self.particles_of(i));
        all().for_each(|of| of.windows(2).for_each(|pair| sets.join(pair[0], pair[1])));
        let mut held = vec![0; sets.len()];
        for (particle, &w) in (0..).zip(context.inverse_masses) {
            held[sets.root(particle) as usize] += usize::from(w == 0.0);
        }
        all().map(|of| held[sets.root(of[0]) as usize] < 3).collect()
    }

    fn runtime<W: Width>(&self, context: &BuildContext) -> Box<dyn Runtime<W>> {
        let turns = self.turns(context);
        let levels = levels_of(self.clusters.len(), |i| self.particles_of(i));
        let levels = levels.colors();
        let given = levels.iter().map(|level| {
            let given = level.iter().map(|&i| self.given(i, turns[i as usize], context));
            given.partition(|given| given.slots.len() <= MOST)
        });
        let (small, large): (Vec<Vec<ClusterData>>, Vec<Vec<ClusterData>>) = given.unzip();
        let sizes = (1..=MOST).map(|size| (size, of_size(&small, size)));
        let present = sizes.filter(|(_, levels)| levels.iter().any(|level| !level.is_empty()));
        let groups = large.iter().map(|level| {
            let groups = level.iter().map(|given| (group(given), offsets(given)));
            groups.collect()
        });
        let large: Box<dyn Groups<W>> =
            Box::new(LargeGroups::<W, LargeClusters>::new(groups.collect()));
        let small = present.map(|(size, levels)| clusters(size, &levels));
        let groups = small.chain([large]).collect();
        Box::new(GroupRuntime { groups, levels: levels.len(), count: self.clusters.len() })
    }
}

/// The clusters of a size, level by level.
fn of_size(levels: &[Vec<ClusterData>], size: usize) -> Vec<Vec<&ClusterData>> {
    let of_level = |level: &'_ [ClusterData]| -> Vec<usize> {
        let of_size = (0..level.len()).filter(|&i| level[i].slots.len() == size);
        let mut all: Vec<usize> = of_size.collect();
        all.sort_by_key(|&i| level[i].slots[0]); // along the storage
        all
    };
    let levels = levels.iter();
    levels.map(|level| of_level(level).into_iter().map(|i| &level[i]).collect()).collect()
}

fn group<E: Real>(given: &ClusterData) -> Group<E> {
    let plastic = given.plastic.map(|p| p.map(E::of));
    let new = Group::new(given.response_numbers, given.authored);
    Group { plastic, mass: E::of(given.mass), turns: given.turns, ..new }
}

fn offsets<E: Width<Slots = u32>>(given: &ClusterData) -> Vec<Offset<E>> {
    let members = given.slots.iter().zip(&given.members);
    let offset = |(&slot, m): (&u32, &[f32; 4])| {
        let [x, y, z, weight] = m.map(f64::from);
        Offset {
            slot,
            rest: Vec3::of([x, y, z]),
            weight: E::of(weight),
            mass: E::of(weight * given.mass),
        }
    };
    members.map(offset).collect()
}

impl Subsystem for Shapes {
    fn name(&self) -> &'static str {
        KIND
    }

    fn len(&self) -> usize {
        self.clusters.len()
    }

    fn each_joined(&self, act: &mut dyn FnMut(&[u32])) {
        (0..self.clusters.len() as u32).for_each(|i| act(self.particles_of(i)));
    }
    fn is_internal(&self) -> bool {
        true
    }
    fn bears(&self) -> bool {
        false
    }
    fn needs(&self) -> [usize; 2] {
        [needed(self.particles.iter().copied()), 0]
    }
    runtimes!(described);

    fn add_residual(&self, of: &Measurement, sum: &mut Residual) {
        add_residual(self.measured(of.state), of.lambda, of.settings, sum);
    }

    fn elastic_energy(&self, of: &Measurement) -> f64 {
        elastic_energy(self.measured(of.state), of.settings)
    }
}
